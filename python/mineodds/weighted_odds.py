"""`Odds` of positions whose cells are not all alike: see `weighted` for the means."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.contracts import generator_state
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import shown
from mineodds.frontier import Frontier, Problem, split
from mineodds.polynomials import as_wide
from mineodds.proof import Proof
from mineodds.questions import SAFE, impossible_condition
from mineodds.text import FLAG
from mineodds.weighted import Asked, WeightedQuestions


class WeightedInference:
    """What `Odds` asks of a position. Raises InconsistentBoardError when no layout has a weight."""

    def __init__(self, questions: WeightedQuestions, budget: Budget) -> None:
        self.questions = questions
        self.problem = questions.problem
        self.budget = budget
        if not questions.is_possible():
            raise impossible_condition()

    @cached_property
    def frontier(self) -> Frontier:
        """The frontier of the cells, whatever they weigh."""
        return split(self.questions.cells[None], self.questions.topology)

    @cached_property
    def elimination(self) -> _core.Elimination:
        """The elimination of this problem."""
        problem = self.problem
        try:
            return _core.Elimination(
                problem.cell.size,
                problem.clue_start,
                problem.clue_cell,
                problem.clue_need,
                max_work=self.budget.max_work,
                max_memory=self.budget.max_memory,
                deadline=self.budget.seconds_left,
                **self.questions.class_arrays(),
            )
        except REFUSALS as error:
            raise self.budget.refusal(error) from None

    def total_weights(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The weights of the totals, by the mines of the problem from the least on."""
        engine = self.elimination
        counts = range(engine.least_mines, engine.most_mines + 1)
        wide = [as_wide(self.questions.weights.total(self.questions.flags + k)) for k in counts]
        return (
            np.array([mantissa for mantissa, _ in wide]),
            np.array([exponent for _, exponent in wide], dtype=np.int64),
        )

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(at least one mine), of the board's shape; nan at revealed cells."""
        questions = self.questions
        probability = np.full(questions.cells.size, np.nan)
        if self.problem.cell.size:
            mantissa, exponent = self.total_weights()
            try:
                evaluation = self.elimination.evaluate(
                    mantissa,
                    exponent,
                    np.zeros(mantissa.size),
                    deadline=self.budget.seconds_left,
                )
            except REFUSALS as error:
                raise self.budget.refusal(error) from None
            probability[self.problem.cell] = evaluation.probability
        probability[questions.cells == FLAG] = 1.0
        probability[questions.cells == SAFE] = 0.0
        return probability.reshape(questions.topology.shape)

    @cached_property
    def solutions(self) -> int:
        """The number of layouts with a weight."""
        return self.questions.solutions()

    @cached_property
    def log10_solutions(self) -> float:
        """Its decimal logarithm."""
        return math.log10(self.questions.solutions(exact=False))

    @cached_property
    def exact_work(self) -> float:
        """The predicted cost of one exact chance, in table-entry products."""
        largest = max(max(p) for p in self.questions.polynomials)
        return self.elimination.work * (self.problem.cell.size * largest.bit_length() / 60 + 1)

    def mass(self, cell: int) -> int:
        """P(at least one mine), times the weight of all layouts."""
        value = self.questions.cells[cell]
        if value in (FLAG, SAFE):
            return self.questions.total(exact=True) if value == FLAG else 0
        return sum(self.questions.masses([Asked((cell,))], exact=True)[0][1:])

    def fraction(self, cell: int) -> Fraction:
        """P(at least one mine) of a hidden cell."""
        return Fraction(self.mass(cell), self.questions.total(exact=True))

    def least(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the cells whose exact chance is the least."""
        mass = [self.mass(cell) for cell in cells.tolist()]
        least = min(mass)
        return cells[[cell_mass == least for cell_mass in mass]]


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
    for mines in questions.totals():
        need = mines - questions.flags
        every = np.arange(size, dtype=np.int32)
        start = problem.clue_start
        if size:
            start = np.append(start, np.int32(start[-1] + size)).astype(np.int32)
        iterator = _core.Configurations(
            size,
            start,
            np.concatenate([problem.clue_cell, every]),
            np.append(problem.clue_need, [need] if size else []).astype(np.int32),
        )
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
        totals = [mines - questions.flags for mines in questions.totals()]
        self._own = [questions.places(cell) for cell in range(questions.cells.size)]
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
        asked = Problem(
            cell=problem.cell,
            deep=problem.deep,
            clue=problem.clue,
            clue_start=start.astype(np.int32),
            clue_cell=np.append(problem.clue_cell, places).astype(np.int32),
            clue_need=np.append(problem.clue_need, 0).astype(np.int32),
            wrong=problem.wrong,
            flags=problem.flags,
        )
        return asked, [[*clues, extra] for clues in sets]
