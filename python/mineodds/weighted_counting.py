"""What `counting` is for cells that are alike, for cells with weights of their own (cell_weights).

All hidden cells are in the problem here, those in no clue too. A cell that holds up to k mines is k
cells of the problem; one that is known to hold at least one has one of them fixed, and its
polynomial begins one later. Answers come from tables of the components that a question touches, a
deep cell being one, and what is `outside` of them.
"""

import itertools
import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds.cell_weights import CellWeights, Polynomial
from mineodds.counting import RawTables, ask_tables, read_tables, weighed
from mineodds.engine import Budget
from mineodds.frontier import Problem, component_labels
from mineodds.outside import ExactOutside, Outside, Parts
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
        return self._exact_total if exact else self._total

    @cached_property
    def _exact_total(self) -> int:
        return self.masses([Asked()])[0][0]

    @cached_property
    def _total(self) -> int:
        return self._outside.total(self.budget)

    def mines_masses(self) -> dict[int, int]:
        """The weight of all layouts by their number of mines."""
        assert self.weights.totals is not None
        return {
            total: weight * self._exact_outside.product[total - self.flags]
            for total, weight in self.weights.totals.items()
            if total >= self.flags
        }

    def masses(self, asked: Sequence[Asked]) -> list[list[int]]:
        """For each question the exact weight of the layouts with j open mines among its cells."""
        questions = list(map(self._representative, asked))
        lists = self._lists(questions)
        parts, _, places = lists
        raw = self._ask(self._component, *lists, prime=0)
        tables = read_tables(
            raw,
            [len(cells) + 1 for cells in places],
            lambda prime: self._ask(self._component, *lists, prime=prime).mantissa,
            exact=True,
        )
        result = []
        for question, touched, cells, table in zip(questions, parts, places, tables, strict=True):
            self.budget.check()
            factor = math.prod(self._weight_of_none(cell) for cell in question.safe)
            outside = self._exact_outside.without(touched)
            columns = len(table.row[0]) if table.row else 0
            weight = [factor * outside(table.least + k) for k in range(columns)]
            masses = [sum(map(operator.mul, row, weight)) for row in table.row]
            result.append(masses or [0] * (len(cells) + 1))
        return result

    def _lists(
        self, questions: Sequence[Asked]
    ) -> tuple[list[Parts], list[tuple[int, ...]], list[tuple[int, ...]]]:
        """The components that questions touch, and the problem's cells that they name."""
        return (
            [self._parts(question) for question in questions],
            [self._all_places(question.safe) for question in questions],
            [self._all_places(question.cells) for question in questions],
        )

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

    def _ask(
        self,
        component: NDArray[np.int32],
        parts: Sequence[Sequence[int]],
        safe: Sequence[Sequence[int]],
        asked: Sequence[Sequence[int]],
        *,
        prime: int,
    ) -> RawTables:
        """The core's tables; residues, where there is a prime, are in place of mantissas."""
        lists = {"part": parts, "safe": safe, "mine": [()] * len(parts), "asked": asked}
        weights = self.class_arrays()
        if prime:
            residues = [w % prime for polynomial in self.polynomials for w in polynomial]
            weights["class_residue"] = np.array(residues, dtype=np.uint64)
        tables = ask_tables(self.problem, component, lists, prime, self.budget, **weights)
        return RawTables(*tables[:4])

    def _all_places(self, cells: Iterable[int]) -> tuple[int, ...]:
        return tuple(place for cell in cells for place in self.places(cell))

    def shares(self, asked: Sequence[Asked]) -> NDArray[np.float64]:
        """`masses` over `total`, float64 (n, most open mines + 1).

        Deep cells that weigh the same stand for each other: questions become fewer.
        """
        stands_for = list(map(self._representative, asked))
        row_of = {question: row for row, question in enumerate(dict.fromkeys(stands_for))}
        if not row_of:
            return np.empty((0, 1))
        questions = list(row_of)
        parts, safe, places = self._lists(questions)
        class_of = {part: row for row, part in enumerate(dict.fromkeys(parts))}
        raw = self._ask(self._component, parts, safe, places, prime=0)
        mantissa, exponent = self._outside.shares(list(class_of), self.budget)
        factor, power = wide_arrays(
            math.prod(self._weight_of_none(cell) for cell in question.safe)
            for question in questions
        )
        weight_class = np.array([class_of[part] for part in parts])
        # A class for each question: its safe cells weigh too.
        values = weighed(
            raw,
            np.array([len(cells) for cells in places]),
            np.arange(len(questions)),
            mantissa[weight_class] * factor[:, None],
            exponent[weight_class] + power[:, None],
        )
        return values[[row_of[question] for question in stands_for]]

    def _representative(self, question: Asked) -> Asked:
        """The same question of the first deep cells that weigh the same."""
        used: Counter[Polynomial] = Counter()

        def first(cells: Iterable[int]) -> tuple[int, ...]:
            result = []
            for cell in cells:
                polynomial = self._deep.get(cell)
                if polynomial is not None:
                    cell = self.alike[polynomial][used[polynomial]]
                    used[polynomial] += 1
                result.append(cell)
            return tuple(sorted(result))

        safe = first(question.safe)
        return Asked(first(question.cells), safe)

    def _parts(self, question: Asked) -> Parts:
        cells = itertools.chain(question.safe, question.cells)
        return tuple(sorted({self._label[self.first[c]] for c in cells if c in self.first}))

    @cached_property
    def _component(self) -> NDArray[np.int32]:
        """Labels of the components by the problem's cells; those of one cell stay together."""
        problem = self.problem
        begins = np.flatnonzero(np.diff(problem.cell, prepend=-1))
        start = np.append(problem.clue_start[:-1], problem.clue_start[-1] + begins)
        size = problem.cell.size
        return component_labels(
            size,
            np.append(start, problem.clue_start[-1] + size).astype(np.int32),
            np.append(problem.clue_cell, np.arange(size, dtype=np.int32)),
        )

    @cached_property
    def _label(self) -> list[int]:
        labels: list[int] = self._component.tolist()
        return labels

    @cached_property
    def _on_frontier(self) -> NDArray[np.bool_]:
        on_frontier = np.zeros(self.problem.cell.size, dtype=np.bool_)
        on_frontier[self.problem.clue_cell] = True
        return on_frontier

    @cached_property
    def frontier(self) -> Problem:
        """The cells that lie in clues alone; all others are its deep cells."""
        problem = self.problem
        every = np.arange(problem.clue.size, dtype=np.int32)
        return replace(problem.restricted_to(every), deep=problem.cell[~self._on_frontier])

    @cached_property
    def frontier_class(self) -> NDArray[np.int32]:
        """The classes of the cells of `frontier`, numbered like `polynomials`."""
        return self.cell_class[self._on_frontier]

    @cached_property
    def _deep(self) -> dict[int, Polynomial]:
        """What the open cells weigh that no clue says anything about."""
        return {
            cell: self.weights.polynomial[cell][self.value[cell] == FLAG :]
            for cell, place in self.first.items()
            if not self._on_frontier[place]
        }

    @cached_property
    def alike(self) -> dict[Polynomial, list[int]]:
        """The open cells that no clue says anything about, by what they weigh."""
        result: dict[Polynomial, list[int]] = {}
        for cell, polynomial in self._deep.items():
            result.setdefault(polynomial, []).append(cell)
        return result

    @cached_property
    def _frontier_labels(self) -> list[int]:
        deep = {self._label[self.first[cell]] for cell in self._deep}
        return [label for label in range(max(self._label, default=-1) + 1) if label not in deep]

    def _ask_frontier(self, prime: int) -> RawTables:
        """The polynomials of the components on the frontier."""
        labels = [(label,) for label in self._frontier_labels]
        none: list[tuple[int, ...]] = [()] * len(labels)
        return self._ask(self._component, labels, none, none, prime=prime)

    @cached_property
    def _outside(self) -> Outside:
        wide = {polynomial: wide_arrays(polynomial) for polynomial in self.alike}
        factor = {self._label[self.first[cell]]: wide[p] for cell, p in self._deep.items()}
        raw = self._ask_frontier(prime=0)
        bounds = itertools.pairwise(raw.start.tolist())
        frontier = zip(self._frontier_labels, raw.least.tolist(), bounds, strict=True)
        for label, least, (begin, end) in frontier:
            before = least if end > begin else 0
            mantissa = np.append(np.zeros(before), raw.mantissa[begin:end])
            exponent = np.append(np.zeros(before, dtype=np.int64), raw.exponent[begin:end])
            factor[label] = mantissa, exponent
        return Outside([factor[label] for label in sorted(factor)], self.total_weights())

    @cached_property
    def _exact_outside(self) -> ExactOutside:
        factor: dict[int, Sequence[int]] = {
            self._label[self.first[cell]]: p for cell, p in self._deep.items()
        }
        tables = read_tables(
            self._ask_frontier(prime=0),
            [1] * len(self._frontier_labels),
            lambda prime: self._ask_frontier(prime).mantissa,
            exact=True,
        )
        for label, table in zip(self._frontier_labels, tables, strict=True):
            factor[label] = [0] * table.least + table.row[0] if table.row else []
        totals = self.weights.totals
        if totals is not None:
            totals = {m - self.flags: w for m, w in totals.items() if m >= self.flags}
        return ExactOutside([factor[label] for label in sorted(factor)], totals, self.budget.check)

    def total_weights(self) -> Iterator[int]:
        """The weights of 0, 1, ... mines on the open cells."""
        return (self.weights.total(mines) for mines in itertools.count(self.flags))
