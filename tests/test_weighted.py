"""Chances by cell, and several mines in a cell, against all layouts one by one."""

import math
import pickle
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import mineodds as mo
from chances import CLOSE, assert_chance
from mineodds import documents
from positions import replaced, seeds
from reference.cell_weights import WeightedLayouts
from reference.position import HIDDEN, Cell
from weighted_positions import KINDS, solve, unequal

SEEDS = seeds(60)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_agrees_with_the_reference(kind: str, seed: int) -> None:
    rng, (position, known, layouts) = KINDS[kind](seed)
    odds = solve(position, known)
    capacity = known.get("max_per_cell", 1)
    numbers = odds.numbers()
    for cell in position.hidden:
        chance = layouts.chance(lambda held, at=cell: held[at] > 0)
        assert_chance(odds, cell, chance)
        around = position.around(cell)
        expected = [
            layouts.chance(
                lambda held, at=cell, near=around, k=k: (
                    not held[at] and sum(held.get(other, 0) for other in near) == k
                )
            )
            for k in range(8 * capacity + 1)
        ]
        assert list(odds.number(*cell, exact=True)) == expected
        np.testing.assert_allclose(numbers[cell], list(map(float, expected)), **CLOSE)
    unopened = position.hidden + position.flags
    asked = rng.sample(unopened, rng.randint(0, min(len(unopened), 5)))
    expected = [
        layouts.chance(lambda held, j=j: sum(held[cell] for cell in asked) == j)
        for j in range(capacity * len(asked) + 1)
    ]
    assert list(odds.distribution(asked, exact=True)) == expected
    np.testing.assert_allclose(odds.distribution(asked), list(map(float, expected)), **CLOSE)
    assert odds.solutions == len(layouts.weight_of)
    array = np.zeros(odds.board.cells.shape, dtype=np.int8)
    for layout, weight in rng.sample(sorted(layouts.weight_of.items()), 1):
        for cell, mines in layout:
            array[cell] = mines
        chance = weight / sum(layouts.weight_of.values())
        assert odds.layout_probability(array, exact=True) == chance
        assert odds.layout_probability(array) == pytest.approx(float(chance), rel=1e-12)
    assert odds.log10_solutions == pytest.approx(math.log10(odds.solutions), abs=1e-12)
    whole = sum(layouts.weight_of.values())
    shares = [float(weight / whole) for weight in layouts.weight_of.values()]
    assert odds.entropy == pytest.approx(-sum(p * math.log2(p) for p in shares if p), abs=1e-9)
    least = min((odds.fraction(*cell) for cell in position.hidden), default=None)
    assert odds.best == tuple(c for c in position.hidden if odds.fraction(*c) == least)

    def layout_of(array: np.ndarray) -> tuple[tuple[Cell, int], ...]:
        return tuple((cell, int(array[cell])) for cell in sorted(unopened))

    found = [layout_of(layout) for layout in odds.layouts()]
    assert len(found) == len(set(found))
    assert set(found) == set(layouts.weight_of)
    likely = layouts.weight_of[layout_of(odds.most_likely())]
    assert float(likely) == pytest.approx(float(max(layouts.weight_of.values())), rel=1e-12)
    assert {layout_of(layout) for layout in odds.sample(20, seed=1)} <= set(found)
    if position.hidden:
        cell = rng.choice(position.hidden)
        assert (odds.explain(*cell).layouts is None) == (odds.probability[cell] in (0.0, 1.0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_conditions_and_opening_agree(kind: str, seed: int) -> None:
    rng, (position, known, layouts) = KINDS[kind](seed)
    odds = solve(position, known)
    some = dict(rng.choice(list(layouts.weight_of)))
    safe = [cell for cell in position.hidden if not some[cell] and rng.random() < 0.3]
    mine = [cell for cell in position.hidden if some[cell] and rng.random() < 0.3]
    given, expected = odds.given(safe, mine), layouts.given(safe, mine)
    assert pickle.loads(pickle.dumps(given)).solutions == len(expected.weight_of)
    for cell in position.hidden:
        assert given.fraction(*cell) == expected.chance(lambda held, at=cell: held[at] > 0)
        chances = odds.distribution([cell], safe, mine, exact=True)
        assert chances[0] == expected.chance(lambda held, at=cell: not held[at])
    opened = [cell for cell in position.hidden if not some[cell]]
    if opened:
        cell = rng.choice(opened)
        number = sum(some.get(other, 0) for other in position.around(cell))
        after = odds.after(*cell, number)
        again = mo.solve(after.board)
        np.testing.assert_allclose(after.probability, again.probability, **CLOSE)
        assert after.solutions == again.solutions


@pytest.mark.parametrize("kind", KINDS)
def test_samples_agree_with_the_chances(kind: str) -> None:
    for seed in range(6):
        _, (position, known, layouts) = KINDS[kind](seed)
        drawn = solve(position, known).sample(4000, seed=seed)
        for cell in position.hidden:
            for j in range(known.get("max_per_cell", 1) + 1):
                p = float(layouts.chance(lambda held, at=cell, j=j: held[at] == j))
                share = (drawn[(slice(None), *cell)] == j).mean()
                assert abs(share - p) <= 5 * math.sqrt(p * (1 - p) / 4000) + 1e-9


@pytest.mark.parametrize(("kind", "chance"), [("arrangements", "2/3"), ("placements", "3/4")])
def test_two_cells_with_two_mines(kind: str, chance: str) -> None:
    odds = mo.solve([[-1, -1]], 2, max_per_cell=2, equally_likely=kind)
    assert odds.fraction(0, 0) == odds.fraction(0, 1) == Fraction(chance)
    assert odds.solutions == 3


def test_one_chance_for_all_cells_is_a_density() -> None:
    rng = Random(4)
    for seed in range(20):
        _, (position, known, _) = unequal(seed)
        topology = known["topology"]
        p = rng.choice([0.2, Fraction(1, 7)])
        array = np.full((position.rows, position.cols), p)
        cells = np.array(position.cells, dtype=np.int8)
        np.testing.assert_allclose(
            mo.solve(cells, density=array, topology=topology).probability,
            mo.solve(cells, density=p, topology=topology).probability,
            **CLOSE,
        )
        # With the number of mines known, equal chances say nothing.
        np.testing.assert_allclose(
            mo.solve(cells, position.mines, density=array, topology=topology).probability,
            mo.solve(cells, position.mines, topology=topology).probability,
            **CLOSE,
        )


def test_a_whole_board_of_different_chances() -> None:
    """Deep cells are a Poisson-binomial distribution; far from what doubles alone could hold."""
    rng = np.random.default_rng(1)
    density = rng.uniform(0.01, 0.99, (20, 20))
    cells = np.full((20, 20), -1, dtype=np.int8)
    cells[10, 10], cells[5, 5] = 4, 2
    odds = mo.solve(cells, density=density)
    far = np.ones((20, 20), dtype=bool)
    far[9:12, 9:12] = far[4:7, 4:7] = False
    np.testing.assert_allclose(odds.probability[far], density[far], rtol=1e-12)
    fixed = mo.solve(cells, 150, density=density)
    hidden = cells == -1
    assert fixed.probability[hidden].sum() == pytest.approx(150, rel=1e-12)
    assert fixed.fraction(0, 0) == pytest.approx(fixed.probability[0, 0], rel=1e-12)
    assert fixed.sample(1, seed=0).sum() == 150


def test_batches() -> None:
    cells = np.full((3, 2, 3), -1, dtype=np.int8)
    cells[0, 0, 1], cells[1, 0, 1] = 7, 90
    several = {"max_per_cell": 2, "equally_likely": "placements"}
    batch = mo.solve_many(cells, [7, 7, 13], **several)
    assert batch.status.tolist() == [0, 2, 2]
    np.testing.assert_array_equal(
        batch.probability[0], mo.solve(cells[0], 7, **several).probability
    )
    density = np.full((2, 3), 0.25)
    assert mo.solve_many(cells, density=density).status.tolist() == [1, 2, 0]


def test_a_board_is_a_value() -> None:
    several = mo.Board([[-1, 9]], 9, max_per_cell=9, equally_likely="placements")
    assert mo.Board.parse(str(several)) == several
    assert pickle.loads(pickle.dumps(several)) == several
    assert mo.solve(several, max_per_cell=9).board == several
    by_cell = mo.Board([[-1, 1]], density=[[Fraction(1, 3), 0]])
    assert pickle.loads(pickle.dumps(by_cell)) == by_cell
    assert by_cell.density[0, 0] == Fraction(1, 3)
    assert str(by_cell) == "densities: 1/3 0.0\n#1"
    document = documents.answer(mo.solve(several))
    assert (document["max_per_cell"], document["equally_likely"]) == (9, "placements")
    assert documents.answer(mo.solve(by_cell))["density"][0][0] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"mines": 1, "max_per_cell": 2}, "equally_likely must be 'arrangements' or"),
        ({"mines": 1, "max_per_cell": 0}, "must be an integer from 1 on"),
        ({"mines": 1, "equally_likely": "placements"}, "give max_per_cell="),
        ({"mines": 9, "max_per_cell": 4, "equally_likely": "placements"}, "from 0 to 8"),
        ({"density": 0.5, "max_per_cell": 2, "equally_likely": "placements"}, "one mine at most"),
        ({"mines": 1, "max_per_cell": 16, "equally_likely": "placements"}, "up to 128"),
        ({"density": [[0.5, 1.5]]}, r"cell \(0, 1\) must be from 0 to 1, not 1.5"),
        ({"density": [[0.5, math.nan]]}, "must be a finite number"),
        ({"density": [0.5, 0.5]}, "an array of 1x2 chances"),
        ({"density": [[0.5, 0.5]], "totals": {1: 1}}, "is enough"),
        ({"density": [["a", "b"]]}, "an array of 1x2 chances"),
    ],
)
def test_what_is_malformed(known: dict[str, Any], message: str) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.solve([[-1, -1]], **known)


def test_what_no_layout_fits() -> None:
    with pytest.raises(mo.InconsistentBoardError, match="3 mines and densities by cell"):
        mo.solve([[-1, -1, -1]], 3, density=[[0.5, 0, 0.5]])
    with pytest.raises(mo.InconsistentBoardError):
        mo.solve([[-1, 5, -1]], 5, max_per_cell=2, equally_likely="placements")
    odds = mo.solve([[-1, 3, -1]], 3, max_per_cell=2, equally_likely="placements")
    assert odds.mine.all(where=odds.board.cells < 0)
    assert odds.explain(0, 0).clues == ((0, 1),)
    with pytest.raises(mo.InconsistentBoardError):
        odds.given(safe=[(0, 0)])


def test_a_component_that_nothing_fits() -> None:
    """It weighs nothing, by no number of mines at all; the other cells are deep or settled."""
    with pytest.raises(mo.InconsistentBoardError) as caught:
        mo.solve("1#.##.#4##..", 0, max_per_cell=2, equally_likely="placements")
    assert caught.value.clues
    for clues in ([[-1, 1, 2, -1, -1]], [[0, -1, 1, -1, 3, -1, -1]]):
        with pytest.raises(mo.InconsistentBoardError):
            mo.solve(clues, 2, max_per_cell=2, equally_likely="arrangements")


@pytest.mark.parametrize("seed", range(40))
def test_flags_that_are_not_trusted_keep_their_chances(seed: int) -> None:
    """With flags ignored, and for policies, a flag is a hidden cell with its own chance."""
    rng = np.random.default_rng(seed)
    mines = rng.random((3, 4)) < 0.35
    around = np.array([[mines[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].sum() for c in range(4)]
                       for r in range(3)])  # fmt: skip
    hidden = np.where(~mines & (rng.random((3, 4)) < 0.4), around, -1)
    flagged = np.where((hidden == -1) & (rng.random((3, 4)) < 0.4), -2, hidden)
    density = rng.choice([0.1, 0.25, 0.5, 0.9], (3, 4))
    known = {"mines": int(mines.sum()) if seed % 2 else None, "density": density}
    ignored = mo.solve(flagged, flags="ignore", **known)
    fresh = mo.solve(hidden, **known)
    np.testing.assert_array_equal(ignored.probability, fresh.probability)
    assert (ignored.fractions() == fresh.fractions()).all()
    assert ignored.best == fresh.best
    flags = [tuple(cell) for cell in np.argwhere(flagged == -2).tolist()]
    wrong = tuple(cell for cell in flags if fresh.fraction(*cell) == 0)
    assert ignored.wrong_flags() == wrong
    if (hidden == -1).any():
        move = mo.best_move(mo.Board(flagged, **known), policy="safest")
        assert move == mo.best_move(mo.Board(hidden, **known), policy="safest")
    board = mo.Board(flagged, **known)
    assert mo.Board.parse(str(board)) == board


def test_a_flag_whose_chance_is_nothing_is_wrong() -> None:
    odds = mo.solve([[-2, -1], [-1, -1]], 1, density=[[0, 0.25], [0.5, 0.5]])
    assert odds.probability[0, 0] == 1.0  # trusted all the same
    assert odds.wrong_flags() == ((0, 0),)


def test_policies_where_cells_are_not_alike() -> None:
    """Certain cells first; then "safest" takes the least chance, and others are refused."""
    board = mo.Board([[-1, -1, -1]], density=[[0.3, 0.2, 0.2]])
    assert mo.best_move(board, policy="safest").cell == (0, 2)  # fewest neighbours
    with pytest.raises(mo.BoardFormatError, match="needs the number of mines"):
        mo.best_move(board)
    move = mo.best_move(mo.Board([[-1, -1, 0]], density=[[0.3, 0.2, 0.2]]))
    assert (move.cell, move.certain) == ((0, 1), True)
    several = mo.Board([[-1, -1, -1]], 2, max_per_cell=2, equally_likely="arrangements")
    assert mo.best_move(several, policy="safest").cell == (0, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_is_named(kind: str) -> None:
    """The totals that would fit, as all layouts say; or numbers that clash whatever the total."""
    named = 0
    for seed in range(80):
        rng, (position, known, _) = KINDS[kind](seed)
        capacity = known.get("max_per_cell", 1)
        known = {key: value for key, value in known.items() if key != "totals"}
        shown = [clue.cell for clue in position.clues]
        if shown and rng.random() < 0.3:
            position = replaced(position, rng.choice(shown), rng.randint(0, 8))
        chances = known.get("density")

        def weight(cell: Cell, j: int, chances: Any = chances, at: Any = position) -> Fraction:
            if chances is None or at.cells[cell[0]][cell[1]] != HIDDEN:
                return Fraction(1)
            return Fraction(chances[cell]) if j else 1 - Fraction(chances[cell])

        every = WeightedLayouts(position, capacity, weight, lambda _: Fraction(1))
        fitting = {sum(dict(layout).values()) for layout in every.weight_of}
        mines = rng.randint(0, position.rows * position.cols * capacity)
        if mines in fitting:
            continue
        with pytest.raises(mo.InconsistentBoardError) as caught:
            solve(position, {**known, "mines": mines})
        error = caught.value
        if fitting:
            assert error.totals is not None
            assert {m for low, high in error.totals for m in range(low, high + 1)} == fitting
            named += 1
        else:
            assert error.clues
    assert named > 20


@pytest.mark.parametrize("seed", seeds(30))
def test_texts_keep_chances_by_cell(seed: int) -> None:
    _, (position, known, _) = unequal(seed)
    board = solve(position, known).board
    again = mo.Board.parse(str(board))
    assert again == board
    assert hash(again) == hash(board)
    assert mo.Board.parse(str(board), density=known["density"]) == board


@pytest.mark.parametrize(
    ("text", "known", "message"),
    [
        (
            "densities: 0.5\n##",
            {},
            "column 12: the header has 1 chance, but the board has 2",
        ),
        ("densities: 0.5 x\n##", {}, "densities must be like 0.2 1/5 0, a chance for each cell"),
        ("densities: 0.5 2\n##", {}, r"cell \(0, 1\) must be from 0 to 1, not 2"),
        ("density: 0.5\ndensities: 0.5 0.5\n##", {}, "line 2, .*one of density and densities"),
        ("densities: 0.5 0.5\n##", {"density": [[0.5, 0.25]]}, "other densities than were given"),
        ("densities: 0.5 0.5\n##", {"density": 0.5}, "other densities than were given"),
        ("densities: 0.5 0.5\ntotals: 1=1\n##", {}, "one of"),
    ],
)
def test_densities_in_a_text_that_make_no_sense(
    text: str, known: dict[str, Any], message: str
) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.Board.parse(text, **known)
