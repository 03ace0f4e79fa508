"""`Odds` of positions whose cells are not all alike: see `weighted` for the means."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.conditions import PositionInference
from mineodds.contracts import generator_state
from mineodds.engine import REFUSALS, Budget, elimination
from mineodds.errors import shown
from mineodds.frontier import Frontier, Problem, split
from mineodds.modular import ExactMasses
from mineodds.polynomials import wide_arrays
from mineodds.proof import Proof
from mineodds.questions import SAFE
from mineodds.sampling import with_total
from mineodds.text import FLAG
from mineodds.weighted import WeightedQuestions


class WeightedInference(PositionInference):
    """Where cells weigh what they weigh; a "mine" is at least one."""

    def __init__(self, questions: WeightedQuestions, budget: Budget) -> None:
        self.questions: WeightedQuestions = questions
        super().__init__(questions.problem, budget)

    @cached_property
    def frontier(self) -> Frontier:
        """The frontier of the cells, whatever they weigh."""
        return split(self.questions.cells[None], self.questions.topology)

    @cached_property
    def elimination(self) -> _core.Elimination:
        """The elimination of this problem."""
        return elimination(self.problem, self.budget, **self.questions.counting.class_arrays())

    def total_weights(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The weights of the totals, by the mines of the problem from the least on."""
        engine = self.elimination
        counts = range(engine.least_mines, engine.most_mines + 1)
        counting = self.questions.counting
        return wide_arrays(counting.weights.total(counting.flags + k) for k in counts)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(at least one mine), of the board's shape; nan at revealed cells."""
        questions = self.questions
        probability = np.full(questions.cells.size, np.nan)
        if self.problem.cell.size:
            probability[self.problem.cell] = self._evaluate(self.elimination, self.total_weights())
        probability[questions.cells == FLAG] = 1.0
        probability[questions.cells == SAFE] = 0.0
        return probability.reshape(questions.topology.shape)

    @cached_property
    def exact_work(self) -> float:
        """The predicted cost of everything exact, in table-entry products."""
        return self.elimination.work * self._primes_needed

    @cached_property
    def _primes_needed(self) -> int:
        # No mass is more than the total; their sum counts every cell of the problem.
        total = self.questions.counting.total(exact=False)
        return (total.bit_length() + self.problem.cell.size.bit_length() + 1) // 60 + 1

    @cached_property
    def _masses(self) -> ExactMasses:
        engine, counting = self.elimination, self.questions.counting
        counts = range(engine.least_mines, engine.most_mines + 1)
        try:
            return ExactMasses(
                engine,
                [counting.weights.total(counting.flags + k) for k in counts],
                self._primes_needed,
                lambda: self.budget.seconds_left,
                [weight for polynomial in counting.polynomials for weight in polynomial],
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None

    @property
    def _total(self) -> int:
        """The exact weight of all layouts."""
        return self._masses.total if self.problem.cell.size else 1

    def fractions(self, cells: NDArray[np.intp]) -> list[Fraction]:
        """P(at least one mine) of hidden cells. The first one costs most."""
        return [Fraction(self._mass(cell), self._total) for cell in cells.tolist()]

    def _mass(self, cell: int) -> int:
        """P(at least one mine), times the weight of all layouts."""
        value = self.questions.cells[cell]
        if value in (FLAG, SAFE):
            return self._total if value == FLAG else 0
        return self._masses.mine(self.questions.counting.first[cell])


def sample(
    inference: WeightedInference, count: int, seed: int | None, *, greatest: bool = False
) -> NDArray[np.bool_] | NDArray[np.int8]:
    """``count`` layouts (count, cells): bool, or the mines in each cell where there can be more."""
    if count < 0:
        raise ValueError(f"the number of layouts must not be negative: {shown(count)}")
    state = generator_state(seed)
    questions, problem = inference.questions, inference.problem
    layouts = np.zeros((count, questions.cells.size), dtype=np.uint8)
    if problem.cell.size:
        mantissa, exponent = inference.total_weights()
        layouts = _core.sample_layouts(
            inference.elimination,
            mantissa,
            exponent,
            np.arange(mantissa.size + 1, dtype=np.int32),
            np.zeros(mantissa.size, dtype=np.int32),
            np.ones(mantissa.size),
            problem.cell,
            problem.deep,
            questions.cells.size,
            count,
            seed=state,
            greatest=greatest,
        )
    layouts[:, questions.cells == FLAG] += 1
    return _as_layout(layouts, questions)


def most_likely(
    inference: WeightedInference, seed: int | None = None
) -> NDArray[np.bool_] | NDArray[np.int8]:
    """A layout of the greatest weight (cells,); the first that the core finds."""
    layout: NDArray[np.int8] = sample(inference, 1, seed, greatest=True)[0]
    return layout


def layouts(questions: WeightedQuestions) -> Iterator[NDArray[Any]]:
    """All layouts with a weight, the fewest mines first.

    A cell of several mines is several cells of the problem, of which the first are the full ones.
    """
    problem = questions.problem
    size = problem.cell.size
    follows = np.flatnonzero(np.diff(problem.cell) == 0) + 1
    for mines in questions.counting.totals():
        asked = with_total(problem, mines - questions.counting.flags)
        iterator = _core.Configurations(size, asked.clue_start, asked.clue_cell, asked.clue_need)
        while (configuration := iterator.next()) is not None:
            if (configuration[follows] & ~configuration[follows - 1]).any():
                continue
            layout = np.zeros(questions.cells.size, dtype=np.uint8)
            np.add.at(layout, problem.cell, configuration)
            layout[questions.cells == FLAG] += 1
            yield _as_layout(layout, questions)


def _as_layout(
    counts: NDArray[np.uint8], questions: WeightedQuestions
) -> NDArray[np.bool_] | NDArray[np.int8]:
    return counts.view(np.bool_) if questions.capacity == 1 else counts.view(np.int8)


class WeightedProof(Proof):
    """Proofs about cells that the problem has several cells for."""

    def __init__(self, questions: WeightedQuestions, budget: Budget) -> None:
        counting = questions.counting
        totals = [mines - counting.flags for mines in counting.totals()]
        self._own = [counting.places(cell) for cell in range(questions.cells.size)]
        super().__init__(questions.problem, questions.topology, totals, budget)
        self._position = {
            cell: places[0] for cell, places in enumerate(self._own) if len(places) > 0
        }

    def _with_other_value(
        self, sets: Sequence[Sequence[int]], position: int, mine: bool
    ) -> tuple[Problem, Sequence[Sequence[int]]]:
        """For a mine the question is whether all of the cell's cells can be safe."""
        problem = self._problem
        places = self._own[int(problem.cell[position])]
        if not mine or len(places) == 1:
            return problem, sets
        extra = len(problem.clue_need)
        start = np.append(problem.clue_start, problem.clue_start[-1] + len(places))
        asked = replace(
            problem,
            clue_start=start.astype(np.int32),
            clue_cell=np.append(problem.clue_cell, places).astype(np.int32),
            clue_need=np.append(problem.clue_need, 0).astype(np.int32),
        )
        return asked, [[*clues, extra] for clues in sets]
