"""Every question agrees with its reference, and with every other question (laws).

MINEODDS_POSITIONS sets how many random positions are tried.
"""

import pickle
from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import mineodds as mo
from chances import CLOSE, assert_chance
from positions import random_position, seeds
from reference.position import FLAG, HIDDEN, Position
from reference.questions import Layouts, without_flags

SEEDS = seeds(150)


def position_of(seed: int, max_hidden: int = 11) -> tuple[Random, Position]:
    rng = Random(seed)
    return rng, random_position(rng, max_hidden, spoil=0.0)


def odds_of(position: Position) -> mo.Odds:
    return mo.solve(np.array(position.cells, dtype=np.int8), position.mines)


def floats(fractions: list[Fraction]) -> np.ndarray:
    return np.array([float(fraction) for fraction in fractions])


@pytest.mark.parametrize("seed", SEEDS)
def test_distribution_agrees(seed: int) -> None:
    rng, position = position_of(seed)
    odds, layouts = odds_of(position), Layouts(position)
    unopened = position.hidden + position.flags
    for _ in range(4):
        cells = rng.sample(unopened, rng.randint(0, min(len(unopened), 9)))
        some = rng.choice(list(layouts.weight_of))
        safe = [cell for cell in position.hidden if cell not in some and rng.random() < 0.2]
        mine = [cell for cell in unopened if cell in some and rng.random() < 0.2]
        expected = layouts.given(safe, mine).distribution(cells)
        assert list(odds.distribution(cells, safe, mine, exact=True)) == expected
        np.testing.assert_allclose(odds.distribution(cells, safe, mine), floats(expected), **CLOSE)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_agree(seed: int) -> None:
    _, position = position_of(seed)
    odds, layouts = odds_of(position), Layouts(position)
    numbers = odds.numbers()
    bits = odds.information()
    for cell in position.hidden + position.flags:
        expected = layouts.number(cell)
        assert list(odds.number(*cell, exact=True)) == expected
        np.testing.assert_allclose(odds.number(*cell), floats(expected), **CLOSE)
        np.testing.assert_allclose(numbers[cell], floats(expected), **CLOSE)
        # With the chance of a mine they sum to 1.
        mine = Fraction(1) if cell in position.flags else odds.fraction(*cell)
        assert sum(expected) + mine == 1
        shown = [p for p in floats([mine, *expected]) if p > 0]
        assert bits[cell] == pytest.approx(-sum(p * np.log2(p) for p in shown), abs=1e-9)
        assert odds.information(*cell) == pytest.approx(bits[cell], abs=1e-12)
    revealed = np.array(position.cells) >= 0
    assert np.isnan(numbers[revealed]).all()
    assert np.isnan(bits[revealed]).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_layouts_entropy_and_fractions_agree(seed: int) -> None:
    _, position = position_of(seed)
    odds, layouts = odds_of(position), Layouts(position)
    found = [frozenset(map(tuple, np.argwhere(layout).tolist())) for layout in odds.layouts()]
    assert len(found) == len(set(found)) == odds.solutions
    assert set(found) == set(layouts.weight_of)
    assert len(list(odds.layouts(limit=2))) == min(len(found), 2)
    assert odds.entropy == pytest.approx(layouts.entropy(), abs=1e-9)
    fractions = odds.fractions()
    for row, line in enumerate(position.cells):
        for col, value in enumerate(line):
            expected = None if value >= 0 else layouts.chance(lambda m, at=(row, col): at in m)
            assert fractions[row, col] == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_conditions_agree(seed: int) -> None:
    rng, position = position_of(seed)
    odds, layouts = odds_of(position), Layouts(position)
    some = rng.choice(list(layouts.weight_of))
    safe = [cell for cell in position.hidden if cell not in some and rng.random() < 0.3]
    mine = [cell for cell in position.hidden if cell in some and rng.random() < 0.3]
    given, expected = odds.given(safe, mine), layouts.given(safe, mine)
    assert given.solutions == len(expected.weight_of)
    assert given.entropy == pytest.approx(expected.entropy(), abs=1e-9)
    for cell in position.hidden:
        chance = expected.chance(lambda layout, at=cell: at in layout)
        assert_chance(given, cell, chance)
    again = pickle.loads(pickle.dumps(given))
    assert again.solutions == given.solutions
    assert given.given(safe, mine).solutions == given.solutions


@pytest.mark.parametrize("seed", SEEDS)
def test_odds_after_opening_average_back_to_the_odds_before(seed: int) -> None:
    rng, position = position_of(seed)
    odds = odds_of(position)
    open_cells = [cell for cell in position.hidden if odds.probability[cell] < 1.0]
    if not open_cells:
        return
    cell = rng.choice(open_cells)
    other = rng.choice(position.hidden)
    chance = odds.fraction(*cell)
    mean = Fraction(0)
    if chance:
        mean += chance * odds.given(mine=[cell]).fraction(*other)
    for k, p in enumerate(odds.number(*cell, exact=True)):
        if p == 0:
            with pytest.raises(mo.InconsistentBoardError):
                odds.after(*cell, k)
            continue
        after = odds.after(*cell, k)
        fresh = mo.solve(after.board)
        np.testing.assert_allclose(after.probability, fresh.probability, **CLOSE)
        assert after.solutions == fresh.solutions
        if other != cell:
            mean += p * after.fraction(*other)
    assert mean == odds.fraction(*other)


@pytest.mark.parametrize("seed", range(20))
def test_samples_agree_with_marginals_and_pairs(seed: int) -> None:
    rng, position = position_of(seed, max_hidden=30)
    odds = odds_of(position)
    n = 4000
    layouts = odds.sample(n, seed)
    assert layouts.shape == (n, position.rows, position.cols)
    assert (layouts.sum(axis=(1, 2)) == position.mines).all()
    np.testing.assert_array_equal(layouts[:5], odds.sample(5, seed))
    hidden = position.hidden
    for cell in hidden:
        check_share(layouts[:, cell[0], cell[1]].mean(), odds.probability[cell], n)
    for _ in range(20):
        if len(hidden) < 2:
            break
        pair = rng.sample(hidden, 2)
        both = odds.distribution(pair)
        seen = Counter(sum(layouts[:, row, col] for row, col in pair).tolist())
        for j in range(3):
            check_share(seen[j] / n, both[j], n)


def check_share(found: float, chance: float, n: int) -> None:
    """Within five standard errors and one layout; certain is certain."""
    assert abs(found - chance) <= 5 * np.sqrt(chance * (1 - chance) / n) + 1 / n
    if chance in (0.0, 1.0):
        assert found == chance


@pytest.mark.parametrize("seed", range(15))
def test_samples_are_uniform_over_layouts(seed: int) -> None:
    _, position = position_of(seed, max_hidden=8)
    odds = odds_of(position)
    n = 200 * odds.solutions if odds.solutions <= 50 else 0
    seen = Counter(layout.tobytes() for layout in odds.sample(n, seed))
    if n:
        assert len(seen) == odds.solutions
        squares = sum((count - 200) ** 2 / 200 for count in seen.values())
        free = odds.solutions - 1
        assert squares <= free + 5 * np.sqrt(2 * free) + 6


@pytest.mark.parametrize("seed", range(60))
def test_flags_can_be_ignored(seed: int) -> None:
    rng, position = position_of(seed, max_hidden=8)
    flagged = [list(line) for line in position.cells]
    for row, col in rng.sample(position.hidden, min(len(position.hidden), 2)):
        flagged[row][col] = FLAG
    spoiled = Position(tuple(map(tuple, flagged)), position.mines)
    if len(spoiled.hidden) + len(spoiled.flags) > 12:
        return
    layouts = Layouts(without_flags(spoiled))
    odds = mo.solve(np.array(flagged, dtype=np.int8), position.mines, flags="ignore")
    assert odds.solutions == len(layouts.weight_of)
    certain = []
    for row, line in enumerate(flagged):
        for col, value in enumerate(line):
            if value in (HIDDEN, FLAG):
                chance = layouts.chance(lambda layout, at=(row, col): at in layout)
                assert odds.fraction(row, col) == chance
                np.testing.assert_allclose(odds.probability[row, col], float(chance), **CLOSE)
                if value == FLAG and chance == 0:
                    certain.append((row, col))
    assert list(odds.wrong_flags()) == certain


def test_questions_about_cells_that_are_not_there_or_open() -> None:
    odds = mo.solve("###\n#1#\n###", 1)
    with pytest.raises(IndexError, match="row 3"):
        odds.number(3, 0)
    with pytest.raises(ValueError, match="revealed"):
        odds.number(1, 1)
    with pytest.raises(ValueError, match="revealed"):
        odds.distribution([(1, 1)])
    with pytest.raises(ValueError, match="twice"):
        odds.distribution([(0, 0), (0, 0)])
    with pytest.raises(mo.InconsistentBoardError, match="impossible"):
        odds.distribution([(0, 0)], mine=[(0, 1), (0, 2)])
    with pytest.raises(mo.InconsistentBoardError, match="at once"):
        odds.given(safe=[(0, 0)], mine=[(0, 0)])
    with pytest.raises(mo.InconsistentBoardError, match="impossible"):
        odds.given(mine=[(0, 0), (0, 1)])
    with pytest.raises(ValueError, match="not hidden"):
        odds.after(1, 1, 1)
    with pytest.raises(ValueError, match="negative"):
        odds.sample(-1)
    with pytest.raises(ValueError, match="negative"):
        odds.layouts(limit=-1)
