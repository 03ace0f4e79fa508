"""Remake the table of exact answers of large boards in benchmarks/README.md.

    python benchmarks/exact.py

The number of layouts, and then the exact chance of every cell, of boards in play and of boards that
are revealed at random (hundreds of components, or one that covers half of the board). The board is
solved before, in doubles; what is exact begins from nothing. Checked: the chances add up to the
mines and are those of the doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import process_time
from typing import Any

import goals
import mineodds as mo
from boards import EXPERT_DENSITY, Board, in_play, random_reveal
from table import markdown, rewrite, time_words, with_goal

DENSITY = Fraction(1, 5)
RELATIVE_ERROR = 1e-12


def boards() -> Iterator[tuple[str, Board, dict[str, Any]]]:
    """Their names, and what `solve` is told of their mines."""
    for side in (100, 200):
        board = in_play(side, side, EXPERT_DENSITY, 2)
        yield f"{side}x{side} in play", board, {"mines": board.mines}
        yield f"{side}x{side} in play, density 1/5", board, {"density": DENSITY}
    for side, revealed in ((100, 0.2), (100, 0.3), (200, 0.2), (200, 0.3), (200, 0.4)):
        board = random_reveal(side, side, 0.2, revealed, 1)
        yield f"{side}x{side}, {revealed:.0%} revealed", board, {"mines": board.mines}


def measure(name: str, board: Board, known: dict[str, Any]) -> list[str]:
    start = process_time()
    odds = mo.solve(board.cells, **known)
    solved = process_time()
    layouts = odds.solutions
    counted = process_time()
    chances = odds.fractions()[board.cells < 0]
    done = process_time()
    if "mines" in known:
        assert sum(chances) == board.mines
    for chance, found in zip(chances.tolist(), odds.probability[board.cells < 0], strict=True):
        assert abs(Fraction(float(found)) - chance) <= RELATIVE_ERROR * chance
    return [
        name,
        str(int(odds.components.max()) + 1),
        f"{layouts.bit_length():,}",
        time_words(solved - start),
        with_goal(counted - solved, goals.goal(goals.COUNT_SECONDS, name)),
        time_words(done - counted),
    ]


def main() -> None:
    header = ["board", "components", "bits of the count", "`solve`", "`solutions` (goal)"]
    lines = []
    for board in boards():
        lines.append(measure(*board))
        print(*lines[-1], sep=", ", flush=True)
    rewrite("exact", markdown([*header, "`fractions()` after it"], lines))


if __name__ == "__main__":
    main()
