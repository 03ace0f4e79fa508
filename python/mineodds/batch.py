"""Many boards of one shape at once: `solve_many`, on all cores, through the core's fused kernel.

Each board gets the same numbers as from `solve`. What is wrong with a board is its status, never an
exception: one bad board does not spoil a batch.
"""

import enum
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import _core
from mineodds.contracts import Value, whole_number
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import (
    BoardFormatError,
    BudgetExceeded,
    DeadlineExceeded,
    InconsistentBoardError,
    counted,
    shown,
)
from mineodds.knowledge import Chance, checked_mines
from mineodds.odds import MAX_MEMORY, MAX_WORK, solve
from mineodds.text import FLAG
from mineodds.topologies import topology_of
from mineodds.topology import MOST_NEIGHBOURS, Topology

MOST_WORKERS = 1024  # more threads than any machine has cores


class BatchStatus(enum.IntEnum):
    """What became of a board."""

    OK = 0
    INCONSISTENT = 1
    BAD_INPUT = 2
    OVER_BUDGET = 3


@dataclass(frozen=True, eq=False)
class OddsBatch(Value):
    """The answer of `solve_many`; arrays are read-only for good.

    ``probability`` is float64 (n, rows, cols) as `Odds.probability`, all nan for a board that
    failed; ``status`` is uint8 (n,), values of `BatchStatus`.
    """

    probability: NDArray[np.float64]
    status: NDArray[np.uint8]


def solve_many(
    boards: ArrayLike,
    mines: SupportsIndex | ArrayLike | None = None,
    *,
    density: Chance | NDArray[Any] | None = None,
    totals: Mapping[int, Chance] | None = None,
    max_per_cell: SupportsIndex = 1,
    equally_likely: str | None = None,
    workers: SupportsIndex | None = None,
    topology: Topology | str | None = None,
    max_work: float = MAX_WORK,
    max_memory: float = MAX_MEMORY,
    deadline: float | None = None,
) -> OddsBatch:
    """The odds of many boards of one shape.

    ``boards`` is an integer array (n, rows, cols), or (n, *shape) of the ``topology``: -1 hidden,
    -2 flag, otherwise the number shown. ``mines`` is one number, or one for each board; or
    ``density`` or ``totals`` (see `Board`) hold for all boards, which are then solved one after the
    other. Otherwise ``workers`` threads (all cores unless given) share the boards; the answer does
    not depend on how many. The budget is for each board, the ``deadline``, in seconds, for all.

    Raises BoardFormatError when the arrays as a whole are malformed, or one number of mines for all
    of them fits no board (in a list it is that board's status); DeadlineExceeded. Cost: about 10
    microseconds for an expert position on one core.
    """
    usual = topology is None or topology == "rectangle"
    what = f"an integer array of shape (n, {'rows, cols' if usual else '...'})"
    cells = _as_integers("boards", boards, what)
    dimensions_fit = cells.ndim == 3 if usual else cells.ndim > 1
    if not dimensions_fit or 0 in cells.shape[1:]:
        raise BoardFormatError(f"boards must be {what}, not of shape {cells.shape}")
    topology = topology_of(topology, cells.shape[1:])
    largest = min(
        topology.largest_number * whole_number("max_per_cell", max_per_cell), MOST_NEIGHBOURS
    )
    if cells.dtype != np.int8:  # what int8 cannot hold is bad input, whatever it would wrap to
        cells = _within(cells, FLAG, largest, otherwise=-128).astype(np.int8)
    threads = (os.cpu_count() or 1) if workers is None else whole_number("workers", workers)
    if threads < 1:
        raise ValueError(f"workers must be at least 1, not {shown(threads)}")
    budget = Budget.from_now(max_work, max_memory, deadline)
    capacity = whole_number("max_per_cell", max_per_cell)
    counts = None if mines is None else _mine_counts(mines, cells, capacity)
    beyond = density is not None or totals is not None or equally_likely is not None
    if counts is None or beyond or capacity != 1:
        known = {
            "density": density,
            "totals": totals,
            "max_per_cell": capacity,
            "equally_likely": equally_likely,
            "topology": topology,
        }
        return _solve_each(cells, counts, known, largest, budget)
    try:
        probability, status = _core.odds_batch(
            np.ascontiguousarray(cells),
            counts,
            topology.prepared,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
            workers=min(threads, MOST_WORKERS),
            largest_clue=largest,
            deadline=budget.seconds_left,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None
    return OddsBatch(probability, status)


def _mine_counts(
    mines: SupportsIndex | ArrayLike, cells: NDArray[np.int8], capacity: int
) -> NDArray[np.int64]:
    """One number of mines a board; in a list, those that fit no board stay such."""
    what = f"an integer, or one for each of the {counted(len(cells), 'board')}"
    counts = _as_integers("mines", mines, what)
    if counts.shape not in ((), (len(cells),)):
        raise BoardFormatError(f"mines must be {what}, not of shape {counts.shape}")
    most = math.prod(cells.shape[1:]) * capacity
    if counts.shape == ():
        checked_mines(counts.item(), most)
    counts = _within(counts, 0, most, otherwise=-1)
    return np.ascontiguousarray(np.broadcast_to(counts, len(cells)))


def _solve_each(
    cells: NDArray[np.int8],
    counts: NDArray[np.int64] | None,
    known: dict[str, Any],
    largest: int,
    budget: Budget,
) -> OddsBatch:
    """Board by board: the kernel takes fixed totals only."""
    probability = np.full(cells.shape, np.nan)
    status = np.zeros(len(cells), dtype=np.uint8)
    for index, board in enumerate(cells):
        try:
            odds = solve(
                board,
                None if counts is None else int(counts[index]),
                **known,
                max_work=budget.max_work,
                max_memory=budget.max_memory,
                deadline=None if math.isinf(budget.until) else budget.seconds_left,
            )
            probability[index] = odds.probability
        except BoardFormatError:
            fits = counts is None or 0 <= counts[index] <= board.size * known["max_per_cell"]
            if fits and ((board >= -2) & (board <= largest)).all():
                raise  # what is known of all boards is wrong
            status[index] = BatchStatus.BAD_INPUT
        except InconsistentBoardError:
            status[index] = BatchStatus.INCONSISTENT
        except DeadlineExceeded:
            raise
        except BudgetExceeded:
            status[index] = BatchStatus.OVER_BUDGET
    return OddsBatch(probability, status)


def _as_integers(name: str, values: SupportsIndex | ArrayLike, what: str) -> NDArray[Any]:
    """An array of integers of any size; BoardFormatError for everything else."""
    # Only a subclass can be one: to ask for np.ma imports it, for 50 ms.
    plain = type(values) is np.ndarray or not isinstance(values, np.ndarray)
    if not plain and isinstance(values, np.ma.MaskedArray):
        raise BoardFormatError(f"{name} must be {what}, not a masked array: fill it first")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):  # ragged lists, or nothing that is an array
        raise BoardFormatError(f"{name} must be {what}, not {shown(values)}") from None
    if array.dtype.kind == "f" and isinstance(values, list | tuple):
        array = np.asarray(values, dtype=object)  # empty, or integers of 64 bits with small ones
    big = array.dtype.kind == "O" and all(
        isinstance(value, int | np.integer) for value in array.flat
    )
    if (array.dtype.kind not in "iu" and not big) or _has_bool(values):
        raise BoardFormatError(f"{name} must be {what}, not {array.dtype} of shape {array.shape}")
    return array


def _within(array: NDArray[Any], least: int, most: int, otherwise: int) -> NDArray[np.int64]:
    """The integers of a range, and another for all that are outside."""
    inside = (array >= least) & (array <= most)
    return np.where(inside, np.where(inside, array, 0).astype(np.int64), otherwise)


def _has_bool(values: object) -> bool:
    """Whether nested lists hold a True or False, which NumPy reads as 1 or 0 among integers."""
    if isinstance(values, list | tuple):
        return any(map(_has_bool, values))
    return isinstance(values, bool | np.bool_) or getattr(values, "dtype", None) == np.bool_
