"""A game of Minesweeper to play: `Game`.

The rules and the layouts are the core's (cpp/play/game.hpp). The mines are laid at the first
click, uniformly over the layouts that its rule allows, from a fixed generator: (seed, index) names
one game, the same on every platform. What a player sees is `board`; nothing else of the layout can
be read before the game is over.
"""

import secrets
from math import comb
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.contracts import checked_word, one_of, whole_number
from mineodds.errors import BoardFormatError, Cell
from mineodds.knowledge import checked_mines
from mineodds.text import HIDDEN
from mineodds.topologies import topology_of
from mineodds.topology import Topology, in_words

FIRST_CLICKS = ("any", "safe", "opening")
STATES = ("playing", "won", "lost")


class Game:
    """One game. ``first_click``: "any" (may be a mine), "safe", or "opening" (a 0).

    ``seed`` (0 to 2**64 - 1; drawn when not given) and ``index`` name the layout. Actions return
    whether they changed anything; they change nothing once the game is over. A game is picklable;
    use it from one thread at a time.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        mines: SupportsIndex,
        first_click: str = "safe",
        seed: int | None = None,
        *,
        index: int = 0,
        topology: Topology | str | None = None,
    ) -> None:
        self._topology = checked_topology(rows, cols, topology)
        self._mines = checked_mines(mines, self._topology.cells)
        self._first_click = checked_first_click(first_click)
        self._seed = secrets.randbits(64) if seed is None else checked_word("seed", seed)
        self._index = checked_word("index", index)
        self._actions: list[tuple[str, int]] = []
        self._core = _core.Game(
            self._topology.prepared, self._mines, self._first_click, self._seed, self._index
        )

    @property
    def board(self) -> Board:
        """What the player sees. In a lost game the mine that was opened stays hidden."""
        cells = self._core.cells.reshape(self._topology.shape)
        return Board(cells, self._mines, topology=self._topology)

    @property
    def state(self) -> str:
        """One of "playing", "won" (every safe cell is open) and "lost"."""
        return STATES[self._core.state]

    @property
    def exploded(self) -> Cell | None:
        """The mine that was opened, if the game is lost."""
        cell = self._core.exploded
        return None if cell < 0 else self._topology.place(cell)

    @property
    def layout(self) -> NDArray[np.bool_]:
        """Where the mines are, bool (rows, cols); ValueError while the game goes on."""
        if self.state == "playing":
            raise ValueError("the layout is secret until the game is over")
        if not self._core.laid:  # won from the start: there are mines only
            return np.ones(self._topology.shape, dtype=np.bool_)
        return self._core.layout.reshape(self._topology.shape)

    @property
    def mines(self) -> int:
        """The number of mines."""
        return self._mines

    @property
    def first_click(self) -> str:
        """The rule of the first click."""
        return FIRST_CLICKS[self._first_click]

    @property
    def seed(self) -> int:
        """With `index`, what names the layout."""
        return self._seed

    @property
    def index(self) -> int:
        """The number of the game among those of its seed."""
        return self._index

    def layouts(self, *cell: SupportsIndex) -> int:
        """How many layouts a first click on this cell chooses from, all equally likely."""
        zone = zone_of(self._topology, self._first_click, self._topology.number(cell))
        return comb(self._topology.cells - zone, self._mines)

    def open(self, *cell: SupportsIndex) -> bool:
        """Open a hidden cell, and around every 0 its neighbours; flagged cells stay closed.

        The first one lays the mines; BoardFormatError if the rule leaves too few cells for them.
        """
        number = self._topology.number(cell)
        if not self._core.laid and self._core.cells[number] == HIDDEN:
            check_first_click(self._topology, self._mines, self._first_click, number)
        return self._note(self._core.open(number), "open", number)

    def flag(self, *cell: SupportsIndex) -> bool:
        """Set a flag on a hidden cell, or take it away."""
        number = self._topology.number(cell)
        return self._note(self._core.flag(number), "flag", number)

    def chord(self, *cell: SupportsIndex) -> bool:
        """On a number with as many flags around it: open its other neighbours.

        They are opened in row-major order up to the first mine.
        """
        number = self._topology.number(cell)
        return self._note(self._core.chord(number), "chord", number)

    def undo(self) -> bool:
        """Take back the last action that changed something, the first click included."""
        changed = self._core.undo()
        if changed:
            self._actions.pop()
        return changed

    def _note(self, changed: bool, action: str, cell: int) -> bool:
        if changed:
            self._actions.append((action, cell))
        return changed

    def __reduce__(self) -> tuple[object, ...]:
        setup = (self._topology, self._mines, self.first_click, self._seed, self._index)
        return _restore, (*setup, tuple(self._actions))

    def __repr__(self) -> str:
        return f"<Game {in_words(self._topology.shape)}, {self._mines} mines, {self.state}>"


def _restore(
    topology: Topology,
    mines: int,
    first_click: str,
    seed: int,
    index: int,
    actions: tuple[tuple[str, int], ...],
) -> Game:
    shape = topology.rows, topology.cols
    game = Game(*shape, mines, first_click, seed, index=index, topology=topology)
    for action, cell in actions:
        getattr(game, action)(*topology.place(cell))
    return game


def checked_topology(
    rows: SupportsIndex, cols: SupportsIndex, topology: Topology | str | None
) -> Topology:
    """The topology of a board of this shape; BoardFormatError if they differ.

    Each layer of a box has the rows and columns; a graph has one row.
    """
    rows, cols = whole_number("rows", rows), whole_number("cols", cols)
    if not isinstance(topology, Topology):
        return topology_of(topology, (rows, cols))
    if (topology.rows, topology.cols) != (rows, cols):
        raise BoardFormatError(
            f"the game is {rows}x{cols}, but the topology is {in_words(topology.shape)}"
        )
    return topology


def checked_first_click(first_click: str) -> int:
    """The number of a rule; ValueError if there is none of this name."""
    return FIRST_CLICKS.index(one_of("first_click", first_click, FIRST_CLICKS))


def zone_of(topology: Topology, first_click: int, cell: int) -> int:
    """How many cells a first click keeps free of mines."""
    start, _ = topology.neighbours
    return (0, 1, 1 + int(start[cell + 1] - start[cell]))[first_click]


def check_first_click(topology: Topology, mines: int, first_click: int, cell: int) -> None:
    """Raise BoardFormatError if the first click leaves too few cells for the mines."""
    zone = zone_of(topology, first_click, cell)
    if topology.cells - zone < mines:
        on_plane = len(topology.shape) == 2
        place = dict(zip(("row", "col"), topology.place(cell), strict=False)) if on_plane else {}
        raise BoardFormatError(
            f"first_click={FIRST_CLICKS[first_click]!r} keeps {zone} of {topology.cells} cells "
            f"free: at most {topology.cells - zone} mines fit, not {mines}",
            **place,
        )
