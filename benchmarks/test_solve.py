"""One position at a time, by class, under pytest-benchmark; every answer that is timed is checked.

Goal of each class: goals.SOLVE_SECONDS (expert 25 microseconds, big50 0.15 ms, big100 0.6 ms, wide
boards 0.2 to 100 ms). A round solves the class's positions, at most TEN of them; divide by their
number, which is in the extra information. The other programs take the same positions where they
answer them at all: table.py has all classes, limits and failures.
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import own
from corpus import PLAY, Position, by_class, load
from peers import PEERS, largest_error

CLASSES = by_class(load())
TEN = 10

# zig-minesolver calls many positions inconsistent that are not; of beginner it answers enough.
OTHERS = [
    *(("ms-toollib", name) for name in PLAY),
    ("zig-minesolver", "beginner"),
    ("bucket elimination (Python)", "beginner"),
    ("bucket elimination (Python)", "intermediate"),
    ("enumeration (Python)", "beginner"),
    ("enumeration (Python)", "intermediate"),
]


def sample(class_name: str) -> list[Position]:
    return CLASSES[class_name][:TEN]


@pytest.mark.parametrize("class_name", CLASSES)
def test_solve(benchmark: BenchmarkFixture, class_name: str) -> None:
    """``solve(array, mines).probability``. Goal: goals.SOLVE_SECONDS."""
    positions = sample(class_name)
    benchmark.group = class_name
    benchmark.extra_info["positions"] = len(positions)
    answers = benchmark(lambda: [own.solve(position) for position in positions])
    for position, answer in zip(positions, answers, strict=True):
        own.check(position, answer, own.fractions(position))


@pytest.mark.parametrize("class_name", PLAY)
def test_fractions(benchmark: BenchmarkFixture, class_name: str) -> None:
    """All exact fractions of a board. Goal: goals.EXACT_SECONDS (expert 1 ms)."""
    positions = sample(class_name)
    benchmark.group = f"{class_name}, exact"
    benchmark.extra_info["positions"] = len(positions)
    answers = benchmark(lambda: [own.fractions(position) for position in positions])
    for position, answer in zip(positions, answers, strict=True):
        own.check(position, own.solve(position), answer)


@pytest.mark.parametrize(("name", "class_name"), OTHERS)
def test_others(benchmark: BenchmarkFixture, name: str, class_name: str) -> None:
    """Other programs on the same positions. Goal: to be at least ten times as slow as ``solve``."""
    positions = sample(class_name)
    solve, tolerance = PEERS[name]
    benchmark.group = class_name
    benchmark.extra_info["positions"] = len(positions)
    answers = benchmark.pedantic(
        lambda: [solve(position)[0] for position in positions], rounds=3, warmup_rounds=0
    )
    for position, answer in zip(positions, answers, strict=True):
        assert np.isfinite(largest_error(position, answer, own.solve(position)))
        assert largest_error(position, answer, own.solve(position)) <= tolerance, position.name
