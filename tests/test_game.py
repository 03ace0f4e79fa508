"""The rules of the game: against a slow model, the stored cases, and the laws of its layouts."""

import json
import pickle
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import mineodds as mo
from reference.game import ANY, OPENING, SAFE, GameModel, below, permutation, random_words

RULES = (ANY, SAFE, OPENING)
CASES = [
    case
    for path in sorted((Path(__file__).parent / "data" / "cases").glob("*.json"))
    if (case := json.loads(path.read_text(encoding="utf-8"))).get("kind") == "generate"
]


def test_a_flagged_cell_stays_closed_whatever_the_first_click_may_be() -> None:
    game = mo.Game(1, 2, 1, "opening", 0)
    assert game.flag(0, 0)
    assert not game.open(0, 0)
    with pytest.raises(mo.BoardFormatError, match="at most 0 mines fit"):
        game.open(0, 1)


class Play(RuleBasedStateMachine):
    """Any sequence of actions gives the same boards as the model."""

    @initialize(
        rows=st.integers(1, 6),
        cols=st.integers(1, 6),
        density=st.floats(0.0, 0.5),
        rule=st.sampled_from(RULES),
        seed=st.integers(0, 2**64 - 1),
        index=st.integers(0, 2**64 - 1),
    )
    def start(self, rows: int, cols: int, density: float, rule: str, seed: int, index: int) -> None:
        mines = int(density * rows * cols)
        self.game = mo.Game(rows, cols, mines, rule, seed, index=index)
        self.model = GameModel(rows, cols, mines, rule, seed, index)
        self.size = rows * cols

    def cell(self, place: int) -> tuple[int, int]:
        return divmod(place % self.size, self.model.cols)

    @rule(place=st.integers(0, 35))
    def open(self, place: int) -> None:
        cell = self.cell(place)
        try:
            expected = self.model.open(cell)
        except ValueError:
            with pytest.raises(mo.BoardFormatError):
                self.game.open(*cell)
        else:
            assert self.game.open(*cell) == expected

    @rule(place=st.integers(0, 35))
    def flag(self, place: int) -> None:
        cell = self.cell(place)
        assert self.game.flag(*cell) == self.model.flag(cell)

    @rule(place=st.integers(0, 35))
    def chord(self, place: int) -> None:
        cell = self.cell(place)
        assert self.game.chord(*cell) == self.model.chord(cell)

    @rule()
    def flag_a_mine_and_chord(self) -> None:
        """Chords are rare otherwise: they need as many flags as the number says."""
        for cell in sorted(self.model.opened):
            closed = [c for c in self.model.around(cell) if c not in self.model.opened]
            for other in closed[: self.model.number(cell)]:
                if other not in self.model.flags:
                    self.flag(other[0] * self.model.cols + other[1])
            self.chord(cell[0] * self.model.cols + cell[1])
            return

    @rule()
    def undo(self) -> None:
        assert self.game.undo() == self.model.undo()

    @rule()
    def pickled(self) -> None:
        self.game = pickle.loads(pickle.dumps(self.game))

    @invariant()
    def same(self) -> None:
        assert self.game.board.cells.tolist() == self.model.cells
        assert self.game.state == self.model.state
        assert self.game.exploded == self.model.exploded
        if self.model.state != "playing":
            mines = map(tuple, np.argwhere(self.game.layout).tolist())
            assert self.model.layout is None or frozenset(mines) == self.model.layout
        else:
            with pytest.raises(ValueError, match="secret"):
                _ = self.game.layout


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=150, stateful_step_count=20, deadline=None)


def test_the_generator_is_the_documented_one() -> None:
    """Golden values: these must never change, or stored seeds would name other games."""
    words = random_words(1, 2, 0)
    assert [next(words) for _ in range(3)] == GOLDEN_WORDS
    assert list(permutation(1, 2, 10)) == GOLDEN_PERMUTATION
    counts = [0] * 3
    for _ in range(3000):
        counts[below(words, 3)] += 1
    assert min(counts) > 900


GOLDEN_WORDS = [9579208193359609190, 5115929806209566993, 9400772252435387239]
GOLDEN_PERMUTATION = [5, 3, 6, 7, 9, 8, 2, 4, 0, 1]


@pytest.mark.parametrize("case", CASES, ids=[case["symptom"] for case in CASES])
def test_stored_cases_of_generating(case: dict[str, Any]) -> None:
    rows, cols, mines = case["rows"], case["cols"], case["mines"]
    first = tuple(case["first_click"])
    rule = SAFE if case["clear"] == "cell" else OPENING
    expect = case["expect"]
    game = mo.Game(rows, cols, mines, rule, seed=0)
    assert game.layouts(*first) == int(expect["layouts"])
    if game.layouts(*first) == 0:
        assert expect["error"] == "bad_input"
        with pytest.raises(mo.BoardFormatError, match="at most"):
            game.open(*first)
        return
    zone = {first} if rule == SAFE else set(GameModel(rows, cols, 0, rule, 0).zone(first))
    chance = Fraction(mines, rows * cols - len(zone))
    assert str(chance) == expect["mine_chance_of_each_other_cell"].removesuffix("/1")
    assert chance == 1
    game.open(*first)
    assert game.state == "won"
    assert {tuple(cell) for cell in np.argwhere(~game.layout).tolist()} == zone


@pytest.mark.parametrize("rule", RULES)
def test_layouts_are_uniform(rule: str) -> None:
    """Every layout that the rule allows comes up, equally often within five standard errors."""
    games = 4000
    seen: dict[bytes, int] = {}
    for index in range(games):
        game = mo.Game(3, 3, 2, rule, seed=11, index=index)
        game.open(0, 0)
        while game.state == "playing":  # to the end, to be told the layout
            game.open(*np.argwhere(game.board.cells == -1)[-1])
        key = game.layout.tobytes()
        seen[key] = seen.get(key, 0) + 1
    layouts = game.layouts(0, 0)
    assert layouts == {ANY: comb(9, 2), SAFE: comb(8, 2), OPENING: comb(5, 2)}[rule]
    assert len(seen) == layouts
    expected = games / layouts
    assert max(abs(count - expected) for count in seen.values()) < 5 * expected**0.5


def test_two_starts_play_nearly_the_same_layout() -> None:
    """The mines are the first outside the zone of one permutation: two zones, two exchanges."""

    def layout(first: tuple[int, int]) -> set[tuple[int, int]]:
        game = mo.Game(8, 8, 12, SAFE, seed=3, index=5)
        game.open(*first)
        rng = Random(0)
        while game.state == "playing":
            game.open(rng.randrange(8), rng.randrange(8))
        return set(map(tuple, np.argwhere(game.layout).tolist()))

    for first in ((0, 0), (4, 4), (7, 3)):
        assert len(layout((2, 5)) - layout(first)) <= 1


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(mo.BoardFormatError, match="from 0 to 4"):
        mo.Game(2, 2, 5)
    with pytest.raises(ValueError, match="any, safe, opening"):
        mo.Game(2, 2, 1, "zero")
    with pytest.raises(ValueError, match="seed"):
        mo.Game(2, 2, 1, seed=-1)
    game = mo.Game(2, 2, 1, seed=1)
    for action in (game.open, game.flag, game.chord):
        with pytest.raises(IndexError, match="outside"):
            action(0, 2)
    with pytest.raises(mo.BoardFormatError, match="topology"):
        mo.Game(2, 2, 1, topology=mo.Rectangle(3, 3))


def test_a_game_without_safe_cells_is_won_at_once() -> None:
    assert mo.Game(2, 2, 4, ANY, seed=1).state == "won"


def test_any_neighbour_table() -> None:
    """A torus: the flood goes around the edge."""
    rows = cols = 5
    start, cell = [0], []
    for r in range(rows):
        for c in range(cols):
            steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
            cell += sorted({(r + a) % rows * cols + (c + b) % cols for a, b in steps})
            start.append(len(cell))
    torus = mo.Topology((rows, cols), start, cell)
    game = mo.Game(rows, cols, 1, OPENING, seed=4, topology=torus)
    game.open(0, 0)
    assert game.state == "won"
    assert pickle.loads(pickle.dumps(game)).board == game.board
