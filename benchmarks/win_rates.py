"""How often the policies win, beside published rates for the same rules and starts; and how fast.

Goal: not more than 3.5 standard errors (both samples' together) below any published rate, and no
more above without a reason; core-milliseconds a game of "safest" <= 0.2, "pseq" <= 0.5, "survival"
depth 2 <= 1.0 on expert boards; two cores >= 1.8 times the games of one.

    python benchmarks/win_rates.py                        # everything, at one core: half an hour
    python benchmarks/win_rates.py --games 0.01           # a hundredth of the games, printed only
    python benchmarks/win_rates.py --results rates.jsonl  # kept a line a run, and resumed from
    python benchmarks/win_rates.py --only speed

Rates depend on the arguments of `mo.simulate` alone; each line is also, with its own values,
`mineodds simulate 16x30x99 --policy safest --games 200000 --first-click safe --start 0,0 --seed 1`.
Published rates: README of MineSweeperProb (pseq) and README of minesolve (least risk, survival).
They are taken as exact, which makes the goal harder.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import mineodds as mo
from mineodds.results import Counts
from table import markdown, rewrite


@dataclass(frozen=True)
class Start:
    """A board and how the game begins."""

    name: str
    rows: int
    cols: int
    mines: int
    first_click: str
    start: tuple[int, int]


EXPERT = Start("30x16/99", 16, 30, 99, "safe", (0, 0))
STARTS = [
    EXPERT,
    Start("30x16/99", 16, 30, 99, "opening", (3, 3)),
    Start("16x16/40", 16, 16, 40, "safe", (0, 0)),
    Start("16x16/40", 16, 16, 40, "opening", (2, 2)),
    Start("9x9/10", 9, 9, 10, "safe", (0, 0)),
    Start("9x9/10", 9, 9, 10, "opening", (2, 2)),
]

GAMES = {
    "safest": 200_000,
    "pseq": 200_000,
    "survival:depth=2": 50_000,
    "survival:depth=3": 50_000,
}

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

# Core-milliseconds a game that are aimed at, expert boards; and the games timed at a time.
SPEED = {
    "safest": (0.2, 4000),
    "pseq": (0.5, 2000),
    "survival:depth=2": (1.0, 1500),
    "survival:depth=3": (None, 300),
}
PASSES = 5


def play(policy: str, at: Start, games: int, results: Path | None) -> mo.SimulationResult:
    """The games of one run, or what a run before has left of them."""
    wanted = {"policy": str(mo.Policy.parse(policy)), "first_click": at.first_click, "seed": 1}
    wanted |= {"rows": at.rows, "cols": at.cols, "mines": at.mines, "start": list(at.start)}
    if results is not None and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            if all(found[name] == value for name, value in wanted.items()):
                counts = Counts.of(found["counts"])
                if counts.games == games:
                    fields = {name: found[name] for name in ("topology", "seconds", "core_seconds")}
                    fields |= {"start": at.start, "counts": counts, "complete": True}
                    return mo.SimulationResult(**wanted | fields)
    found = mo.simulate(
        *(at.rows, at.cols, at.mines),
        policy=policy,
        games=games,
        first_click=at.first_click,
        start=at.start,
        seed=1,
        workers=1,
        progress=show,
    )
    print("\r", end="", file=sys.stderr)
    if not found.complete:
        raise KeyboardInterrupt
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(found.to_json() + "\n")
    return found


def cells_of(policy: str, at: Start, result: mo.SimulationResult) -> list[str]:
    low, high = result.interval()
    published = PUBLISHED.get((policy, at.name, at.first_click))
    beside = ["", ""]
    if published is not None:
        error = sqrt(result.win_rate * (1 - result.win_rate) / result.games)
        beside = [f"{published:.2%}", f"{(result.win_rate - published) / error:+.1f}"]
    return [
        policy,
        at.name,
        f"{at.first_click} {at.start}",
        f"{result.games:,}",
        f"{result.win_rate:.2%}",
        f"{low:.2%} to {high:.2%}",
        *beside,
        f"{result.guesses_per_game:.2f}",
    ]


RATES_HEADER = ["policy", "board", "first click", "games", "won", "95 %", "published"]
RATES_HEADER += ["s.e. above", "guesses"]
SPEED_HEADER = ["policy", "core-ms a game", "goal", "inferences a game", "two threads"]


def speed() -> list[list[str]]:
    """The least of several passes, each policy in turn: others use the machine too.

    By processor time, two threads with a core each play x times the games of one. What the clock
    says, which other work on the machine spoils, is printed.
    """
    clock: dict[tuple[str, int], float] = {}
    core: dict[tuple[str, int], float] = {}
    solves: dict[str, float] = {}
    for _ in range(PASSES):
        for policy, (_, games) in SPEED.items():
            for workers in (1, 2):
                begin = time.perf_counter()
                result = mo.simulate(
                    *(EXPERT.rows, EXPERT.cols, EXPERT.mines),
                    policy=policy,
                    games=games,
                    start=EXPERT.start,
                    seed=2,
                    workers=workers,
                )
                spent = time.perf_counter() - begin
                key = policy, workers
                clock[key] = min(spent, clock.get(key, spent))
                core[key] = min(result.milliseconds_per_game, core.get(key, sys.float_info.max))
                solves[policy] = result.solves_per_game
    for policy in SPEED:
        print(f"{policy}: two threads x{clock[policy, 1] / clock[policy, 2]:.2f} by the clock")
    return [
        [
            policy,
            f"{core[policy, 1]:.3f}",
            "" if goal is None else f"{goal}",
            f"{solves[policy]:.1f}",
            f"x{2 * core[policy, 1] / core[policy, 2]:.2f}",
        ]
        for policy, (goal, _) in SPEED.items()
    ]


def show(done: int, games: int) -> None:
    print(f"\r{done} of {games} games", end="", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=float, default=1.0, help="part of the games to play")
    parser.add_argument("--only", choices=["rates", "speed"], help="one of the two tables")
    parser.add_argument("--results", type=Path, help="keep results here, and resume from it")
    arguments = parser.parse_args()
    if arguments.only != "speed":
        lines = []
        for policy, games in GAMES.items():
            for at in STARTS:
                part = max(1, int(games * arguments.games))
                lines.append(cells_of(policy, at, play(policy, at, part, arguments.results)))
                print(*lines[-1], sep=" | ", flush=True)
        if arguments.games == 1.0:
            rewrite("wins", markdown(RATES_HEADER, lines))
    if arguments.only != "rates":
        lines = speed()
        for line in lines:
            print(*line, sep=" | ")
        rewrite("speed of play", markdown(SPEED_HEADER, lines))


if __name__ == "__main__":
    main()
