"""Other programs on the same positions: published packages, and this project's slow references.

Each peer turns a position into what it wants to read, answers, and is timed for the answer alone:

``ms-toollib`` (Rust, a Python extension): lists of lists, 10 for hidden; enumeration by component.
CPU time of the call.

``zig-minesolver`` (Zig): the package holds an executable that reads text; its Python function only
starts it and reads what it prints. CPU time of the executable, so its start (about 0.4 ms) and its
printing are in it. It prints five digits, so it is held to five digits.

``bucket elimination``, ``enumeration``: tests/reference, pure Python, exact fractions.

A peer that hangs, eats memory or aborts must not take the benchmark with it: it runs in a process
of its own with a limit on time and memory, and what happened is part of the result.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from corpus import Position
from measure import REPEATS, cpu_seconds

REFERENCES = Path(__file__).parent.parent / "tests"

MEMORY_LIMIT = 4 << 30
"""Bytes of address space for a peer."""

CPU_LIMIT = int(os.environ.get("MINEODDS_PEER_SECONDS", "60"))
"""CPU seconds for one answer, of the peer and what it started. Watched from outside: a limit set in
the process itself would make its CPU clock as coarse as the scheduler's tick."""

WATCH_SECONDS = 0.5

NO_ANSWER = f"no answer within {CPU_LIMIT} s"

WARM_UP = Position("warm_up", 1, ("###", "#1#", "###"))


@dataclass(frozen=True)
class Run:
    """What a peer made of a position: probabilities (nan where revealed), or how it failed."""

    probability: NDArray[np.float64] | None
    seconds: float
    failure: str = ""


def ms_toollib(position: Position) -> tuple[NDArray[np.float64], float]:
    import ms_toollib as package

    board = np.where(position.cells == -1, 10, position.cells).tolist()
    # A RuntimeError says that the package found no solution; panics of its core derive from
    # BaseException. Both pass through and are reported.
    answer, seconds = cpu_seconds(
        lambda: package.cal_probability_onboard(board, float(position.mines))
    )
    return np.array(answer[0], dtype=np.float64), seconds


def zig_minesolver(position: Position) -> tuple[NDArray[np.float64], float]:
    import zig_minesolver as package

    program = Path(package.__file__).with_name("zig-main")
    text = "\n".join(" ".join(row) for row in position.rows)

    def run() -> tuple[str, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [str(program), "--quiet", "--mines", str(position.mines)],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            lines = done.stderr.splitlines()
            reason = [line for line in lines if "[ERROR]:" in line or "panic:" in line]
            said = reason[0].partition(":")[2] if reason else f"exit code {done.returncode}"
            raise RuntimeError(said)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return done.stdout, spent

    runs = [run()]
    if runs[0][1] < 0.1:
        runs += [run() for _ in range(REPEATS - 1)]
    rows = [line.split() for line in runs[0][0].strip().splitlines()[-len(position.rows) :]]
    return np.array(rows, dtype=np.float64), median(seconds for _, seconds in runs)


def reference(module_name: str) -> Callable[[Position], tuple[NDArray[np.float64], float]]:
    def solve(position: Position) -> tuple[NDArray[np.float64], float]:
        from importlib import import_module

        sys.path.insert(0, str(REFERENCES))
        module = import_module(f"reference.{module_name}")
        parse = import_module("reference.position").Position.parse
        text = "\n".join(position.rows)
        # a fresh position each time: it keeps its components once they are worked out
        answer, seconds = cpu_seconds(lambda: module.solve(parse(text, position.mines)), repeats=1)
        rows = [[np.nan if p is None else float(p) for p in row] for row in answer.fraction]
        return np.array(rows), seconds

    return solve


PEERS: dict[str, tuple[Callable[[Position], tuple[NDArray[np.float64], float]], float]] = {
    "ms-toollib": (ms_toollib, 1e-9),
    "zig-minesolver": (zig_minesolver, 1.1e-5),
    "bucket elimination (Python)": (reference("bucket_elimination"), 1e-12),
    "enumeration (Python)": (reference("enumeration"), 1e-12),
}
"""By name: the adapter, and the largest absolute error of a right answer."""


def serve(peer: str, connection: Connection) -> None:
    """The peer's own process: positions in, runs out."""
    os.setsid()  # a group of its own, so that programs which the peer starts end with it
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    solve, _ = PEERS[peer]
    solve(WARM_UP)
    while True:
        try:
            position = connection.recv()
        except EOFError:
            return
        try:
            probability, seconds = solve(position)
            connection.send(Run(probability, seconds))
        except BaseException as error:  # also panics of compiled code, which derive from it
            words = " ".join(str(error).split())[:60]
            connection.send(Run(None, 0.0, f"{type(error).__name__}: {words}"))


def group_seconds(group: int | None) -> float:
    """CPU seconds so far of the living processes of a group (Linux)."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have ended by now
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Peer:
    """A peer in its own process, started again whenever it had to be ended. ``stop`` it at last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tolerance = PEERS[name][1]
        self._process: multiprocessing.process.BaseProcess | None = None

    def run(self, position: Position) -> Run:
        """Answer one position within the limits."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=serve, args=(self.name, theirs), daemon=True)
            self._process.start()
            theirs.close()
        self._connection.send(position)
        before = group_seconds(self._process.pid)
        while not self._connection.poll(WATCH_SECONDS):
            if group_seconds(self._process.pid) - before > CPU_LIMIT:
                self.stop()
                return Run(None, 0.0, NO_ANSWER)
        try:
            run = self._connection.recv()
            assert isinstance(run, Run)
            return run
        except EOFError:
            process = self._process
            process.join()
            self.stop()
            code = process.exitcode or 0
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return Run(None, 0.0, f"ended its process: {how}")

    def stop(self) -> None:
        """End its process and what that started."""
        if self._process is not None:
            self._connection.close()
            assert self._process.pid is not None
            with suppress(ProcessLookupError):  # it may have ended, or not yet have its own group
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.join()
            self._process = None


def largest_error(
    position: Position, found: NDArray[np.float64], exact: NDArray[np.float64]
) -> float:
    """Largest absolute difference over the hidden cells."""
    hidden = position.cells == -1
    return float(np.max(np.abs(found[hidden] - exact[hidden]), initial=0.0))
