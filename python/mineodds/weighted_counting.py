"""What `counting` is for cells that are alike, for cells with weights of their own (cell_weights).

All hidden cells are in the problem here, those in no clue too, and the core multiplies all of it
out (cell_weights.hpp). A cell that holds up to k mines is k cells of the problem; one that is known
to hold at least one has one of them fixed, and its polynomial begins one later.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds.cell_weights import CellWeights, Polynomial
from mineodds.counting import RawTables, Table, ask_tables, read_tables
from mineodds.engine import Budget
from mineodds.frontier import Problem
from mineodds.polynomials import wide_arrays
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology


class Asked(NamedTuple):
    """What is asked of a table: mines among ``cells``, given that those in ``safe`` hold none."""

    cells: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()


class WeightedCounting:
    """The problem of a position, and the weights of its layouts.

    ``value`` are the cells as for `Questions`, ``flags`` how many are known to hold a mine.
    """

    def __init__(
        self, cells: NDArray[np.int8], topology: Topology, weights: CellWeights, budget: Budget
    ) -> None:
        self.topology = topology
        self.weights = weights
        self.capacity = weights.capacity
        self.budget = budget
        self.value: list[int] = cells.tolist()
        self._total: dict[bool, int] = {}
        self._lay_out()

    def _lay_out(self) -> None:
        """The problem of the core, and where each cell's own cells begin in it."""
        known: dict[Polynomial, int] = {}
        classes: list[int] = []
        owner: list[int] = []
        self.first: dict[int, int] = {}
        for cell, value in enumerate(self.value):
            polynomial = self.weights.polynomial[cell][value == FLAG :]
            if value not in (HIDDEN, FLAG) or len(polynomial) == 1:
                continue
            self.first[cell] = len(owner)
            owner += [cell] * (len(polynomial) - 1)
            classes += [known.setdefault(polynomial, len(known))] * (len(polynomial) - 1)
        self.polynomials = list(known)
        self.cell_class = np.array(classes, dtype=np.int32)
        start = [0]
        around: list[int] = []
        need: list[int] = []
        clue: list[int] = []
        wrong: list[int] = []
        first, neighbour = self.topology.neighbours
        for cell, value in enumerate(self.value):
            if value < 0:
                continue
            near = neighbour[first[cell] : first[cell + 1]].tolist()
            own = [place for other in near for place in self.places(other)]
            rest = value - sum(self.value[other] == FLAG for other in near)
            if not 0 <= rest <= len(own):
                wrong.append(cell)
            if own:
                around += own
                start.append(len(around))
                need.append(rest)
                clue.append(cell)
        self.flags = self.value.count(FLAG)
        self.problem = Problem(
            cell=np.array(owner, dtype=np.int32),
            deep=np.empty(0, dtype=np.int32),
            clue=np.array(clue, dtype=np.int32),
            clue_start=np.array(start, dtype=np.int32),
            clue_cell=np.array(around, dtype=np.int32),
            clue_need=np.array(need, dtype=np.int32),
            wrong=np.array(wrong, dtype=np.int32),
            flags=self.flags,
        )

    def places(self, cell: int) -> range:
        """The problem's cells that stand for a cell; none if nothing about it is open."""
        if cell not in self.first:
            return range(0)
        first = self.first[cell]
        return range(first, first + self.capacity - (self.value[cell] == FLAG))

    @property
    def most_mines(self) -> int:
        """The number of mines with every hidden cell full."""
        return self.flags + self.problem.cell.size

    def totals(self) -> list[int]:
        """The numbers of mines that fit the cells and have a weight."""
        return [m for m in range(self.flags, self.most_mines + 1) if self.weights.total(m)]

    def total(self, exact: bool) -> int:
        """The weight of all layouts, what is known left out."""
        if exact not in self._total:
            self._total[exact] = self.masses([Asked()], exact)[0][0]
        return self._total[exact]

    def mines_masses(self, exact: bool) -> dict[int, int]:
        """The weight of all layouts by their number of mines."""
        (table,) = self._tables([Asked()], exact)
        return {
            self.flags + table.least + k: count * self.weights.total(self.flags + table.least + k)
            for k, count in enumerate(table.row[0] if table.row else [])
        }

    def masses(self, asked: Sequence[Asked], exact: bool) -> list[list[int]]:
        """For each question the weight of the layouts with j open mines among its cells."""
        result = []
        for question, table in zip(asked, self._tables(asked, exact), strict=True):
            factor = math.prod(self._weight_of_none(cell) for cell in question.safe)
            first = self.flags + table.least
            columns = len(table.row[0]) if table.row else 0
            weight = [self.weights.total(first + k) for k in range(columns)]
            masses = [
                factor * sum(a * b for a, b in zip(row, weight, strict=True)) for row in table.row
            ]
            size = sum(len(self.places(cell)) for cell in question.cells) + 1
            result.append(masses or [0] * size)
        return result

    def _weight_of_none(self, cell: int) -> int:
        return self.weights.polynomial[cell][0] if self.places(cell) else 1

    def class_arrays(self) -> dict[str, Any]:
        """The weights of the cells as the core takes them."""
        weights = [weight for polynomial in self.polynomials for weight in polynomial]
        mantissa, exponent = wide_arrays(weights)
        return {
            "cell_class": self.cell_class,
            "class_start": np.cumsum([0, *map(len, self.polynomials)]).astype(np.int32),
            "class_weight": mantissa,
            "class_exponent": exponent,
        }

    def _tables(self, asked: Sequence[Asked], exact: bool) -> list[Table]:
        rows = [sum(len(self.places(cell)) for cell in question.cells) + 1 for question in asked]
        if self.problem.cell.size == 0:  # nothing is open: one layout, or none
            assert all(count == 1 for count in rows)
            return [Table(0, [] if self.problem.wrong.size else [[1]])] * len(asked)
        raw = RawTables(*self._ask(asked, 0)[:4])
        return read_tables(raw, rows, lambda prime: self._ask(asked, prime)[2], exact)

    def _ask(
        self, asked: Sequence[Asked], prime: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], NDArray[np.int64], int]:
        lists: dict[str, Sequence[Sequence[int]]] = {
            "part": [(0,)] * len(asked),
            "safe": [self._all_places(question.safe) for question in asked],
            "mine": [()] * len(asked),
            "asked": [self._all_places(question.cells) for question in asked],
        }
        weights = self.class_arrays()
        if prime:
            residues = [w % prime for polynomial in self.polynomials for w in polynomial]
            weights["class_residue"] = np.array(residues, dtype=np.uint64)
        component = np.zeros(self.problem.cell.size, dtype=np.int32)
        return ask_tables(self.problem, component, lists, prime, self.budget, **weights)

    def _all_places(self, cells: Iterable[int]) -> tuple[int, ...]:
        return tuple(place for cell in cells for place in self.places(cell))
