"""Questions to a position: distributions, numbers, information, entropy.

All of them are sums over the tables of `counting`. Cells are numbered row by row here; the public
methods of `Odds` take (row, col). Answers are float64, or exact Fractions on request.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.counting import Counting, Query
from mineodds.engine import Budget
from mineodds.errors import InconsistentBoardError
from mineodds.frontier import Frontier, Problem, split
from mineodds.parts import Part, parts_of
from mineodds.priors import Prior, binomials
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology

SAFE = -3  # in the cells of a position: not opened, but known to be safe


class Questions:
    """A position and a prior. ``cells`` are int8, by number, and are kept ``as_given``.

    Values: -1 hidden, -2 a mine, -3 safe but not opened, otherwise the number shown. The attributes
    ``cells`` and ``problem`` have what complete and full clues settle as well: components become
    smaller. ``known`` are the parts of another position of the board; the same ones are shared.
    """

    def __init__(
        self,
        cells: NDArray[np.int8],
        topology: Topology,
        prior: Prior,
        budget: Budget,
        known: Mapping[bytes, Part] = {},
    ) -> None:
        self.as_given = cells.ravel()
        self.topology = topology
        self.frontier: Frontier = split(self.as_given[None], topology)
        self.cells = _settled(self.as_given, self.frontier.problem(0))
        frontier = split(self.cells[None], topology)
        self.problem = frontier.problem(0)
        component = frontier.components[0, self.problem.cell]
        hidden = self.problem.cell.size + self.problem.deep.size
        prior = prior.on(self.problem.flags, hidden)
        self.parts = parts_of(self.problem, component, known)
        self.counting = Counting(self.problem, component, list(self.parts.values()), prior, budget)
        self._value: list[int] = self.cells.tolist()
        self._position = {cell: i for i, cell in enumerate(self.problem.cell.tolist())}

    def is_possible(self) -> bool:
        """Whether any layout has a weight. Everything else needs one."""
        return not self.problem.wrong.size and self.counting.total(exact=False) > 0

    @cached_property
    def largest_number(self) -> int:
        """The largest number that a cell can show, but at least 8."""
        return self.topology.largest_number

    def distribution(
        self, cells: Iterable[int], safe: Iterable[int], mine: Iterable[int], exact: bool
    ) -> NDArray[Any]:
        """The chance of j mines among ``cells``, for j = 0 ... their number."""
        asked = list(cells)
        if len(set(asked)) != len(asked):
            raise ValueError("a cell is named twice among those asked for")
        safe_cells, mine_cells = self.condition(safe, mine)
        known = 0
        open_cells = []
        for cell in asked:
            value = self._value[cell]
            if value >= 0:
                raise revealed(cell, value, self.topology)
            if cell in mine_cells or value == FLAG:
                known += 1
            elif value == HIDDEN and cell not in safe_cells:
                open_cells.append(cell)
        query = self.query(sorted(safe_cells), sorted(mine_cells), open_cells)
        masses = self.counting.masses(query, exact)
        total = sum(masses)
        if total == 0:
            raise impossible_condition()
        result = [Fraction(mass, total) for mass in masses]
        padded = [Fraction(0)] * known + result
        padded += [Fraction(0)] * (len(asked) + 1 - len(padded))
        return answer(padded, exact)

    def number(self, cell: int, exact: bool) -> NDArray[Any]:
        """The chance that the cell is safe and shows k, for k = 0 ... `largest_number`."""
        result = [Fraction(0)] * (self.largest_number + 1)
        if self._value[cell] == FLAG:
            return answer(result, exact)
        query, flags = self.number_query(cell)
        total = self.counting.total(exact)
        for j, mass in enumerate(self.counting.masses(query, exact)):
            result[flags + j] = Fraction(mass, total)
        return answer(result, exact)

    def numbers(self) -> NDArray[np.float64]:
        """`number` of every cell, float64 (cells, 1 + `largest_number`); nan at revealed cells.

        Deep cells with the same neighbours on the frontier and as many deep ones share an answer.
        """
        width = self.largest_number + 1
        result = np.zeros((self.cells.size, width + 1))
        result[self.cells >= 0] = np.nan
        hidden = np.flatnonzero((self.cells == HIDDEN) | (self.cells == SAFE)).tolist()
        asked = [self.number_query(cell) for cell in hidden]
        row_of = {query: row for row, query in enumerate(dict.fromkeys(q for q, _ in asked))}
        if not row_of:
            return result[:, :width]
        shares = self.counting.shares(list(row_of))
        padded = np.zeros((len(row_of), width))
        padded[:, : shares.shape[1]] = shares
        rows = np.array([row_of[query] for query, _ in asked])
        flags = np.array([flags for _, flags in asked])
        column = np.arange(width)[None, :] - flags[:, None]
        values = np.take_along_axis(padded[rows], np.maximum(column, 0), axis=1)
        result[hidden, :width] = np.where(column >= 0, values, 0.0)
        return result[:, :width]

    def layouts_with(self, mines: int, exact: bool = False) -> int:
        """The number of layouts with so many mines on the hidden cells, whatever the prior."""
        frontier = self.counting.frontier_polynomial(exact)
        ways = binomials(self.problem.deep.size, mines, len(frontier) - 1)
        return sum(a * b for a, b in zip(frontier, ways, strict=True))

    def layout_mass(self, held: NDArray[np.int64]) -> int:
        """The weight of a layout, the mines by cell; 0 if it does not agree."""
        if not agrees(self.cells, self.topology, held):
            return 0
        return self.counting.prior.weight(int(held.sum()) - self.problem.flags)

    def solutions(self, exact: bool = True) -> int:
        """The number of layouts that the prior gives a weight, or a number of 53 right bits."""
        if self.counting.prior.independent is not None:  # any number of mines
            return sum(self.counting.frontier_polynomial(exact)) << self.problem.deep.size
        least, most = self.counting.prior.range()
        hidden = self.problem.cell.size + self.problem.deep.size
        return sum(
            self.layouts_with(mines, exact)
            for mines in range(max(least, 0), min(most, hidden) + 1)
            if self.counting.prior.weight(mines)
        )

    def entropy(self) -> float:
        """The entropy of the layouts in bits.

        Layouts with as many mines are equally likely: it is the entropy of the number of mines,
        and within each number the logarithm of the number of layouts.
        """
        least, most = self.counting.prior.range()
        hidden = self.problem.cell.size + self.problem.deep.size
        exact = least != most  # what the likeliest layout leaves can be tiny
        total = self.counting.total(exact)
        bits = []
        for mines in range(max(least, 0), min(most, hidden) + 1):
            weight = self.counting.prior.weight(mines)
            if weight and (count := self.layouts_with(mines, exact)):
                bits.append(count * weight / total * _surprise(weight, total))
        return math.fsum(bits)

    def query(self, safe: Sequence[int], mine: Sequence[int], asked: Sequence[int]) -> Query:
        """The counting's query for hidden cells, no cell in two lists."""
        fixed_safe, fixed_mine, open_asked = map(self._positions, (safe, mine, asked))
        return Query(
            fixed_safe,
            fixed_mine,
            open_asked,
            deep_safe=len(safe) - len(fixed_safe),
            deep_mine=len(mine) - len(fixed_mine),
            deep_asked=len(asked) - len(open_asked),
        )

    def _positions(self, cells: Sequence[int]) -> tuple[int, ...]:
        """The positions of those cells that lie on the frontier."""
        position = self._position
        return tuple(position[cell] for cell in cells if cell in position)

    def condition(self, safe: Iterable[int], mine: Iterable[int]) -> tuple[set[int], set[int]]:
        """The hidden cells of a condition; what is known already is left out.

        Raises InconsistentBoardError when the condition contradicts itself or what is known,
        ValueError at revealed cells named as mines or safe.
        """
        return hidden_condition(self._value, self.topology, safe, mine)

    def number_query(self, cell: int) -> tuple[Query, int]:
        """What is asked to know the number under a cell, and the mines known around it."""
        if self._value[cell] >= 0:
            raise revealed(cell, self._value[cell], self.topology)
        start, neighbour = self._neighbours
        around = neighbour[start[cell] : start[cell + 1]]
        hidden = [other for other in around if self._value[other] == HIDDEN]
        flags = sum(1 for other in around if self._value[other] == FLAG)
        own = [cell] if self._value[cell] == HIDDEN else []
        return self.query(own, (), hidden), flags

    @cached_property
    def _neighbours(self) -> tuple[list[int], list[int]]:
        start, cell = self.topology.neighbours
        return start.tolist(), cell.tolist()


def _settled(cells: NDArray[np.int8], problem: Problem) -> NDArray[np.int8]:
    """The cells with what complete and full clues settle; as they are when those contradict."""
    settled = _core.settle(*problem.arrays)
    if settled is None:
        return cells
    result = cells.copy()
    result[problem.cell[settled == 0]] = SAFE
    result[problem.cell[settled == 1]] = FLAG
    return result


def hidden_condition(
    value: Sequence[int], topology: Topology, safe: Iterable[int], mine: Iterable[int]
) -> tuple[set[int], set[int]]:
    """The hidden cells of a condition on cells of these values; see `Questions.condition`."""
    safe_cells, mine_cells = set(safe), set(mine)
    for cell in safe_cells | mine_cells:
        if value[cell] >= 0:
            raise revealed(cell, value[cell], topology)
    known_safe = safe_cells | {cell for cell in mine_cells if value[cell] == SAFE}
    known_mine = mine_cells | {cell for cell in safe_cells if value[cell] == FLAG}
    for cell in known_safe & known_mine:
        raise InconsistentBoardError(
            f"cell {topology.place(cell)} cannot be safe and a mine at once"
        )
    return (
        {cell for cell in safe_cells if value[cell] == HIDDEN},
        {cell for cell in mine_cells if value[cell] == HIDDEN},
    )


def agrees(cells: NDArray[np.int8], topology: Topology, held: NDArray[np.int64]) -> bool:
    """Whether a layout, the mines by cell, fits the numbers and what is known of the cells."""
    start, neighbour = topology.neighbours
    before = np.concatenate([[0], np.cumsum(held[neighbour])])
    around = before[start[1:]] - before[start[:-1]]
    fits = np.where(cells == FLAG, held > 0, (cells == HIDDEN) | (held == 0))
    return bool(fits.all() and (around == cells)[cells >= 0].all())


def revealed(cell: int, value: int, topology: Topology) -> ValueError:
    """A question about a cell that shows a number."""
    return ValueError(f"cell {topology.place(cell)} is revealed: it shows {value}")


def impossible_condition() -> InconsistentBoardError:
    """No layout agrees with the condition."""
    return InconsistentBoardError("the condition is impossible: no layout agrees with it")


def _surprise(weight: int, total: int) -> float:
    """log2(total / weight), as exact when it is close to 0."""
    rest = total - weight
    if rest < weight:
        return -math.log1p(-(rest / total)) / math.log(2.0)
    return math.log2(total) - math.log2(weight)


def information(numbers: NDArray[np.float64], mine: NDArray[np.float64]) -> NDArray[np.float64]:
    """The entropy in bits of what opening a cell shows: a mine, or one of the numbers.

    ``numbers`` are the chances of the numbers (..., 1 + largest), ``mine`` (...) that of a mine.
    The largest chance can be so close to 1 that only what is left of it says how much is gained.
    """
    chance = np.concatenate([numbers, np.asarray(mine)[..., None]], axis=-1)
    others = chance.copy()
    np.put_along_axis(others, chance.argmax(axis=-1, keepdims=True), 0.0, axis=-1)
    bits = np.zeros_like(others)
    np.log2(others, out=bits, where=others > 0.0)
    rest = others.sum(axis=-1)
    likeliest = (1.0 - rest) * np.log1p(-rest) / math.log(2.0)
    result: NDArray[np.float64] = -(others * bits).sum(axis=-1) - likeliest
    return result


def answer(values: Sequence[Fraction], exact: bool) -> NDArray[Any]:
    """Fractions as an object array, or float64."""
    if not exact:
        return np.array([float(value) for value in values])
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result
