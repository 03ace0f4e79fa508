"""Positions of both kinds behind one face: cells that are alike, and cells that are not.

What differs besides the questions is how odds are found, whole layouts drawn and listed, and what a
proof is about. `whole_of` chooses once; nobody else asks which kind a position is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds import sampling, weighted_odds
from mineodds.cell_weights import CellWeights
from mineodds.conditions import ConditionedInference
from mineodds.engine import Budget
from mineodds.parts import Part
from mineodds.priors import Prior
from mineodds.proof import Proof
from mineodds.questions import Questions
from mineodds.topology import Topology
from mineodds.weighted import WeightedQuestions
from mineodds.weighted_odds import WeightedInference, WeightedProof


class Whole(ABC):
    """A position as a whole. Layouts are (cells,), the mines in each."""

    questions: Questions | WeightedQuestions
    budget: Budget

    def allow(self, budget: Budget) -> None:
        """What is asked from now on may cost this."""
        self.budget = self.inference.budget = self.questions.counting.budget = budget

    @cached_property
    @abstractmethod
    def inference(self) -> ConditionedInference | WeightedInference:
        """Its odds. Raises InconsistentBoardError when no layout has a weight."""

    @abstractmethod
    def sample(self, count: int, seed: int | None) -> NDArray[Any]:
        """Random layouts (count, cells)."""

    @abstractmethod
    def most_likely(self, seed: int | None) -> NDArray[Any]:
        """A layout of the greatest weight."""

    @abstractmethod
    def layouts(self) -> Iterator[NDArray[Any]]:
        """All layouts, one after the other."""

    @abstractmethod
    def proof(self) -> Proof:
        """What its cells' values follow from."""


class Alike(Whole):
    """Cells hold one mine at most, and weigh the same."""

    def __init__(self, questions: Questions, budget: Budget) -> None:
        self.questions: Questions = questions
        self.budget = budget

    @cached_property
    def inference(self) -> ConditionedInference:
        """See `Whole`."""
        return ConditionedInference(self.questions, self.budget)

    def sample(self, count: int, seed: int | None) -> NDArray[np.bool_]:
        """See `Whole`."""
        return sampling.sample(self.questions, count, seed, self.budget)

    def most_likely(self, seed: int | None) -> NDArray[np.bool_]:
        """See `Whole`."""
        return sampling.most_likely(self.questions, seed, self.budget)

    def layouts(self) -> Iterator[NDArray[np.bool_]]:
        """See `Whole`."""
        return sampling.layouts(self.questions)

    def proof(self) -> Proof:
        """See `Whole`."""
        problem = self.questions.frontier.problem(0)
        hidden = problem.cell.size + problem.deep.size
        prior = self.questions.counting.prior.on(problem.flags, hidden)
        least, most = prior.range()
        totals = range(max(least, 0), min(most, hidden) + 1)
        possible = [total for total in totals if prior.weight(total)]
        return Proof(problem, self.questions.topology, possible, self.budget)


class Weighted(Whole):
    """Cells have weights of their own."""

    def __init__(self, questions: WeightedQuestions, budget: Budget) -> None:
        self.questions: WeightedQuestions = questions
        self.budget = budget

    @cached_property
    def inference(self) -> WeightedInference:
        """See `Whole`."""
        return WeightedInference(self.questions, self.budget)

    def sample(self, count: int, seed: int | None) -> NDArray[Any]:
        """See `Whole`."""
        return weighted_odds.sample(self.inference, count, seed)

    def most_likely(self, seed: int | None) -> NDArray[Any]:
        """See `Whole`."""
        return weighted_odds.most_likely(self.inference, seed)

    def layouts(self) -> Iterator[NDArray[Any]]:
        """See `Whole`."""
        return weighted_odds.layouts(self.questions)

    def proof(self) -> WeightedProof:
        """See `Whole`."""
        return WeightedProof(self.questions, self.budget)


def whole_of(
    cells: NDArray[np.int8],
    topology: Topology,
    prior: Prior | CellWeights,
    budget: Budget,
    known: Mapping[bytes, Part] = {},
) -> Whole:
    """The position of a prior's kind; ``known`` are parts to share, as for `Questions`."""
    if isinstance(prior, CellWeights):
        return Weighted(WeightedQuestions(cells, topology, prior, budget), budget)
    return Alike(Questions(cells, topology, prior, budget, known), budget)
