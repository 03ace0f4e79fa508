"""How many ways the deep cells can take the mines that the frontier leaves: C(deep, left).

A configuration with k frontier mines stands for C(D, M - k) layouts, D the deep cells and M the
mines left by the flags. Only the ratios matter for probabilities, and those come from
C(D, j + 1) / C(D, j) = (D - j) / (j + 1), outward from the largest; differences of log-gamma would
lose four digits. The recurrence runs in integers of 128 bits with an exponent beside them, so that
no range overflows and the error stays far below the last bit of a double.

For exact answers the same weights are integers, less their common divisor. Over a short range of j
those are short however large the binomials are, and few primes are enough to work with them.
"""

import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_BITS = 128


class ScaledWeights(NamedTuple):
    """Weights ``mantissa * 2**exponent``; the largest is 1 and stands for 10**log10_scale."""

    mantissa: NDArray[np.float64]
    exponent: NDArray[np.int64]
    log10_scale: float


def scaled_weights(deep: int, lowest: int, highest: int) -> ScaledWeights:
    """C(deep, j) for j = lowest ... highest, relative to the largest of them.

    The range lies within 0 ... deep. Relative error below 1e-15; cost linear in the range.
    """
    largest = min(max(lowest, deep // 2), highest)
    down = _products((j, deep - j + 1) for j in range(largest, lowest, -1))
    up = _products((deep - j, j + 1) for j in range(largest, highest))
    mantissa, exponent = zip(*reversed(list(down)), (1.0, 0), *up, strict=True)
    return ScaledWeights(
        np.array(mantissa), np.array(exponent, dtype=np.int64), log10_binomial(deep, largest)
    )


def exact_weights(deep: int, lowest: int, highest: int) -> list[int]:
    """Integers proportional to C(deep, j) for j = lowest ... highest, without a common divisor.

    With t running over the range, C(deep, j) is proportional to the product of all deep - t
    before j and all t + 1 from j on, which needs no large binomial.
    """
    steps = range(lowest, highest)
    before = itertools.accumulate((deep - t for t in steps), operator.mul, initial=1)
    behind = itertools.accumulate((t + 1 for t in reversed(steps)), operator.mul, initial=1)
    weights = list(map(operator.mul, before, reversed(list(behind))))
    divisor = math.gcd(*weights)
    return [weight // divisor for weight in weights]


def memory_of_exact_weights(deep: int, length: int) -> float:
    """An upper bound in bytes of what `exact_weights` of a range of this length takes."""
    return length**2 * math.log2(deep + 2) / 4


def log10_binomial(deep: int, left: int) -> float:
    """The decimal logarithm of C(deep, left), to a relative error of about 1e-15."""
    left = min(left, deep - left)
    if left <= 1000:
        return math.log10(math.comb(deep, left))
    factor = np.arange(1, left + 1, dtype=np.float64)
    return float(np.log10((deep - left + factor) / factor).sum())


def _products(ratios: Iterable[tuple[int, int]]) -> Iterator[tuple[float, int]]:
    """The running products of fractions, as mantissas in [0.5, 1] and exponents of two."""
    product, power = 1 << (_BITS - 1), 1 - _BITS
    for numerator, denominator in ratios:
        product = product * numerator // denominator
        shift = product.bit_length() - _BITS
        product = product >> shift if shift > 0 else product << -shift
        power += shift
        yield product / (1 << _BITS), power + _BITS  # rounded to the nearest double
