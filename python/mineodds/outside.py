"""What lies outside of some components of a board whose cells have weights of their own.

Every component of the problem, a deep cell too, is a polynomial: what it weighs by its mines. What
some of them leave is the product of all others, weighed by the totals (outside_weights.hpp).
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.counting import packed
from mineodds.engine import REFUSALS, Budget
from mineodds.polynomials import from_wide, power, wide_arrays

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
        degrees = sum(length - 1 for length in lengths if length)
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


class ExactOutside:
    """The same in integers: the product of all factors once, divided by those that are left out.

    Division leaves no remainder, and needs no more coefficients than there are mines.
    """

    def __init__(
        self,
        factors: Sequence[Sequence[int]],
        total: Mapping[int, int] | None,
        check: Callable[[], None],
    ) -> None:
        self._factors = factors
        self._total = total
        # By the mines in all, as far as totals go; without totals the sum of all of them.
        self.product = [math.prod(map(sum, factors))]
        if total is not None:
            self.product = [1] + [0] * max(total, default=0)
            for factor, number in Counter(map(tuple, factors)).items():
                check()
                if number > 1 and factor[0]:
                    factor = tuple(power(factor, number, max(total, default=0)))
                    number = 1
                for _ in range(number):
                    self.product = self._times(factor)

    def without(self, parts: Parts) -> Callable[[int], int]:
        """What is outside of the parts, as a function of the mines on them."""
        if not all(map(any, self._factors)):
            return lambda _: 0
        if self._total is None:  # the factors are independent
            rest = self.product[0] // math.prod(sum(self._factors[part]) for part in parts)
            return lambda _: rest
        product = self.product
        for part in parts:
            product = self._divided(product, self._factors[part])
        of_total = self._total.items()
        return lambda mines: sum(
            weight * product[total - mines]
            for total, weight in of_total
            if 0 <= total - mines < len(product)
        )

    def _times(self, factor: Sequence[int]) -> list[int]:
        result = [0] * len(self.product)
        for j, weight in enumerate(factor[: len(result)]):
            if weight:
                for k in range(j, len(result)):
                    result[k] += weight * self.product[k - j]
        return result

    @staticmethod
    def _divided(product: list[int], factor: Sequence[int]) -> list[int]:
        least = next(j for j, weight in enumerate(factor) if weight)
        first, *others = factor[least:]
        result: list[int] = []
        for k, value in enumerate(product[least:]):
            rest = sum(weight * result[k - j] for j, weight in enumerate(others, start=1) if j <= k)
            result.append((value - rest) // first)
        return result
