"""Positions whose cells are not all alike: chances of their own, or several mines in a cell.

A cell's polynomial says what it weighs with 0, 1, ... mines; a layout weighs the product over its
cells, times the weight of its number of mines. All hidden cells are in the problem here, those in
no clue too, and the core multiplies all of it out (cell_weights.hpp). A cell that holds up to k
mines is k cells of the problem; one that is known to hold at least one has one of them fixed, and
its polynomial begins one later.

Weights are integers, so that every answer can be exact, by residues modulo primes as in `counting`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import Cell, InconsistentBoardError
from mineodds.frontier import Problem
from mineodds.knowledge import PLACEMENTS
from mineodds.parts import Part
from mineodds.polynomials import as_wide, from_wide, multiply
from mineodds.questions import SAFE, impossible_condition
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology

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


def weights_of(board: Board) -> CellWeights | None:
    """What the cells of a board weigh; None where they are all alike and hold one mine at most."""
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
        for chance, value in zip(board.density.flat, board.cells.flat, strict=True)
    ]
    polynomials = tuple(
        (p.denominator - p.numerator, p.numerator) if 0 < p < 1 else (1, 1) for p in chances
    )
    return CellWeights(polynomials, None if board.mines is None else {board.mines: 1})


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
    power, base, n = [1], list(alike), board.cells.size
    while n:
        power, base, n = multiply(power, base) if n & 1 else power, multiply(base, base), n >> 1
    share = {m: Fraction(weight) / power[m] for m, weight in board.totals.items() if weight}
    scale = math.lcm(*(weight.denominator for weight in share.values()))
    return {m: int(weight * scale) for m, weight in share.items()}


class Asked(NamedTuple):
    """What is asked of a table: mines among ``cells``, given that those in ``safe`` hold none."""

    cells: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()


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
        self.weights = weights
        self.capacity = weights.capacity
        self.budget = budget
        self._value: list[int] = self.cells.tolist()
        self._lay_out()

    @property
    def as_given(self) -> NDArray[np.int8]:
        """The same cells."""
        return self.cells

    def _lay_out(self) -> None:
        """The problem of the core, and where each cell's own cells begin in it."""
        known: dict[Polynomial, int] = {}
        classes: list[int] = []
        owner: list[int] = []
        self._first: dict[int, int] = {}
        for cell, value in enumerate(self._value):
            polynomial = self.weights.polynomial[cell][value == FLAG :]
            if value not in (HIDDEN, FLAG) or len(polynomial) == 1:
                continue
            self._first[cell] = len(owner)
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
        for cell, value in enumerate(self._value):
            if value < 0:
                continue
            near = neighbour[first[cell] : first[cell + 1]].tolist()
            own = [place for other in near for place in self.places(other)]
            rest = value - sum(self._value[other] == FLAG for other in near)
            if not 0 <= rest <= len(own):
                wrong.append(cell)
            if own:
                around += own
                start.append(len(around))
                need.append(rest)
                clue.append(cell)
        self.flags = self._value.count(FLAG)
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
        if cell not in self._first:
            return range(0)
        first = self._first[cell]
        return range(first, first + self.capacity - (self._value[cell] == FLAG))

    @cached_property
    def most_mines(self) -> int:
        """The number of mines with every hidden cell full."""
        return self.flags + self.problem.cell.size

    def totals(self) -> list[int]:
        """The numbers of mines that fit the cells and have a weight."""
        return [m for m in range(self.flags, self.most_mines + 1) if self.weights.total(m)]

    def is_possible(self) -> bool:
        """Whether any layout has a weight."""
        return not self.problem.wrong.size and self.total(exact=False) > 0

    @cached_property
    def largest_number(self) -> int:
        """The largest number that a cell can show, but at least 8."""
        return self.topology.largest_number * self.capacity

    def total(self, exact: bool) -> int:
        """The weight of all layouts, what is known left out."""
        if exact not in self._totals:
            self._totals[exact] = self.masses([Asked()], exact)[0][0]
        return self._totals[exact]

    @cached_property
    def _totals(self) -> dict[bool, int]:
        return {}

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
            weight = [self.weights.total(first + k) for k in range(table.columns)]
            masses = [
                factor * sum(a * b for a, b in zip(row, weight, strict=True)) for row in table.row
            ]
            size = sum(len(self.places(cell)) for cell in question.cells) + 1
            result.append(masses or [0] * size)
        return result

    def _weight_of_none(self, cell: int) -> int:
        return self.weights.polynomial[cell][0] if self.places(cell) else 1

    def distribution(
        self, cells: Iterable[int], safe: Iterable[int], mine: Iterable[int], exact: bool
    ) -> NDArray[Any]:
        """The chance of j mines among ``cells``, for j = 0 ... the most they can hold."""
        asked = list(cells)
        if len(set(asked)) != len(asked):
            raise ValueError("a cell is named twice among those asked for")
        for cell in asked:
            if self._value[cell] >= 0:
                raise ValueError(
                    f"cell {self._name(cell)} is revealed: it shows {self.cells[cell]}"
                )
        given = self.given(safe, mine)
        known = sum(given._value[cell] == FLAG for cell in asked)
        open_cells = tuple(cell for cell in asked if given.places(cell))
        (masses,) = given.masses([Asked(open_cells)], exact)
        total = sum(masses)
        if total == 0 or given.problem.wrong.size:
            raise impossible_condition()
        result = [Fraction(0)] * known + [Fraction(mass, total) for mass in masses]
        result += [Fraction(0)] * (len(asked) * self.capacity + 1 - len(result))
        return _array(result, exact)

    def given(self, safe: Iterable[int], mine: Iterable[int]) -> "WeightedQuestions":
        """The same under a condition; it may be impossible."""
        safe_cells, mine_cells = self.condition(safe, mine)
        if not safe_cells and not mine_cells:
            return self
        cells = self.cells.copy()
        cells[list(safe_cells)] = SAFE
        cells[list(mine_cells)] = FLAG
        return WeightedQuestions(cells, self.topology, self.weights, self.budget)

    def condition(self, safe: Iterable[int], mine: Iterable[int]) -> tuple[set[int], set[int]]:
        """The hidden cells of a condition, as for `Questions`."""
        safe_cells, mine_cells = set(safe), set(mine)
        for cell in safe_cells | mine_cells:
            if self._value[cell] >= 0:
                raise ValueError(
                    f"cell {self._name(cell)} is revealed: it shows {self.cells[cell]}"
                )
        for cell in safe_cells | mine_cells:
            known_safe = cell in safe_cells or self._value[cell] == SAFE
            if known_safe and (cell in mine_cells or self._value[cell] == FLAG):
                raise InconsistentBoardError(
                    f"cell {self._name(cell)} cannot be safe and a mine at once"
                )
        return (
            {cell for cell in safe_cells if self._value[cell] == HIDDEN},
            {cell for cell in mine_cells if self._value[cell] == HIDDEN},
        )

    def number(self, cell: int, exact: bool) -> NDArray[Any]:
        """The chance that the cell is safe and shows k, for k = 0 ... `largest_number`."""
        if self._value[cell] >= 0:
            raise self._revealed(cell)
        result = [Fraction(0)] * (self.largest_number + 1)
        if self._value[cell] == FLAG:
            return _array(result, exact)
        (masses,) = self.masses([self._number_asked(cell)], exact)
        flags, total = self._flags_around(cell), self.total(exact)
        for j, mass in enumerate(masses):
            result[flags + j] = Fraction(mass, total)
        return _array(result, exact)

    def numbers(self) -> NDArray[np.float64]:
        """`number` of every cell, float64 (cells, 1 + `largest_number`); nan at revealed cells."""
        result = np.zeros((self.cells.size, self.largest_number + 1))
        result[self.cells >= 0] = np.nan
        cells = np.flatnonzero((self.cells == HIDDEN) | (self.cells == SAFE)).tolist()
        total = self.total(exact=False)
        all_masses = self.masses([self._number_asked(cell) for cell in cells], exact=False)
        for cell, masses in zip(cells, all_masses, strict=True):
            flags = self._flags_around(cell)
            for j, mass in enumerate(masses):
                result[cell, flags + j] = mass / total
        return result

    def _around(self, cell: int) -> list[int]:
        start, neighbour = self.topology.neighbours
        around: list[int] = neighbour[start[cell] : start[cell + 1]].tolist()
        return around

    def _number_asked(self, cell: int) -> Asked:
        around = tuple(other for other in self._around(cell) if self.places(other))
        return Asked(around, (cell,) if self._value[cell] == HIDDEN else ())

    def _flags_around(self, cell: int) -> int:
        return sum(self._value[other] == FLAG for other in self._around(cell))

    @cached_property
    def unit(self) -> "WeightedQuestions":
        """The same with every layout of a possible total weighing 1."""
        ones = tuple((1,) * len(p) for p in self.weights.polynomial)
        totals = self.weights.totals and {m: 1 for m, w in self.weights.totals.items() if w}
        weights = CellWeights(ones, totals)
        return WeightedQuestions(self.cells, self.topology, weights, self.budget)

    def solutions(self, exact: bool = True) -> int:
        """The number of layouts with a weight."""
        return self.unit.total(exact)

    def entropy(self) -> float:
        """The entropy of the layouts in bits.

        The logarithm of a layout's chance is a sum over the number of mines and the cells, so its
        mean needs their distributions alone.
        """
        total = self.total(exact=False)
        bits = [math.log2(total)]
        for mines, mass in self.mines_masses(exact=False).items():
            if mass:
                bits.append(-mass / total * math.log2(self.weights.total(mines)))
        unequal = [
            cell
            for cell in self._first
            if len(set(self.weights.polynomial[cell][self._value[cell] == FLAG :])) > 1
        ]
        for cell, masses in zip(
            unequal, self.masses([Asked((cell,)) for cell in unequal], exact=False), strict=True
        ):
            weight = self.weights.polynomial[cell][self._value[cell] == FLAG :]
            bits += [-m / total * math.log2(w) for m, w in zip(masses, weight, strict=True) if m]
        return max(math.fsum(bits), 0.0)

    def class_arrays(self) -> dict[str, Any]:
        """The weights of the cells as the core takes them."""
        wide = [as_wide(weight) for polynomial in self.polynomials for weight in polynomial]
        return {
            "cell_class": self.cell_class,
            "class_start": np.cumsum([0, *map(len, self.polynomials)]).astype(np.int32),
            "class_weight": np.array([mantissa for mantissa, _ in wide]),
            "class_exponent": np.array([exponent for _, exponent in wide], dtype=np.int64),
        }

    def _tables(self, asked: Sequence[Asked], exact: bool) -> list["_Table"]:
        start, least, mantissa, exponent = self._ask(asked, 0)
        if exact:
            counts = self._exact_counts(asked, exponent)
        else:
            wide = zip(mantissa.tolist(), exponent.tolist(), strict=True)
            counts = [from_wide(*value) for value in wide]
        tables = []
        for i, question in enumerate(asked):
            rows = sum(len(self.places(cell)) for cell in question.cells) + 1
            begin, end = int(start[i]), int(start[i + 1])
            columns = (end - begin) // rows
            table = [counts[k : k + columns] for k in range(begin, end, columns or 1)]
            tables.append(_Table(int(least[i]), columns, table))
        return tables

    def _exact_counts(self, asked: Sequence[Asked], exponent: NDArray[np.int64]) -> list[int]:
        """By the Chinese remainder theorem; doubles, right to twelve digits, say how large."""
        bits = int(exponent.max(initial=0)) + 1
        whole = 1
        result = [0] * exponent.size
        for prime in _core.primes(bits // 60 + 1):
            residues = self._ask(asked, prime)[2]
            inverse = pow(whole, -1, prime)
            result = [
                value + whole * ((residue - value) * inverse % prime)
                for value, residue in zip(result, residues.tolist(), strict=True)
            ]
            whole *= prime
        return result

    def _ask(
        self, asked: Sequence[Asked], prime: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], NDArray[np.int64]]:
        cells = self.problem.cell.size
        if not cells:  # nothing is open: one layout, or none
            possible = not self.problem.wrong.size
            ones = np.ones(len(asked))
            count = ones.astype(np.uint64) if prime else ones / 2
            return (
                np.arange(len(asked) + 1) * int(possible),
                np.zeros(len(asked), dtype=np.int32),
                count if possible else count[:0],
                np.ones(len(asked) * possible, dtype=np.int64),
            )
        none: list[Sequence[int]] = [()] * len(asked)
        lists: dict[str, Sequence[Sequence[int]]] = {
            "part": [(0,)] * len(asked),
            "safe": [self._all_places(question.safe) for question in asked],
            "mine": none,
            "asked": [self._all_places(question.cells) for question in asked],
        }
        arguments: dict[str, Any] = {}
        for name, items in lists.items():
            arguments[f"{name}_start"], arguments[name] = _packed(items)
        if prime:
            residues = [w % prime for polynomial in self.polynomials for w in polynomial]
            arguments["class_residue"] = np.array(residues, dtype=np.uint64)
        try:
            start, least, count, exponent, _ = _core.count_tables(
                cells,
                self.problem.clue_start,
                self.problem.clue_cell,
                self.problem.clue_need,
                part_of_cell=np.zeros(cells, dtype=np.int32),
                prime=prime,
                max_work=self.budget.max_work,
                max_memory=self.budget.max_memory,
                deadline=self.budget.seconds_left,
                **arguments,
                **self.class_arrays(),
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None
        return start, least, count, exponent

    def _all_places(self, cells: Iterable[int]) -> tuple[int, ...]:
        return tuple(place for cell in cells for place in self.places(cell))

    def _revealed(self, cell: int) -> ValueError:
        return ValueError(f"cell {self._name(cell)} is revealed: it shows {self._value[cell]}")

    def _name(self, cell: int) -> Cell:
        return self.topology.place(cell)


class _Table(NamedTuple):
    """``row[j][k]``: j open mines among the asked, ``least`` + k among all open cells."""

    least: int
    columns: int
    row: list[list[int]]


def _packed(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    start = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    return start, np.array([item for items in lists for item in items], dtype=np.int32)


def _array(values: list[Fraction], exact: bool) -> NDArray[Any]:
    if not exact:
        return np.array([float(value) for value in values])
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result
