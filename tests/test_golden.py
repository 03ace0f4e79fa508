"""The answers of data/golden.jsonl, found once by independent references, stay the answers."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import mineodds
from golden import FROM_PLAY, GOLDEN, WIDE, Entry, entries, golden, hash_of
from reference import HIDDEN

LINES: list[Entry] = [json.loads(line) for line in GOLDEN.read_text("ascii").splitlines()]
FILES = (*FROM_PLAY, *WIDE)
POSITIONS = {entry["name"]: entry for file in FILES for entry in entries(file)}


@pytest.mark.parametrize("line", [pytest.param(line, id=line["name"]) for line in LINES])
def test_solve(line: Entry) -> None:
    entry = POSITIONS[line["name"]]
    board = mineodds.Board.parse("\n".join(entry["board"]), mines=entry["mines"])
    odds = mineodds.solve(board)
    hidden = np.argwhere(board.cells == HIDDEN).tolist()
    assert len(hidden) == line["hidden"]
    assert odds.solutions == int(line["solutions"])
    assert (odds.safe.sum(), odds.mine.sum()) == (line["safe"], line["mine"])
    chances = [odds.fraction(row, col) for row, col in hidden]
    assert hash_of(chances) == line["fractions"]


def test_every_class_is_there() -> None:
    names = {line["name"] for line in LINES}
    assert len(LINES) == len(names) == 100
    files = {file for file in FILES for entry in entries(file) if entry["name"] in names}
    assert files == set(FILES)
    assert sum("enumeration" in line["source"] for line in LINES) >= 50


def test_the_file_is_what_its_script_makes() -> None:
    """Of some quick positions: the script still gives the lines that are stored."""
    for line in LINES[:: len(LINES) // 10]:
        if line["hidden"] < 250:
            assert golden(POSITIONS[line["name"]]) == line


def test_the_hash_is_of_plain_text() -> None:
    r"""So anybody can remake one: printf '0/1\n1/2\n1/1\n' | sha256sum."""
    assert hash_of([Fraction(0), Fraction(1, 2), Fraction(1)]) == (
        "be7f3e49fd5c23c84bca85e5de3ab3fdbdf064bee80a8ccfa6105fb81d0e1267"
    )
