"""What the cells of a board weigh where they are not all alike, before anything is known.

A cell's polynomial says what it weighs with 0, 1, ... mines; a layout weighs the product over its
cells, times the weight of its number of mines. Weights are integers, so that answers can be exact.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds.board import Board
from mineodds.knowledge import PLACEMENTS
from mineodds.polynomials import power
from mineodds.priors import exact_number
from mineodds.questions import SAFE
from mineodds.text import FLAG, HIDDEN

Polynomial = tuple[int, ...]


class CellWeights(NamedTuple):
    """``polynomial[cell]``: the weights of 0, 1, ... mines; all have the degree `capacity`.

    ``totals``: the weights of the numbers of mines on the whole board; None weighs all alike.
    """

    polynomial: tuple[Polynomial, ...]
    totals: dict[int, int] | None

    def total(self, mines: int) -> int:
        """The weight of a number of mines."""
        return 1 if self.totals is None else self.totals.get(mines, 0)

    @property
    def capacity(self) -> int:
        """The most mines in a cell."""
        return len(self.polynomial[0]) - 1


def weights_of(board: Board, values: NDArray[np.int8]) -> CellWeights | None:
    """What the cells of a board weigh; None where they are all alike and hold one mine at most.

    ``values`` are the board's cells, with flags as hidden where they are not trusted.
    """
    capacity, cells = board.max_per_cell, board.cells.size
    if capacity > 1:
        alike: Polynomial = (1,) * (capacity + 1)
        if board.equally_likely == PLACEMENTS:  # of numbered mines: j of them in j! orders
            alike = tuple(
                math.factorial(capacity) // math.factorial(j) for j in range(capacity + 1)
            )
        totals = {board.mines: 1} if board.mines is not None else _shared(board, alike)
        return CellWeights((alike,) * cells, totals)
    if not isinstance(board.density, np.ndarray):
        return None
    chances = [
        Fraction(chance) if value == HIDDEN else Fraction(1, 2)
        for chance, value in zip(board.density.flat, values.flat, strict=True)
    ]
    polynomials = tuple(
        (p.denominator - p.numerator, p.numerator) if 0 < p < 1 else (1, 1) for p in chances
    )
    return CellWeights(polynomials, None if board.mines is None else {board.mines: 1})


def alike_weights(board: Board) -> CellWeights:
    """What the cells of a board weigh where they are all alike and hold one mine at most."""
    cells = board.cells.size
    if board.density is not None:
        p = exact_number("density", board.density)
        return CellWeights(((p.denominator - p.numerator, p.numerator),) * cells, None)
    alike = (1, 1)
    totals = {board.mines: 1} if board.mines is not None else _shared(board, alike)
    return CellWeights((alike,) * cells, totals)


def known_cells(board: Board, cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """``cells`` with those that are certain beforehand: chances of 0 and 1 are knowledge."""
    if not isinstance(board.density, np.ndarray):
        return cells
    known = cells.copy()
    hidden = cells == HIDDEN
    known[hidden & (board.density == 0).astype(np.bool_)] = SAFE
    known[hidden & (board.density == 1).astype(np.bool_)] = FLAG
    return known


def _shared(board: Board, alike: Polynomial) -> dict[int, int]:
    """The weight of each total, shared by all layouts that it had before anything was opened."""
    assert board.totals is not None
    weighed = {mines: weight for mines, weight in board.totals.items() if weight}
    layouts = power(alike, board.cells.size, max(weighed))
    share = {mines: Fraction(weight) / layouts[mines] for mines, weight in weighed.items()}
    scale = math.lcm(*(weight.denominator for weight in share.values()))
    return {m: int(weight * scale) for m, weight in share.items()}
