"""Polynomials of integers, and integers wider than a double can hold.

A count polynomial is a list: entry k counts what has k mines. Two are multiplied as two integers,
with a slot of bits for every coefficient (Kronecker substitution; Gathen & Gerhard, Modern Computer
Algebra, 8.4): Python's own multiplication then does all the work.
"""

import math
from collections.abc import Iterable, Sequence
from functools import reduce


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


def as_wide(value: int) -> tuple[float, int]:
    """``value`` as (mantissa, exponent): mantissa * 2**exponent, rounded to a double's 53 bits."""
    excess = max(value.bit_length() - 64, 0)
    mantissa, exponent = math.frexp(value >> excess)
    return mantissa, exponent + excess


def from_wide(mantissa: float, exponent: int) -> int:
    """The integer that mantissa * 2**exponent is, or rounds down to."""
    shift = exponent - 53
    scaled = int(math.ldexp(mantissa, 53))
    return scaled << shift if shift >= 0 else scaled >> -shift


def _pack(coefficients: Sequence[int], slot: int) -> int:
    return int.from_bytes(
        b"".join(value.to_bytes(slot, "little") for value in coefficients), "little"
    )
