"""Certain means certain, at any size: 0.0 and 1.0 exactly where the exact fraction is 0 or 1.

Positions made so that plain doubles would lose terms: chances like 1e-300, or 1 less 1e-40 or
1e-1000; totals at the ends of what is possible and at its gaps; long chains; components by the
hundred. The judge is a formula where there is one, otherwise the exact integers that the residues
give, in which nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from random import Random

import numpy as np
import pytest

import mineodds as mo
from positions import position_of

HIDDEN = -1
SMALLEST = 5e-324  # the smallest positive double


def agrees(chance: float, exact: Fraction) -> bool:
    """Certain exactly when that is, within 1e-12 otherwise, or at the edge of what doubles hold."""
    if exact in (0, 1):
        return chance == exact
    if not 0.0 < chance < 1.0:
        return False
    error = abs(Fraction(chance) - exact)
    return error <= exact / 10**12 or error <= Fraction(SMALLEST)


def assert_exact(board: mo.Board) -> int:
    """Every hidden cell of a board; how many are certain."""
    odds = mo.solve(board)
    certain = 0
    for row, col in np.argwhere(board.cells == HIDDEN).tolist():
        chance, exact = float(odds.probability[row, col]), odds.fraction(row, col)
        assert agrees(chance, exact), f"{(row, col)} of\n{board}\n{chance!r}, exactly {exact}"
        assert odds.safe[row, col] == (exact == 0)
        assert odds.mine[row, col] == (exact == 1)
        certain += exact in (0, 1)
    return certain


def possible_totals(board: mo.Board) -> list[tuple[int, int]]:
    """The ranges of the totals that some layout has."""
    for mines in (0, board.cells.size):
        try:
            mo.solve(mo.Board(board.cells, mines, topology=board.topology))
        except mo.InconsistentBoardError as error:
            if error.totals is not None:
                return list(error.totals)
    return [(0, board.cells.size)]


def edges(ranges: Sequence[tuple[int, int]], rng: Random) -> list[int]:
    """Totals where something is about to become impossible, and one in the middle."""
    totals = set()
    for low, high in rng.sample(list(ranges), min(len(ranges), 3)):
        totals |= {low, min(low + 1, high), max(high - 1, low), high, (low + high) // 2}
    return sorted(totals)


# A hub and its fan: clues of 1, each over the hub and one leaf of its own. Either the hub is the
# only mine of them, or every leaf is one.


def stars(fans: Sequence[int], deep: int, mines: int) -> mo.Board:
    """One star for each fan, and cells that touch no clue, on a graph of one row."""
    neighbours: list[list[int]] = []
    cells = []
    for fan in fans:
        hub = len(cells)
        leaves = range(hub + 1, hub + 1 + fan)
        clues = range(hub + 1 + fan, hub + 1 + 2 * fan)
        neighbours.append(list(clues))
        neighbours += [[clue] for clue in clues]
        neighbours += [[hub, leaf] for leaf in leaves]
        cells += [HIDDEN] * (1 + fan) + [1] * fan
    cells += [HIDDEN] * deep
    neighbours += [[]] * deep
    start = np.cumsum([0, *map(len, neighbours)])
    flat = [cell for around in neighbours for cell in around]
    topology = mo.Topology((1, len(cells)), start, flat)
    return mo.Board([cells], mines, topology=topology)


@pytest.mark.parametrize("fan", [2, 7, 40, 110])
@pytest.mark.parametrize("deep", [0, 1, 30, 1000, 20_000])
def test_one_star_by_its_formula(fan: int, deep: int) -> None:
    most = fan + deep
    for mines in sorted({1, 2, fan - 1, fan, fan + 1, fan + 5, 1 + deep, most, fan + deep // 2}):
        with_hub = comb(deep, mines - 1)
        without = comb(deep, mines - fan) if mines >= fan else 0
        if mines > most or with_hub + without == 0:
            continue
        odds = mo.solve(stars([fan], deep, mines))
        hub = Fraction(with_hub, with_hub + without)
        assert agrees(float(odds.probability[0, 0]), hub), (mines, odds.probability[0, 0])
        assert agrees(float(odds.probability[0, 1]), 1 - hub), (mines, odds.probability[0, 1])
        if deep:
            inside = hub + fan * (1 - hub)
            assert agrees(float(odds.deep_probability), (mines - inside) / deep)


def test_a_chance_no_double_can_hold() -> None:
    """C(100000, 10) against C(100000, 119): smaller than any double, yet not impossible."""
    odds = mo.solve(stars([110], 100_000, 120))
    assert 0 < odds.fraction(0, 1) < Fraction(SMALLEST)
    assert odds.probability[0, 1] == SMALLEST
    assert odds.probability[0, 0] == 1.0 - 2.0**-53
    assert not odds.safe.any()
    assert not odds.mine.any()


@pytest.mark.parametrize("seed", range(60))
def test_stars_that_share_a_total(seed: int) -> None:
    """Fans whose sums leave gaps; totals at their edges."""
    rng = Random(seed)
    fans = [rng.choice((2, 3, 9, 27, 50)) for _ in range(rng.choice((2, 3, 6, 12)))]
    deep = rng.choice((0, 0, 1, 2, 50, 3000))
    frontier = [1]  # by mines less one a star
    for fan in fans:
        polynomial = [1, *[0] * (fan - 2), 1]
        frontier = [
            sum(frontier[i] * polynomial[k - i] for i in range(len(frontier)) if 0 <= k - i < fan)
            for k in range(len(frontier) + fan - 1)
        ]
    possible = [
        len(fans) + k + j for k, n in enumerate(frontier) if n for j in ({0, deep} | {deep // 2})
    ]
    for mines in rng.sample(possible, min(4, len(possible))):
        board = stars(fans, deep, mines)
        odds = mo.solve(board)
        assert odds.solutions == sum(
            n * comb(deep, mines - len(fans) - k)
            for k, n in enumerate(frontier)
            if n and mines - len(fans) >= k
        )
        assert_exact(board)


# Plain boards, as long or as wide as it takes.


def strip(rng: Random, rows: int, cols: int, density: float, share: float) -> mo.Board:
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    mines = {cell for cell in cells if rng.random() < density}
    revealed = {cell for cell in cells if cell not in mines and rng.random() < share}
    position = position_of(rows, cols, mines, revealed)
    return mo.Board(position.cells, position.mines)


SHAPES = ((1, 300), (2, 150), (3, 120), (300, 1), (120, 3), (16, 30), (30, 16))


@pytest.mark.parametrize("seed", range(60))
def test_boards_at_the_ends_of_their_totals(seed: int) -> None:
    rng = Random(seed)
    density = rng.choice((0.02, 0.1, 0.2, 0.5, 0.9))
    board = strip(rng, *rng.choice(SHAPES), density, rng.choice((0.1, 0.3, 0.6)))
    certain = [
        assert_exact(mo.Board(board.cells, mines)) for mines in edges(possible_totals(board), rng)
    ]
    assert len(certain) >= 1


def test_five_hundred_pairs() -> None:
    """Clues of 1 over pairs, and three deep cells that hold what is over."""
    row = [HIDDEN, 1, HIDDEN, 0] * 500 + [HIDDEN, HIDDEN, HIDDEN]
    row = [cell if cell != 0 else -2 for cell in row]  # walls of flags
    cells = np.array([row], dtype=np.int8)
    flags = int((cells == -2).sum())
    for over in (0, 1, 2, 3):
        board = mo.Board(cells, flags + 500 + over)
        odds = mo.solve(board)  # every clue touches its pair alone: flags stand two cells away
        assert odds.solutions == prod([2] * 500) * comb(3, over)
        assert (odds.probability[0, :1] == 0.5).all()
        assert_exact(board)
