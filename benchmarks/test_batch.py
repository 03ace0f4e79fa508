"""Whole classes in one call of ``solve_many``, under pytest-benchmark; the answers are checked.

Goal: goals.BATCH_RATE, 100,000 expert positions per second on one thread; a second thread on a
second core should nearly double that.
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import mineodds as mo
import own
from corpus import PLAY, by_class, load

CLASSES = by_class(load(PLAY))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("class_name", CLASSES)
def test_solve_many(benchmark: BenchmarkFixture, class_name: str, workers: int) -> None:
    """All positions of a class at once. Goal: goals.BATCH_RATE for one worker."""
    positions = CLASSES[class_name]
    boards = np.stack([position.cells for position in positions])
    mines = np.array([position.mines for position in positions])
    benchmark.group = f"{class_name}, batch"
    benchmark.extra_info["positions"] = len(positions)
    batch = benchmark(lambda: mo.solve_many(boards, mines, workers=workers))
    assert not batch.status.any()
    for position, probability in zip(positions, batch.probability, strict=True):
        assert np.array_equal(probability, own.solve(position), equal_nan=True), position.name
        # exactness of these odds: test_solve and table.py
