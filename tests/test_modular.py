"""Integers from residues: the Chinese remainder theorem at the sizes and edges that occur."""

from itertools import product

import numpy as np
import pytest

from mineodds import _core
from mineodds.modular import Engine, ExactMasses, primes_needed


def engines(cells: int, clues: list[tuple[list[int], int]]) -> list[Engine]:
    start = np.cumsum([0, *(len(around) for around, _ in clues)]).astype(np.int32)
    cell = np.array([cell for around, _ in clues for cell in around], dtype=np.int32)
    need = np.array([need for _, need in clues], dtype=np.int32)
    return [
        _core.Elimination(cells, start, cell, need, max_work=1e6, max_memory=2.0**30),
        _core.Enumeration(cells, start, cell, need, max_work=1e6),
    ]


CLUES = [([0, 1, 2], 1), ([2, 3, 4, 5], 2), ([5, 6], 1)]


@pytest.mark.parametrize("size", [3, 58, 59, 60, 61, 62, 500, 5000])
def test_masses_are_sums_over_configurations(size: int) -> None:
    """With weights of about so many bits: the number of primes is right at its edges too."""
    configurations = [
        layout
        for layout in product((0, 1), repeat=7)
        if all(sum(layout[cell] for cell in around) == need for around, need in CLUES)
    ]
    for engine in engines(7, CLUES):
        least = engine.least_mines
        weight = [2**size - 1 - k for k in range(engine.most_mines - least + 1)]
        masses = ExactMasses(engine, weight, primes_needed(engine, weight, engine.most_mines))
        by_layout = [(layout, weight[sum(layout) - least]) for layout in configurations]
        assert masses.total == sum(mass for _, mass in by_layout)
        for cell in range(7):
            assert masses.mine(cell) == sum(mass for layout, mass in by_layout if layout[cell])
        assert masses.mines == sum(map(masses.mine, range(7)))


def test_the_primes() -> None:
    primes = _core.primes(200)
    assert len(set(primes)) == 200
    assert primes == sorted(primes, reverse=True)
    assert all(2**60 < prime < 2**61 for prime in primes)
    assert all(pow(3, prime - 1, prime) == 1 for prime in primes)
    assert primes[0] == 2**61 - 1  # a Mersenne prime
