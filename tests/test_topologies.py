"""Boards of every kind: their tables, and every question on them against the references."""

import copy
import itertools
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import mineodds as mo
from chances import CLOSE
from mineodds.topologies import GRIDS, NAMES, topology_of
from positions import opening, position_of, seeds
from reference import Position, brute_force
from reference.neighbourhoods import NEXT, flat, graph
from reference.position import Neighbours
from reference.questions import Layouts

KINDS = [*NAMES, "graph"]
SEEDS = seeds(30)


def random_topology(rng: Random, kind: str) -> tuple[mo.Topology, Neighbours]:
    """A small board of the kind, and its neighbours in a row by the reference."""
    if kind == "graph":
        cells = rng.randint(1, 14)
        near: list[list[int]] = [[] for _ in range(cells)]
        for a, b in itertools.combinations(range(cells), 2):
            if rng.random() < 0.3:
                near[a].append(b)
                near[b].append(a)
        return mo.Graph(near), graph(near)
    sides = (1, 2, 2, 3) if kind == "box" else (1, 2, 3, 4, 5)
    shape = tuple(rng.choice(sides) for _ in range(3 if kind == "box" else 2))
    return topology_of(kind, shape), flat(shape, NEXT[kind])


def case_of(kind: str, seed: int, max_hidden: int = 10) -> tuple[Random, mo.Board, Position]:
    """A position on a board of the kind, and the same for the references."""
    rng = Random(f"{kind} {seed}")
    topology, neighbours = random_topology(rng, kind)
    cells = [(0, cell) for cell in range(topology.cells)]
    density = rng.choice((0.0, 0.15, 0.3, 0.5, 0.9))
    mines = {cell for cell in cells if rng.random() < density}
    safe = [cell for cell in cells if cell not in mines]
    revealed = {cell for cell in safe if rng.random() < 0.3}
    if safe and rng.random() < 0.5:
        revealed |= opening(1, len(cells), mines, rng.choice(safe), neighbours)
    flags = {cell for cell in cells if cell in mines and rng.random() < 0.1}
    hidden = [cell for cell in cells if cell not in revealed | flags]
    for cell in rng.sample(hidden, max(len(hidden) - max_hidden, 0)):
        (flags if cell in mines else revealed).add(cell)
    position = position_of(1, len(cells), mines, revealed, flags, neighbours)
    array = np.array(position.cells, dtype=np.int8).reshape(topology.shape)
    return rng, mo.Board(array, position.mines, topology=topology), position


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize(
    "sides", [(1, 1, 1), (1, 2, 3), (2, 2, 2), (3, 1, 2), (4, 5, 3), (3, 3, 4)]
)
def test_tables_are_as_defined(kind: str, sides: tuple[int, int, int]) -> None:
    shape = sides if kind == "box" else sides[:2]
    topology = topology_of(kind, shape)
    start, cell = topology.neighbours
    expected = flat(shape, NEXT[kind])
    for number in range(topology.cells):
        found = cell[start[number] : start[number + 1]].tolist()
        assert found == [other for _, other in expected(1, topology.cells, 0, number)]
    assert mo.Topology(shape, start, cell) == topology  # symmetric, in order, without repeats
    assert pickle.loads(pickle.dumps(topology)) == topology
    assert type(pickle.loads(pickle.dumps(topology))) is type(topology)
    assert [topology.number(topology.place(i)) for i in range(topology.cells)] == list(
        range(topology.cells)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_agrees_with_the_references(kind: str, seed: int) -> None:
    rng, board, position = case_of(kind, seed)
    odds, layouts = mo.solve(board), Layouts(position)
    place = board.topology.place
    answer = brute_force.solve(position)
    assert odds.solutions == answer.solutions == len(layouts.weight_of)
    assert odds.fractions().ravel().tolist() == list(answer.fraction[0])
    assert odds.best == tuple(place(cell) for _, cell in answer.best)
    batch = mo.solve_many(board.cells[None], board.mines, topology=board.topology)
    np.testing.assert_array_equal(batch.probability[0], odds.probability)
    enumerated = mo.solve(board, method="enumeration")
    np.testing.assert_allclose(enumerated.probability, odds.probability, **CLOSE)
    unknown = mo.solve(board.cells, density=0.3, topology=board.topology)
    np.testing.assert_array_equal(np.isnan(unknown.probability), np.isnan(odds.probability))
    numbers = odds.numbers()
    assert numbers.shape == (*board.cells.shape, board.topology.largest_number + 1)
    for cell in position.hidden:
        at = place(cell[1])
        around = set(position.around(cell))
        expected = [
            layouts.chance(lambda m, c=cell, a=around, k=k: c not in m and len(m & a) == k)
            for k in range(numbers.shape[-1])
        ]
        assert odds.number(*at, exact=True).tolist() == expected
        np.testing.assert_allclose(numbers[at], list(map(float, expected)), **CLOSE)
        assert odds.probability[at] == pytest.approx(float(answer.fraction[0][cell[1]]), rel=1e-12)
    found = {tuple(np.flatnonzero(layout).tolist()) for layout in odds.layouts()}
    assert found == {tuple(sorted(cell for _, cell in layout)) for layout in layouts.weight_of}
    if position.hidden:
        at = place(rng.choice(position.hidden)[1])
        explanation = odds.explain(*at)
        assert (explanation.layouts is None) == (odds.probability[at] in (0.0, 1.0))
        given = odds.given(mine=[at]) if odds.probability[at] else odds.given(safe=[at])
        assert given.probability[at] in (0.0, 1.0)
        for number, chance in enumerate(odds.number(*at)):
            if chance:
                after = odds.after(*at, number)
                again = mo.solve(after.board)
                np.testing.assert_allclose(after.probability, again.probability, **CLOSE)


@pytest.mark.parametrize("kind", KINDS)
def test_games_and_moves(kind: str) -> None:
    for seed in range(8):
        rng = Random(seed)
        topology, neighbours = random_topology(rng, kind)
        mines = rng.randint(0, max(topology.cells // 3, 0))
        game = mo.Game(topology.rows, topology.cols, mines, "any", seed=seed, topology=topology)
        while game.state == "playing":
            move = mo.best_move(game.board, policy=rng.choice(["safest", "pseq"]))
            assert game.board.cells[move.cell] == -1
            game.open(*move.cell)
        again = pickle.loads(pickle.dumps(game))
        assert again.board == game.board
        layout = {(0, int(cell)) for cell in np.flatnonzero(game.layout)}
        for cell, value in enumerate(game.board.cells.ravel().tolist()):
            if value >= 0:
                around = neighbours(1, topology.cells, 0, cell)
                assert value == len(layout.intersection(around))


@pytest.mark.parametrize("kind", KINDS)
def test_simulations(kind: str) -> None:
    topology = random_topology(Random(3), kind)[0]
    shape = topology.rows, topology.cols
    mines = topology.cells // 4
    fast = mo.simulate(
        *shape, mines, policy="safest", games=12, first_click="any", topology=topology
    )
    slow = mo.simulate(
        *shape,
        mines,
        policy=lambda odds: odds.best[0],
        games=12,
        first_click="any",
        topology=topology,
        start=topology.place(0),
    )
    assert fast.games == slow.games == 12


@pytest.mark.parametrize("kind", KINDS)
def test_topologies_are_immutable(kind: str) -> None:
    topology = random_topology(Random(1), kind)[0]
    before = pickle.dumps(topology)
    assert topology.largest_number >= 8
    for name in ("shape", "cells", "rows", "neighbours", "largest_number", "name", "steps", "new"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(topology, name, 5)
        with pytest.raises(AttributeError, match="immutable"):
            delattr(topology, name)
    assert isinstance(getattr(topology, "steps", ()), tuple)
    assert pickle.dumps(topology) == before
    for again in (pickle.loads(before), copy.copy(topology), copy.deepcopy(topology)):
        assert again == topology
        assert hash(again) == hash(topology)


@pytest.mark.parametrize("kind", NAMES)
def test_text(kind: str) -> None:
    for seed in range(6):
        _, board, _ = case_of(kind, seed)
        assert mo.Board.parse(str(board)) == board
        assert mo.Board.parse(str(board), topology=kind) == board
        assert mo.Board.parse(str(board), topology=board.topology) == board
        assert mo.solve(board, topology=kind).board == board
        assert pickle.loads(pickle.dumps(board)) == board


def test_text_of_a_board_of_any_shape() -> None:
    """A graph's is one line; others have lines as long as the last axis; the topology is given."""
    topologies = [random_topology(Random(seed), "graph")[0] for seed in range(6)]
    topologies += [mo.Topology(shape, [0] * 17, []) for shape in ((16,), (2, 8), (2, 2, 2, 2))]
    topologies += [mo.Topology((2, 4, 2), [0] * 17, []), mo.Box(2, 1, 3)]
    for topology in topologies:
        cells = np.full(topology.shape, -1)
        cells[topology.place(topology.cells - 1)] = 0
        known: list[dict[str, Any]] = [{"mines": 0}, {"density": cells * -0.5}, {"density": 0.25}]
        for about in known:
            board = mo.Board(cells, topology=topology, **about)
            assert mo.Board.parse(str(board), topology=topology) == board
            assert mo.solve(str(board), topology=topology).board == board
    graph = mo.Graph([[1], [0], []])
    assert mo.solve("###", 1, topology=graph) == mo.solve([-1] * 3, 1, topology=graph)
    for text in ("####", "#\n#\n#", "##", "##\n##", "layers: 1\n###"):
        with pytest.raises(mo.BoardFormatError, match="but the topology is 3"):
            mo.Board.parse(text, 1, topology=graph)
    star = mo.Graph([list(range(1, 128)), *([[0]] * 127)])
    board = mo.Board([35, *[-1] * 127], mines=35, topology=star)
    assert mo.Board.parse(str(board), topology=star) == board
    with pytest.raises(mo.BoardFormatError, match=r"bad character '!'.* '1' to 'z'"):
        mo.Board.parse("!" * 128, 1, topology=star)


def test_the_largest_numbers() -> None:
    """Up to 26 in space, letters in the text; up to 127 in a graph."""
    cells = np.full((3, 3, 3), -1)
    cells[1, 1, 1] = 26
    board = mo.Board(cells, mines=26, topology="box")
    assert "q" in str(board)
    assert mo.solve(board).mine.sum() == 26
    cells[1, 1, 1] = 27
    with pytest.raises(mo.BoardFormatError, match=r"cell \(1, 1, 1\): unknown value 27; .* to 26"):
        mo.Board(cells, mines=26, topology="box")
    star = [list(range(1, 128)), *([[0]] * 127)]
    board = mo.Board([127, *[-1] * 127], mines=127, topology=mo.Graph(star))
    assert mo.solve(board).mine.sum() == 127
    board = mo.Board([100, *[-1] * 127], mines=100, topology=mo.Graph(star))
    assert mo.solve(board).fraction(5) == pytest.approx(100 / 127)
    with pytest.raises(mo.BoardFormatError, match="no glyph"):
        str(board)
    with pytest.raises(mo.BoardFormatError, match="cell 0 has 128 neighbours"):
        mo.Graph([list(range(1, 129)), *([[0]] * 128)])


def test_a_bad_number_in_a_batch_of_boxes() -> None:
    cells = np.full((3, 3, 3, 3), -1)
    cells[0, 1, 1, 1], cells[1, 1, 1, 1] = 26, 27
    batch = mo.solve_many(cells, 26, topology="box")
    assert batch.status.tolist() == [0, 2, 0]
    assert mo.solve_many(cells, density=0.5, topology="box").status.tolist() == [0, 2, 0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mo.Board([[0]], 0, topology="klein"), "topology must be one of rectangle, torus"),
        (
            lambda: mo.Board([[0]], 0, topology="box"),
            "has 3 dimensions, but the cells are 1x1",
        ),
        (lambda: mo.Board([[0]], 0, topology=mo.Torus(2, 1)), "1x1, but the topology is 2x1"),
        (lambda: mo.Board([[0]], 0, topology="graph"), "must be given as topology="),
        (lambda: mo.Graph([[1], []]), "cell 0: its neighbour 1 does not name it back"),
        (lambda: mo.Graph([[0]]), "its neighbour 0 is itself"),
        (lambda: mo.Graph([[1, 1], [0, 0]]), "repeated"),
        (lambda: mo.Graph({1: [2], 2: [1]}), "must be 0 to 1"),
        (lambda: mo.Graph([]), "at least one"),
        (lambda: mo.Torus(0, 3), "at least one row"),
        (lambda: mo.Box(1, 1, 2**31), "may have up to 82595524 cells"),
        (lambda: mo.Board.parse("topology: torus\nmines: 0\n9"), "line 3, column 1: bad character"),
        (lambda: mo.Board.parse("topology: box\nmines: 0\n1"), "line 1, column 11: .* dimensions"),
        (
            lambda: mo.Board.parse("topology: box\nlayers: 2\nmines: 0\n1"),
            "1 rows are not 2 lay",
        ),
        (lambda: mo.Board.parse("topology: torus\nmines: 0\n1", topology="knight"), "not 'torus'"),
        (lambda: mo.Board.parse("layers: 1\nmines: 0\n1"), "two dimensions"),
        (lambda: mo.Game(2, 2, 1, topology=mo.Torus(2, 3)), "the game is 2x2, but .* 2x3"),
        (lambda: mo.solve_many([[[0]]], 0, topology="box"), "has 3 dimensions"),
        (lambda: mo.solve(mo.Board([[0]], 0), topology="torus"), "another topology"),
    ],
)
def test_what_is_refused(make: object, message: str) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        make()  # type: ignore[operator]


def test_cells_outside_say_where() -> None:
    odds = mo.solve(np.full((2, 2, 2), -1), 3, topology="box")
    with pytest.raises(IndexError, match="layer 2 is outside 0 to 1"):
        odds.fraction(2, 0, 0)
    with pytest.raises(IndexError, match="has 3 indices, not 2"):
        odds.fraction(0, 0)
    odds = mo.solve([-1, -1], 1, topology=mo.Graph([[1], [0]]))
    with pytest.raises(IndexError, match="index 2 is outside"):
        odds.number(2)


def test_a_shift_of_a_torus_changes_nothing() -> None:
    for seed in range(20):
        rng, board, _ = case_of("torus", seed)
        step = rng.randint(0, board.rows), rng.randint(0, board.cols)
        moved = mo.Board(np.roll(board.cells, step, (0, 1)), board.mines, topology="torus")
        np.testing.assert_allclose(
            mo.solve(moved).probability, np.roll(mo.solve(board).probability, step, (0, 1)), **CLOSE
        )


def test_names() -> None:
    assert set(NAMES) == {"rectangle", *GRIDS} == set(NEXT)


@pytest.mark.parametrize(
    ("adjacency", "error", "message"),
    [
        ([[1.5], [0]], TypeError, "a neighbour of cell 0 must be an integer, not 1.5"),
        ([["1"], ["0"]], TypeError, "must be an integer, not '1'"),
        ([[True], [0]], TypeError, "must be an integer, not True"),
        ([[1.9], [0.2], []], TypeError, "must be an integer, not 1.9"),
        ([[np.nan]], TypeError, "must be an integer, not nan"),
        ([1], TypeError, "the neighbours of cell 0 must be a sequence, not 1"),
        (None, TypeError, "adjacency must be a sequence or mapping .* not None"),
        ([[10**9000]], mo.BoardFormatError, "about 9,001 digits is not one of the 1 cells"),
        ([[-1]], mo.BoardFormatError, "cell 0: its neighbour -1 is not one of"),
    ],
)
def test_neighbours_of_a_graph_are_integers(
    adjacency: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        mo.Graph(adjacency)


def test_a_graph_of_numpy_integers() -> None:
    assert mo.Graph(np.array([[1], [0]])) == mo.Graph({0: {1}, 1: (np.int8(0),)})
