"""Exact integers from an engine that counts modulo primes (the Chinese remainder theorem).

An engine can weigh its configurations modulo any prime below 2**61. The residues for enough primes
determine an integer below their product, so the question is how many are enough. The total weighed
in doubles answers it: that is right to twelve digits, and a whole factor of 2 is added. One prime
more than needed must then agree with the number found, which checks the bound and both evaluations.
"""

import math
import operator
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.polynomials import from_wide

Engine = _core.Elimination | _core.Enumeration


def without_end() -> float:
    """The seconds that are left when there is no deadline."""
    return math.inf


def primes_needed(
    engine: Engine,
    weight: list[int],
    most_mines: int,
    seconds_left: Callable[[], float] = without_end,
) -> int:
    """How many primes determine the integers of `ExactMasses`. Costs one evaluation."""
    exponent = [value.bit_length() for value in weight]
    mantissa = [value / (1 << bits) for value, bits in zip(weight, exponent, strict=True)]
    evaluation = engine.evaluate(
        np.array(mantissa),
        np.array(exponent, dtype=np.int64),
        np.zeros(len(weight)),
        deadline=seconds_left(),
    )
    bits = evaluation.total_exponent + math.frexp(evaluation.total)[1] + 1
    # The largest of the integers is the sum of all cells' masses; every prime is over 2**60.
    return (bits + most_mines.bit_length()) // 60 + 1


def integers(residues: Callable[[int], NDArray[np.uint64]], bits: int) -> list[int]:
    """The integers below 2**bits whose residues modulo a prime are asked for."""
    whole = 1
    result: list[int] = []
    for prime in _core.primes(bits // 60 + 1):
        found = residues(prime).tolist()
        result = result or [0] * len(found)
        # Mixed radix: each prime adds one digit to the numbers known modulo those before it.
        inverse = pow(whole, -1, prime)
        result = [
            value + whole * ((residue - value) * inverse % prime)
            for value, residue in zip(result, found, strict=True)
        ]
        whole *= prime
    return result


def counts_of(
    mantissa: NDArray[np.float64],
    exponent: NDArray[np.int64],
    residues: Callable[[int], NDArray[np.uint64]],
    exact: bool,
) -> list[int]:
    """The integers that were counted in doubles: themselves, or to the 53 bits that doubles have.

    Doubles, right to twelve digits, say how large they are; residues modulo primes say the rest.
    """
    if exact:
        return integers(residues, int(exponent.max(initial=0)) + 1)
    return list(map(from_wide, mantissa.tolist(), exponent.tolist()))


class ExactMasses:
    """Sums of weights over the configurations of an engine: all, and those with a mine in a cell.

    ``weight[k]`` belongs to the configurations with the engine's least number of mines plus k;
    ``cell_weights`` are those of the classes of cells, where the engine has any.
    Residues are taken at once, for ``primes_needed`` primes; integers are put together when asked
    for. Costs ``primes_needed + 1`` evaluations; raises DeadlinePassed once no seconds are left.
    """

    def __init__(
        self,
        engine: Engine,
        weight: list[int],
        primes_needed: int,
        seconds_left: Callable[[], float] = without_end,
        cell_weights: Sequence[int] = (),
    ) -> None:
        *primes, check = _core.primes(primes_needed + 1)
        self._product = math.prod(primes)
        cofactors = [self._product // prime for prime in primes]
        self._basis = [
            cofactor * pow(cofactor, -1, prime)
            for prime, cofactor in zip(primes, cofactors, strict=True)
        ]
        totals = []
        sums = []
        masses = []
        for prime in primes:
            total, mass = _evaluate(engine, weight, prime, seconds_left(), cell_weights)
            totals.append(total)
            sums.append(_sum(mass) % prime)
            masses.append(mass)
        # By cell; cells of one variable share their residues.
        self._masses = list(zip(*(mass.tolist() for mass in masses), strict=True))
        self._known: dict[tuple[int, ...], int] = {}
        self.total = self._combine(totals)
        self.mines = self._combine(sums)  # the sum of `mine` over all cells
        last = _evaluate(engine, weight, check, seconds_left(), cell_weights)
        assert self.total % check == last[0]

    def mine(self, cell: int) -> int:
        """The weight of the configurations with a mine in this frontier cell."""
        residues = self._masses[cell]
        if residues not in self._known:
            self._known[residues] = self._combine(residues)
        return self._known[residues]

    def _combine(self, residues: Sequence[int]) -> int:
        total: int = sum(map(operator.mul, residues, self._basis))
        return total % self._product


def _evaluate(
    engine: Engine, weight: list[int], prime: int, seconds: float, cell_weights: Sequence[int]
) -> tuple[int, NDArray[np.uint64]]:
    reduced = _residues(weight, prime)
    if isinstance(engine, _core.Elimination) and cell_weights:
        cells = _residues(cell_weights, prime)
        _, total, mine = engine.evaluate_modular(prime, reduced, cells, deadline=seconds)
    else:
        _, total, mine = engine.evaluate_modular(prime, reduced, deadline=seconds)
    return total, mine


def _residues(values: Sequence[int], prime: int) -> NDArray[np.uint64]:
    return np.array([value % prime for value in values], dtype=np.uint64)


def _sum(residues: NDArray[np.uint64]) -> int:
    """Without overflow: there are fewer than 2**32 cells."""
    return (int((residues >> 32).sum()) << 32) + int((residues & 0xFFFFFFFF).sum())
