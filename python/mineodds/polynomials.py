"""Polynomials of integers, and integers wider than a double can hold.

A count polynomial is a list: entry k counts what has k mines. Two are multiplied as two integers,
with a slot of bits for every coefficient (Kronecker substitution; Gathen & Gerhard, Modern Computer
Algebra, 8.4): Python's own multiplication then does all the work.
"""

import math
from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray


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

    def __init__(self, polynomials: Sequence[Sequence[int]]) -> None:
        self._size = len(polynomials)
        self._tree = [[1]] * self._size + list(map(list, polynomials))
        for node in range(self._size - 1, 0, -1):
            self._tree[node] = multiply(self._tree[2 * node], self._tree[2 * node + 1])

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
        return product(factors)


def as_wide(value: int) -> tuple[float, int]:
    """``value`` as (mantissa, exponent): mantissa * 2**exponent, rounded to a double's 53 bits."""
    excess = max(value.bit_length() - 64, 0)
    mantissa, exponent = math.frexp(value >> excess)
    return mantissa, exponent + excess


def wide_arrays(values: Iterable[int]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
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


def _pack(coefficients: Sequence[int], slot: int) -> int:
    return int.from_bytes(
        b"".join(value.to_bytes(slot, "little") for value in coefficients), "little"
    )
