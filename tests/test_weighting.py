"""Deep-cell weights against exact binomials."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineodds.weighting import exact_weights, log10_binomial, scaled_weights


@st.composite
def ranges(draw: st.DrawFn) -> tuple[int, int, int]:
    deep = draw(st.integers(0, 400))
    lowest = draw(st.integers(0, deep))
    return deep, lowest, draw(st.integers(lowest, min(deep, lowest + 60)))


def assert_scaled_weights(deep: int, lowest: int, highest: int) -> None:
    """Ratios to the largest binomial, by exact arithmetic."""
    weights = scaled_weights(deep, lowest, highest)
    exact = exact_weights(deep, lowest, highest)
    assert len(weights.mantissa) == len(weights.exponent) == len(exact)
    largest = max(exact)
    for mantissa, exponent, weight in zip(weights.mantissa, weights.exponent, exact, strict=True):
        scaled = Fraction(float(mantissa)) * Fraction(2) ** int(exponent)
        assert abs(scaled * largest / weight - 1) < 1e-15
        assert 0.5 <= mantissa <= 1.0


@given(ranges())
def test_weights_are_binomials(range_: tuple[int, int, int]) -> None:
    deep, lowest, highest = range_
    binomials = [math.comb(deep, left) for left in range(lowest, highest + 1)]
    divisor = math.gcd(*binomials)
    assert exact_weights(*range_) == [binomial // divisor for binomial in binomials]
    assert_scaled_weights(*range_)
    scale = scaled_weights(*range_).log10_scale
    assert scale == pytest.approx(math.log10(max(binomials)), rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(
    ("deep", "lowest", "highest"),
    [
        (0, 0, 0),
        (10**6, 0, 50),
        (10**6, 10**6 - 50, 10**6),
        (10**6, 200_000, 200_100),
        (10**6, 500_000 - 40, 500_000 + 40),
        (600, 0, 600),  # a range of 2**593
    ],
)
def test_far_beyond_the_range_of_doubles(deep: int, lowest: int, highest: int) -> None:
    assert_scaled_weights(deep, lowest, highest)


@pytest.mark.parametrize(
    ("deep", "left"), [(0, 0), (5, 2), (2001, 1000), (2100, 1001), (10_000, 3000), (50_000, 49_000)]
)
def test_logarithm_of_a_binomial(deep: int, left: int) -> None:
    exact = math.log10(math.comb(deep, left))
    assert log10_binomial(deep, left) == pytest.approx(exact, rel=1e-14, abs=0.0)
