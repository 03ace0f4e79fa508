"""Boards larger or denser than the corpus has: solved exactly, or refused at once.

Exact fractions of a million cells would take longer than the benchmark. Answers are checked by the
law that the chances of a mine add up to the number of mines, over boards where every cell is
worked out from its own clues, and deep cells from the total.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np

import mineodds as mo
from boards import EXPERT_DENSITY, Board, in_play, lattice

SEEDS = (1, 2, 3)
SUM_ERROR = 1e-9
"""Largest relative error of the sum of all chances against the number of mines."""


@dataclass(frozen=True)
class Larger:
    """What became of a board: CPU seconds to the odds or to the refusal, and the plan's figures."""

    board: Board
    solved: bool
    seconds: float
    work: float
    memory: float


def boards() -> Iterator[Board]:
    for seed in SEEDS:
        yield in_play(100, 100, 0.35, seed)
    yield in_play(1, 100_000, EXPERT_DENSITY, 1)
    yield in_play(1000, 1000, EXPERT_DENSITY, 1)
    for share in (0.3, 0.35, 0.4):
        for seed in SEEDS:
            yield lattice(31, share, seed)


def measure(board: Board) -> Larger:
    start = process_time()
    try:
        odds = mo.solve(board.cells, mines=board.mines)
        seconds = process_time() - start
    except mo.BudgetExceeded as refusal:
        seconds = process_time() - start
        return Larger(board, False, seconds, refusal.work, refusal.memory)
    total = float(np.nansum(odds.probability))
    assert abs(total - board.mines) <= SUM_ERROR * board.mines, board.name
    return Larger(board, True, seconds, odds.plan.work, odds.plan.memory)
