"""The positions that are timed: the corpus under tests/data/corpus, by class.

A class is what stands before the last underscore of a name: ``expert_0017`` belongs to ``expert``,
``lat2x15_0001`` to ``lat2x15``. The corpus's README says how each class was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "corpus"

PLAY = ("beginner", "intermediate", "expert", "big50", "big100")
"""Classes that come from real play; each of the other files holds a whole family of classes."""

FAMILIES = ("lat", "chk", "xien", "rnd")


@dataclass(frozen=True)
class Position:
    """A board to time on: rows of ``#`` and digits, and the number of mines on the whole board."""

    name: str
    mines: int
    rows: tuple[str, ...]

    @property
    def class_name(self) -> str:
        return self.name.rpartition("_")[0]

    @cached_property
    def cells(self) -> NDArray[np.int8]:
        """int8 (rows, cols): -1 hidden, 0 to 8 the number shown."""
        glyphs = np.array([list(row.encode("ascii")) for row in self.rows], dtype=np.int16)
        return np.where(glyphs == ord("#"), -1, glyphs - ord("0")).astype(np.int8)


def load(files: Iterable[str] = PLAY + FAMILIES) -> list[Position]:
    """All positions of the named corpus files, in their order."""
    positions = []
    for name in files:
        with (CORPUS / f"{name}.jsonl").open(encoding="ascii") as lines:
            for line in lines:
                entry = json.loads(line)
                position = Position(entry["name"], entry["mines"], tuple(entry["board"]))
                positions.append(position)
    return positions


def by_class(positions: Iterable[Position]) -> dict[str, list[Position]]:
    """The positions by class, classes in order of appearance."""
    classes: dict[str, list[Position]] = {}
    for position in positions:
        classes.setdefault(position.class_name, []).append(position)
    return classes


def named(name: str) -> Position:
    """The position of that name."""
    return next(position for position in load() if position.name == name)
