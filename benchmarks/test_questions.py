"""Whole boards of answers on expert positions, under pytest-benchmark; every answer is checked.

Goals: goals.QUESTION_SECONDS for one position. A round asks TEN positions; divide by that.
questions.py makes the table of all classes.
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import questions
from corpus import by_class, load

TEN = 10


@pytest.mark.parametrize("name", questions.QUESTIONS)
def test_question(benchmark: BenchmarkFixture, name: str) -> None:
    """Solving is not timed; the answers of an `Odds` are kept, so every round has fresh ones."""
    positions = by_class(load(["expert"]))["expert"][:TEN]
    solved, ask = questions.QUESTIONS[name]
    benchmark.group = "expert, questions"
    benchmark.extra_info["positions"] = len(positions)
    benchmark.pedantic(
        lambda *boards: [ask(odds) for odds in boards],
        setup=lambda: ([solved(position) for position in positions], {}),
        rounds=5,
    )
