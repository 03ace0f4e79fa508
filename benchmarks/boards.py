"""Larger boards than the corpus has, made from a seed: play, random reveals, lattices.

``in_play`` plays as a person would who is always lucky: an opening first, then every cell that one
clue alone proves safe, and where no clue does, a few safe cells beside the clues. Worklists, so
that a board of a million cells takes seconds: every cell is opened once, and a clue is looked at
again only when something beside it changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXPERT_DENSITY = 99 / 480
GUESSED_SHARE = 0.02
"""Of the safe cells beside clues, how many are opened when no clue proves one."""


@dataclass(frozen=True)
class Board:
    """A board to solve: cells int8 (rows, cols), -1 hidden, 0 to 8 the number shown; all mines."""

    name: str
    cells: NDArray[np.int8]
    mines: int


def numbers(mine: NDArray[np.bool_]) -> NDArray[np.int8]:
    """For each cell, how many of its neighbours are mines."""
    rows, cols = mine.shape
    padded = np.zeros((rows + 2, cols + 2), dtype=np.int8)
    padded[1:-1, 1:-1] = mine
    offsets = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    total = np.zeros((rows, cols), dtype=np.int8)
    for r, c in offsets:
        total += padded[r : r + rows, c : c + cols]
    return total


def layout(
    rows: int, cols: int, mines: int, safe: NDArray[np.bool_], random: np.random.Generator
) -> NDArray[np.bool_]:
    """A uniform layout among those without mines in the safe cells."""
    mine = np.zeros(rows * cols, dtype=np.bool_)
    mine[random.choice(np.flatnonzero(~safe), mines, replace=False)] = True
    return mine.reshape(rows, cols)


def lattice(side: int, share: float, seed: int) -> Board:
    """Side x side, a clue on every second cell both ways, the given share of all cells mines."""
    clue = np.zeros((side, side), dtype=np.bool_)
    clue[1::2, 1::2] = True
    mines = round(share * side * side)
    mine = layout(side, side, mines, clue, np.random.default_rng([seed, side, mines]))
    cells = np.where(clue, numbers(mine), -1).astype(np.int8)
    return Board(f"lat2x{side}at{round(100 * share)}_{seed}", cells, mines)


def random_reveal(rows: int, cols: int, share: float, revealed: float, seed: int) -> Board:
    """Every safe cell revealed with the given probability, without flood fill."""
    mines = round(share * rows * cols)
    random = np.random.default_rng([seed, rows, cols, mines])
    mine = layout(rows, cols, mines, np.zeros((rows, cols), dtype=np.bool_), random)
    shown = ~mine & (random.random((rows, cols)) < revealed)
    cells = np.where(shown, numbers(mine), -1).astype(np.int8)
    return Board(f"reveal{rows}x{cols}at{round(100 * share)}_{seed}", cells, mines)


def in_play(rows: int, cols: int, share: float, seed: int, until: float = 0.5) -> Board:
    """A board that no single clue helps on, with ``until`` of the safe cells open or more."""
    mines = round(share * rows * cols)
    random = np.random.default_rng([seed, rows, cols, mines])
    start = (rows // 2, cols // 2)
    zone = np.zeros((rows, cols), dtype=np.bool_)
    zone[max(start[0] - 1, 0) : start[0] + 2, max(start[1] - 1, 0) : start[1] + 2] = True
    mine = layout(rows, cols, mines, zone, random)
    play = Play(mine)
    play.open(start[0] * cols + start[1])
    play.follow()
    while play.opened < until * (rows * cols - mines):
        for cell in play.guesses(random):
            play.open(cell)
        play.follow()
    cells = np.array(play.shown, dtype=np.int8).reshape(rows, cols)
    return Board(f"play{rows}x{cols}at{round(100 * share)}_{seed}", cells, mines)


class Play:
    """A game in progress, cells numbered row by row, in lists: each is looked at on its own."""

    def __init__(self, mine: NDArray[np.bool_]) -> None:
        self.rows, self.cols = mine.shape
        self.mine: list[bool] = mine.ravel().tolist()
        self.number: list[int] = numbers(mine).ravel().tolist()
        self.shown = [-1] * (self.rows * self.cols)
        self.proven_mine = bytearray(self.rows * self.cols)
        self.changed: list[int] = []  # revealed cells whose surroundings changed
        self.opened = 0

    def around(self, cell: int) -> Iterator[int]:
        row, col = divmod(cell, self.cols)
        for r in range(max(row - 1, 0), min(row + 2, self.rows)):
            for c in range(max(col - 1, 0), min(col + 2, self.cols)):
                if r != row or c != col:
                    yield r * self.cols + c

    def open(self, cell: int) -> None:
        """Open a safe cell, and all around it when it shows 0."""
        assert not self.mine[cell]
        waiting = [cell]
        while waiting:
            cell = waiting.pop()
            if self.shown[cell] >= 0:
                continue
            self.shown[cell] = self.number[cell]
            self.opened += 1
            self.changed.append(cell)
            for other in self.around(cell):
                if self.shown[other] < 0:
                    if self.number[cell] == 0:
                        waiting.append(other)
                elif self.shown[other] > 0:
                    self.changed.append(other)

    def follow(self) -> None:
        """Open what single clues prove safe until none proves anything more."""
        while self.changed:
            clue = self.changed.pop()
            hidden = [cell for cell in self.around(clue) if self.shown[cell] < 0]
            unknown = [cell for cell in hidden if not self.proven_mine[cell]]
            need = self.shown[clue] - (len(hidden) - len(unknown))
            if unknown and need == len(unknown):
                for cell in unknown:
                    self.proven_mine[cell] = 1
                    self.changed += [other for other in self.around(cell) if self.shown[other] > 0]
            elif need == 0:
                for cell in unknown:
                    self.open(cell)

    def guesses(self, random: np.random.Generator) -> list[int]:
        """Some safe hidden cells, beside the clues if there are such, at least one."""
        shown = np.array(self.shown, dtype=np.int8).reshape(self.rows, self.cols)
        safe = (shown < 0) & ~np.array(self.mine).reshape(shown.shape)
        beside = np.flatnonzero(safe & (numbers(shown >= 0) > 0))
        choices = beside if beside.size else np.flatnonzero(safe)
        count = max(1, round(GUESSED_SHARE * choices.size))
        picked: list[int] = random.choice(choices, count, replace=False).tolist()
        return picked
