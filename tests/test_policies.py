"""Every policy against its definition in exact fractions, ties included, on positions of games.

``MINEODDS_POLICY_GAMES=2000 MINEODDS_POLICY_SIDE=8`` plays more games, on boards of up to so many
cells a side, in about five minutes.
"""

import os
import pickle
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import mineodds as mo
import mineodds.policy
from reference import neighbourhoods, policies
from reference.position import Cell, Neighbours, Position, eight_neighbours

GAMES = int(os.environ.get("MINEODDS_POLICY_GAMES", "50"))
SIDE = int(os.environ.get("MINEODDS_POLICY_SIDE", "6"))
MOST_HIDDEN_DEPTH_3 = 10  # the reference's cost grows with the square of what is hidden

POLICIES: list[tuple[str, dict[str, object]]] = [
    ("safest", {"ties": "local"}),
    ("safest", {"ties": "corner"}),
    ("safest", {"ties": "information"}),
    ("safest", {"ties": "progress"}),
    ("safest", {"ties": "first"}),
    ("safest", {"ties": "random"}),
    ("minimax", {}),
    ("minimax", {"tolerance": 0.1}),
    ("information", {}),
    ("information", {"tolerance": 0.05}),
    ("balanced", {"safety": 0.7}),
    ("balanced", {"safety": 0.0}),
    ("progress", {"tolerance": 0.05}),
    ("pseq", {}),
    ("survival", {"depth": 1}),
    ("survival", {"depth": 2}),
    ("survival", {"depth": 3}),
]


def games_positions(
    games: int, topology: str = "rectangle", neighbours: Neighbours = eight_neighbours
) -> Iterator[tuple[mo.Board, Position]]:
    """Every position of random games under all first-click rules, played by changing policies."""
    rng = Random(20)
    least = 1 if topology == "rectangle" else 3
    for seed in range(games):
        rows, cols = rng.randint(least, SIDE), rng.randint(least, SIDE)
        mines = rng.randint(0, int(rows * cols * 0.35))
        rule = ("any", "safe", "opening")[seed % 3]
        game = mo.Game(rows, cols, mines, rule, seed, topology=topology)
        first = rng.randrange(rows), rng.randrange(cols)
        if game.layouts(*first) == 0:
            continue
        game.open(*first)
        while game.state == "playing":
            board = game.board
            yield board, Position(tuple(map(tuple, board.cells.tolist())), mines, neighbours)
            name, options = rng.choice(POLICIES[:-2])
            move = mo.best_move(board, policy=name, **options)
            game.open(move.row, move.col)


def test_policies_agree_with_their_definitions() -> None:
    assert agreements(games_positions(GAMES)) > GAMES


@pytest.mark.parametrize(
    ("topology", "is_next"),
    [("torus", neighbourhoods.torus), ("hexagonal", neighbourhoods.hexagonal)],
)
def test_policies_agree_on_other_boards(topology: str, is_next: neighbourhoods.Next) -> None:
    @cache
    def neighbours(rows: int, cols: int, row: int, col: int) -> list[Cell]:
        others = ((r, c) for r in range(rows) for c in range(cols) if (r, c) != (row, col))
        return [other for other in others if is_next((rows, cols), (row, col), other)]

    assert agreements(games_positions(6, topology, neighbours)) > 6


def agreements(positions: Iterator[tuple[mo.Board, Position]]) -> int:
    """How often a policy was asked; every answer is checked."""
    asked = 0
    for board, position in positions:
        for name, options in POLICIES:
            if options.get("depth") == 3 and len(position.hidden) > MOST_HIDDEN_DEPTH_3:
                continue
            move = mo.best_move(board, policy=name, **options)
            cells, certain = policies.choose(position, name, **options)
            assert move.certain == certain, (position, name, options)
            if certain:
                assert [(c.row, c.col) for c in move.candidates] == cells, (position, name)
                break  # the same for every policy
            chosen = move.row, move.col
            if options.get("ties") == "random":
                assert chosen in cells, (position, name, options)
            else:
                assert chosen == cells[0], (position, name, options)
            check_figures(move, position, name, options)
            asked += 1
    return asked


def check_figures(move: mo.Move, position: Position, name: str, options: dict[str, object]) -> None:
    expected = dict(policies.candidates(position, name, options))
    for candidate in move.candidates:
        exact = expected[candidate.row, candidate.col]
        figures = list(candidate.figures.values())
        if "neighbours" in candidate.figures:
            figures = [-figures[0]]
        assert figures == pytest.approx(list(exact), rel=1e-9, abs=1e-12), (
            position,
            name,
            options,
            candidate,
        )


def test_flags_are_opinions() -> None:
    game = mo.Game(8, 8, 12, "opening", seed=2)
    game.open(4, 4)
    before = game.board
    for row, col in np.argwhere(before.cells == -1).tolist()[::3]:
        game.flag(row, col)
    assert (game.board.cells == -2).any()
    for name, options in POLICIES:
        assert mo.best_move(before, policy=name, **options) == mo.best_move(
            game.board, policy=name, **options
        )


def test_a_policy_cannot_see_the_layout() -> None:
    """Two games that differ only in what is not open give the same move."""
    same = 0
    seen: dict[bytes, tuple[bytes, dict[str, tuple[int, int]]]] = {}
    for index in range(300):
        game = mo.Game(4, 4, 3, "any", seed=9, index=index)
        game.open(1, 1)
        if game.state != "playing":
            continue
        board = game.board
        moves = {
            name: (move.row, move.col)
            for name in mineodds.policy.POLICIES
            for move in [mo.best_move(board, policy=name)]
        }
        first = moves["safest"]
        game.open(*first)
        rest = game.board.cells.tobytes() + bytes([game.state == "lost"])
        other = seen.setdefault(board.cells.tobytes(), (rest, moves))
        assert other[1] == moves
        same += other[0] != rest
    assert same > 10  # the unseen layouts did differ


def revealed_cell(_: mo.Odds) -> tuple[int, int]:
    return 0, 1


def test_best_move_of_what_has_no_move() -> None:
    with pytest.raises(mo.InconsistentBoardError):
        mo.best_move([[1, 0]], mines=1)
    with pytest.raises(ValueError, match="won"):
        mo.best_move([[1, -1]], mines=1)
    with pytest.raises(ValueError, match="won"):
        mo.best_move([[1, -1]], mines=1, policy=revealed_cell)
    with pytest.raises(mo.BoardFormatError):
        mo.best_move([[1, -1]], mines=7)


def test_functions_are_policies() -> None:
    asked = []

    def second(odds: mo.Odds) -> tuple[int, int]:
        asked.append(odds)
        return 0, 2

    certain = mo.best_move([[-1, 1, -1, -1]], mines=1, policy=second)
    assert certain.certain
    assert not asked  # a certain safe cell comes first
    hard = mo.Board([[-1, 1, -1]], mines=1)
    move = mo.best_move(hard, policy=second)
    assert (move.row, move.col, move.probability, move.certain) == (0, 2, 0.5, False)
    assert asked[0].board == hard
    with pytest.raises(ValueError, match="no hidden cell"):
        mo.best_move(hard, policy=revealed_cell)


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("best", {}, ValueError),
        ("safest", {"depth": 2}, TypeError),
        ("safest", {"ties": "luck"}, ValueError),
        ("survival", {"depth": 0}, ValueError),
        ("survival", {"depth": 10**5000}, ValueError),
        ("survival", {"depth": True}, TypeError),
        ("minimax", {"tolerance": 10**5000}, ValueError),
        ("minimax", {"tolerance": -(10**5000)}, ValueError),
        ("minimax", {"tolerance": Fraction(10**400)}, ValueError),
        ("minimax", {"tolerance": None}, TypeError),
        ("balanced", {"safety": 10**400}, ValueError),
        ("safest", {"ties": 10**5000}, ValueError),
        ("survival", {"depth": 1.5}, TypeError),
        ("minimax", {"tolerance": -0.1}, ValueError),
        ("minimax", {"tolerance": float("nan")}, ValueError),
        ("minimax", {"tolerance": "0.1"}, TypeError),
        ("balanced", {"safety": 2}, ValueError),
    ],
)
def test_bad_options_are_refused(
    name: str, options: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        mo.Policy(name, **options)
    [option] = options or ["policy"]
    assert option in str(caught.value)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("wrong", [[10**5000], [["safest"]], [None]])
def test_what_is_no_policy_is_named(wrong: list[Any]) -> None:
    with pytest.raises(
        ValueError, match=r"policy must be one of safest, .* not (.* of type|an integer of|None)"
    ):
        mo.Policy(wrong[0])
    with pytest.raises(TypeError, match="must be a name, a Policy or a function, not"):
        mo.best_move([[-1, 1, -1]], mines=1, policy=wrong[0])


@pytest.mark.parametrize("answer", [None, (0.0, 0), "ab", 3])
def test_functions_must_return_a_cell(answer: object) -> None:
    with pytest.raises(TypeError, match="must return a cell"):
        mo.best_move([[-1, 1, -1]], mines=1, policy=lambda _: answer)  # type: ignore


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"seed": -1}, ValueError),
        ({"seed": 2**64}, ValueError),
        ({"seed": 0.5}, TypeError),
        ({"deadline": -1}, ValueError),
        ({"deadline": float("nan")}, ValueError),
        ({"max_work": 0.0}, mo.BudgetExceeded),
        ({"deadline": 0.0}, mo.DeadlineExceeded),
        ({"policy": None}, TypeError),
    ],
)
def test_bad_arguments_are_refused(wrong: dict[str, Any], error: type[Exception]) -> None:
    cells = [[-1] * 9, [2] * 9, [-1] * 9]
    with pytest.raises(error):
        mo.best_move(cells, mines=8, **wrong)


def test_policies_are_values_with_a_text() -> None:
    policy = mo.Policy("survival", depth=3)
    assert str(policy) == "survival:depth=3"
    assert mo.Policy.parse(str(policy)) == policy == pickle.loads(pickle.dumps(policy))
    assert mo.Policy.parse("safest") == mo.Policy("safest", ties="local")
    with pytest.raises(ValueError, match="option=value"):
        mo.Policy.parse("survival:3")
    board = mo.Board([[-1, 1, -1]], mines=1)
    move = mo.best_move(board, policy=policy)
    assert pickle.loads(pickle.dumps(move)) == move
    with pytest.raises(TypeError, match="options go with"):
        mo.best_move(board, policy=policy, depth=2)
