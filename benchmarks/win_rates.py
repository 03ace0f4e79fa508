"""How often the policies win, beside published rates for the same rules and starts.

Goal: not more than 3.5 standard errors (both samples' together) below any published rate; and
core-milliseconds a game of "safest" <= 0.2, "pseq" <= 0.5, "survival" depth 2 <= 1.0 on expert
boards.

    python benchmarks/win_rates.py                    # everything, at one core: about two hours
    python benchmarks/win_rates.py --games 0.01       # a hundredth of the games
    python benchmarks/win_rates.py --policy pseq      # one policy

Each line is also `mo.simulate(rows, cols, mines, policy=..., games=..., first_click=...,
start=..., seed=1)`; the rates depend on nothing else. Published rates: README of MineSweeperProb
(pseq; how many games is not said, taken as exact) and README of minesolve (least risk, survival).
"""

import argparse
import sys
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import mineodds as mo


@dataclass(frozen=True)
class Start:
    """A board and how the game begins."""

    name: str
    rows: int
    cols: int
    mines: int
    first_click: str
    start: tuple[int, int]


BEGINNER = [
    Start("9x9/10", 9, 9, 10, "safe", (0, 0)),
    Start("9x9/10", 9, 9, 10, "opening", (2, 2)),
]
INTERMEDIATE = [
    Start("16x16/40", 16, 16, 40, "safe", (0, 0)),
    Start("16x16/40", 16, 16, 40, "opening", (2, 2)),
]
EXPERT = [
    Start("30x16/99", 16, 30, 99, "safe", (0, 0)),
    Start("30x16/99", 16, 30, 99, "opening", (3, 3)),
]
STARTS = [*EXPERT, *INTERMEDIATE, *BEGINNER]

# Policy, games, where.
RUNS = [
    ("safest", 200_000, STARTS),
    ("pseq", 200_000, STARTS),
    ("survival:depth=2", 50_000, EXPERT),
    ("survival:depth=3", 50_000, EXPERT),
]

PUBLISHED = {
    ("safest", "30x16/99", "safe"): 0.390,
    ("pseq", "30x16/99", "safe"): 0.3962,
    ("pseq", "30x16/99", "opening"): 0.5278,
    ("pseq", "16x16/40", "safe"): 0.7812,
    ("pseq", "16x16/40", "opening"): 0.8893,
    ("pseq", "9x9/10", "safe"): 0.9168,
    ("pseq", "9x9/10", "opening"): 0.9715,
    ("survival:depth=2", "30x16/99", "safe"): 0.4027,
    ("survival:depth=3", "30x16/99", "safe"): 0.4068,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=float, default=1.0, help="part of the games to play")
    parser.add_argument("--policy", help="only policies whose text starts with this")
    parser.add_argument("--first-click", help="only this rule")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="append results to this file, a JSON a line")
    arguments = parser.parse_args()
    print("| policy | board | start | games | won | 95 % | published | core-ms | guesses |")
    print("|---|---|---|---|---|---|---|---|---|")
    for policy, games, starts in RUNS:
        if arguments.policy and not policy.startswith(arguments.policy):
            continue
        for at in starts:
            if arguments.first_click and at.first_click != arguments.first_click:
                continue
            result = mo.simulate(
                at.rows,
                at.cols,
                at.mines,
                policy=policy,
                games=max(1, int(games * arguments.games)),
                first_click=at.first_click,
                start=at.start,
                seed=1,
                workers=arguments.workers,
                progress=show,
            )
            print("\r", end="", file=sys.stderr)
            print(line(policy, at, result), flush=True)
            if arguments.out:
                with arguments.out.open("a", encoding="utf-8") as file:
                    file.write(result.to_json() + "\n")
            if not result.complete:
                return


def line(policy: str, at: Start, result: mo.SimulationResult) -> str:
    low, high = result.interval()
    published = PUBLISHED.get((policy, at.name, at.first_click))
    beside = ""
    if published is not None:
        error = sqrt(result.win_rate * (1 - result.win_rate) / result.games)
        beside = f"{published:.2%} ({(result.win_rate - published) / error:+.1f} s.e.)"
    return (
        f"| {policy} | {at.name} | {at.first_click} {at.start} | {result.games:,} "
        f"| {result.win_rate:.2%} | {low:.2%} to {high:.2%} | {beside} "
        f"| {result.milliseconds_per_game:.3f} | {result.guesses_per_game:.2f} |"
    )


def show(done: int, games: int) -> None:
    print(f"\r{done} of {games} games", end="", file=sys.stderr)


if __name__ == "__main__":
    main()
