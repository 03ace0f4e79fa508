"""From cells to the problem that the core solves: frontier and deep cells, and clues less flags.

A frontier cell is a hidden cell that touches a clue, a deep cell one that touches none. All of it
is array arithmetic over the neighbour table, for a batch of boards of one topology at once: one
board is a batch of one.

Independent components are found by hooking and pointer jumping (Shiloach & Vishkin, An O(log n)
parallel connectivity algorithm, 1982): every clue hooks the labels around it to the least of them,
labels of labels are followed to their end, and the two repeat until nothing changes. Only when
asked for: the core finds its own.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Problem:
    """The clues of one board over its frontier cells, as the core takes them.

    ``cell`` (frontier cells), ``deep`` and ``clue`` number the cells of the board. Clue ``i`` says
    that ``clue_need[i]`` of ``clue_cell[clue_start[i]:clue_start[i + 1]]``, which are positions in
    ``cell``, are mines. Revealed numbers without a hidden neighbour are no clues; those that are
    wrong already, whatever the hidden cells hold, are in ``wrong``, clues or not.
    """

    cell: Ints
    deep: Ints
    clue: Ints
    clue_start: Ints
    clue_cell: Ints
    clue_need: Ints
    wrong: Ints
    flags: int

    @property
    def arrays(self) -> tuple[int, Ints, Ints, Ints]:
        """What the core takes first: the number of frontier cells, and the clues."""
        return self.cell.size, self.clue_start, self.clue_cell, self.clue_need

    def restricted_to(self, clues: Ints) -> "Problem":
        """The same with these clues alone (positions in ``clue``), over the cells they touch."""
        start = self.clue_start[clues]
        length = self.clue_start[clues + 1] - start
        clue_start = _offsets(length)
        shift = np.repeat(start - clue_start[:-1], length)
        touched, clue_cell = np.unique(
            self.clue_cell[np.arange(clue_start[-1]) + shift], return_inverse=True
        )
        return Problem(
            cell=self.cell[touched],
            deep=self.deep,
            clue=self.clue[clues],
            clue_start=clue_start,
            clue_cell=clue_cell.astype(np.int32),
            clue_need=self.clue_need[clues],
            wrong=self.wrong,
            flags=self.flags,
        )


@dataclass(frozen=True)
class Frontier:
    """The problems of a batch of n boards, one after the other in the same arrays.

    ``frontier``, ``deep`` and ``wrong`` are masks (n, cells). ``cell_first`` and ``clue_first``
    (n + 1) say where the frontier cells and the clues of a board begin; ``clue_cell`` counts
    frontier cells through the whole batch.
    """

    frontier: Bools
    deep: Bools
    wrong: Bools
    flags: Ints
    cell: Ints
    cell_first: Ints
    clue: Ints
    clue_first: Ints
    clue_start: Ints
    clue_cell: Ints
    clue_need: Ints

    def problem(self, board: int) -> Problem:
        """The problem of one board of the batch."""
        cells = slice(*self.cell_first[board : board + 2])
        clues = slice(*self.clue_first[board : board + 2])
        clue_start = self.clue_start[clues.start : clues.stop + 1]
        entries = slice(clue_start[0], clue_start[-1])
        return Problem(
            cell=self.cell[cells],
            deep=np.flatnonzero(self.deep[board]).astype(np.int32),
            clue=self.clue[clues],
            clue_start=clue_start - clue_start[0],
            clue_cell=self.clue_cell[entries] - self.cell_first[board],
            clue_need=self.clue_need[clues],
            wrong=np.flatnonzero(self.wrong[board]).astype(np.int32),
            flags=int(self.flags[board]),
        )

    @cached_property
    def components(self) -> Ints:
        """Labels (n, cells) of the independent components, -1 outside of the frontier.

        Each board counts from 0, in the order of the first cell of a component.
        """
        label = component_labels(self.cell.size, self.clue_start, self.clue_cell)
        # A board's first cell has the first of its labels.
        first = np.repeat(self.cell_first[:-1], np.diff(self.cell_first))
        labels = np.full(self.frontier.shape, -1, dtype=np.int32)
        labels[self.frontier] = label - label[first]
        return labels


def component_labels(cells: int, start: Ints, cell: Ints) -> Ints:
    """Labels (cells,) of what clues join, from 0 in the order of a component's first cell.

    Clue ``i`` joins the cells ``cell[start[i]:start[i + 1]]``, of which there is at least one.
    """
    first = np.arange(cells, dtype=np.int32)
    label = first
    length = np.diff(start)
    while True:
        around = label[cell]
        least = around
        if length.size:
            least = np.repeat(np.minimum.reduceat(around, start[:-1]), length)
        if np.array_equal(least, around):
            break
        hooked = label.copy()
        np.minimum.at(hooked, around, least)
        label = hooked[hooked]
        while not np.array_equal(label, hooked):
            hooked, label = label, label[label]
    rank = np.cumsum(label == first, dtype=np.int32) - np.int32(1)
    labels: Ints = rank[label]
    return labels


def split(cells: NDArray[np.int8], topology: Topology) -> Frontier:
    """Split the hidden cells of boards, int8 (n, rows, cols) or (n, cells), of one topology."""
    _, neighbour = topology.neighbours
    cells = cells.reshape(len(cells), topology.cells)
    hidden = cells == HIDDEN
    flag = cells == FLAG
    shown = cells >= 0
    # The entries of the neighbour table, board by board, that tell a shown cell of a hidden one.
    tells = shown.take(topology.owner, axis=1)
    tells &= hidden.take(neighbour, axis=1)
    entry_board, entry = np.divmod(np.flatnonzero(tells), neighbour.size or 1)
    hidden_around = _counts(entry_board, topology.owner[entry], cells.shape)
    need = cells
    if flag.any():
        flag_board, flagged = np.nonzero(flag.take(neighbour, axis=1))
        need = cells - _counts(flag_board, topology.owner[flagged], cells.shape)
    wrong = shown & ((need < 0) | (need > hidden_around))
    is_clue = hidden_around > 0
    frontier = np.zeros_like(hidden)
    frontier[entry_board, neighbour[entry]] = True
    position = np.cumsum(frontier.ravel(), dtype=np.int32).reshape(frontier.shape) - 1

    return Frontier(
        frontier=frontier,
        deep=hidden & ~frontier,
        wrong=wrong,
        flags=np.count_nonzero(flag, axis=1).astype(np.int32),
        cell=np.nonzero(frontier)[1].astype(np.int32),
        cell_first=_offsets(np.count_nonzero(frontier, axis=1)),
        clue=np.nonzero(is_clue)[1].astype(np.int32),
        clue_first=_offsets(np.count_nonzero(is_clue, axis=1)),
        clue_start=_offsets(hidden_around[is_clue]),
        clue_cell=position[entry_board, neighbour[entry]],
        clue_need=need[is_clue].astype(np.int32),
    )


def _counts(board: NDArray[np.intp], cell: Ints, shape: tuple[int, int]) -> Ints:
    """How often each cell of each board (n, cells) is named."""
    cells = shape[0] * shape[1]
    counts = np.bincount(board * shape[1] + cell, minlength=cells).astype(np.int32)
    return counts.reshape(shape)


def _offsets(lengths: NDArray[np.integer]) -> Ints:
    """Where pieces of these lengths begin, and where the last one ends."""
    offsets = np.zeros(lengths.size + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
