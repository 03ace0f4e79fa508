"""Everything may be used from several threads: shared odds give each of them the same answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import mineodds as mo

THREADS = 8
CORPUS = Path(__file__).parent / "data" / "corpus"


def board_named(file: str, number: int) -> mo.Board:
    entry = json.loads((CORPUS / f"{file}.jsonl").read_text("ascii").splitlines()[number])
    return mo.Board.parse("\n".join(entry["board"]), mines=entry["mines"])


def together(calls: list[Callable[[], Any]]) -> list[Any]:
    """The results of calls that start at the same moment, each on a thread of its own."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def answers(odds: mo.Odds) -> tuple[Any, ...]:
    """Questions of every kind; each fills caches that the odds keep."""
    hidden = np.argwhere(odds.probability >= 0).tolist()
    row, col = hidden[len(hidden) // 2]
    return (
        odds.solutions,
        tuple(odds.fraction(*cell) for cell in hidden[::7]),
        odds.best,
        odds.components.tobytes(),
        odds.distribution(hidden[:5]).tobytes(),
        odds.number(row, col).tobytes(),
        odds.sample(3, seed=1).tobytes(),
        odds.given(safe=[odds.best[0]]).solutions,
        str(odds.plan),
    )


@pytest.mark.parametrize(("file", "number"), [("beginner", 3), ("expert", 5), ("chk", 0)])
def test_shared_odds(file: str, number: int) -> None:
    board = board_named(file, number)
    expected = answers(mo.solve(board))
    for _ in range(3):
        shared = mo.solve(board)
        found = together([lambda shared=shared: answers(shared)] * THREADS)
        assert all(answer == expected for answer in found)


def test_different_boards_at_once() -> None:
    boards = [board_named("expert", number) for number in range(THREADS)]
    expected = [mo.solve(board).probability.tobytes() for board in boards]

    def all_of_them() -> list[bytes]:
        return [mo.solve(board).probability.tobytes() for board in boards]

    assert all(found == expected for found in together([all_of_them] * THREADS))


def test_batches_at_once() -> None:
    cells = np.stack([board_named("expert", number).cells for number in range(20)])
    expected = mo.solve_many(cells, 99, workers=1).probability.tobytes()
    calls = [lambda: mo.solve_many(cells, 99, workers=3).probability.tobytes()] * THREADS
    assert all(found == expected for found in together(calls))


def test_both_engines_shared() -> None:
    """A core engine itself, asked from many threads; evaluations of the elimination take turns."""
    board = board_named("beginner", 3)
    for method in ("elimination", "enumeration"):
        odds = mo.solve(board, method=method)
        cells = np.argwhere(odds.probability >= 0).tolist()

        def fractions(odds: mo.Odds = odds, cells: list[Any] = cells) -> list[Fraction]:
            return [odds.fraction(*cell) for cell in cells]

        found = together([fractions] * THREADS)
        assert all(answer == found[0] for answer in found)
        assert sum(found[0]) == board.mines
