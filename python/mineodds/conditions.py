"""Odds under a condition or a prior: what `Inference` is for a plain board, from `Questions`.

A condition changes the problem, not the board: cells known to be mines count as flags, cells known
to be safe leave their clues. A prior changes the weights of the totals. Everything that `Odds`
asks for is answered here for both.
"""

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.counting import Query
from mineodds.engine import REFUSALS, Budget, elimination
from mineodds.frontier import Problem
from mineodds.modular import ExactMasses, primes_needed
from mineodds.parts import Part
from mineodds.polynomials import wide_arrays
from mineodds.questions import SAFE, Questions, impossible_condition
from mineodds.text import FLAG
from mineodds.weighted import WeightedQuestions

# The doubles next to 0 and 1, for chances that are not certain.
SMALLEST = math.ulp(0.0)
LARGEST = math.nextafter(1.0, 0.0)


class PositionInference(ABC):
    """The odds of a position. Raises InconsistentBoardError when no layout has a weight."""

    questions: Questions | WeightedQuestions

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.problem = problem
        self.budget = budget
        if not self.questions.is_possible():
            raise impossible_condition()

    @abstractmethod
    def fractions(self, cells: NDArray[np.intp]) -> list[Fraction]:
        """P(mine) of hidden cells."""

    @cached_property
    def solutions(self) -> int:
        """The number of layouts with a weight."""
        return self.questions.solutions()

    @cached_property
    def log10_solutions(self) -> float:
        """Its decimal logarithm; costs no exact count."""
        return math.log10(self.questions.solutions(exact=False))

    def least(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the cells whose exact chance is the least."""
        chances = self.fractions(cells)
        least = min(chances)
        return cells[[chance == least for chance in chances]]

    def _evaluate(
        self,
        engine: _core.Elimination,
        weights: tuple[NDArray[np.float64], NDArray[np.int64]],
    ) -> NDArray[np.float64]:
        """P(mine) of an engine's cells, the weight of its mine counts given; no deep cells."""
        mantissa, exponent = weights
        try:
            return engine.evaluate(
                mantissa,
                exponent,
                np.zeros(mantissa.size),
                deadline=self.budget.seconds_left,
            ).probability
        except REFUSALS as error:
            raise self.budget.refusal(error) from None


class ConditionedInference(PositionInference):
    """Where all cells are alike."""

    def __init__(self, questions: Questions, budget: Budget) -> None:
        self.questions: Questions = questions
        self.frontier = questions.frontier
        self._masses: dict[int | None, ExactMasses] = {}
        self._fractions: dict[tuple[int | None, int], Fraction] = {}
        super().__init__(questions.problem, budget)

    @cached_property
    def elimination(self) -> _core.Elimination:
        """The elimination of this problem."""
        return elimination(self.problem, self.budget)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(mine), float64 (rows, cols); nan at revealed cells, 0.0 and 1.0 where it is known."""
        cells = self.questions.cells
        probability = np.full(cells.size, np.nan)
        probability[cells == FLAG] = 1.0
        probability[cells == SAFE] = 0.0
        for label, part in enumerate(self.questions.parts.values()):
            probability[part.problem.cell] = self._part_probability(label, part)
        if self.problem.deep.size:
            safe, mine = self.questions.counting.masses(Query(deep_asked=1), exact=False)
            chance = mine / (safe + mine)
            if mine and safe:
                chance = min(max(chance, SMALLEST), LARGEST)
            probability[self.problem.deep] = chance
        return probability.reshape(self.questions.topology.shape)

    def _part_probability(self, label: int, part: Part) -> NDArray[np.float64]:
        """One component, weighed by all that lies outside of it."""
        engine = part.engine(self.budget)
        outside = self.questions.counting.outside((label,), self.problem.deep.size, exact=False)
        counts = range(engine.least_mines, engine.most_mines + 1)
        weights = wide_arrays(outside[k] if k < len(outside) else 0 for k in counts)
        return self._evaluate(engine, weights)

    @cached_property
    def exact_work(self) -> float:
        """The predicted cost of one exact chance, in table-entry products."""
        return self.elimination.work * (self.problem.cell.size // 60 + 1)

    def fractions(self, cells: NDArray[np.intp]) -> list[Fraction]:
        """P(mine) of hidden cells."""
        position = self._position
        result = []
        for cell, value in zip(cells.tolist(), self.questions.cells[cells].tolist(), strict=True):
            if value in (FLAG, SAFE):
                result.append(Fraction(value == FLAG))
            elif cell in position:
                result.append(self._frontier_fraction(*position[cell]))
            else:
                result.append(self._deep_fraction)
        return result

    @cached_property
    def _position(self) -> dict[int, tuple[int | None, int]]:
        """Which of `_masses_of` knows a frontier cell, and as which of its cells."""
        if self.questions.counting.prior.independent is None:
            return {cell: (None, place) for place, cell in enumerate(self.problem.cell.tolist())}
        return {
            cell: (label, place)
            for label, part in enumerate(self._parts)
            for place, cell in enumerate(part.problem.cell.tolist())
        }

    @cached_property
    def _parts(self) -> list[Part]:
        return list(self.questions.parts.values())

    def _frontier_fraction(self, label: int | None, place: int) -> Fraction:
        masses = self._masses_of(label)
        mass = masses.mine(place)
        if (label, mass) not in self._fractions:
            self._fractions[label, mass] = Fraction(mass, masses.total)
        return self._fractions[label, mass]

    def _masses_of(self, label: int | None) -> ExactMasses:
        """Of the whole frontier, or of one component where components are independent.

        Weights of a whole board would be very long there: every cell has a weight of its own.
        """
        if label not in self._masses:
            counting, deep = self.questions.counting, self.problem.deep.size
            if label is None:
                engine, weights = self.elimination, counting.free_weights(deep)
            else:
                engine = self._parts[label].engine(self.budget)
                weights = counting.outside((label,), deep, exact=True)
            weights = weights[engine.least_mines : engine.most_mines + 1]
            weights += [0] * (engine.most_mines - engine.least_mines + 1 - len(weights))
            common = math.gcd(*weights)
            weights = [weight // common for weight in weights]
            try:
                needed = primes_needed(engine, weights, engine.most_mines, self._seconds_left)
                self._masses[label] = ExactMasses(engine, weights, needed, self._seconds_left)
            except REFUSALS as error:
                raise self.budget.refusal(error) from None
        return self._masses[label]

    def _seconds_left(self) -> float:
        return self.budget.seconds_left

    @cached_property
    def _deep_fraction(self) -> Fraction:
        safe, mine = self.questions.counting.masses(Query(deep_asked=1), exact=True)
        return Fraction(mine, safe + mine)
