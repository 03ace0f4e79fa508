"""What lies outside of some components of a board whose cells have weights of their own.

Every component of the problem, a deep cell too, is a polynomial: what it weighs by its mines. What
some of them leave is the product of all others, weighed by the totals (outside_weights.hpp).
"""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.counting import packed
from mineodds.engine import REFUSALS, Budget
from mineodds.polynomials import from_wide, wide_arrays

Wide = tuple[NDArray[np.float64], NDArray[np.int64]]  # mantissas and exponents
Parts = tuple[int, ...]


class Outside:
    """``factors`` are the components' polynomials, ``total`` the weights of 0, 1, ... mines."""

    def __init__(self, factors: Sequence[Wide], total: Iterable[int]) -> None:
        lengths = [0, *(mantissa.size for mantissa, _ in factors)]
        self._possible = all(lengths[1:])
        self._start = np.cumsum(lengths, dtype=np.int32)
        self._factor = np.concatenate([np.empty(0), *(mantissa for mantissa, _ in factors)])
        self._exponent = np.concatenate(
            [np.empty(0, dtype=np.int64), *(exponent for _, exponent in factors)]
        )
        degrees = int(self._start[-1]) - len(factors)
        self._total = wide_arrays(itertools.islice(total, degrees + 1))

    def total(self, budget: Budget) -> int:
        """What all of it weighs: an integer of 53 right bits."""
        if not self._possible:
            return 0
        _, mantissa, exponent = self.without([()], budget)
        return from_wide(mantissa[0].item(), exponent[0].item())

    def shares(self, choices: Sequence[Parts], budget: Budget) -> Wide:
        """What is outside of each choice over what all of it weighs: a row a choice, by mines."""
        start, mantissa, exponent = self.without([(), *choices], budget)
        length = np.diff(start)[1:]
        row = np.repeat(np.arange(len(choices)), length)
        column = np.arange(1, mantissa.size) - start[1:-1][row]
        shape = len(choices), int(length.max(initial=0))
        mantissas, exponents = np.zeros(shape), np.zeros(shape, dtype=np.int64)
        mantissas[row, column] = mantissa[1:] / mantissa[0]
        exponents[row, column] = exponent[1:] - exponent[0]
        return mantissas, exponents

    def without(
        self, choices: Sequence[Parts], budget: Budget
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        """What is outside of each choice of components, by the mines on them.

        One list after the other: where each begins (and the last one ends), mantissas, exponents.
        """
        choice_start, choice = packed(choices)
        try:
            return _core.outside_weights(
                self._start,
                self._factor,
                self._exponent,
                total=self._total[0],
                total_exponent=self._total[1],
                choice_start=choice_start,
                choice=choice,
                max_work=budget.max_work,
                deadline=budget.seconds_left,
            )
        except REFUSALS as error:
            raise budget.refusal(error) from None
