"""Boards whose number of mines is unknown: densities and distributions over totals."""

import json
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
from positions import random_position, seeds
from reference.position import Position
from reference.questions import Layout, Layouts, Weight

SEEDS = seeds(60)

Case = tuple[Position, dict[str, Any], Weight]


def case_of(seed: int) -> tuple[Random, Case]:
    """A position without a total, the prior's arguments, and the weight of each of its layouts."""
    rng = Random(seed)
    known = random_position(rng, 10, spoil=0.0)
    position = Position(known.cells, -1, known.neighbours)
    cells = position.rows * position.cols
    if rng.random() < 0.5:
        density = rng.choice([Fraction(1, 5), Fraction(1, 2), 0.2, 0.937, Fraction(1, 10**9)])
        exact = Fraction(density)

        def weight(layout: Layout) -> Fraction:
            return exact ** len(layout) * (1 - exact) ** (cells - len(layout))

        return rng, (position, {"density": density}, weight)
    other = [rng.randint(0, cells) for _ in range(3)]
    totals = {total: rng.choice([1, 0.25, Fraction(3, 7), 0]) for total in other} | {known.mines: 2}

    def share(layout: Layout) -> Fraction:
        return Fraction(totals.get(len(layout), 0)) / math.comb(cells, len(layout))

    return rng, (position, {"totals": totals}, share)


def array_of(position: Position) -> np.ndarray:
    return np.array(position.cells, dtype=np.int8)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_agrees_with_the_reference(seed: int) -> None:
    rng, (position, known, weight) = case_of(seed)
    odds, layouts = mo.solve(array_of(position), **known), Layouts(position, weight)
    numbers = odds.numbers()
    for cell in position.hidden:
        chance = layouts.chance(lambda layout, at=cell: at in layout)
        assert_chance(odds, cell, chance)
        expected = layouts.number(cell)
        assert list(odds.number(*cell, exact=True)) == expected
        np.testing.assert_allclose(numbers[cell], list(map(float, expected)), **CLOSE)
    unopened = position.hidden + position.flags
    asked = rng.sample(unopened, rng.randint(0, min(len(unopened), 6)))
    expected = layouts.distribution(asked)
    assert list(odds.distribution(asked, exact=True)) == expected
    np.testing.assert_allclose(odds.distribution(asked), list(map(float, expected)), **CLOSE)
    assert odds.solutions == len(layouts.weight_of)
    assert odds.log10_solutions == pytest.approx(math.log10(odds.solutions))
    assert odds.entropy == pytest.approx(layouts.entropy(), abs=1e-9)
    found = [frozenset(map(tuple, np.argwhere(layout).tolist())) for layout in odds.layouts()]
    assert len(found) == len(set(found))
    assert set(found) == set(layouts.weight_of)
    whole = sum(layouts.weight_of.values())
    for layout in odds.layouts(limit=20):
        mines = frozenset(map(tuple, np.argwhere(layout).tolist()))
        chance = layouts.weight_of[mines] / whole
        assert odds.layout_probability(layout, exact=True) == chance
    likely = frozenset(map(tuple, np.argwhere(odds.most_likely(seed=1)).tolist()))
    assert layouts.weight_of[likely] == max(layouts.weight_of.values())
    least = min((odds.fraction(*cell) for cell in position.hidden), default=None)
    assert odds.best == tuple(c for c in position.hidden if odds.fraction(*c) == least)


@pytest.mark.parametrize("seed", SEEDS)
def test_conditions_and_opening_agree(seed: int) -> None:
    rng, (position, known, weight) = case_of(seed)
    odds, layouts = mo.solve(array_of(position), **known), Layouts(position, weight)
    some = rng.choice(list(layouts.weight_of))
    safe = [cell for cell in position.hidden if cell not in some and rng.random() < 0.3]
    mine = [cell for cell in position.hidden if cell in some and rng.random() < 0.3]
    given, expected = odds.given(safe, mine), layouts.given(safe, mine)
    for cell in position.hidden:
        assert given.fraction(*cell) == expected.chance(lambda layout, at=cell: at in layout)
    opened = [cell for cell in position.hidden if cell not in some]
    if opened:
        cell = rng.choice(opened)
        number = len(some & set(position.around(cell)))
        after = odds.after(*cell, number)
        cells = array_of(position)
        cells[cell] = number
        again = mo.solve(cells, **known)
        assert after.board == again.board
        np.testing.assert_allclose(after.probability, again.probability, **CLOSE)
        assert after.solutions == again.solutions


def test_samples_agree_with_the_chances() -> None:
    odds = mo.solve("#2##\n####\n#1##", density=0.3)
    share = odds.sample(20_000, seed=5).mean(axis=0)
    hidden = ~np.isnan(odds.probability)
    error = np.sqrt(odds.probability * (1 - odds.probability) / 20_000)
    assert (np.abs(share - odds.probability)[hidden] < 5 * error[hidden]).all()


def test_a_distribution_with_one_total_is_that_total() -> None:
    for seed in range(40):
        position = random_position(Random(seed), 15, spoil=0.0)
        fixed = mo.solve(array_of(position), position.mines)
        odds = mo.solve(array_of(position), totals={position.mines: 7})
        np.testing.assert_allclose(odds.probability, fixed.probability, **CLOSE)
        assert odds.solutions == fixed.solutions


def test_a_binomial_distribution_is_a_density() -> None:
    board = mo.Board.parse("#2##\n###F\n#1##", density=0.25)
    p = Fraction(1, 4)
    totals = {m: math.comb(12, m) * p**m * (1 - p) ** (12 - m) for m in range(13)}
    np.testing.assert_allclose(
        mo.solve(board).probability,
        mo.solve(board.cells, totals=totals).probability,
        **CLOSE,
    )


def test_deep_cells_of_a_density_are_independent_of_all_else() -> None:
    odds = mo.solve("#1###\n#####\n#####", density=Fraction(1, 7))
    assert odds.fraction(2, 4) == Fraction(1, 7)
    assert odds.deep_probability == pytest.approx(1 / 7, rel=1e-15)


def test_flags_that_are_not_trusted() -> None:
    odds = mo.solve("F1#\n###", density=0.5, flags="ignore")
    assert odds.fraction(0, 0) == Fraction(1, 5)


@pytest.mark.parametrize(
    "known",
    [{"density": 0.1}, {"density": Fraction(1, 3)}, {"totals": {3: 1, 1: 0.5, 2: Fraction(1, 7)}}],
)
def test_a_board_is_a_value_that_its_text_keeps(known: dict[str, Any]) -> None:
    board = mo.Board([[-1, 1, -1], [-2, -1, -1]], **known)
    assert board.mines is None
    for again in (mo.Board.parse(str(board)), pickle.loads(pickle.dumps(board))):
        assert again == board
        assert hash(again) == hash(board)
    assert board != mo.Board(board.cells, mines=2)
    assert mo.Board.parse(str(board), **known) == board
    assert mo.solve(board, **known).board == board


def test_batches() -> None:
    boards = np.full((4, 2, 3), -1, dtype=np.int8)
    boards[0, 0, 1] = 1
    boards[1, 0, 1] = 6
    boards[2, 0, 1] = 99
    batch = mo.solve_many(boards, density=0.25)
    assert batch.status.tolist() == [0, 1, 2, 0]
    np.testing.assert_allclose(
        batch.probability[0], mo.solve(boards[0], density=0.25).probability, **CLOSE
    )
    assert np.isnan(batch.probability[1:3]).all()
    with pytest.raises(mo.BoardFormatError, match="one of"):
        mo.solve_many(boards, 1, density=0.25)
    with pytest.raises(mo.BoardFormatError, match="more than 0"):
        mo.solve_many(boards, density=1)
    with pytest.raises(mo.BoardFormatError, match="missing"):
        mo.solve_many(boards)


def test_documents() -> None:
    document = json.loads(documents.line(documents.answer(mo.solve("#1#", density=0.25))))
    assert document["mines"] is None
    assert document["density"] == 0.25
    document = documents.answer(mo.solve("#1#", totals={1: Fraction(1, 4)}), exact=True)
    assert document["totals"] == {"1": 0.25}
    assert document["fraction"] == [["1/2", None, "1/2"]]


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"density": 0}, "more than 0 and less than 1"),
        ({"density": 1.0}, "more than 0 and less than 1"),
        ({"density": math.nan}, "finite number"),
        ({"density": "0.2"}, "finite number"),
        ({"totals": {}}, "nor all zero"),
        ({"totals": {1: -1}}, "not be negative"),
        ({"totals": {7: 1}}, "from 0 to 6"),
        ({"totals": {1.5: 1}}, "whole number"),
        ({"totals": [1, 2]}, "mapping"),
        ({"mines": 1, "density": 0.5}, "one of mines and density is enough"),
        ({}, "missing"),
    ],
)
def test_malformed_priors(known: dict[str, Any], message: str) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.Board([[-1, -1, -1], [-1, -1, -1]], **known)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("density: 2", "less than 1"),
        ("density: x", "line 1, column 10: density must be like 0.2 or 1/5, not 'x'"),
        ("density: 1/0", "must be like"),
        ("totals: 1", "line 1, column 9: totals must be like"),
        ("totals: 1=1 1=2", "must be like"),
        ("density: 0.5\nmines: 1", "one of"),
    ],
)
def test_malformed_headers(header: str, message: str) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.Board.parse(f"{header}\n#1#")


def test_what_is_said_twice_must_be_equal() -> None:
    with pytest.raises(mo.BoardFormatError, match=r"density 1/2, but density=0.25"):
        mo.Board.parse("density: 0.5\n#1#", density=0.25)
    with pytest.raises(mo.BoardFormatError, match="other totals"):
        mo.Board.parse("totals: 1=1\n#1#", totals={2: 1})
    with pytest.raises(mo.BoardFormatError, match="another density"):
        mo.solve(mo.Board([[-1]], density=0.5), density=0.25)


def test_boards_that_no_layout_fits() -> None:
    with pytest.raises(mo.InconsistentBoardError, match="totals 0, 9: flags and numbers fit 1 to"):
        mo.solve("#1#\n###\n###", totals={0: 1, 9: 1})
    with pytest.raises(mo.InconsistentBoardError, match=r"the 3 at \(0, 1\) cannot hold"):
        mo.solve("#3#", density=0.5)
    with pytest.raises(mo.InconsistentBoardError, match="cannot hold together") as caught:
        mo.solve("#1#\n#3#\n111", density=0.5)
    assert caught.value.clues


def test_what_needs_a_number_of_mines_says_so() -> None:
    board = mo.Board([[-1, 1, -1]], density=0.5)
    with pytest.raises(mo.BoardFormatError, match="needs the number of mines"):
        mo.best_move(board)
    assert mo.best_move(board, policy=lambda odds: odds.best[0]).probability == 0.5
    with pytest.raises(ValueError, match="enumeration"):
        mo.solve(board, method="enumeration")


def test_many_components() -> None:
    """More than are multiplied out one by one: apart where cells are independent, else together."""
    units = 50
    text = "#1#1#F" * units + "####"
    p = Fraction(1, 5)
    odds = mo.solve(text, density=p)
    # A mine between the clues, or one on either side: p (1-p)^2 against p^2 (1-p).
    chances = [p, None, 1 - p, None, p, Fraction(1)] * units + [p] * 4
    assert odds.fractions().ravel().tolist() == chances
    assert odds.solutions == 2 ** (units + 4)
    assert odds.number(0, 2, exact=True).tolist()[:2] == [p, 0]
    mines = 2 * units + units // 2
    plain = mo.solve(text, mines=mines)
    totals = mo.solve(text, totals={mines: 1})
    assert totals.solutions == plain.solutions
    assert (totals.fractions() == plain.fractions()).all()
    given = totals.given(safe=[(0, 2)])
    assert given.solutions == plain.solutions * (1 - plain.fraction(0, 2))
    # What is left is a strip of one unit less, and two mines more.
    shorter = mo.solve(text[6:], mines=mines - 3)
    assert given.fractions().ravel().tolist()[6:] == shorter.fractions().ravel().tolist()
    assert given.probability[0, 6:] == pytest.approx(shorter.probability[0], rel=1e-12, nan_ok=True)
