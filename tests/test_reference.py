"""The pure Python references on their own: worked answers, the known traps, and one another.

They are the judges of everything else, so each is judged here first: by hand-worked positions, by
the stored cases that are small enough, and (the other four) by brute force. One test for every
trap that programs of this kind have fallen into.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random

import pytest

from positions import random_position
from reference import (
    Answer,
    Cell,
    InconsistentPosition,
    Position,
    brute_force,
    bucket_elimination,
    enumeration,
    gaussian,
    sweep,
)

Solve = Callable[[Position], Answer]

CASES = Path(__file__).parent / "data" / "cases"
REFERENCES = [
    brute_force.solve,
    enumeration.solve,
    gaussian.solve,
    bucket_elimination.solve,
    sweep.solve,
]
every_reference = pytest.mark.parametrize(
    "solve", REFERENCES, ids=lambda solve: solve.__module__.removeprefix("reference.")
)


def applies(solve: Solve, position: Position) -> bool:
    """Whether a reference is quick here (a tenth of a second or so)."""
    if solve is brute_force.solve:
        return len(position.hidden) <= 18
    if solve is sweep.solve:
        return all(sweep.bits(component, 1e7) <= 1e7 for component in position.components)
    if len(position.hidden) > 200:
        return False
    settings = [gaussian.settings(component) for component in position.components]
    if solve is bucket_elimination.solve:
        return all(
            bucket_elimination.min_degree_order(component, component.cells[0])[1] <= 8
            for component in position.components
            if component.cells
        )
    return max(settings, default=1) <= 20_000


def fractions(text: str) -> tuple[tuple[Fraction | None, ...], ...]:
    """Rows of fractions; ``-`` for a revealed cell."""
    return tuple(
        tuple(None if entry == "-" else Fraction(entry) for entry in line.split())
        for line in text.strip().splitlines()
    )


@every_reference
def test_worked_position(solve: Solve) -> None:
    answer = solve(Position.parse("#2### ##### 112## 00### 000##", mines=5))
    assert answer.fraction == fractions(
        """
        1/2  -    1/2  11/36 11/36
        1/6  5/6  0    7/12  11/36
        -    -    -    7/12  11/36
        -    -    0    0     11/36
        -    -    -    0     11/36
        """
    )
    assert answer.safe == {(1, 2), (3, 2), (3, 3), (4, 3)}
    assert answer.mine == frozenset()
    assert answer.best == ((1, 2), (3, 2), (3, 3), (4, 3))


@every_reference
def test_back_substitution_sets_the_free_variables_first(solve: Solve) -> None:
    answer = solve(Position.parse("### #1# ###", mines=1))
    eighth = Fraction(1, 8)
    assert answer.fraction == ((eighth,) * 3, (eighth, None, eighth), (eighth,) * 3)
    assert answer.solutions == 8
    assert len(answer.best) == 8


@every_reference
def test_a_mine_that_two_clues_share_is_counted_once(solve: Solve) -> None:
    # The middle cell alone answers both clues with one mine; the outer two need two mines.
    assert solve(Position.parse("#1#1#", mines=1)).fraction == fractions("0 - 1 - 0")
    assert solve(Position.parse("#1#1#", mines=2)).fraction == fractions("1 - 0 - 1")


@every_reference
def test_cells_of_a_supposed_clue_that_hold_no_mine_are_safe(solve: Solve) -> None:
    # Were the second cell left undecided by the first clue, the second clue could put a mine there.
    answer = solve(Position.parse("#1#1#1#", mines=2))
    assert answer.solutions == 2
    assert answer.fraction == fractions("1/2 - 1/2 - 1/2 - 1/2")


@every_reference
def test_configurations_weigh_the_ways_to_fill_the_deep_cells(solve: Solve) -> None:
    # One mine in the shared cell leaves 1 for the 4 deep cells, two outside leave none.
    answer = solve(Position.parse("#1#1#####", mines=2))
    assert answer.solutions == comb(4, 1) + 1
    assert answer.fraction == fractions("1/5 - 4/5 - 1/5 1/5 1/5 1/5 1/5")


@every_reference
def test_components_meet_in_the_total(solve: Solve) -> None:
    # Either side can hold 1 or 2 mines; with 3 left for both, exactly one side holds 2.
    answer = solve(Position.parse("#1#1#FF#1#1#", mines=5))
    assert answer.solutions == 2
    assert answer.fraction == fractions("1/2 - 1/2 - 1/2 1 1 1/2 - 1/2 - 1/2")


@every_reference
def test_total_makes_cells_certain(solve: Solve) -> None:
    assert solve(Position.parse("#1###", mines=1)).safe == {(0, 3), (0, 4)}
    assert solve(Position.parse("#1###", mines=3)).mine == {(0, 3), (0, 4)}


@every_reference
def test_nothing_hidden_and_nothing_known(solve: Solve) -> None:
    finished = solve(Position.parse("1F1", mines=1))
    assert (finished.solutions, finished.best) == (1, ())
    assert finished.fraction == fractions("- 1 -")
    untouched = solve(Position.parse("### ###", mines=2))
    assert untouched.solutions == comb(6, 2)
    assert untouched.fraction == fractions("1/3 1/3 1/3\n1/3 1/3 1/3")


@every_reference
@pytest.mark.parametrize(
    ("board", "mines"),
    [
        ("#2", 1),  # needs more mines than it has neighbours
        ("F0#", 1),  # a flag too many
        ("1", 0),  # no hidden neighbour at all
        ("#1#1#", 3),  # no configuration with this total
        ("##", 3),  # no room
        ("F#", 0),  # more flags than mines
        ("#0#1", 1),  # the clues contradict each other
    ],
)
def test_inconsistent(solve: Solve, board: str, mines: int) -> None:
    with pytest.raises(InconsistentPosition, match="no layout"):
        solve(Position.parse(board, mines))


def small_cases() -> list[Path]:
    """The cases that ask for a well-formed board's odds and that a reference solves quickly."""
    found = []
    for path in sorted(CASES.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        asks = "p" in case["expect"] or case["expect"].get("error") == "inconsistent"
        if asks and any(applies(solve, position_of_case(case)) for solve in REFERENCES):
            found.append(path)
    return found


def position_of_case(case: dict[str, object]) -> Position:
    return Position.parse(" ".join(case["board"]), case["mines"])


@pytest.mark.parametrize("path", small_cases(), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    expect = case["expect"]
    position = position_of_case(case)
    for solve in REFERENCES:
        if not applies(solve, position):
            continue
        if "error" in expect:
            with pytest.raises(InconsistentPosition):
                solve(position)
            continue
        answer = solve(position)
        assert answer.solutions == int(expect["solutions"])
        assert answer.fraction == tuple(
            tuple(None if entry is None else Fraction(entry) for entry in line)
            for line in expect["p"]
        )
        assert len(answer.safe) == expect["certain_safe"]
        assert len(answer.mine) == expect["certain_mine"]
        assert len(answer.best) == expect.get("best_count", 0)


def test_most_cases_are_covered() -> None:
    assert len(small_cases()) >= 65


def torus(rows: int, cols: int, row: int, col: int) -> set[Cell]:
    """Edges glued together: nobody is at a border, and small boards have repeats to drop."""
    around = {((row + dr) % rows, (col + dc) % cols) for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
    return around - {(row, col)}


def hexagons(rows: int, cols: int, row: int, col: int) -> set[Cell]:
    """Six neighbours; odd rows are shifted to the right by half a cell."""
    shift = row % 2
    around = {(row, col - 1), (row, col + 1)}
    around |= {(row + dr, col + dc + shift) for dr in (-1, 1) for dc in (-1, 0)}
    return {(r, c) for r, c in around if 0 <= r < rows and 0 <= c < cols}


def knights(rows: int, cols: int, row: int, col: int) -> set[Cell]:
    """A knight's move away: neighbours that do not touch."""
    jumps = {(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)}
    return {
        (row + dr, col + dc) for dr, dc in jumps if 0 <= row + dr < rows and 0 <= col + dc < cols
    }


@pytest.mark.parametrize("neighbours", [torus, hexagons, knights])
@pytest.mark.parametrize("seed", range(25))
def test_any_neighbour_function(neighbours: Callable[..., set[Cell]], seed: int) -> None:
    position = random_position(Random(seed), 14, max_side=5, neighbours=neighbours)
    agreed(position)


@pytest.mark.parametrize("seed", range(150))
def test_references_agree(seed: int) -> None:
    agreed(random_position(Random(1_000_000 + seed), 18))


def agreed(position: Position) -> None:
    """Every reference that applies gives the same answer, or finds the position inconsistent."""

    def outcome(solve: Solve) -> Answer | None:
        try:
            return solve(position)
        except InconsistentPosition:
            return None

    first, *others = [outcome(solve) for solve in REFERENCES if applies(solve, position)]
    assert all(other == first for other in others), f"\n{position}"
