"""Whole games played by a policy, counted, and two policies compared on the same layouts.

The core plays (cpp/play/simulation.hpp); here ranges of games are handed out: to threads of this
process, or in blocks to any `concurrent.futures.Executor`. Every game depends on (seed, its index)
alone and every count is an integer, so the result is the same for any number of workers. Ranges
are added in order: what Ctrl-C leaves, and what a checkpoint file holds, is games 0 to n - 1.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.checkpoint import Checkpoint
from mineodds.contracts import checked_word, whole_number
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import Cell, shown
from mineodds.game import (
    check_first_click,
    checked_first_click,
    checked_topology,
)
from mineodds.knowledge import checked_mines
from mineodds.odds import MAX_MEMORY, MAX_WORK, solve
from mineodds.policy import Policy, PolicyFunction, as_policy, ask
from mineodds.results import Comparison, Counts, SimulationResult
from mineodds.text import HIDDEN
from mineodds.topology import Topology

Progress = Callable[[int, int], object]

BLOCK = 200  # games that an executor's worker takes at a time
SECONDS_A_CALL = 0.25  # of the core, between reports of progress

_PLAYING, _WON, _LOST = range(3)


@dataclass(frozen=True)
class Setup:
    """What is played: rules, seed and policy. Picklable if the policy is."""

    topology: Topology
    mines: int
    first_click: int
    start: int
    seed: int
    policy: Policy | PolicyFunction

    def describe(self) -> dict[str, Any]:
        """The same in words, to compare and to write down."""
        rows, cols = self.topology.rows, self.topology.cols
        rules = ("any", "safe", "opening")
        return {
            "rows": rows,
            "cols": cols,
            "topology": self.topology.name,
            "mines": self.mines,
            "first_click": rules[self.first_click],
            "start": None if self.start < 0 else list(self.topology.place(self.start)),
            "seed": self.seed,
            "policy": policy_name(self.policy),
        }


def policy_name(policy: Policy | PolicyFunction) -> str:
    """A policy's text, or a function's full name."""
    if isinstance(policy, Policy):
        return str(policy)
    kind = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{kind.__module__}.{kind.__qualname__}"


@dataclass
class Block:
    """What was found in a range of games."""

    counts: Counts
    won: NDArray[np.uint8]
    core_seconds: float


def play_block(setup: Setup, first: int, games: int, workers: int = 1) -> Block:
    """Play games ``first`` to ``first + games - 1``."""
    begin = time.process_time()
    if isinstance(setup.policy, Policy):
        try:
            counts, won = _core.play_games(
                setup.topology.prepared,
                setup.mines,
                setup.first_click,
                setup.start,
                setup.seed,
                setup.policy._compiled(),
                first=first,
                games=games,
                workers=workers,
                max_work=MAX_WORK,
                max_memory=MAX_MEMORY,
            )
        except REFUSALS as error:
            raise Budget(MAX_WORK, MAX_MEMORY).refusal(error) from None
        found = Counts.of(counts)
    else:
        won = np.zeros(games, dtype=np.uint8)
        found = Counts()
        for place in range(games):
            one = _play_with_function(setup, setup.policy, first + place)
            won[place] = one.wins
            found += one
    return Block(found, won, time.process_time() - begin)


def _play_with_function(setup: Setup, policy: PolicyFunction, index: int) -> Counts:
    """One game of a Python function, by the rules of cpp/play/simulation.cpp."""
    topology, mines = setup.topology, setup.mines
    game = _core.Game(topology.prepared, mines, setup.first_click, setup.seed, index)
    guesses = Counts()  # nothing but the guesses
    clicks = solves = lost_at_first_click = 0

    def board() -> Board:
        return Board(game.cells.reshape(topology.shape), mines, topology=topology)

    if game.state == _PLAYING:
        start = setup.start
        if start < 0:
            start = topology.number(ask(policy, solve(board())))
        check_first_click(topology, mines, setup.first_click, start)
        game.open(start)
        clicks += 1
        lost_at_first_click += game.state == _LOST
    while game.state == _PLAYING:
        odds = solve(board())
        solves += 1
        if odds.safe.any():
            for cell in np.flatnonzero(odds.safe).tolist():
                if game.cells[cell] == HIDDEN:
                    game.open(cell)
                    clicks += 1
            continue
        chosen = ask(policy, odds)
        game.open(topology.number(chosen))
        clicks += 1
        risk = float(odds.probability[chosen])
        guesses = guesses.with_guess(risk, guesses.guesses, lost=game.state == _LOST)
    return guesses + Counts(
        games=1,
        wins=int(game.state == _WON),
        lost_at_first_click=lost_at_first_click,
        clicks=clicks,
        solves=solves,
    )


def _set_up(
    rows: int,
    cols: int,
    mines: SupportsIndex,
    policy: Policy | PolicyFunction,
    first_click: str,
    start: Cell | None,
    seed: int,
    topology: Topology | str | None,
) -> Setup:
    topology = checked_topology(rows, cols, topology)
    count = checked_mines(mines, topology.cells)
    rule = checked_first_click(first_click)
    first = -1 if start is None else topology.number(start)
    seed = checked_word("seed", seed)
    if first >= 0 and count < topology.cells:
        check_first_click(topology, count, rule, first)
    return Setup(topology, count, rule, first, seed, policy)


def simulate(
    rows: int,
    cols: int,
    mines: SupportsIndex,
    *,
    policy: str | Policy | PolicyFunction = "pseq",
    games: int,
    first_click: str = "safe",
    start: Cell | None = None,
    seed: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    topology: Topology | str | None = None,
    **options: object,
) -> SimulationResult:
    """Play ``games`` games and count what happened.

    ``start`` is the first click (the policy's choice when not given), ``first_click`` its rule as
    for `Game`. ``workers`` threads of this process (all cores when not given), or blocks of games
    on an ``executor``, whose workers must be able to import mineodds; a Python function as policy
    is played on one thread, or on the executor if it can be pickled. The counts are the same
    either way. ``progress(done, games)`` is called several times a second. Ctrl-C returns what was
    finished, with ``complete`` False. ``checkpoint`` names a file that is kept up to date and
    resumed from; ValueError if it was written for something else or does not add up.

    Raises BoardFormatError if the mines do not fit, as `solve` when a position is over the budget.
    """
    chosen = as_policy(policy, **options)
    setup = _set_up(rows, cols, mines, chosen, first_click, start, seed, topology)
    run = _Run([setup], games, workers, executor, progress, checkpoint)
    run.play()
    return run.result(0)


def compare(
    policy_a: str | Policy | PolicyFunction,
    policy_b: str | Policy | PolicyFunction,
    rows: int,
    cols: int,
    mines: SupportsIndex,
    *,
    games: int,
    first_click: str = "safe",
    start: Cell | None = None,
    seed: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    topology: Topology | str | None = None,
) -> Comparison:
    """Play the same layouts with two policies; arguments as for `simulate`.

    Ctrl-C returns what both have finished, with ``complete`` False in ``a`` and ``b``. Options
    are part of the policies: ``"survival:depth=3"`` or ``Policy("survival", depth=3)``.
    """
    setups = [
        _set_up(rows, cols, mines, as_policy(policy), first_click, start, seed, topology)
        for policy in (policy_a, policy_b)
    ]
    run = _Run(setups, games, workers, executor, progress, checkpoint)
    run.play()
    both, only_a, only_b, neither = run.pairs.tolist()
    return Comparison(run.result(0), run.result(1), both, only_a, only_b, neither)


@dataclass
class _Run:
    """Games 0 to ``games`` - 1 of one setup, or of two side by side."""

    setups: list[Setup]
    games: int
    workers: int | None
    executor: Executor | None
    progress: Progress | None
    checkpoint: str | os.PathLike[str] | None
    done: int = 0
    counts: list[Counts] = field(default_factory=list)
    pairs: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, dtype=np.int64))
    seconds: float = 0.0
    core_seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.games = whole_number("games", self.games)
        if self.games < 1:
            raise ValueError(f"games must be at least 1, not {shown(self.games)}")
        given = self.workers is not None
        self.threads = whole_number("workers", self.workers) if given else available_cores()
        if self.threads < 1:
            raise ValueError(f"workers must be at least 1, not {shown(self.threads)}")
        self.counts = [Counts() for _ in self.setups]
        self.core_seconds = [0.0 for _ in self.setups]
        if not isinstance(self.executor, Executor | None):
            raise TypeError(
                f"executor must be a concurrent.futures.Executor, not {shown(self.executor)}"
            )
        if self.checkpoint is not None:
            self._load(Path(self.checkpoint))
            self._save(Path(self.checkpoint))  # what cannot be written is said before the games

    def play(self) -> None:
        """Play what is left; stop at Ctrl-C."""
        before, begin = self.seconds, time.perf_counter()
        saved = begin
        blocks = self._by_threads() if self.executor is None else self._by_executor(self.executor)
        try:
            for found in blocks:
                self._add(found)
                now = time.perf_counter()
                self.seconds = before + now - begin
                if self.checkpoint is not None and now - saved > 1.0:
                    self._save(Path(self.checkpoint))
                    saved = now
                if self.progress is not None:
                    self.progress(self.done, self.games)
        except KeyboardInterrupt:
            pass  # what was finished is the result
        finally:
            blocks.close()
            if self.checkpoint is not None:
                self._save(Path(self.checkpoint))

    def result(self, which: int) -> SimulationResult:
        """What the games of a setup came to."""
        described = self.setups[which].describe()
        start = described.pop("start")
        return SimulationResult(
            **described,
            start=None if start is None else tuple(start),
            counts=self.counts[which],
            complete=self.done == self.games,
            seconds=self.seconds,
            core_seconds=self.core_seconds[which],
        )

    def _add(self, found: list[Block]) -> None:
        for which, block in enumerate(found):
            self.counts[which] += block.counts
            self.core_seconds[which] += block.core_seconds
        if len(found) == 2:
            a, b = (block.won.astype(np.int64) for block in found)
            self.pairs += np.bincount(3 - 2 * a - b, minlength=4)
        self.done += len(found[0].won)

    def _by_threads(self) -> Generator[list[Block], None, None]:
        size = self.threads
        while self.done < self.games:
            games = min(size, self.games - self.done)
            begin = time.perf_counter()
            yield [play_block(setup, self.done, games, self.threads) for setup in self.setups]
            taken = time.perf_counter() - begin
            # At most four times as many as before: the first games are no measure.
            size = max(self.threads, int(size * min(4.0, SECONDS_A_CALL / max(taken, 1e-6))))

    def _by_executor(self, executor: Executor) -> Generator[list[Block], None, None]:
        waiting: deque[list[Future[Block]]] = deque()
        submitted = self.done
        try:
            while self.done < self.games:
                while submitted < self.games and len(waiting) < 4 * self.threads:
                    games = min(BLOCK, self.games - submitted)
                    waiting.append(
                        [
                            executor.submit(play_block, setup, submitted, games)
                            for setup in self.setups
                        ]
                    )
                    submitted += games
                yield [future.result() for future in waiting.popleft()]
        finally:
            for future in (future for futures in waiting for future in futures):
                future.cancel()

    def _save(self, path: Path) -> None:
        setups = [setup.describe() for setup in self.setups]
        pairs = self.pairs.tolist()
        Checkpoint(setups, self.done, self.counts, pairs, self.seconds, self.core_seconds).save(
            path
        )

    def _load(self, path: Path) -> None:
        found = Checkpoint.load(path)
        if found is None:
            return
        wanted = [setup.describe() for setup in self.setups]
        if found.setups != wanted:
            raise ValueError(f"{path} is a checkpoint of {found.setups}, not of {wanted}")
        if found.done > self.games:
            raise ValueError(
                f"{path} holds {found.done} games, more than the {self.games} asked for"
            )
        self.done = found.done
        self.counts = found.counts
        self.pairs = np.array(found.pairs, dtype=np.int64)
        self.seconds = found.seconds
        self.core_seconds = found.core_seconds


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
