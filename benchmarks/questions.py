"""Remake the table of questions in benchmarks/README.md: whole boards of answers, by class.

    python benchmarks/questions.py

A class's figure is the median over its positions of the CPU time of one answer; the position is
solved before, everything else that the answer needs is in its time. Every answer is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from statistics import median
from time import process_time

import numpy as np

import goals
import mineodds as mo
from corpus import Position, by_class, load
from table import markdown, rewrite, with_goal

CLASSES = ("beginner", "intermediate", "expert", "big50")
SAMPLES = 10_000
STANDARD_ERRORS = 6.0


def plain(position: Position) -> mo.Odds:
    return mo.solve(position.cells, mines=position.mines)


def chance_by_cell(position: Position) -> mo.Odds:
    """Chances in thousandths, hardly two cells alike, and the number of mines known."""
    thousandths = np.random.default_rng(1).integers(100, 300, position.cells.shape)
    density = np.vectorize(lambda k: Fraction(int(k), 1000), otypes=[object])(thousandths)
    return mo.solve(position.cells, mines=position.mines, density=density)


def two_in_a_cell(position: Position) -> mo.Odds:
    known = {"max_per_cell": 2, "equally_likely": "placements"}
    return mo.solve(position.cells, mines=position.mines, **known)


def numbers(odds: mo.Odds) -> None:
    """`numbers` of the whole board; with the chance of a mine they sum to 1."""
    hidden = odds.board.cells < 0
    total = odds.numbers().sum(axis=-1)[hidden] + odds.probability[hidden]
    np.testing.assert_allclose(total, 1.0, rtol=1e-12)


def samples(odds: mo.Odds) -> None:
    """10,000 layouts; all have the mines, and the cells have them as often as they should."""
    layouts = odds.sample(SAMPLES, seed=1)
    assert (layouts[:100].sum(axis=(1, 2)) == odds.board.mines).all()
    hidden = odds.board.cells < 0
    chance = odds.probability[hidden]
    error = np.sqrt(chance * (1.0 - chance) / SAMPLES)
    found = layouts.mean(axis=0)[hidden]
    assert (np.abs(found - chance) <= STANDARD_ERRORS * error).all()


def explanations(odds: mo.Odds) -> None:
    """`explain` of every certain cell."""
    for row, col in np.argwhere(odds.safe | odds.mine).tolist():
        explanation = odds.explain(row, col)
        assert explanation.clues or explanation.total


def after(odds: mo.Odds) -> None:
    """The odds after the best cell shows its likeliest number."""
    cell = odds.best[0]
    opened = odds.after(*cell, int(odds.number(*cell).argmax()))
    assert np.isnan(opened.probability[cell])


def fractions(odds: mo.Odds) -> None:
    """`fractions` of the whole board."""
    chance = odds.fractions()
    hidden = odds.board.cells < 0
    found = chance[hidden].astype(np.float64)
    np.testing.assert_allclose(found, odds.probability[hidden], rtol=1e-12)


Solved = Callable[[Position], mo.Odds]
Question = Callable[[mo.Odds], None]

QUESTIONS: dict[str, tuple[Solved, Question]] = {
    "`numbers()`": (plain, numbers),
    "`numbers()`, a chance by cell": (chance_by_cell, numbers),
    "`numbers()`, two mines in a cell": (two_in_a_cell, numbers),
    "`fractions()`": (plain, fractions),
    "`fractions()`, a chance by cell": (chance_by_cell, fractions),
    "10,000 samples": (plain, samples),
    "`explain`, every certain cell": (plain, explanations),
    "`number` and `after`": (plain, after),
}


def seconds(solved: Solved, question: Question, positions: list[Position]) -> float:
    """Median CPU seconds over the positions."""
    times = []
    for position in positions:
        odds = solved(position)
        start = process_time()
        question(odds)
        times.append(process_time() - start)
    return median(times)


def main() -> None:
    classes = by_class(load(CLASSES))
    lines = []
    for name, (solved, question) in QUESTIONS.items():
        cells = [name]
        for class_name, positions in classes.items():
            goal = goals.QUESTION_SECONDS[name].get(class_name)
            cells.append(with_goal(seconds(solved, question, positions), goal))
        lines.append(cells)
        print(*cells, sep=", ", flush=True)
    rewrite("questions", markdown(["question (goal)", *classes], lines))


if __name__ == "__main__":
    main()
