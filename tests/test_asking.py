"""Questions asked wrongly are refused clearly; odds share, keep and guard what they hold."""

import json
import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mineodds as mo
from positions import random_position
from reference.position import Position
from reference.questions import Layouts

BIG_POSITIONS = Path(__file__).parent / "data" / "corpus" / "big50.jsonl"
EXPERT = (Path(__file__).parents[1] / "examples" / "expert.txt").read_text(encoding="utf-8")


def test_cells_that_are_not_there_or_open() -> None:
    odds = mo.solve("###\n#1#\n###", 1)
    with pytest.raises(IndexError, match="row 3"):
        odds.number(3, 0)
    with pytest.raises(IndexError, match="col -1"):
        odds.information(0, -1)
    with pytest.raises(IndexError, match="indices"):
        odds.distribution([(0,)])
    with pytest.raises(TypeError):
        odds.number(0.5, 0)  # type: ignore[arg-type]
    for ask in (
        lambda: odds.number(1, 1),
        lambda: odds.information(1, 1),
        lambda: odds.distribution([(1, 1)]),
        lambda: odds.distribution([(0, 0)], safe=[(1, 1)]),
        lambda: odds.given(mine=[(1, 1)]),
    ):
        with pytest.raises(ValueError, match=r"\(1, 1\) is revealed: it shows 1"):
            ask()
    for ask in (lambda: odds.after(1, 1, 1), lambda: odds.explain(1, 1)):
        with pytest.raises(ValueError, match="not hidden"):
            ask()
    with pytest.raises(ValueError, match="twice"):
        odds.distribution([(0, 0), (0, 0)])


def test_conditions_that_cannot_be() -> None:
    odds = mo.solve("###\n#1#\n###", 1)
    for ask in (odds.given, lambda **known: odds.distribution([(2, 2)], **known)):
        with pytest.raises(mo.InconsistentBoardError, match="at once"):
            ask(safe=[(0, 0)], mine=[(0, 0)])
        with pytest.raises(mo.InconsistentBoardError, match="impossible"):
            ask(mine=[(0, 0), (0, 1)])
    given = odds.given(safe=[(0, 0)], mine=[(0, 1)])
    with pytest.raises(mo.InconsistentBoardError, match="at once"):
        given.given(mine=[(0, 0)])
    with pytest.raises(mo.InconsistentBoardError, match="at once"):
        given.given(safe=[(0, 1)])
    with pytest.raises(mo.InconsistentBoardError, match="impossible"):
        given.after(0, 1, 0)
    # Named twice, or named although known: nothing new.
    same = given.given(safe=[(0, 0), (0, 0)], mine=[(0, 1)])
    np.testing.assert_array_equal(same.probability, given.probability)


def test_numbers_that_make_no_sense() -> None:
    odds = mo.solve("###\n#1#\n###", 1)
    with pytest.raises(ValueError, match="negative"):
        odds.sample(-1)
    with pytest.raises(ValueError, match="negative"):
        odds.layouts(limit=-1)
    with pytest.raises(TypeError):
        odds.sample(2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        odds.layouts(limit=2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="from 0 on"):
        odds.after(0, 0, -1)
    with pytest.raises(ValueError, match="9"):
        odds.after(0, 0, 9)
    with pytest.raises(mo.InconsistentBoardError):
        odds.after(0, 0, 8)
    for huge in (10**10, 10**30):
        with pytest.raises(mo.BudgetExceeded, match="fewer at a time") as refused:
            odds.sample(huge)
        assert refused.value.memory > refused.value.max_memory
    with pytest.raises(mo.BudgetExceeded, match="integer of about 9,001 digits layouts"):
        odds.sample(10**9000)
    with pytest.raises(ValueError, match="negative: an integer of about 9,001 digits"):
        odds.sample(-(10**9000))
    with pytest.raises(ValueError, match="negative: an integer of about 9,001 digits"):
        odds.layouts(limit=-(10**9000))
    with pytest.raises(ValueError, match="from 0 on, not an integer of about 9,001 digits"):
        odds.after(0, 0, -(10**9000))
    for place in ((10**9000, 0), (0, -(10**9000))):
        with pytest.raises(IndexError, match="an integer of about 9,001 digits is outside 0 to 2"):
            odds.fraction(*place)
    assert odds.sample(0).shape == (0, 3, 3)
    assert odds.sample(1, seed=2**64 - 1).sum() == 1
    assert len(list(odds.layouts(limit=10**30))) == odds.solutions == 8
    assert list(odds.layouts(limit=0)) == []


def test_odds_are_immutable() -> None:
    odds = mo.solve("###\n#1#\n###", 1)
    before = odds.probability.copy()
    for array in (odds.probability, odds.numbers(), odds.numbers(exact=True), odds.fractions()):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0
    odds.given(mine=[(0, 0)])
    odds.after(0, 0, 1)
    odds.explain(0, 0)
    np.testing.assert_array_equal(odds.probability, before)
    with pytest.raises(AttributeError, match="immutable"):
        odds.entropy = 0.0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(odds.given(mine=[(0, 0)])))
    assert again.solutions == 1
    explanation = pickle.loads(pickle.dumps(again.explain(2, 2)))
    assert isinstance(explanation, mo.Explanation)
    assert explanation.clues == ((1, 1),)


def test_threads_get_the_answers_of_one_thread() -> None:
    def ask(odds: mo.Odds) -> list[object]:
        cell = odds.best[0]
        return [
            odds.numbers().tobytes(),
            odds.distribution([cell, (0, 0)]).tobytes(),
            odds.fraction(*cell),
            odds.entropy,
            odds.sample(5, seed=3).tobytes(),
            odds.given(safe=[cell]).probability.tobytes(),
            [layout.tobytes() for layout in odds.layouts(5)],
            str(odds.explain(*cell)),
        ]

    odds = mo.solve(EXPERT)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ask(odds), range(16)))
    expected = ask(mo.solve(EXPERT))
    assert all(answer == expected for answer in answers)


def test_a_deadline_ends_with_its_call() -> None:
    odds = mo.solve("###\n#1#\n###", density=0.2, deadline=60.0)
    assert odds._questions.counting.budget.deadline == math.inf


@pytest.mark.parametrize("seed", range(40))
def test_after_shares_the_components_that_stay(seed: int) -> None:
    rng = Random(seed)
    position = random_position(rng, 40, max_side=9, spoil=0.0)
    odds = mo.solve(np.array(position.cells, dtype=np.int8), position.mines)
    openable = [cell for cell in position.hidden if odds.probability[cell] < 1.0]
    if not openable:
        return
    cell = rng.choice(openable)
    possible = np.flatnonzero(odds.number(*cell)).tolist()
    number = rng.choice(possible)
    after = odds.after(*cell, number)
    start, neighbour = odds.board.topology.neighbours
    at = odds.board.topology.number(cell)
    around = {at, *neighbour[start[at] : start[at + 1]].tolist()}
    old, new = odds._questions.parts, after._questions.parts
    for key, part in old.items():
        stays = not around & set(part.problem.cell.tolist())
        assert (new.get(key) is part) == stays
    fresh = mo.solve(after.board)
    np.testing.assert_allclose(after.probability, fresh.probability, rtol=1e-12, atol=0.0)
    np.testing.assert_array_equal(after.safe, fresh.safe)
    np.testing.assert_array_equal(after.mine, fresh.mine)
    assert after.solutions == fresh.solutions
    np.testing.assert_allclose(after.numbers(), fresh.numbers(), rtol=1e-12, atol=0.0)


def test_after_finds_only_the_products_of_what_changed() -> None:
    taken_over = found = 0
    for line in BIG_POSITIONS.read_text(encoding="utf-8").splitlines()[:20]:
        position = json.loads(line)
        odds = mo.solve("\n".join(position["board"]), position["mines"])
        cell = odds.best[0]
        after = odds.after(*cell, int(odds.number(*cell).argmax()))
        for key, part in after._questions.parts.items():
            products = part.engine(odds._budget).products
            if key in odds._questions.parts:
                taken_over += products
            else:
                found += products
    assert taken_over > found > 0


def bits(chances: list[Fraction]) -> Decimal:
    """The entropy, to fifty digits."""
    with localcontext() as context:
        context.prec = 60
        values = [Decimal(p.numerator) / Decimal(p.denominator) for p in chances if p]
        return -sum((p * p.ln() for p in values), Decimal(0)) / Decimal(2).ln()


def assert_close(found: float, expected: Decimal) -> None:
    assert abs(Decimal(found) - expected) <= Decimal("1e-12") * expected


@pytest.mark.parametrize("seed", range(60))
def test_information_and_entropy_are_right_to_twelve_digits(seed: int) -> None:
    position = random_position(Random(seed), 11, spoil=0.0)
    odds = mo.solve(np.array(position.cells, dtype=np.int8), position.mines)
    hidden = len(position.hidden) + len(position.flags)
    information = odds.information()
    numbers = odds.numbers(exact=True)
    for cell in position.hidden:
        chances = [*numbers[cell], odds.fraction(*cell)]
        assert sum(chances) == 1
        assert_close(odds.information(*cell), bits(chances))
        assert_close(information[cell], bits(chances))
    density = Fraction(1e-9)
    layouts = Layouts(
        Position(position.cells, mines=-1, neighbours=position.neighbours),
        lambda layout: density ** len(layout) * (1 - density) ** (hidden - len(layout)),
    )
    total = sum(layouts.weight_of.values())
    odds = mo.solve(np.array(position.cells, dtype=np.int8), density=1e-9)
    assert_close(odds.entropy, bits([weight / total for weight in layouts.weight_of.values()]))


def test_information_of_the_nearly_certain() -> None:
    odds = mo.solve(np.full((1, 3), -1, dtype=np.int8), density=1e-30)
    chances = [*odds.number(0, 0, exact=True), odds.fraction(0, 0)]
    assert_close(odds.information(0, 0), bits(chances))
    assert 0.0 < odds.information(0, 0) < 1e-27


@pytest.mark.parametrize("number", [9, 200, 2**70])
def test_no_cell_shows_more_than_it_has_neighbours(number: int) -> None:
    odds = mo.solve("#2#\n###", 2)
    with pytest.raises(mo.BoardFormatError, match="unknown value"):
        odds.after(0, 0, number)


def test_nothing_of_odds_can_be_deleted() -> None:
    odds = mo.solve("#2#\n###", 2)
    with pytest.raises(AttributeError, match="immutable"):
        del odds.probability


@pytest.mark.parametrize(
    "seeded",
    [
        lambda seed: mo.solve("#1#", 1).sample(1, seed=seed),
        lambda seed: mo.solve("#1#", 1).most_likely(seed=seed),
        lambda seed: mo.solve("#1#", density=[[0.5, 0, 0.25]]).sample(1, seed=seed),
        lambda seed: mo.solve("#1#", density=[[0.5, 0, 0.25]]).most_likely(seed=seed),
        lambda seed: mo.solve("#1#", 1, approximate="gibbs", seed=seed, sweeps=20),
        lambda seed: mo.solve("#1#", 1, approximate="belief-propagation", seed=seed),
        lambda seed: mo.Game(9, 9, 10, seed=seed),
        lambda seed: mo.simulate(2, 2, 1, games=1, seed=seed),
    ],
)
def test_seeds_are_the_same_everywhere(seeded: Callable[[Any], object]) -> None:
    for wrong in (-1, 2**64, 2**200, 10**9000):
        with pytest.raises(ValueError, match=r"seed must be from 0 to 2\*\*64 - 1, not"):
            seeded(wrong)
    for foreign in (1.5, True, [1, 2], "1"):
        with pytest.raises(TypeError, match="seed must be an integer, not"):
            seeded(foreign)


def test_cells_are_pairs() -> None:
    odds = mo.solve("#1#", 1)
    for ask in (
        lambda: odds.distribution(None),  # type: ignore[arg-type]
        lambda: odds.given(mine=(0, 0)),  # type: ignore[arg-type]
        lambda: odds.given(safe=[0]),  # type: ignore[list-item]
    ):
        with pytest.raises(TypeError, match=r"expected cells as \(row, col\) pairs, not"):
            ask()
    graph = mo.solve([-1, 1], 1, topology=mo.Graph([[1], [0]]))
    with pytest.raises(TypeError, match=r"expected cells as \(index,\) tuples, not 0"):
        graph.distribution([0])  # type: ignore[list-item]


def test_the_chance_of_a_layout() -> None:
    """All layouts have 1 together, 1 over their number each; what is no layout has none."""
    odds = mo.solve("F2###\n#####\n112##\n00###\n000##", 5)
    layouts = list(odds.layouts())
    for layout in layouts:
        assert odds.layout_probability(layout, exact=True) == Fraction(1, odds.solutions)
        assert odds.layout_probability(layout) == 1 / odds.solutions
    for row, col in np.ndindex(5, 5):
        other = layouts[0].copy()
        other[row, col] = not other[row, col]
        assert odds.layout_probability(other) == 0.0
    weighed = mo.solve("#1##", density=[[0.5, 0, 0.25, 0.125]])
    assert sum(weighed.layout_probability(layout, exact=True) for layout in weighed.layouts()) == 1
    with pytest.raises(ValueError, match=r"of this board has the shape \(5, 5\), not \(2,\)"):
        odds.layout_probability([True, False])
    with pytest.raises(TypeError, match="booleans or integers, not float64"):
        odds.layout_probability(np.zeros((5, 5)))
    with pytest.raises(ValueError, match="a cell holds from 0 to 1 mines"):
        odds.layout_probability(np.full((5, 5), 2))
