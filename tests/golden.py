"""Golden counts: remakes data/golden.jsonl by routes that share nothing with the package.

    python tests/golden.py

One line a position of the corpus: how many layouts it has, and a hash of every chance. They come
from ``reference.sweep``, and wherever ``reference.enumeration`` gets there too (``source`` names
both then) the two agree on every fraction. Takes some minutes; test_golden.py compares the file
with `solve` on every run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from reference import Position, enumeration, gaussian, sweep

DATA = Path(__file__).parent / "data"
GOLDEN = DATA / "golden.jsonl"

FROM_PLAY = {"beginner": 12, "intermediate": 12, "expert": 27, "big50": 7, "big100": 4}
"""How many positions of each, evenly spread over the file."""

WIDE = ("lat", "chk", "xien", "rnd")
"""Of these, the first position of every class that the sweep can do."""

MOST_BITS = 5e9
MOST_SETTINGS = 20_000

Entry = dict[str, Any]


def entries(file: str) -> list[Entry]:
    """The positions of a corpus file, in order."""
    lines = (DATA / "corpus" / f"{file}.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines]


def hash_of(chances: Iterable[Fraction]) -> str:
    """SHA-256 of the chances of the hidden cells, row by row, as lines ``a/b`` in lowest terms."""
    lines = "".join(f"{p.numerator}/{p.denominator}\n" for p in chances)
    return hashlib.sha256(lines.encode("ascii")).hexdigest()


def evenly(items: Sequence[Entry], count: int) -> list[Entry]:
    return [items[i * len(items) // count] for i in range(count)]


def chosen() -> Iterator[Entry]:
    for file, count in FROM_PLAY.items():
        yield from evenly(entries(file), count)
    for file in WIDE:
        for _, same in groupby(entries(file), lambda entry: entry["name"].rpartition("_")[0]):
            yield next(same)


def golden(entry: Entry) -> Entry | None:
    """The line for a position; None when the sweep would need too many states."""
    position = Position.parse(" ".join(entry["board"]), entry["mines"])
    try:
        answer = sweep.solve(position, MOST_BITS)
    except sweep.TooWide:
        return None
    source = ["sweep"]
    if all(gaussian.settings(component) <= MOST_SETTINGS for component in position.components):
        assert enumeration.solve(position) == answer, entry["name"]
        source.append("enumeration")
    chances = [answer.fraction[row][col] for row, col in position.hidden]
    return {
        "name": entry["name"],
        "source": source,
        "hidden": len(position.hidden),
        "safe": len(answer.safe),
        "mine": len(answer.mine),
        "fractions": hash_of(chances),
        "solutions": str(answer.solutions),
    }


def main() -> None:
    with GOLDEN.open("w", encoding="ascii") as file:
        for entry in chosen():
            line = golden(entry)
            sys.stderr.write(f"{entry['name']} {'too wide' if line is None else line['source']}\n")
            if line is not None:
                file.write(json.dumps(line) + "\n")
                file.flush()


if __name__ == "__main__":
    main()
