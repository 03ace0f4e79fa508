"""Polynomials of integers against sums over all pairs of their terms."""

from itertools import accumulate
from random import Random

import pytest

from mineodds.polynomials import Products, multiply, power, product


def by_terms(a: list[int], b: list[int]) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return result


@pytest.mark.parametrize("seed", range(20))
def test_products(seed: int) -> None:
    rng = Random(seed)
    factors = [
        [rng.randrange(10 ** rng.randrange(1, 30)) for _ in range(rng.randrange(1, 9))]
        for _ in range(rng.randrange(2, 7))
    ]
    assert multiply(factors[0], factors[1]) == by_terms(factors[0], factors[1])
    *_, expected = accumulate(factors, by_terms)
    assert product(factors) == Products(factors).without(()) == expected
    out = rng.randrange(len(factors))
    assert Products(factors).without([out]) == product(factors[:out] + factors[out + 1 :])


@pytest.mark.parametrize("base", [[1, 1], [2, 2, 1], [6, 6, 3, 1], [3], [1, 0, 5]])
@pytest.mark.parametrize("n", range(6))
def test_powers(base: list[int], n: int) -> None:
    expected = product([base] * n)
    assert power(base, n, len(expected) + 2) == [*expected, 0, 0, 0]
    assert power(base, n, 0) == expected[:1]
