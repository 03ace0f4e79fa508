"""The questions of `Odds`, by (row, col).

What they mean and cost is told here; the work is done in `questions`, `sampling`, `proof` and
`conditions`.
"""

import itertools
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import sampling
from mineodds.board import Board
from mineodds.cell_arrays import checked_layout, unknown_value
from mineodds.cell_weights import CellWeights, known_cells
from mineodds.contracts import read_only, whole_number
from mineodds.engine import Budget
from mineodds.errors import Cell, shown, written
from mineodds.parts import Part
from mineodds.priors import Prior
from mineodds.proof import BEFOREHAND, OPEN, Explanation, Proof
from mineodds.questions import SAFE, Questions, impossible_condition, information
from mineodds.text import FLAG, HIDDEN
from mineodds.weighted import WeightedQuestions
from mineodds.whole import Whole, whole_of

METHOD = "elimination"

Cells = Iterable[Iterable[SupportsIndex]]


class Asking(ABC):
    """Questions to a position. Cells are (row, col); ``exact=True`` gives Fractions."""

    board: Board
    probability: NDArray[np.float64]
    _budget: Budget
    # What is known and weighed beyond the board: its cells with conditions, and the prior.
    _known: tuple[NDArray[np.int8], Prior | CellWeights] | None = None

    @abstractmethod
    def __init__(
        self, board: Board, probability: NDArray[np.float64], method: str, budget: Budget
    ) -> None:
        """From a board and its odds."""

    def distribution(
        self, cells: Cells, safe: Cells = (), mine: Cells = (), *, exact: bool = False
    ) -> NDArray[Any]:
        """The chance of j mines among the cells, (1 + number of cells,), given others are known.

        Costs one elimination of the components that are named. Raises ValueError at revealed cells,
        InconsistentBoardError when the condition is impossible.
        """
        asked, known_safe, known_mine = map(self._cells, (cells, safe, mine))
        return self._questions.distribution(asked, known_safe, known_mine, exact)

    def number(self, *cell: SupportsIndex, exact: bool = False) -> NDArray[Any]:
        """The chance that the cell is safe and shows k: (9,), more if a cell has more neighbours.

        With the chance of a mine they sum to 1. Costs one elimination of the components around.
        """
        return self._questions.number(self._cell(cell), exact)

    @cached_property
    def _numbers(self) -> NDArray[np.float64]:
        numbers = self._questions.numbers().reshape(*self.board.cells.shape, -1)
        return read_only(numbers)

    def numbers(self, *, exact: bool = False) -> NDArray[Any]:
        """`number` of every cell at once, float64 (rows, cols, 9); nan at revealed cells.

        Exact, it is an object array, None at revealed cells.
        """
        if not exact:
            return self._numbers
        result = np.full(self._numbers.shape, None, dtype=object)
        for cell in zip(*np.nonzero(self.board.cells < 0), strict=True):
            result[cell] = self.number(*cell, exact=True)
        return read_only(result)

    def information(self, *cell: SupportsIndex) -> Any:
        """The bits that opening a cell gains on average: the entropy of what it shows.

        A mine counts as something shown; what a 0 opens further is not followed. Without a cell:
        float64 (rows, cols), nan at revealed cells. A logarithm is no fraction: there is no exact
        answer, but the relative error is below 1e-12.
        """
        if not cell:
            return information(self._numbers, self.probability)
        number = self.number(*cell)
        return float(
            information(number, self.probability[self.board.topology.place(self._cell(cell))])
        )

    @property
    def entropy(self) -> float:
        """The entropy of the layouts in bits: log2 of their number when all are equally likely.

        No fraction either; the relative error is below 1e-12.
        """
        return self._questions.entropy()

    def sample(self, n: SupportsIndex, seed: int | None = None) -> NDArray[Any]:
        """Independent layouts, bool (n, rows, cols), each as likely as it is; flags included.

        Where cells hold several mines layouts are int8, the mines in each cell.

        The same seed gives the same layouts on every platform; None takes a fresh one. Raises
        BudgetExceeded when they take more than ``max_memory``.
        """
        count = whole_number("n", n)
        sampling.refuse_too_many(count, self.board.cells.size, self._budget)
        return self._whole.sample(count, seed).reshape(count, *self.board.cells.shape)

    def most_likely(self, seed: int | None = None) -> NDArray[Any]:
        """A most likely layout, bool (rows, cols), drawn among them if there are several."""
        return self._whole.most_likely(seed).reshape(self.board.cells.shape)

    def layouts(self, limit: SupportsIndex | None = None) -> Iterator[NDArray[Any]]:
        """All layouts, bool (rows, cols), or the first ``limit``; an iterator that holds no list.

        By their number of mines, then in the order of the enumeration engine: the values of the
        variables of each component rise, the last component turns fastest, then the places within a
        variable.

        Cost: each component is searched before the first layout comes, which on wide boards can
        take time exponential in the size of the component, whatever the ``limit``. No deadline
        holds for it, but Ctrl-C stops it. `sample` needs no search.
        """
        first = None if limit is None else whole_number("limit", limit)
        if first is not None and first < 0:
            raise ValueError(f"limit must not be negative: {written(first)}")
        every = self._whole.layouts()
        shape = self.board.cells.shape
        counted = every if first is None else itertools.islice(every, min(first, sys.maxsize))
        return (layout.reshape(shape) for layout in counted)

    def layout_probability(self, layout: ArrayLike, *, exact: bool = False) -> Any:
        """The chance of a layout: the mines in each cell (or True and False), of the board's shape.

        0 where it does not agree with the board. All layouts together have 1; where they are
        equally likely each has 1 over their number. Costs an exact count.
        """
        held = checked_layout(layout, self.board.cells.shape, self.board.max_per_cell)
        mass = self._questions.layout_mass(held)
        chance = Fraction(mass, self._questions.counting.total(exact=True)) if mass else Fraction(0)
        return chance if exact else float(chance)

    def given(self, safe: Cells = (), mine: Cells = ()) -> Self:
        """The odds when these cells are known to be safe (but not opened), and those to be mines.

        Raises InconsistentBoardError when no layout agrees.
        """
        safe_cells, mine_cells = self._questions.condition(self._cells(safe), self._cells(mine))
        cells = self._questions.as_given.copy()
        cells[list(safe_cells)] = SAFE
        cells[list(mine_cells)] = FLAG
        return self._with(self.board, cells)

    def after(self, *cell_and_number: SupportsIndex) -> Self:
        """The odds after the cell is opened and shows the number: ``after(row, col, number)``.

        What the cell does not change is shared: the plans and counts of all components but those
        around it. Equal to solving afresh. Raises ValueError if it is revealed or flagged already,
        InconsistentBoardError when it cannot show that.
        """
        *place, number = cell_and_number
        cell, answer = self._cell(place), whole_number("number", number)
        if answer < 0:
            raise ValueError(f"a cell shows a number from 0 on, not {shown(answer)}")
        largest = self.board.topology.largest_number * self.board.max_per_cell
        if answer > largest:
            raise unknown_value(answer, largest, self.board.topology.place(cell))
        if self.board.cells.flat[cell] != HIDDEN:
            raise ValueError(f"cell {self.board.topology.place(cell)} is not hidden")
        if self._questions.cells[cell] == FLAG:
            raise impossible_condition()
        opened = self.board.cells.copy()
        opened.flat[cell] = answer
        board = self.board.with_cells(opened)
        cells = self._questions.as_given.copy()
        cells[cell] = answer
        return self._with(board, cells)

    def explain(self, *cell: SupportsIndex) -> Explanation:
        """Why a hidden cell is certain: a smallest set of clues that proves it, and the rule.

        For an uncertain cell the explanation holds two layouts, with a mine there and without.
        Raises ValueError at revealed and flagged cells.
        """
        number = self._cell(cell)
        place = self.board.topology.place(number)
        if self.board.cells.flat[number] == HIDDEN and (
            known_cells(self.board, self.board.cells).flat[number] != HIDDEN
        ):
            return Explanation((), total=False, minimum=True, rule=BEFOREHAND)
        if self._questions.as_given[number] != HIDDEN:
            raise ValueError(f"cell {place} is not hidden: there is nothing to explain")
        chance = self.probability[place]
        if chance in (0.0, 1.0):
            return self._proof.explain(number, mine=bool(chance == 1.0))
        with_mine = self.given(mine=[place]).sample(1, seed=0)[0]
        without = self.given(safe=[place]).sample(1, seed=0)[0]
        return Explanation((), total=False, minimum=True, rule=OPEN, layouts=(with_mine, without))

    def wrong_flags(self) -> tuple[Cell, ...]:
        """The flags that are certainly wrong if no flag is trusted, row by row."""
        cells = self._questions.as_given.copy()
        flags = self.board.cells.ravel() == FLAG
        cells[flags] = HIDDEN
        cells = known_cells(self.board, cells.reshape(self.board.cells.shape)).ravel()
        chance = self._with(self.board, cells).probability.ravel()
        return tuple(
            self.board.topology.place(cell)
            for cell in np.flatnonzero(flags & (chance == 0.0)).tolist()
        )

    def _with(self, board: Board, cells: NDArray[np.int8]) -> Self:
        """The odds of a board of which ``cells`` are known, under the same prior."""
        _, prior = self._known or (cells, self.board.prior)
        return self.weighed(board, cells, prior, self._budget, known=self._questions.parts)

    @classmethod
    def weighed(
        cls,
        board: Board,
        cells: NDArray[np.int8],
        prior: Prior | CellWeights,
        budget: Budget,
        later: Budget | None = None,
        known: Mapping[bytes, Part] = {},
    ) -> Self:
        """The odds of a board of which ``cells`` are known, under a prior.

        ``later`` is the budget of what will be asked, without a deadline unless given.
        """
        whole = whole_of(cells, board.topology, prior, budget, known)
        probability = whole.inference.probability
        later = budget.without_deadline() if later is None else later
        whole.allow(later)
        odds = cls(board, probability, METHOD, later)
        odds.__dict__.update(_known=(whole.questions.as_given, prior), _whole=whole)
        return odds

    @cached_property
    def _whole(self) -> Whole:
        cells, prior = self._known or (self.board.cells, self.board.prior)
        return whole_of(cells, self.board.topology, prior, self._budget)

    @property
    def _questions(self) -> Questions | WeightedQuestions:
        return self._whole.questions

    @cached_property
    def _proof(self) -> Proof:
        return self._whole.proof()

    def _cell(self, place: Iterable[SupportsIndex]) -> int:
        """The number of a cell. Raises IndexError outside the board."""
        return self.board.topology.number(place)

    def _cells(self, cells: Cells) -> list[int]:
        if not isinstance(cells, Iterable):
            raise TypeError(f"expected cells as (row, col) pairs, not {shown(cells)}")
        return [self._cell(place) for place in cells]
