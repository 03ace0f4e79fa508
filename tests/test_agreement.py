"""All routes to an answer must agree, exactly, on every position.

ROUTES below is the one list of them: the pure Python references and the package's own engines. A
new engine is added there and nowhere else. ``assert_agreement`` runs every route that applies to
a position and compares the answers as fractions; a route through the package is checked in
floating point as well: within 1e-12 of the fraction, relative, and exactly 0.0 or 1.0 if and only
if the cell is certain.

MINEODDS_POSITIONS sets how many random positions are run, MINEODDS_SEED the first of their seeds.
A failure prints the seed and the position as text to paste into ``Position.parse`` or ``mineodds
solve -``.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings

import mineodds
from mineodds.engine import METHODS, Budget, elimination
from mineodds.inference import Inference
from mineodds.odds import MAX_MEMORY, MAX_WORK
from positions import position_of, positions, random_position, seeds
from reference import (
    FLAG,
    HIDDEN,
    Answer,
    Cell,
    InconsistentPosition,
    Position,
    brute_force,
    bucket_elimination,
    enumeration,
    gaussian,
    sweep,
)

POSITIONS = len(seeds(600))
FIRST_SEED = int(os.environ.get("MINEODDS_SEED", "0"))
CHUNKS = 20  # random positions are run in this many tests, so that one failure does not hide all
CORPUS = Path(__file__).parent / "data" / "corpus"


@dataclass(frozen=True)
class Route:
    """A way to the answer, and whether it is worth taking: None from ``answer`` is inconsistent."""

    name: str
    answer: Callable[[Position], Answer | None]
    applies: Callable[[Position], bool]


def reference(solve: Callable[[Position], Answer]) -> Callable[[Position], Answer | None]:
    def answer(position: Position) -> Answer | None:
        try:
            return solve(position)
        except InconsistentPosition:
            return None

    return answer


def board_of(position: Position) -> mineodds.Board:
    return mineodds.Board(position.cells, mines=position.mines)


def solve(method: str) -> Callable[[Position], Answer | None]:
    """`solve`; by elimination, its floats come from the fused kernel."""

    def answer(position: Position) -> Answer | None:
        try:
            odds = mineodds.solve(board_of(position), method=method)
        except mineodds.InconsistentBoardError:
            return None
        return answer_of_odds(position, odds, odds.probability)

    return answer


def solve_many(position: Position) -> Answer | None:
    """The fused kernel alone, as it serves batches: `solve` would hide it if it failed."""
    board = board_of(position)
    batch = mineodds.solve_many(board.cells[None], board.mines, workers=1)
    if batch.status[0] == mineodds.BatchStatus.INCONSISTENT:
        assert np.isnan(batch.probability).all()
        return None
    assert batch.status[0] == mineodds.BatchStatus.OK
    return answer_of_odds(position, mineodds.solve(board), batch.probability[0])


def inspectable(position: Position) -> Answer | None:
    """The elimination that shows its plan and answers what is exact: its own floats."""
    board = board_of(position)
    try:
        probability = inspectable_probability(board)
    except mineodds.InconsistentBoardError:
        return None
    return answer_of_odds(position, mineodds.solve(board), probability)


def inspectable_probability(board: mineodds.Board) -> np.ndarray:
    """The floats of the inspectable path; those of the fused kernel are the same to 1e-14."""
    probability = Inference(board, "elimination", Budget(MAX_WORK, MAX_MEMORY)).probability
    fused = mineodds.solve(board).probability
    np.testing.assert_allclose(fused, probability, rtol=1e-14, atol=0.0)
    return probability


def planned(**options: Any) -> Callable[[Position], Answer | None]:
    """The inspectable elimination with a plan of one kind, or masks of some width, forced on it."""

    def answer(position: Position) -> Answer | None:
        with mock.patch.dict(METHODS, elimination=partial(elimination, **options)):
            return inspectable(position)

    return answer


def answer_of_odds(position: Position, odds: mineodds.Odds, probability: np.ndarray) -> Answer:
    """The exact side of an Odds as an Answer, once the floats are seen to say the same."""

    def entry(row: int, col: int) -> Fraction | None:
        value = position.cells[row][col]
        chance = float(probability[row, col])
        if value == HIDDEN:
            exact = odds.fraction(row, col)
            assert is_close(chance, exact), f"{(row, col)}: {chance!r} is not {exact}"
            return exact
        if value == FLAG:
            assert chance == 1.0, f"{(row, col)}: a flag with chance {chance!r}"
            return Fraction(1)
        assert math.isnan(chance), f"{(row, col)}: a revealed cell with chance {chance!r}"
        return None

    answer = Answer(
        solutions=odds.solutions,
        fraction=tuple(
            tuple(entry(row, col) for col in range(position.cols)) for row in range(position.rows)
        ),
        safe=cells_of(odds.safe),
        mine=cells_of(odds.mine),
        best=tuple(tuple(map(int, cell)) for cell in odds.best),
    )
    assert math.isclose(
        odds.log10_solutions, math.log10(answer.solutions), rel_tol=1e-12, abs_tol=1e-12
    )
    if answer.best:
        assert odds.best_probability == odds.probability[answer.best[0]]
    if position.deep:
        assert odds.deep_probability == odds.probability[position.deep[0]]
    return answer


def cells_of(mask: np.ndarray) -> frozenset[Cell]:
    return frozenset((int(row), int(col)) for row, col in zip(*mask.nonzero(), strict=True))


def is_close(chance: float, exact: Fraction) -> bool:
    """Within 1e-12 of the exact chance, relative; and certain exactly when that is."""
    if exact in (0, 1):
        return chance == exact
    return 0.0 < chance < 1.0 and abs(Fraction(chance) - exact) <= exact / 10**12


def always(_: Position) -> bool:
    return True


def few_hidden(position: Position) -> bool:
    return len(position.hidden) <= 18


@lru_cache(maxsize=1)
def few_settings(position: Position) -> bool:
    """No component has many settings of free variables (or configurations, which are fewer)."""
    return all(gaussian.settings(component) <= 20_000 for component in position.components)


def narrow(position: Position) -> bool:
    """No component is wide: tables over cells have at most 2^12 entries."""
    return all(
        bucket_elimination.min_degree_order(component, component.cells[0])[1] < 12
        for component in position.components
        if component.cells
    )


def few_states(position: Position) -> bool:
    """A sweep has few states: positions of this size, and most far larger ones."""
    return all(sweep.bits(component, 5e6) <= 5e6 for component in position.components)


ROUTES = [
    Route("brute force (reference)", reference(brute_force.solve), few_hidden),
    Route("enumeration (reference)", reference(enumeration.solve), few_settings),
    Route("Gaussian elimination (reference)", reference(gaussian.solve), few_settings),
    Route("bucket elimination (reference)", reference(bucket_elimination.solve), narrow),
    Route("sweep (reference)", reference(sweep.solve), few_states),
    Route("solve", solve("elimination"), always),
    Route("solve by enumeration", solve("enumeration"), few_settings),
    Route("solve_many", solve_many, always),
    Route("inspectable elimination", inspectable, always),
    Route("min-fill plan", planned(plan="min-fill"), always),
    Route("linear plan", planned(plan="linear"), always),
    Route("annealed plan", planned(plan="annealed"), always),
    Route("masks of two words", planned(mask_words=2), always),
    Route("masks of four words", planned(mask_words=4), always),
    Route("masks of sixteen words", planned(mask_words=16), always),
    Route("no masks", planned(mask_words=17), always),
    Route("semi-joins", planned(semi_joins=True), always),
    Route(
        "semi-joins of a linear plan, masks of two words",
        planned(semi_joins=True, plan="linear", mask_words=2),
        always,
    ),
]


def assert_agreement(
    position: Position, where: str = "", routes: Sequence[Route] = ROUTES
) -> Counter[str]:
    """Run every route that applies; all answers must be equal. Returns the routes taken."""
    taken: dict[str, Answer | None] = {}
    for route in routes:
        if route.applies(position):
            try:
                taken[route.name] = route.answer(position)
            except Exception as error:
                error.add_note(f"{route.name} failed {where}\n{position}")
                raise
    (first, expected), *others = taken.items()
    for name, answer in others:
        if answer != expected:
            pytest.fail(f"{where}\n{position}\n{difference(first, expected, name, answer)}")
    assert len(taken) >= 3, f"hardly a route for {where}\n{position}"
    return Counter(taken.keys())


def difference(one: str, a: Answer | None, other: str, b: Answer | None) -> str:
    """What two answers disagree on, in words."""
    if a is None or b is None:
        return f"{one if a is None else other} finds no layout, {other if a is None else one} does"
    parts = [f"{one} and {other} differ:"]
    for name in ("solutions", "safe", "mine", "best"):
        x, y = getattr(a, name), getattr(b, name)
        if x != y:
            parts.append(f"  {name}: {x} and {y}")
    for row, (line, other_line) in enumerate(zip(a.fraction, b.fraction, strict=True)):
        for col, (p, q) in enumerate(zip(line, other_line, strict=True)):
            if p != q:
                parts.append(f"  chance at {(row, col)}: {p} and {q}")
    return "\n".join(parts)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_positions(chunk: int) -> None:
    taken: Counter[str] = Counter()
    for seed in range(FIRST_SEED + chunk, FIRST_SEED + POSITIONS, CHUNKS):
        position = random_position(Random(seed), max_hidden=40)
        taken += assert_agreement(position, f"seed {seed}")
    if POSITIONS >= 20 * CHUNKS:
        missing = [route.name for route in ROUTES if not taken[route.name]]
        assert not missing, f"routes that were never taken: {missing}"


@settings(max_examples=60, deadline=None)
@given(positions(max_side=5))
def test_positions_that_shrink(position: Position) -> None:
    assert_agreement(position)


@settings(max_examples=60, deadline=None)
@given(positions(max_side=4, spoiled=True))
def test_spoiled_positions_that_shrink(position: Position) -> None:
    assert_agreement(position)


def far_apart(rng: Random, pieces: int) -> Position:
    """A long board of many small positions, walled off from each other by columns of flags."""
    rows = 4
    mines, revealed, flags = set(), set(), set()
    left = 0
    for _ in range(pieces):
        width = rng.randint(2, 5)
        for row in range(rows):
            for col in range(left, left + width):
                if rng.random() < 0.25:
                    mines.add((row, col))
                elif rng.random() < 0.4:
                    revealed.add((row, col))
        wall = {(row, left + width) for row in range(rows)}
        mines |= wall
        flags |= wall
        left += width + 1
    return position_of(rows, left, mines, revealed, flags)


@pytest.mark.parametrize("seed", range(8))
def test_many_components_meet_in_the_total(seed: int) -> None:
    position = far_apart(Random(seed), pieces=15)
    assert len(position.hidden) > 60
    assert_agreement(position, f"seed {seed}")


def corpus_positions(name: str) -> Iterator[tuple[str, Position]]:
    for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield entry["name"], Position.parse(" ".join(entry["board"]), entry["mines"])


@pytest.mark.parametrize("name", ["beginner", "intermediate"])
def test_corpus(name: str) -> None:
    """Both engines of the package, and the quickest reference, on positions from real play."""
    routes = [route for route in ROUTES if "elimination (reference)" not in route.name]
    for label, position in corpus_positions(name):
        taken = assert_agreement(position, label, routes)
        assert taken["solve"] == taken["solve by enumeration"] == 1, label


@pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.jsonl")))
def test_fused_and_inspectable_path_on_the_corpus(name: str) -> None:
    for label, position in corpus_positions(name):
        probability = inspectable_probability(board_of(position))
        assert np.isfinite(probability).any(), label
