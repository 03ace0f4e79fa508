"""Laws that the odds of every position obey, whatever their values are.

No expected answers here: each test derives one position from another and says how their odds must
hang together, in exact fractions, through the public interface. So these also hold the engines to
account on boards far too large for the references.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineodds
from positions import position_of, positions, random_position, replaced
from reference import FLAG, HIDDEN, Cell, Position

law = settings(max_examples=120, deadline=None)


def solve(position: Position) -> mineodds.Odds:
    return mineodds.solve(mineodds.Board(position.cells, mines=position.mines))


def solve_or_none(position: Position) -> mineodds.Odds | None:
    """The odds, or None where no layout fits."""
    try:
        return solve(position)
    except mineodds.InconsistentBoardError:
        return None


def chances(position: Position, odds: mineodds.Odds) -> dict[Cell, Fraction]:
    """The exact chance of a mine in every hidden cell."""
    return {cell: odds.fraction(*cell) for cell in position.hidden}


def cells_of(mask: np.ndarray) -> set[Cell]:
    return {(int(row), int(col)) for row, col in zip(*mask.nonzero(), strict=True)}


def large_positions() -> list[Position]:
    """Mid-game boards of some hundred hidden cells, long strips, and a scatter of single clues."""
    rng = Random(20)
    shapes = [(16, 30), (30, 16), (1, 300), (300, 1), (2, 120), (40, 40)]
    found = []
    for rows, cols in shapes:
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        mines = set(rng.sample(cells, len(cells) // 5))
        safe = [cell for cell in cells if cell not in mines]
        found.append(position_of(rows, cols, mines, set(rng.sample(safe, len(safe) // 5))))
        found.append(position_of(rows, cols, mines, set(rng.sample(safe, 3 * len(safe) // 4))))
    return found


def assert_chances_add_up(position: Position) -> None:
    odds = solve(position)
    assert sum(chances(position, odds).values()) == position.mines_left
    assert np.nansum(odds.probability) == pytest.approx(position.mines, rel=1e-11, abs=1e-11)


@law
@given(positions())
def test_chances_add_up_to_the_mines(position: Position) -> None:
    assert_chances_add_up(position)


@pytest.mark.parametrize("position", large_positions(), ids=lambda p: f"{p.rows}x{p.cols}")
def test_chances_add_up_to_the_mines_on_large_boards(position: Position) -> None:
    assert_chances_add_up(position)


@law
@given(positions())
def test_certain_and_best_follow_from_the_chances(position: Position) -> None:
    odds = solve(position)
    chance = chances(position, odds)
    assert cells_of(odds.safe) == {cell for cell, p in chance.items() if p == 0}
    assert cells_of(odds.mine) == {cell for cell, p in chance.items() if p == 1}
    least = min(chance.values(), default=None)
    assert [tuple(cell) for cell in odds.best] == [c for c, p in chance.items() if p == least]


@law
@given(st.randoms(use_true_random=False))
def test_the_layout_that_made_the_position_is_possible(rng: Random) -> None:
    rows, cols = rng.randint(1, 9), rng.randint(1, 9)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    mines = {cell for cell in cells if rng.random() < 0.25}
    revealed = {cell for cell in cells if cell not in mines and rng.random() < 0.4}
    flags = {cell for cell in mines if rng.random() < 0.2}
    odds = solve(position_of(rows, cols, mines, revealed, flags))
    assert not cells_of(odds.safe) & mines
    assert cells_of(odds.mine) <= mines


# Symmetry: the eight ways to turn and mirror a board, as maps of arrays.
SYMMETRIES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "transposed": np.transpose,
    "mirrored": np.fliplr,
    "upside down": np.flipud,
    "turned once": np.rot90,
    "turned twice": lambda array: np.rot90(array, 2),
    "turned thrice": lambda array: np.rot90(array, 3),
    "other diagonal": lambda array: np.rot90(array, 2).T,
}


def exact(position: Position) -> np.ndarray:
    """The exact chances as an array of objects, None at revealed cells."""
    odds = solve(position)
    chance = np.full((position.rows, position.cols), None, dtype=object)
    for cell, p in chances(position, odds).items():
        chance[cell] = p
    return chance


def assert_symmetric(position: Position, turn: Callable[[np.ndarray], np.ndarray]) -> None:
    turned = turn(np.array(position.cells, dtype=np.int8))
    other = Position(tuple(tuple(line) for line in turned.tolist()), position.mines)
    assert (exact(other) == turn(exact(position))).all()
    assert solve(other).solutions == solve(position).solutions


@law
@given(positions(), st.sampled_from(sorted(SYMMETRIES)))
def test_turning_the_board_turns_the_answer(position: Position, name: str) -> None:
    assert_symmetric(position, SYMMETRIES[name])


@pytest.mark.parametrize("name", ["transposed", "mirrored"])
@pytest.mark.parametrize("position", large_positions()[:4], ids=lambda p: f"{p.rows}x{p.cols}")
def test_turning_a_large_board_turns_the_answer(position: Position, name: str) -> None:
    assert_symmetric(position, SYMMETRIES[name])


def framed(position: Position) -> Position:
    """The position inside a frame of flags: every cell gets another index, no odds change."""
    rows, cols = position.rows + 2, position.cols + 2

    def is_frame(row: int, col: int) -> bool:
        return row in (0, rows - 1) or col in (0, cols - 1)

    def value(row: int, col: int) -> int:
        if is_frame(row, col):
            return FLAG
        inside = position.cells[row - 1][col - 1]
        if inside < 0:
            return inside
        around = [(row + dr, col + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)]
        return inside + sum(is_frame(*cell) for cell in around)

    cells = tuple(tuple(value(row, col) for col in range(cols)) for row in range(rows))
    return Position(cells, position.mines + 2 * (rows + cols) - 4)


@law
@given(positions())
def test_a_frame_of_flags_changes_nothing(position: Position) -> None:
    assert (exact(framed(position))[1:-1, 1:-1] == exact(position)).all()
    assert solve(framed(position)).solutions == solve(position).solutions


@law
@given(positions())
def test_flagging_certain_mines_changes_nothing(position: Position) -> None:
    odds = solve(position)
    before = chances(position, odds)
    flagged = position
    for cell in sorted(cells_of(odds.mine)):
        flagged = replaced(flagged, cell, FLAG)
        after = solve(flagged)
        assert after.solutions == odds.solutions
        assert chances(flagged, after) == {c: before[c] for c in flagged.hidden}


@law
@given(positions(max_side=5), st.data())
def test_summing_over_what_a_cell_holds_gives_back_the_odds(
    position: Position, data: st.DataObject
) -> None:
    """A hidden cell is a mine or shows one of its numbers: each layout falls under one of these."""
    assume(position.hidden)
    opened = data.draw(st.sampled_from(position.hidden), label="opened")
    assert_summing_gives_back_the_odds(position, opened)


@pytest.mark.parametrize("position", large_positions()[:4], ids=lambda p: f"{p.rows}x{p.cols}")
def test_summing_over_what_a_cell_of_a_large_board_holds(position: Position) -> None:
    frontier = [cell for cell in position.hidden if cell not in position.deep]
    assert_summing_gives_back_the_odds(position, frontier[len(frontier) // 2])


def assert_summing_gives_back_the_odds(position: Position, opened: Cell) -> None:
    odds = solve(position)
    layouts = 0
    with_mine = dict.fromkeys(position.hidden, Fraction(0))
    for value in (FLAG, *range(9)):
        known = replaced(position, opened, value)
        after = solve_or_none(known)
        if after is None:
            continue
        layouts += after.solutions
        if value == FLAG:
            assert after.solutions == odds.solutions * odds.fraction(*opened)
            with_mine[opened] += after.solutions
        for cell, p in chances(known, after).items():
            with_mine[cell] += p * after.solutions
    assert layouts == odds.solutions
    assert chances(position, odds) == {cell: n / layouts for cell, n in with_mine.items()}


@law
@given(positions())
def test_cells_with_the_same_clues_have_the_same_chance(position: Position) -> None:
    chance = chances(position, solve(position))
    groups = [group for component in position.components for group in component.groups]
    for group in (*groups, position.deep):
        assert len({chance[cell] for cell in group}) <= 1


@law
@given(positions())
def test_components_share_no_clue(position: Position) -> None:
    labels = solve(position).components
    parts = [component.cells for component in position.components if component.cells]
    assert {frozenset(part) for part in parts} == {
        frozenset(cells_of(labels == label)) for label in set(labels.ravel().tolist()) - {-1}
    }


def side_by_side(left: Position, right: Position, mines: int) -> Position:
    """Two positions with a wall of flags between them, framed so that their clues still hold."""
    rows = max(left.rows, right.rows) + 2

    def block(position: Position) -> list[list[int]]:
        lines = [list(line) for line in framed(position).cells]
        return lines + [[FLAG] * (position.cols + 2) for _ in range(rows - len(lines))]

    lines = [a + b for a, b in zip(block(left), block(right), strict=True)]
    walls = sum(line.count(FLAG) for line in lines) - len(left.flags) - len(right.flags)
    return Position(tuple(map(tuple, lines)), mines + walls)


@settings(max_examples=30, deadline=None)
@given(positions(max_side=4), positions(max_side=4))
def test_two_boards_are_joined_by_their_total(left: Position, right: Position) -> None:
    """The layouts of two boards with M mines in all are the pairs with k and M - k mines."""
    mines = left.mines + right.mines
    both = side_by_side(left, right, mines)
    odds = solve(both)

    layouts = 0
    with_mine = dict.fromkeys(left.hidden, Fraction(0))
    for k in range(left.rows * left.cols + 1):
        if not 0 <= mines - k <= right.rows * right.cols:
            continue
        mine_left = Position(left.cells, k)
        odds_left = solve_or_none(mine_left)
        odds_right = solve_or_none(Position(right.cells, mines - k))
        if odds_left is None or odds_right is None:
            continue
        pairs = odds_left.solutions * odds_right.solutions
        layouts += pairs
        for cell, p in chances(mine_left, odds_left).items():
            with_mine[cell] += p * pairs
    assert odds.solutions == layouts
    for (row, col), n in with_mine.items():
        assert odds.fraction(row + 1, col + 1) == n / layouts


@pytest.mark.parametrize("seed", range(20))
def test_a_deep_cell_more_follows_pascal(seed: int) -> None:
    """One more cell that touches no clue is either safe or a mine: S'(M) = S(M) + S(M - 1)."""
    position = random_position(Random(seed), max_hidden=40, spoil=0.0)
    single = Position(((HIDDEN,),), 0)
    joined = solve(side_by_side(position, single, position.mines))
    without = solve(position).solutions
    fewer = solve_or_none(Position(position.cells, position.mines - 1)) if position.mines else None
    assert joined.solutions == without + (fewer.solutions if fewer else 0)
