"""One board as the core sees it: its problem, its engine, and the weights of its deep cells.

Everything here can be inspected, and everything exact comes from here, when `odds` is asked for it.
A board without a layout is refused on the way, with what clashes.
"""

import math
import operator
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.engine import METHODS, REFUSALS, Budget, elimination
from mineodds.frontier import Frontier, Problem, split
from mineodds.modular import Engine, ExactMasses, counts_of, primes_needed
from mineodds.refusals import clash, no_total, wrong_number
from mineodds.text import FLAG
from mineodds.weighting import (
    ScaledWeights,
    exact_weights,
    memory_of_exact_weights,
    scaled_weights,
)

_LONG_WEIGHTS = 2.0**28  # bytes of exact weights that take seconds to make


class Inference:
    """The configurations of a board's frontier, weighed by what they leave to the deep cells.

    Raises InconsistentBoardError, BudgetExceeded and DeadlineExceeded when made. What is exact is
    worked out when it is asked for, within what ``budget`` is by then.
    """

    def __init__(self, board: Board, method: str, budget: Budget) -> None:
        assert board.mines is not None
        self.board = board
        self._mines = board.mines
        self.budget = budget
        self.frontier: Frontier = split(board.cells[None], board.topology)
        self.problem: Problem = self.frontier.problem(0)
        if self.problem.wrong.size:
            raise wrong_number(board.cells.ravel(), board.topology, self.problem)
        budget.check()
        build = METHODS[method]
        self.engine: Engine = build(self.problem, budget)
        if not self.engine.consistent:
            raise clash(
                board.topology,
                self.problem,
                lambda problem: build(problem, budget).consistent,
            )
        possible = self._possible()
        # What the engine's k-th mine count leaves for the deep cells; k is weighed if it can be.
        mines = np.arange(self.engine.least_mines, self.engine.most_mines + 1)
        self._left = self._mines - self.problem.flags - mines
        fits = possible & (self._left >= 0) & (self._left <= self.problem.deep.size)
        if not fits.any():
            raise no_total(board.mines_in_words, self.problem, mines[possible].tolist())
        first, last = np.flatnonzero(fits)[[0, -1]].tolist()
        self._weighed = slice(first, last + 1)
        # Few chances are different, and reducing a fraction of long integers takes its time.
        self._fractions: dict[int, Fraction] = {}

    @cached_property
    def elimination(self) -> _core.Elimination:
        """The elimination of this problem, whatever the method."""
        if isinstance(self.engine, _core.Elimination):
            return self.engine
        return elimination(self.problem, self.budget)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(mine), float64 (rows, cols); nan at revealed cells, 1.0 at flags."""
        probability = np.full(self.board.cells.size, np.nan)
        probability[self.board.cells.ravel() == FLAG] = 1.0
        probability[self.problem.cell] = self._evaluation.probability
        probability[self.problem.deep] = self._evaluation.deep_probability
        return probability.reshape(self.board.cells.shape)

    @cached_property
    def log10_solutions(self) -> float:
        """The decimal logarithm of the number of layouts."""
        total = self._evaluation.total
        power = self._evaluation.total_exponent
        return math.log10(total) + power * math.log10(2.0) + self._scaled_weights.log10_scale

    @cached_property
    def solutions(self) -> int:
        """The number of layouts."""
        lowest = int(self._left[self._weighed][-1])
        weight = self._exact_weights[self._weighed][-1]
        return self._total * math.comb(self.problem.deep.size, lowest) // weight

    @cached_property
    def exact_work(self) -> float:
        """The predicted cost of everything exact, in table-entry products; inf if out of reach."""
        left = self._left[self._weighed]
        memory = memory_of_exact_weights(self.problem.deep.size, left.size)
        if memory > min(self.budget.max_memory, _LONG_WEIGHTS):
            return math.inf
        return self.engine.work * self._primes_needed

    @cached_property
    def _total(self) -> int:
        """The layouts, by the exact weights: from counts alone, a third of the work of masses."""
        engine, weighed = self.engine, self._weighed
        if "_masses" in self.__dict__ or not isinstance(engine, _core.Elimination):
            return self._masses.total
        mantissa, exponent = self._counts
        try:
            counts = counts_of(
                mantissa[weighed],
                exponent[weighed],
                lambda prime: engine.count_table_modular(prime, self._seconds_left())[0, weighed],
                exact=True,
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None
        return sum(map(operator.mul, counts, self._exact_weights[weighed]))

    def fractions(self, cells: NDArray[np.intp]) -> list[Fraction]:
        """P(mine) of hidden cells."""
        total = self._masses.total * max(self.problem.deep.size, 1)
        result = []
        for mass in self._cell_masses(cells):
            if mass not in self._fractions:
                self.budget.check()
                self._fractions[mass] = Fraction(mass, total)
            result.append(self._fractions[mass])
        return result

    def least(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of some hidden cells with the least P(mine), compared exactly."""
        masses = self._cell_masses(cells)
        least = min(masses)
        return cells[[mass == least for mass in masses]]

    def _cell_masses(self, cells: NDArray[np.intp]) -> list[int]:
        """The layouts with a mine in each cell, over all, times the deep cells."""
        position = self._position[cells].tolist()
        scale = max(self.problem.deep.size, 1)
        self.budget.check()
        mine = self._masses.mine
        return [mine(at) * scale if at >= 0 else self._deep_mass for at in position]

    @cached_property
    def _position(self) -> NDArray[np.int32]:
        """Where a cell of the board is among the frontier cells; -1 if it is none of them."""
        position = np.full(self.board.cells.size, -1, dtype=np.int32)
        position[self.problem.cell] = np.arange(self.problem.cell.size)
        return position

    @cached_property
    def _deep_mass(self) -> int:
        # Every layout has all mines: what the frontier does not hold on average, deep cells do.
        return (self._mines - self.problem.flags) * self._masses.total - self._masses.mines

    @cached_property
    def _scaled_weights(self) -> ScaledWeights:
        left = self._left[self._weighed]
        return scaled_weights(self.problem.deep.size, int(left[-1]), int(left[0]))

    @cached_property
    def _counts(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The configurations by mine count, from an elimination's least on, in wide doubles."""
        try:
            mantissa, exponent = self.elimination.count_table(deadline=self.budget.seconds_left)
        except REFUSALS as error:
            raise self.budget.refusal(error) from None
        return mantissa[0], exponent[0]

    def _possible(self) -> NDArray[np.bool_]:
        """Which of the engine's mine counts can occur; for elimination the counts say so."""
        if isinstance(self.engine, _core.Enumeration):
            return self.engine.possible
        possible: NDArray[np.bool_] = self._counts[0] != 0.0
        return possible

    @cached_property
    def _evaluation(self) -> _core.Evaluation:
        # Weights rise with the mines left, which fall as the mines of the frontier rise.
        mantissa = np.zeros(self._left.size)
        mantissa[self._weighed] = self._scaled_weights.mantissa[::-1]
        exponent = np.zeros(self._left.size, dtype=np.int64)
        exponent[self._weighed] = self._scaled_weights.exponent[::-1]
        share = np.zeros(self._left.size)
        share[self._weighed] = self._left[self._weighed] / max(self.problem.deep.size, 1)
        engine, seconds = self.engine, self.budget.seconds_left
        try:
            if isinstance(engine, _core.Enumeration):
                return engine.evaluate(mantissa, exponent, share, deadline=seconds)
            tilt = self._tilt(engine)
            return engine.evaluate(mantissa, exponent, share, tilt, deadline=seconds)
        except REFUSALS as error:
            raise self.budget.refusal(error) from None

    def _tilt(self, engine: _core.Elimination) -> int:
        # The power of two nearest to the odds of a mine among the undecided cells, as in the core.
        settled = engine.settled
        mines = self._mines - self.problem.flags - np.count_nonzero(settled == 1)
        cells = self.problem.cell.size + self.problem.deep.size - np.count_nonzero(settled >= 0)
        return round(math.log2((mines + 0.5) / (cells - mines + 0.5)))

    @cached_property
    def _exact_weights(self) -> list[int]:
        left = self._left[self._weighed]
        self.budget.check()
        memory = memory_of_exact_weights(self.problem.deep.size, left.size)
        self.budget.allow_memory(self.engine.work, memory)
        weight = [0] * self._left.size
        rising = exact_weights(self.problem.deep.size, int(left[-1]), int(left[0]))
        weight[self._weighed] = rising[::-1]
        return weight

    @cached_property
    def _primes_needed(self) -> int:
        try:
            return primes_needed(
                self.engine, self._exact_weights, self.engine.most_mines, self._seconds_left
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None

    @cached_property
    def _masses(self) -> ExactMasses:
        try:
            return ExactMasses(
                self.engine, self._exact_weights, self._primes_needed, self._seconds_left
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None

    def _seconds_left(self) -> float:
        return self.budget.seconds_left
