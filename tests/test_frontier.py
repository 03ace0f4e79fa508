"""Splitting boards, in batches, against the readable splitting of the references."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineodds
from mineodds.frontier import Frontier, Problem, split
from mineodds.topology import Rectangle, Topology
from positions import position_of, positions
from reference import Position

CORPUS = Path(__file__).parent / "data" / "corpus"


def split_one(position: Position) -> Frontier:
    cells = np.array([position.cells], dtype=np.int8)
    return split(cells, Rectangle(position.rows, position.cols))


def clues_of(problem: Problem) -> list[tuple[int, tuple[int, ...], int]]:
    """Each clue as its cell, the hidden cells around it and its need."""
    start = problem.clue_start
    return [
        (int(clue), tuple(problem.cell[problem.clue_cell[start[i] : start[i + 1]]]), int(need))
        for i, (clue, need) in enumerate(zip(problem.clue, problem.clue_need, strict=True))
    ]


@given(positions(spoiled=True))
def test_a_problem_is_what_the_reference_says(position: Position) -> None:
    def number(cell: tuple[int, int]) -> int:
        return cell[0] * position.cols + cell[1]

    problem = split_one(position).problem(0)
    expected = [
        (number(clue.cell), tuple(map(number, clue.hidden)), clue.need)
        for clue in position.clues
        if clue.hidden
    ]
    assert clues_of(problem) == expected
    assert problem.deep.tolist() == list(map(number, position.deep))
    frontier = set(position.hidden) - set(position.deep)
    assert problem.cell.tolist() == sorted(map(number, frontier))
    assert problem.flags == len(position.flags)
    wrong = [clue for clue in position.clues if not 0 <= clue.need <= len(clue.hidden)]
    assert problem.wrong.tolist() == [number(clue.cell) for clue in wrong]


@given(positions())
def test_components_are_what_the_reference_says(position: Position) -> None:
    labels = split_one(position).components[0].reshape(position.rows, position.cols)
    components = sorted(sorted(part.cells) for part in position.components if part.cells)
    expected = np.full((position.rows, position.cols), -1)
    for label, cells in enumerate(components):
        expected[tuple(zip(*cells, strict=True))] = label
    assert np.array_equal(labels, expected)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 8), st.randoms())
def test_a_batch_is_its_boards(rows: int, cols: int, boards: int, rng: Random) -> None:
    values = [rng.choices((-2, -1, -1, -1, 0, 1, 2, 3), k=rows * cols) for _ in range(boards)]
    cells = np.array(values, dtype=np.int8).reshape(boards, rows, cols)
    batch = split(cells, Rectangle(rows, cols))
    assert batch.components.shape == (boards, rows * cols)
    for board in range(boards):
        alone = split(cells[board : board + 1], Rectangle(rows, cols))
        for name, value in vars(alone.problem(0)).items():
            assert np.array_equal(getattr(batch.problem(board), name), value), name
        assert np.array_equal(batch.components[board], alone.components[0])
        assert np.array_equal(batch.frontier[board], alone.frontier[0])
        assert np.array_equal(batch.deep[board], alone.deep[0])


@given(positions(), st.randoms())
def test_some_of_the_clues(position: Position, rng: Random) -> None:
    problem = split_one(position).problem(0)
    count = len(problem.clue)
    chosen = sorted(rng.sample(range(count), rng.randint(0, count)))
    part = problem.restricted_to(np.array(chosen, dtype=np.int32))
    assert clues_of(part) == [clues_of(problem)[clue] for clue in chosen]
    assert set(part.clue_cell) == set(range(len(part.cell)))


def test_arrays_are_as_the_core_takes_them() -> None:
    problem = split_one(position_of(4, 4, {(0, 0), (3, 3)}, {(1, 1), (2, 1)}, {(3, 3)})).problem(0)
    for array in (problem.cell, problem.clue_start, problem.clue_cell, problem.clue_need):
        assert array.dtype == np.int32
        assert array.flags.c_contiguous


@pytest.mark.parametrize("cells", [np.full((1, 1), -1), np.zeros((1, 1)), np.full((2, 2), -2)])
def test_boards_without_clues_or_without_hidden_cells(cells: np.ndarray) -> None:
    frontier = split(cells[None].astype(np.int8), Rectangle(*cells.shape))
    problem = frontier.problem(0)
    assert len(problem.clue) == len(problem.cell) == len(problem.clue_cell) == 0
    assert problem.clue_start.tolist() == [0]
    assert problem.deep.size == np.count_nonzero(cells == -1)
    assert (frontier.components == -1).all()


def test_cells_without_neighbours() -> None:
    """In any place of the table: sums over nothing are 0."""
    topology = Topology((1, 5), [0, 0, 1, 2, 2, 2], [2, 1])
    problem = split(np.array([[0, -1, 1, 3, -1]], dtype=np.int8), topology).problem(0)
    assert clues_of(problem) == [(2, (1,), 1)]
    assert problem.deep.tolist() == [4]
    assert problem.wrong.tolist() == [3]


@pytest.mark.parametrize("name", ["expert", "big50", "chk", "lat", "xien"])
def test_components_of_the_corpus(name: str) -> None:
    """Counted by the program that made the corpus."""
    for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        board = mineodds.Board.parse("\n".join(record["board"]), record["mines"])
        frontier = split(board.cells[None], board.topology)
        sizes = np.bincount(frontier.components[frontier.frontier])
        found = (int(sizes.sum()), sizes.size, int(sizes.max()))
        assert found == tuple(record[key] for key in ("frontier", "components", "max_component"))


def test_one_component_through_the_whole_board() -> None:
    """Snakes and spirals are where labels travel furthest."""
    snake = np.zeros((41, 41), dtype=np.int8)
    snake[::2] = -1
    snake[1::4, -1] = snake[3::4, 0] = -1
    labels = split(snake[None], Rectangle(41, 41)).components[0].reshape(41, 41)
    assert np.array_equal(labels == 0, snake == -1)
