"""`solve_many`: what it answers, what is a status of one board, and what is refused as a whole."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import mineodds
from mineodds import BatchStatus, best_move, solve, solve_many

BOARDS = np.full((4, 3, 3), -1, dtype=np.int8)
BOARDS[:, 1, 1] = [1, 2, 8, 9]


@pytest.mark.parametrize("workers", [None, 1, 2, 10**30])
def test_each_board_as_by_itself(workers: int | None) -> None:
    batch = solve_many(BOARDS, [1, 2, 7, 1], workers=workers)
    statuses = [*2 * [BatchStatus.OK], BatchStatus.INCONSISTENT, BatchStatus.BAD_INPUT]
    assert batch.status.tolist() == statuses
    assert (batch.probability.dtype, batch.status.dtype) == (np.float64, np.uint8)
    for board, mines, probability in zip(BOARDS[:2], [1, 2], batch.probability, strict=False):
        assert np.array_equal(solve(board, mines).probability, probability, equal_nan=True)
    assert np.isnan(batch.probability[2:]).all()


def test_a_board_over_the_budget() -> None:
    assert solve_many(BOARDS[:1], 1, max_work=0).status.tolist() in ([0], [3])
    hard = np.full((1, 9, 31), -1, dtype=np.int8)
    hard[0, 1::2, 1::2] = 2
    assert solve_many(hard, 60, max_work=10).status.tolist() == [BatchStatus.OVER_BUDGET]
    with pytest.raises(mineodds.DeadlineExceeded):
        solve_many(np.repeat(hard, 1000, axis=0), 60, deadline=0.0)


def test_nothing_is_a_batch() -> None:
    batch = solve_many(np.zeros((0, 3, 4), int), [])
    assert (batch.probability.shape, batch.status.shape) == ((0, 3, 4), (0,))


def test_answers_are_read_only_for_good() -> None:
    batch = solve_many(BOARDS, 1)
    for copy in (batch, pickle.loads(pickle.dumps(batch))):
        for array in (copy.probability, copy.status):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


def test_a_total_that_fits_no_board_is_an_error_and_one_of_many_a_status() -> None:
    for mines in (-1, 10, 10**30, -(10**30), 2**64 - 1, np.uint64(2**64 - 1), 10**9000):
        for known in ({}, {"density": np.full((3, 3), 0.5)}):
            with pytest.raises(mineodds.BoardFormatError, match="mines must be from 0 to 9"):
                solve_many(BOARDS[:1], mines, **known)
        several = solve_many(BOARDS[:2], [1, mines]).status.tolist()
        assert several == [BatchStatus.OK, BatchStatus.BAD_INPUT]


@pytest.mark.parametrize("value", [9, -3, 127, 255, 10**30])
def test_values_that_are_no_cell_are_a_status(value: int) -> None:
    batch = solve_many([[[-1, 1]], [[-1, value]]], 1)
    assert batch.status.tolist() == [BatchStatus.OK, BatchStatus.BAD_INPUT]


def test_unsigned_boards() -> None:
    for dtype in (np.uint8, np.uint64):
        batch = solve_many(np.array([[[0, 0]], [[0, 255]]], dtype), 0)
        assert batch.status.tolist() == [BatchStatus.OK, BatchStatus.BAD_INPUT]


@pytest.mark.parametrize(
    "boards",
    [
        [[[1, 2]], [[1]]],
        [[[1, 2], [1]]],
        [[1, 2]],
        [[[True, 1]]],
        np.zeros((1, 2, 2), bool),
        np.zeros((1, 2, 2)),
        np.zeros((1, 0, 2), int),
        np.ma.masked_array([[[1]]], mask=[[[True]]]),
        "##",
        None,
        [],
    ],
)
def test_boards_that_are_no_batch(boards: Any) -> None:
    with pytest.raises(mineodds.BoardFormatError, match="boards must be an integer array"):
        solve_many(boards, 1)


@pytest.mark.parametrize("mines", [True, [True, 1], 1.0, "1", [1], [1, 2, 3], [[1, 2]], [[], 1]])
def test_mines_that_are_no_numbers(mines: Any) -> None:
    with pytest.raises(mineodds.BoardFormatError, match="mines must be an integer, or one for"):
        solve_many(BOARDS[:2], mines)


@pytest.mark.parametrize("workers", [0, -1, -(10**30)])
def test_too_few_workers(workers: int) -> None:
    with pytest.raises(ValueError, match="workers must be at least 1, not "):
        solve_many(BOARDS, 1, workers=workers)


LIMITS = ["max_work", "max_memory", "deadline"]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("call", [solve, solve_many, best_move])
def test_limits(call: Any, limit: str) -> None:
    """Numbers from 0 on, however large; anything else is refused by its name."""
    boards = BOARDS[:1] if call is solve_many else BOARDS[0]
    for value in (10**400, math.inf, np.float32(1e30), np.int64(2**62)):
        assert np.ravel(call(boards, 1, **{limit: value}).probability)[0] == 0.125
    for value in (math.nan, -1, -(10**400), -math.inf):
        with pytest.raises(ValueError, match=f"{limit} must be a number from 0 on, not "):
            call(boards, 1, **{limit: value})
    for value in ("5", True, [1.0], b"1", 1j, np.array([1.0])):
        with pytest.raises(TypeError, match=f"{limit} must be a number, not "):
            call(boards, 1, **{limit: value})


@pytest.mark.parametrize("workers", ["2", True, 1.0, [2]])
def test_workers_that_are_no_number(workers: Any) -> None:
    with pytest.raises(TypeError, match="workers must be an integer, not "):
        solve_many(BOARDS, 1, workers=workers)
