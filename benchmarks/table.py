"""Remake the tables of benchmarks/README.md: own figures and other programs, the same positions.

    python benchmarks/table.py [--classes NAME ...]

Everything is measured in one run, class by class; a class's figure is the median over its positions
of the CPU time of one answer. Every answer is checked. A peer that twice in one class does not
answer in time is not asked about the rest of that class.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median

from numpy import float64
from numpy.typing import NDArray

import goals
import larger
import own
from corpus import PLAY, Position, by_class, load
from measure import machine, package_version
from peers import CPU_LIMIT, MEMORY_LIMIT, NO_ANSWER, PEERS, Peer, largest_error

README = Path(__file__).parent / "README.md"

PUBLISHED = ("ms-toollib", "zig-minesolver")
REFERENCES = ("bucket elimination (Python)", "enumeration (Python)")
REFERENCE_CLASSES = ("beginner", "intermediate", "expert")
REFERENCE_STEP = 10
"""The references take every tenth position of their classes: they are slow."""

MISSES = 2


@dataclass
class Tally:
    """What a peer did on a class."""

    asked: int = 0
    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def median(self) -> float | None:
        """Median CPU seconds over the positions answered rightly; None if there are none."""
        return median(self.seconds) if self.seconds else None


@dataclass
class Row:
    """One class: own medians in CPU seconds, positions per second, and the peers."""

    name: str
    count: int
    kernel: float
    solve: float
    rate: float
    exact: float
    peers: dict[str, Tally]


def ask(peer: Peer, positions: list[Position], answers: list[NDArray[float64]]) -> Tally:
    """Run a peer over positions and hold its answers against the right ones."""
    tally = Tally()
    for position, answer in zip(positions, answers, strict=True):
        run = peer.run(position)
        tally.asked += 1
        if run.probability is None:
            tally.failures[run.failure] += 1
            if sum(n for said, n in tally.failures.items() if said == NO_ANSWER) >= MISSES:
                break
        elif (error := largest_error(position, run.probability, answer)) > peer.tolerance:
            tally.failures[f"wrong answer, off by {error:.2g}"] += 1
        else:
            tally.seconds.append(run.seconds)
    return tally


def measure_class(name: str, positions: list[Position], peers: dict[str, Peer]) -> Row:
    ours = own.measure(positions)
    answers = ours.probability
    tallies = {}
    for peer_name, peer in peers.items():
        if peer_name in PUBLISHED:
            tallies[peer_name] = ask(peer, positions, answers)
        elif name in REFERENCE_CLASSES:
            some = slice(None, None, REFERENCE_STEP)
            tallies[peer_name] = ask(peer, positions[some], answers[some])
    row = Row(
        name,
        len(positions),
        kernel=median(ours.kernel),
        solve=median(ours.solve),
        rate=ours.rate,
        exact=median(ours.exact),
        peers=tallies,
    )
    peer_words = [f"{peer} {time_words(tally.median)}" for peer, tally in tallies.items()]
    print(f"{name}: solve {time_words(row.solve)}", *peer_words, sep=", ", flush=True)
    return row


def time_words(seconds: float | None) -> str:
    """Three digits and a unit."""
    if seconds is None:
        return "none"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def with_goal(value: float, target: float | None) -> str:
    """A time and, where there is one, the goal it is held to."""
    return time_words(value) + ("" if target is None else f" ({time_words(target)})")


def peer_words(tally: Tally | None, own_seconds: float) -> str:
    """A peer's median, how often it was right, how many times our time that is."""
    if tally is None:
        return "-"
    right = f"{len(tally.seconds)}/{tally.asked}"
    if tally.median is None:
        return f"none, {right}"
    return f"{time_words(tally.median)}, {right}, x{tally.median / own_seconds:.3g}"


def markdown(header: list[str], lines: list[list[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def main_table(rows: list[Row]) -> str:
    header = ["class", "positions", "kernel (goal)", "`solve` (goal)", "exact fractions (goal)"]
    header += ["batch, positions/s (goal)", *PUBLISHED]
    lines = []
    for row in rows:
        rate = goals.goal(goals.BATCH_RATE, row.name)
        lines.append(
            [
                row.name,
                str(row.count),
                with_goal(row.kernel, goals.goal(goals.KERNEL_SECONDS, row.name)),
                with_goal(row.solve, goals.goal(goals.SOLVE_SECONDS, row.name)),
                with_goal(row.exact, goals.goal(goals.EXACT_SECONDS, row.name)),
                f"{row.rate:,.0f}" + ("" if rate is None else f" ({rate:,.0f})"),
                *(peer_words(row.peers.get(peer), row.solve) for peer in PUBLISHED),
            ]
        )
    return markdown(header, lines)


def reference_table(rows: list[Row]) -> str:
    lines = [
        [row.name, *(peer_words(row.peers[name], row.solve) for name in REFERENCES)]
        for row in rows
        if row.name in REFERENCE_CLASSES
    ]
    return markdown(["class", *REFERENCES], lines)


def failure_table(rows: list[Row]) -> str:
    """What the peers got wrong or left unanswered, alike failures together."""
    lines = []
    for row in rows:
        for peer, tally in row.peers.items():
            lines += [
                [row.name, peer, f"{count} of {tally.asked}", what]
                for what, count in tally.failures.most_common()
            ]
    return markdown(["class", "program", "positions", "what happened"], lines)


def larger_table(results: list[larger.Larger]) -> str:
    lines = [
        [
            result.board.name,
            f"{result.board.cells.size:,}",
            f"{result.board.mines:,}",
            f"{result.work:.3g}",
            f"{result.memory / 2**20:,.1f}",
            ("solved in " if result.solved else "refused in ") + time_words(result.seconds),
        ]
        for result in results
    ]
    return markdown(["board", "cells", "mines", "products", "MiB", "what happened"], lines)


def rewrite(name: str, text: str) -> None:
    """Replace what stands between the marks ``<!-- name -->`` and ``<!-- end name -->``."""
    page = README.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->", f"<!-- end {name} -->"
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{README} lacks the marks {start} and {end}")
    README.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Remake the tables of benchmarks/README.md.")
    parser.add_argument("--classes", nargs="*", help="only these, printed and not written")
    options = parser.parse_args()
    classes = by_class(load())
    peers = {name: Peer(name) for name in PEERS}
    try:
        rows = [
            measure_class(name, positions, peers)
            for name, positions in classes.items()
            if options.classes is None or name in options.classes
        ]
    finally:
        for peer in peers.values():
            peer.stop()
    tables = {
        "machine": f"{date.today()}: {machine()}; "
        + ", ".join(f"{name} {package_version(name)}" for name in ("mineodds", *PUBLISHED))
        + f". Peers: at most {CPU_LIMIT} s of CPU and {MEMORY_LIMIT >> 30} GiB.",
        "play": main_table([row for row in rows if row.name in PLAY]),
        "wide": main_table([row for row in rows if row.name not in PLAY]),
        "larger": larger_table([larger.measure(board) for board in larger.boards()]),
        "references": reference_table(rows),
        "failures": failure_table(rows),
    }
    for name, text in tables.items():
        print(text)
        if options.classes is None:
            rewrite(name, text)


if __name__ == "__main__":
    main()
