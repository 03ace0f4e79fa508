"""Intervals and tests for rates: how far a measured difference can be believed.

Wilson's interval for one rate; for two policies on the same layouts Newcombe's interval of the
difference between paired proportions (Improved confidence intervals for the difference between
binomial proportions based on paired data, Statistics in Medicine 1998, method 10) and McNemar's
test in its exact form.
"""

from math import nan, sqrt
from statistics import NormalDist

Interval = tuple[float, float]

CONFIDENCE = 0.95


def _quantile(confidence: float) -> float:
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2.0)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a rate; (nan, nan) without trials."""
    z = _quantile(confidence)
    if trials == 0:
        return nan, nan
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p-value of "the discordant pairs are a fair coin's".

    Twice the smaller tail of the binomial distribution, at most 1; 1 without discordant pairs.
    """
    pairs, fewer = only_a + only_b, min(only_a, only_b)
    term = tail = 1
    for k in range(fewer):
        term = term * (pairs - k) // (k + 1)
        tail += term
    chance: float = 2 * tail / (1 << pairs)
    return min(1.0, chance)


def newcombe_paired(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = CONFIDENCE
) -> Interval:
    """Newcombe's interval of the difference (rate of a less rate of b); nan without pairs."""
    pairs = both + only_a + only_b + neither
    if pairs == 0:
        return nan, nan
    rate_a, rate_b = (both + only_a) / pairs, (both + only_b) / pairs
    low_a, high_a = wilson(both + only_a, pairs, confidence)
    low_b, high_b = wilson(both + only_b, pairs, confidence)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    excess = both * neither - only_a * only_b
    # Method 10 takes half a pair off a positive excess before it is made a correlation.
    corrected = max(excess - pairs / 2, 0.0) if excess > 0 else float(excess)
    correlation = corrected / sqrt(margins) if margins else 0.0

    def add(left: float, right: float) -> float:
        return sqrt(max(left * left - 2 * correlation * left * right + right * right, 0.0))

    difference = (only_a - only_b) / pairs
    return (
        difference - add(rate_a - low_a, high_b - rate_b),
        difference + add(high_a - rate_a, rate_b - low_b),
    )


def standard_error(successes: int, trials: int) -> float:
    """The standard error of a rate, from the sample; nan without trials."""
    if trials == 0:
        return nan
    rate = successes / trials
    return sqrt(rate * (1 - rate) / trials)
