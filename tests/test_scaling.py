"""The cost of a board in play grows hardly faster than the board: products counted, not seconds."""

from __future__ import annotations

from statistics import mean

import numpy as np

import mineodds as mo
from boards import EXPERT_DENSITY, in_play

SEEDS_BY_SIDE = {16: 24, 32: 12, 64: 6, 128: 2, 200: 1}


def work(side: int, seed: int) -> float:
    """Predicted table-entry products."""
    board = in_play(side, side, EXPERT_DENSITY, seed)
    return mo.solve(board.cells, mines=board.mines).plan.work


def test_products_against_cells() -> None:
    """benchmarks/scaling.py fits the same exponent up to a million cells, and plots it."""
    works = [
        mean(work(side, seed) for seed in range(1, seeds + 1))
        for side, seeds in SEEDS_BY_SIDE.items()
    ]
    cells = [side * side for side in SEEDS_BY_SIDE]
    exponent, _ = np.polyfit(np.log(cells), np.log(works), 1)
    assert exponent <= 1.1, dict(zip(cells, works, strict=True))
