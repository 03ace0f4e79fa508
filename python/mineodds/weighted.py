"""Positions whose cells are not all alike: chances of their own, or several mines in a cell.

The questions of `questions`, answered from `weighted_counting`.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds.cell_weights import CellWeights
from mineodds.engine import Budget
from mineodds.parts import Part
from mineodds.questions import (
    SAFE,
    agrees,
    answer,
    hidden_condition,
    impossible_condition,
    revealed,
)
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology
from mineodds.weighted_counting import Asked, WeightedCounting


class WeightedQuestions:
    """A position and the weights of its cells.

    ``cells`` as for `Questions`; a flag is at least one mine. Nothing is shared with other
    positions.
    """

    parts: Mapping[bytes, Part] = {}

    def __init__(
        self, cells: NDArray[np.int8], topology: Topology, weights: CellWeights, budget: Budget
    ) -> None:
        self.cells = cells.ravel()
        self.topology = topology
        self.counting = WeightedCounting(self.cells, topology, weights, budget)
        self.problem = self.counting.problem
        self.capacity = weights.capacity
        self._value = self.counting.value

    @property
    def as_given(self) -> NDArray[np.int8]:
        """The same cells."""
        return self.cells

    def is_possible(self) -> bool:
        """Whether any layout has a weight."""
        return not self.problem.wrong.size and self.counting.total(exact=False) > 0

    @cached_property
    def largest_number(self) -> int:
        """The largest number that a cell can show, but at least 8."""
        return self.topology.largest_number * self.capacity

    def distribution(
        self, cells: Iterable[int], safe: Iterable[int], mine: Iterable[int], exact: bool
    ) -> NDArray[Any]:
        """The chance of j mines among ``cells``, for j = 0 ... the most they can hold."""
        asked = list(cells)
        if len(set(asked)) != len(asked):
            raise ValueError("a cell is named twice among those asked for")
        for cell in asked:
            if self._value[cell] >= 0:
                raise revealed(cell, self._value[cell], self.topology)
        given = self.given(safe, mine)
        known = sum(given._value[cell] == FLAG for cell in asked)
        open_cells = tuple(cell for cell in asked if given.counting.places(cell))
        if not given.is_possible():
            raise impossible_condition()
        return given._placed(Asked(open_cells), known, len(asked) * self.capacity, exact)

    def given(self, safe: Iterable[int], mine: Iterable[int]) -> "WeightedQuestions":
        """The same under a condition; it may be impossible."""
        safe_cells, mine_cells = self.condition(safe, mine)
        if not safe_cells and not mine_cells:
            return self
        cells = self.cells.copy()
        cells[list(safe_cells)] = SAFE
        cells[list(mine_cells)] = FLAG
        return WeightedQuestions(cells, self.topology, self.counting.weights, self.counting.budget)

    def condition(self, safe: Iterable[int], mine: Iterable[int]) -> tuple[set[int], set[int]]:
        """The hidden cells of a condition, as for `Questions`."""
        return hidden_condition(self._value, self.topology, safe, mine)

    def number(self, cell: int, exact: bool) -> NDArray[Any]:
        """The chance that the cell is safe and shows k, for k = 0 ... `largest_number`."""
        if self._value[cell] >= 0:
            raise revealed(cell, self._value[cell], self.topology)
        if self._value[cell] == FLAG:
            return answer([Fraction(0)] * (self.largest_number + 1), exact)
        asked, flags = self._number_asked(cell), self._flags_around(cell)
        return self._placed(asked, flags, self.largest_number, exact)

    def _placed(self, asked: Asked, first: int, last: int, exact: bool) -> NDArray[Any]:
        """The chances of j open mines in the places from ``first`` on, of 0 ... ``last``."""
        if not exact:
            result = np.zeros(last + 1)
            (share,) = self.counting.shares([asked])
            result[first : first + share.size] = share
            return result
        (masses,) = self.counting.masses([asked])
        total = self.counting.total(exact=True)
        chances = [Fraction(0)] * first + [Fraction(mass, total) for mass in masses]
        return answer(chances + [Fraction(0)] * (last + 1 - len(chances)), exact)

    def numbers(self) -> NDArray[np.float64]:
        """`number` of every cell, float64 (cells, 1 + `largest_number`); nan at revealed cells."""
        result = np.zeros((self.cells.size, self.largest_number + 1))
        result[self.cells >= 0] = np.nan
        cells = np.flatnonzero((self.cells == HIDDEN) | (self.cells == SAFE)).tolist()
        shares = self.counting.shares([self._number_asked(cell) for cell in cells])
        for cell, share in zip(cells, shares, strict=True):
            first = self._flags_around(cell)
            last = min(first + share.size, self.largest_number + 1)
            result[cell, first:last] = share[: last - first]
        return result

    def _around(self, cell: int) -> list[int]:
        start, neighbour = self.topology.neighbours
        around: list[int] = neighbour[start[cell] : start[cell + 1]].tolist()
        return around

    def _number_asked(self, cell: int) -> Asked:
        around = tuple(other for other in self._around(cell) if self.counting.places(other))
        return Asked(around, (cell,) if self._value[cell] == HIDDEN else ())

    def _flags_around(self, cell: int) -> int:
        return sum(self._value[other] == FLAG for other in self._around(cell))

    def layout_mass(self, held: NDArray[np.int64]) -> int:
        """The weight of a layout, as for `Questions`."""
        if not agrees(self.cells, self.topology, held):
            return 0
        weights = self.counting.weights
        mass = weights.total(int(held.sum()))
        for cell in self.counting.first:
            mass *= weights.polynomial[cell][int(held[cell])]
        return mass

    @cached_property
    def unit(self) -> "WeightedQuestions":
        """The same with every layout of a possible total weighing 1."""
        ones = tuple((1,) * len(p) for p in self.counting.weights.polynomial)
        totals = self.counting.weights.totals and {
            m: 1 for m, w in self.counting.weights.totals.items() if w
        }
        weights = CellWeights(ones, totals)
        return WeightedQuestions(self.cells, self.topology, weights, self.counting.budget)

    def solutions(self, exact: bool = True) -> int:
        """The number of layouts with a weight."""
        return self.unit.counting.total(exact)

    def entropy(self) -> float:
        """The entropy of the layouts in bits.

        The logarithm of a layout's chance is a sum over the number of mines and the cells, so its
        mean needs their distributions alone.
        """
        total = self.counting.total(exact=False)
        bits = [math.log2(total)]
        if self.counting.weights.totals is not None:
            for mines, mass in self.counting.mines_masses().items():
                if mass:
                    bits.append(-mass / total * math.log2(self.counting.weights.total(mines)))
        unequal = [
            cell
            for cell in self.counting.first
            if len(set(self.counting.weights.polynomial[cell][self._value[cell] == FLAG :])) > 1
        ]
        shares = self.counting.shares([Asked((cell,)) for cell in unequal])
        for cell, share in zip(unequal, shares, strict=True):
            weight = self.counting.weights.polynomial[cell][self._value[cell] == FLAG :]
            bits += [-p * math.log2(w) for p, w in zip(share, weight, strict=False) if p]
        return max(math.fsum(bits), 0.0)
