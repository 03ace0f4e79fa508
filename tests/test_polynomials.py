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


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("longest", [4, 40])
@pytest.mark.parametrize("beyond", [0, 3])
def test_what_is_around(exact: bool, longest: int, beyond: int) -> None:
    rng = Random(longest)
    factors = [
        # Zeros and coefficients of very different sizes: none may get lost.
        [2 ** rng.randrange(3000) * rng.randrange(3) for _ in range(rng.randrange(longest))] + [1]
        for _ in range(5)
    ]
    size = sum(len(factor) - 1 for factor in factors) + 1 + beyond
    weights = [rng.randrange(2 ** rng.randrange(1, 4000)) for _ in range(size - 2)]
    products = Products(factors, exact)
    around = products.around(weights, beyond)
    for left_out, found in [
        *(([i], around[i]) for i in range(5)),
        ([1, 3], products.around_all([1, 3], weights, len(factors[1]) + len(factors[3]) - 1)),
    ]:
        rest = product(factor for i, factor in enumerate(factors) if i not in left_out)
        for x, value in enumerate(found):
            expected = sum(a * w for a, w in zip(rest, weights[x:], strict=False))
            assert value == expected if exact else abs(value - expected) << 44 <= expected
        assert len(found) >= sum(len(factors[i]) - 1 for i in left_out) + 1


@pytest.mark.parametrize("base", [[1, 1], [2, 2, 1], [6, 6, 3, 1], [3], [1, 0, 5]])
@pytest.mark.parametrize("n", range(6))
def test_powers(base: list[int], n: int) -> None:
    expected = product([base] * n)
    assert power(base, n, len(expected) + 2) == [*expected, 0, 0, 0]
    assert power(base, n, 0) == expected[:1]
