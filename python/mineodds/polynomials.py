"""Polynomials of integers, and integers wider than a double can hold.

A count polynomial is a list: entry k counts what has k mines. Two are multiplied as two integers,
with a slot of bits for every coefficient (Kronecker substitution; Gathen & Gerhard, Modern Computer
Algebra, 8.4): Python's own multiplication then does all the work.
"""

import itertools
import math
import operator
from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

WideArrays = tuple[NDArray[np.float64], NDArray[np.int64]]  # mantissas and exponents

_FEW = 4  # sums that are faster one by one
_LONG = 64  # coefficients from which on arrays of doubles are faster than integers
_BLOCK = 1 << 17  # numbers at once
_NOTHING = -(1 << 40)  # the exponent of zero


def multiply(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two polynomials without negative coefficients."""
    if not a or not b:
        return []
    bits = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    slot = bits // 8 + 1
    product = _pack(a, slot) * _pack(b, slot)
    length = len(a) + len(b) - 1
    packed = product.to_bytes(length * slot, "little")
    return [
        int.from_bytes(packed[first : first + slot], "little")
        for first in range(0, length * slot, slot)
    ]


def correlate(values: Sequence[int], a: Sequence[int], length: int) -> list[int]:
    """Entry x < length: the sum over r of a[r] * values[x + r], as far as there are values."""
    if length <= _FEW:
        return [
            sum(map(operator.mul, a, itertools.islice(values, x, None)))
            for x in range(min(length, len(values)))
        ]
    first = len(a) - 1
    return multiply(a[::-1], values)[first : first + length]


def multiply_rounded(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """`multiply` to 53 bits: long ones in doubles with exponents."""
    if len(a) + len(b) < _LONG or not a or not b:
        return multiply(a, b)
    around = [0] * (len(a) - 1)
    return correlate_rounded([*around, *b, *around], a[::-1], len(a) + len(b) - 1)


def correlate_rounded(values: Sequence[int], a: Sequence[int], length: int) -> list[int]:
    """`correlate` to 53 bits; there must be ``length + len(a) - 1`` values if these are many."""
    if length + len(a) < _LONG or length <= _FEW:
        return correlate(values, a, length)
    mantissa, exponent = _correlate_wide(wide_arrays(values), wide_arrays(a), length)
    return list(map(from_wide, mantissa.tolist(), exponent.tolist()))


def product(polynomials: Iterable[Sequence[int]]) -> list[int]:
    """The product of any number of polynomials."""
    return reduce(multiply, polynomials, [1])


def power(base: Sequence[int], n: int, most: int) -> list[int]:
    """The coefficients 0 to ``most`` of a polynomial's n-th power; its first must not be 0.

    By the recurrence that base * (base**n)' = n * base' * base**n gives (Euler; Knuth, The Art of
    Computer Programming 2, 4.7): linear in ``most``, however large n is.
    """
    first, *others = base
    result = [first**n]
    for k in range(1, most + 1):
        terms = enumerate(others[:k], start=1)
        total = sum(((n + 1) * j - k) * factor * result[k - j] for j, factor in terms)
        result.append(total // (k * first))
    return result


class Products:
    """The products of all polynomials of a list but some, each in logarithmically many steps.

    A tree of products: node i is the product of the nodes 2i and 2i + 1, the leaves come last.
    """

    def __init__(self, polynomials: Sequence[Sequence[int]], exact: bool = True) -> None:
        self._size = len(polynomials)
        self._multiply, self._correlate = (
            (multiply, correlate) if exact else (multiply_rounded, correlate_rounded)
        )
        self._tree = [[1]] * self._size + list(map(list, polynomials))
        for node in range(self._size - 1, 0, -1):
            self._tree[node] = self._multiply(self._tree[2 * node], self._tree[2 * node + 1])

    def around(self, weights: Sequence[int], beyond: int) -> list[list[int]]:
        """For each polynomial P the weights of all there is besides it, by its own degree.

        Entry x, x < len(P) + ``beyond``: the sum over r of ``weights[x + r]`` times coefficient r
        of the product of the others. Handed down the tree (Bostan, Lecerf & Schost, Tellegen's
        principle into practice, 2003), which costs little more than the tree.
        """
        if not self._size or not self._tree[1]:
            return [[] for _ in range(self._size)]
        most = len(self._tree[1]) + beyond
        root = [*weights[:most], *[0] * (most - len(weights))]
        common = math.gcd(*root) or 1
        at = [[weight // common for weight in root]] * (2 * self._size)
        for node in range(1, self._size):
            for child, other in ((2 * node, 2 * node + 1), (2 * node + 1, 2 * node)):
                length = len(self._tree[child]) + beyond
                at[child] = self._correlate(at[node], self._tree[other], length)
        return [[value * common for value in leaf] for leaf in at[self._size :]]

    def around_all(self, left_out: Sequence[int], weights: Sequence[int], length: int) -> list[int]:
        """The weights of all there is besides these polynomials, ``length`` of them; see `around`.

        Those left out rise.
        """
        rest = self.without(left_out)
        most = length + len(rest) - 1
        values = [*weights[:most], *[0] * (most - len(weights))]
        return self._correlate(values, rest, length) if rest else []

    def without(self, left_out: Sequence[int]) -> list[int]:
        """The product of all but these, which rise."""
        first = [0, *(index + 1 for index in left_out)]
        factors = []
        for begin, end in zip(first, [*left_out, self._size], strict=True):
            low, high = begin + self._size, end + self._size
            while low < high:
                if low % 2:
                    factors.append(self._tree[low])
                    low += 1
                if high % 2:
                    high -= 1
                    factors.append(self._tree[high])
                low, high = low // 2, high // 2
        return reduce(self._multiply, factors, [1])


def as_wide(value: int) -> tuple[float, int]:
    """``value`` as (mantissa, exponent): mantissa * 2**exponent, rounded to a double's 53 bits."""
    excess = max(value.bit_length() - 64, 0)
    mantissa, exponent = math.frexp(value >> excess)
    return mantissa, exponent + excess


def wide_arrays(values: Iterable[int]) -> WideArrays:
    """`as_wide` of many: their mantissas and exponents."""
    wide = [as_wide(value) for value in values]
    return (
        np.array([mantissa for mantissa, _ in wide]),
        np.array([exponent for _, exponent in wide], dtype=np.int64),
    )


def from_wide(mantissa: float, exponent: int) -> int:
    """The integer that mantissa * 2**exponent is, or rounds down to."""
    shift = exponent - 53
    scaled = int(math.ldexp(mantissa, 53))
    return scaled << shift if shift >= 0 else scaled >> -shift


def _correlate_wide(values: WideArrays, a: WideArrays, length: int) -> WideArrays:
    """`correlate` of positive numbers: a sum is as large as its largest terms."""
    size = a[0].size
    mantissa = np.zeros(length)
    exponent = np.zeros(length, dtype=np.int64)
    # No exponent of zero may count as the largest.
    powers = [np.where(m == 0.0, _NOTHING, e) for m, e in (values, a)]
    rows = max(_BLOCK // size, 1)
    for first in range(0, length, rows):
        block = slice(first, min(first + rows, length))
        factor = sliding_window_view(values[0], size)[block] * a[0]
        power = sliding_window_view(powers[0], size)[block] + powers[1]
        largest = power.max(axis=1)
        shift = np.maximum(power - largest[:, None], -2000).astype(np.int32)
        mantissa[block], own = np.frexp(np.ldexp(factor, shift).sum(axis=1))
        exponent[block] = np.where(mantissa[block] == 0.0, 0, largest + own)
    return mantissa, exponent


def _pack(coefficients: Sequence[int], slot: int) -> int:
    return int.from_bytes(
        b"".join(value.to_bytes(slot, "little") for value in coefficients), "little"
    )
