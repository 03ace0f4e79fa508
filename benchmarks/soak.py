"""A soak: a million random positions through `solve_many`, watching memory, checked by enumeration.

    python benchmarks/soak.py [POSITIONS]

Positions of mixed sizes and densities, some with a wrong total or a wrong number, in batches.
Goals: the second half takes at most 2 % more memory than the first (answers of the largest batches
are 20 MiB, which malloc gives back or keeps, so a single look says little); and the enumeration
engine, which shares no table with the kernel, gives the same status, the same certain cells and
the same chances on every position with at most 30 hidden cells. Writes the page's paragraph.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mineodds as mo
from boards import numbers
from table import rewrite

POSITIONS = 1_000_000
BATCH = 1000
SHAPES = {
    (1, 30): 4, (3, 3): 4, (4, 5): 12, (5, 5): 12, (5, 7): 8, (6, 6): 8, (8, 8): 8, (9, 9): 20,
    (16, 16): 12, (16, 30): 10, (30, 3): 4, (50, 50): 1,
}  # fmt: skip
"""How many batches of each shape in a round."""

SEED = 20261130
WARM_UP = 0.5
MOST_GROWTH = 0.02
MOST_HIDDEN = 30
BOTH_ERRORS = 2e-12  # each engine is within 1e-12 of the exact chance


@dataclass
class Tally:
    """What was seen so far."""

    positions: int = 0
    compared: int = 0
    status: Counter[str] = field(default_factory=Counter)
    warm_bytes: int = 0
    later_bytes: int = 0


def batch_of(
    shape: tuple[int, int], count: int, random: np.random.Generator
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Random layouts with some safe cells shown; one in ten is spoiled."""
    density = random.choice((0.05, 0.15, 0.2, 0.25, 0.35, 0.6), count)[:, None, None]
    share = random.choice((0.0, 0.15, 0.3, 0.5, 0.7, 0.9), count)[:, None, None]
    mine = random.random((count, *shape)) < density
    shown = ~mine & (random.random(mine.shape) < share)
    flag = mine & (random.random(mine.shape) < 0.1 * (share > 0.4))
    cells = np.where(shown, np.stack([numbers(layout) for layout in mine]), -1).astype(np.int8)
    cells[flag] = -2
    mines = mine.sum(axis=(1, 2)).astype(np.int64)
    spoiled = np.flatnonzero(random.random(count) < 0.1)
    for board in spoiled:
        if random.random() < 0.5:
            mines[board] += random.integers(-2, 3)
        else:
            row, col = (int(random.integers(side)) for side in shape)
            cells[board, row, col] = random.integers(-2, 9)
    return cells, mines


def check(cells: NDArray[np.int8], mines: int, chances: NDArray[np.float64], status: int) -> None:
    """Enumeration says the same about one position."""
    where = f"mines: {mines}\n{cells}"
    if not 0 <= mines <= cells.size:
        assert status == mo.BatchStatus.BAD_INPUT, where
        return
    try:
        expected = mo.solve(cells, mines=mines, method="enumeration").probability
    except mo.InconsistentBoardError:
        assert status == mo.BatchStatus.INCONSISTENT, where
        return
    assert status == mo.BatchStatus.OK, where
    hidden = cells < 0
    assert (np.isnan(chances) == ~hidden).all(), where
    got, wanted = chances[hidden], expected[hidden]
    for certain in (0.0, 1.0):
        assert ((got == certain) == (wanted == certain)).all(), where
    assert (np.abs(got - wanted) <= BOTH_ERRORS * wanted).all(), where


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def soak(positions: int) -> Tally:
    random = np.random.default_rng(SEED)
    tally = Tally()
    round_of_shapes = [shape for shape, batches in SHAPES.items() for _ in range(batches)]
    while tally.positions < positions:
        shape = round_of_shapes[int(random.integers(len(round_of_shapes)))]
        cells, mines = batch_of(shape, BATCH, random)
        batch = mo.solve_many(cells, mines)
        names = [mo.BatchStatus(status).name for status in batch.status.tolist()]
        tally.status.update(names)
        small = np.flatnonzero((cells < 0).sum(axis=(1, 2)) <= MOST_HIDDEN)
        for board in small.tolist():
            check(cells[board], int(mines[board]), batch.probability[board], batch.status[board])
        tally.compared += small.size
        tally.positions += BATCH
        if tally.positions <= WARM_UP * positions:
            tally.warm_bytes = max(tally.warm_bytes, resident_bytes())
        else:
            tally.later_bytes = max(tally.later_bytes, resident_bytes())
        if tally.positions % (20 * BATCH) == 0:
            mib = resident_bytes() / 2**20
            sys.stderr.write(f"{tally.positions:,} positions, {mib:.1f} MiB\n")
    return tally


def main() -> None:
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS
    begin = time.process_time()
    tally = soak(positions)
    growth = tally.later_bytes / tally.warm_bytes - 1
    statuses = ", ".join(f"{count:,} {name}" for name, count in tally.status.most_common())
    words = (
        f"{tally.positions:,} positions (seed {SEED}): {statuses}. Enumeration agreed on all "
        f"{tally.compared:,} with at most {MOST_HIDDEN} hidden cells. Memory: "
        f"{tally.warm_bytes / 2**20:.1f} MiB at most in the first half, "
        f"{tally.later_bytes / 2**20:.1f} MiB in the second "
        f"({100 * growth:+.2f} %). {(time.process_time() - begin) / 60:.0f} minutes of CPU."
    )
    print(words)
    assert growth < MOST_GROWTH, words
    if positions >= POSITIONS:
        rewrite("soak", words)


if __name__ == "__main__":
    main()
