"""The components of a problem, each with what is known about it for good.

Components meet only through the total. What one says by itself, its elimination plan, its support
and its count polynomial, depends on nothing else: a position that comes from another by opening a
cell takes over all components that the cell has not changed.
"""

import itertools
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.engine import REFUSALS, Budget, elimination
from mineodds.frontier import Problem
from mineodds.modular import counts_of


class Part:
    """One component. Work is done when it is first needed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._engine: _core.Elimination | None = None
        self._polynomials: dict[bool, list[int]] = {}

    def engine(self, budget: Budget) -> _core.Elimination:
        """Its elimination, planned and with its support."""
        if self._engine is None:
            self._engine = elimination(self.problem, budget)
        return self._engine

    def polynomial(self, exact: bool, budget: Budget) -> list[int]:
        """Its configurations by their mines; empty when there is none.

        Doubles stand for integers to 53 bits.
        """
        if exact not in self._polynomials:
            try:
                self._polynomials[exact] = self._count(self.engine(budget), exact, budget)
            except REFUSALS as error:
                raise budget.refusal(error) from None
        return self._polynomials[exact]

    def _count(self, engine: _core.Elimination, exact: bool, budget: Budget) -> list[int]:
        if not engine.consistent:
            return []
        mantissa, exponent = engine.count_table(deadline=budget.seconds_left)
        counts = counts_of(
            mantissa[0],
            exponent[0],
            lambda prime: engine.count_table_modular(prime, budget.seconds_left)[0],
            exact,
        )
        return [0] * engine.least_mines + counts


def parts_of(
    problem: Problem, component: NDArray[np.int32], known: Mapping[bytes, Part]
) -> dict[bytes, Part]:
    """The parts in the order of the labels in ``component``, by what they consist of.

    Those in ``known``, of another position of the same board, are taken from there.
    """
    label = component[problem.clue_cell[problem.clue_start[:-1]]]
    order = np.argsort(label, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(label))
    parts = {}
    for begin, end in itertools.pairwise([0, *ends.tolist()]):
        clues = order[begin:end]
        part = problem.restricted_to(clues)
        # The cells of a clue are all hidden cells around it, and so need no mention.
        key = b"".join(map(np.ndarray.tobytes, (part.cell, part.clue, part.clue_need)))
        parts[key] = known.get(key) or Part(part)
    return parts
