"""How long after Ctrl-C, and after its deadline, a long call stops.

    python benchmarks/interrupts.py

Goal: within 0.1 s, for every kind of long call. Each of CALLS is made in a process of its own,
again and again, until a second thread sends the process SIGINT; the latency is the time from the
signal to the KeyboardInterrupt, the largest of several. A latency says something only where the
call, left alone, takes longer: that is shown beside it. Calls with a deadline are made with one of
LIMIT seconds too; how long after it they end. tests/test_interrupts.py makes the same calls and
asks only that they stop.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import mineodds as mo
from boards import lattice, random_reveal
from corpus import named

GOAL = 0.1
DELAYS = (0.15, 0.37, 0.61)
LIMIT = 0.2
LONGEST = 20.0  # seconds that a call is left alone for, at most

Call = Callable[[], object]
Ask = Callable[[mo.Odds], object]


def ask(name: str, question: Ask) -> Call:
    """A question to the odds of a position of the corpus, each time to fresh ones."""
    position = named(name)
    return lambda: question(mo.solve(position.cells, mines=position.mines))


def solve(**options: object) -> Call:
    board = lattice(25, 0.3, 1)
    return partial(mo.solve, board.cells, mines=board.mines, **options)


def solve_huge(**options: object) -> Call:
    """Nothing wide, but two million cells; its neighbour table is there before the call."""
    mo.solve_many(np.zeros((1, 1500, 1500), dtype=np.int8), 0)
    board = random_reveal(1500, 1500, 0.2, 0.55, 1)
    return partial(mo.solve_many, board.cells[None], board.mines, workers=1, **options)


def solve_many(workers: int, **options: object) -> Call:
    cells = np.tile(named("rnd30q40_0").cells, (10_000, 1, 1))
    return partial(mo.solve_many, cells, 180, workers=workers, **options)


def two_unlike_boards(**options: object) -> Call:
    """One thread is done at once, and waits for the other."""
    board = lattice(25, 0.3, 1)
    cells = np.full((2, 25, 25), -1, dtype=np.int8)
    cells[1] = board.cells
    return partial(mo.solve_many, cells, board.mines, workers=2, **options)


def enumeration(**options: object) -> Call:
    position = named("lat2x15_0000")
    limits = {"method": "enumeration", "max_work": 1e12}
    return partial(mo.solve, position.cells, mines=position.mines, **limits, **options)


def best_move(**options: object) -> Call:
    position = named("expert_0001")
    policy = {"policy": "survival", "depth": 6}
    return partial(mo.best_move, position.cells, position.mines, **policy, **options)


def simulate(workers: int) -> Call:
    def call() -> None:  # Ctrl-C gives back what was finished
        games = mo.simulate(16, 30, 99, games=1_000_000, seed=1, workers=workers)
        if not games.complete:
            raise KeyboardInterrupt

    return call


def columns(odds: mo.Odds) -> object:
    return odds.distribution([(0, col) for col in range(odds.probability.shape[1])])


def explain_all(odds: mo.Odds) -> object:
    return [odds.explain(row, col) for row, col in np.argwhere(odds.safe).tolist()]


CALLS: dict[str, Callable[..., Call]] = {
    "solve": solve,
    "solve_many, one board of two million cells": solve_huge,
    "solve_many, 10,000 boards": partial(solve_many, 1),
    "solve_many, two threads": partial(solve_many, 2),
    "solve_many, one thread waits": two_unlike_boards,
    "solve by enumeration": enumeration,
    "solutions": lambda: ask("lat2x31_0000", lambda odds: odds.solutions),
    "fractions": lambda: ask("rnd100q30_0", lambda odds: odds.fractions()),
    "numbers": lambda: ask("lat2x23_0000", lambda odds: odds.numbers()),
    "distribution": lambda: ask("lat2x23_0000", columns),
    "sample": lambda: ask("rnd30q40_0", lambda odds: odds.sample(50_000, seed=1)),
    "layouts": lambda: ask("lat2x15_0000", lambda odds: sum(1 for _ in odds.layouts())),
    "explain": lambda: ask("rnd50q30_0", explain_all),
    "best_move": best_move,
    "simulate, one thread": partial(simulate, 1),
    "simulate, two threads": partial(simulate, 2),
}

WITH_DEADLINE = tuple(CALLS)[:6]


def after_interrupt(name: str, delay: float) -> float:
    """Seconds from SIGINT, sent after so many seconds, to its exception."""
    # A shell's background jobs ignore the signal; here it is what Ctrl-C does.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    call = CALLS[name]()
    sent = []

    def interrupt() -> None:
        time.sleep(delay)
        sent.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    try:
        thread.start()
        while True:
            call()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def after_deadline(name: str, limit: float) -> float:
    """Seconds from the deadline to its exception."""
    call = CALLS[name](deadline=limit)
    begin = time.perf_counter()
    try:
        call()
    except mo.DeadlineExceeded:
        return time.perf_counter() - begin - limit
    raise AssertionError(f"{name} was done within {limit} s")


def alone(name: str) -> float:
    """Seconds that one call takes."""
    call = CALLS[name]()
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


MEASURES = {"interrupt": after_interrupt, "deadline": after_deadline}


def in_child(*arguments: str, timeout: float | None = None) -> float:
    """What this script prints when it is given the arguments: a number of seconds."""
    command = [sys.executable, __file__, *arguments]
    return float(subprocess.run(command, stdout=-1, check=True, timeout=timeout).stdout)


def row(name: str) -> list[str]:
    try:
        duration = f"{in_child('alone', name, timeout=LONGEST):.1f} s"
    except subprocess.TimeoutExpired:
        duration = f"over {LONGEST:.0f} s"
    stops = max(in_child("interrupt", name, str(delay)) for delay in DELAYS)
    cells = [name, duration, f"{1000 * stops:.0f} ms"]
    if name not in WITH_DEADLINE:
        return [*cells, ""]
    return [*cells, f"{1000 * in_child('deadline', name, str(LIMIT)):.0f} ms"]


def main() -> None:
    from table import markdown, rewrite

    lines = []
    for name in CALLS:
        lines.append(row(name))
        print(*lines[-1], sep=" | ", flush=True)
    head = ["call", "left alone", "stops after Ctrl-C", "after its deadline"]
    rewrite("interrupts", markdown(head, lines))


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            main()
        case ["alone", name]:
            print(alone(name))
        case [kind, name, seconds]:
            print(MEASURES[kind](name, float(seconds)))
