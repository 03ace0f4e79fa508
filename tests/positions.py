"""Random positions for the tests: seeded by the thousand, and hypothesis strategies that shrink.

A position is made the way a game makes it: mines are laid, some cells are revealed (single ones
here and there, or whole openings by flood fill), some mines are flagged; so it is consistent, and
its own layout is one of its layouts. On request some are then spoiled: a wrong total, a wrong
number, a flag on a safe cell. Spoiled positions may still be consistent; the tests only ask that
all engines agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from random import Random

from hypothesis import strategies as st

from reference.position import FLAG, HIDDEN, Cell, Neighbours, Position, eight_neighbours


def seeds(count: int) -> range:
    """Seeds for so many random positions, or for as many as MINEODDS_POSITIONS says."""
    return range(int(os.environ.get("MINEODDS_POSITIONS", str(count))))


DENSITIES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.2, 0.2, 0.25, 0.25, 0.3, 0.4, 0.6, 0.9)


def position_of(
    rows: int,
    cols: int,
    mines: Collection[Cell],
    revealed: Collection[Cell],
    flags: Collection[Cell] = (),
    neighbours: Neighbours = eight_neighbours,
) -> Position:
    """What a player sees: the numbers of the revealed cells, flags, everything else hidden."""

    def value(cell: Cell) -> int:
        if cell in flags:
            return FLAG
        if cell not in revealed:
            return HIDDEN
        return sum(1 for other in neighbours(rows, cols, *cell) if other in mines)

    cells = tuple(tuple(value((row, col)) for col in range(cols)) for row in range(rows))
    return Position(cells, len(mines), neighbours)


def opening(
    rows: int,
    cols: int,
    mines: Collection[Cell],
    click: Cell,
    neighbours: Neighbours = eight_neighbours,
) -> set[Cell]:
    """The cells that a click on a safe cell reveals: itself, and the surroundings of every 0."""
    revealed = {click}
    todo = [click]
    while todo:
        around = list(neighbours(rows, cols, *todo.pop()))
        if any(other in mines for other in around):
            continue
        fresh = [other for other in around if other not in revealed]
        revealed.update(fresh)
        todo.extend(fresh)
    return revealed


def random_position(
    rng: Random,
    max_hidden: int = 40,
    *,
    max_side: int = 8,
    spoil: float = 0.15,
    neighbours: Neighbours = eight_neighbours,
) -> Position:
    """A random position with at most ``max_hidden`` hidden cells; spoiled with chance ``spoil``."""
    rows, cols = random_shape(rng, max_side)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    density = rng.choice(DENSITIES)
    mines = {cell for cell in cells if rng.random() < density}
    safe = [cell for cell in cells if cell not in mines]

    revealed: set[Cell] = set()
    if safe:
        for _ in range(rng.choice((0, 0, 0, 1, 1, 3))):
            revealed |= opening(rows, cols, mines, rng.choice(safe), neighbours)
        share = rng.choice((0.0, 0.1, 0.2, 0.3, 0.3, 0.4, 0.5, 0.8))
        revealed |= {cell for cell in safe if rng.random() < share}
    share = rng.choice((0.0, 0.0, 0.0, 0.0, 0.2, 0.8))
    flags = {cell for cell in cells if cell in mines and rng.random() < share}

    # Too many hidden cells: reveal or flag some more, as a player further on would have.
    hidden = [cell for cell in cells if cell not in revealed and cell not in flags]
    for cell in rng.sample(hidden, max(len(hidden) - max_hidden, 0)):
        (flags if cell in mines else revealed).add(cell)

    position = position_of(rows, cols, mines, revealed, flags, neighbours)
    if rng.random() < spoil:
        position = rng.choice(SPOILERS)(rng, position)
    return position


def random_shape(rng: Random, max_side: int) -> tuple[int, int]:
    """Rows and columns: mostly a rectangle, sometimes a strip or a single cell."""
    kind = rng.random()
    if kind < 0.02:
        return 1, 1
    if kind < 0.10:
        strip = (1, rng.randint(2, 5 * max_side))
        return strip if rng.random() < 0.5 else (strip[1], 1)
    return rng.randint(3, max_side), rng.randint(2, max_side)


def wrong_total(rng: Random, position: Position) -> Position:
    """Another number of mines, a few more or less, still between none and all cells."""
    mines = position.mines + rng.choice((-3, -2, -1, 1, 2, 3))
    mines = min(max(mines, 0), position.rows * position.cols)
    return Position(position.cells, mines, position.neighbours)


def wrong_number(rng: Random, position: Position) -> Position:
    """One revealed number changed to anything from 0 to 8."""
    revealed = [clue.cell for clue in position.clues]
    return replaced(position, rng.choice(revealed), rng.randint(0, 8)) if revealed else position


def wrong_flag(rng: Random, position: Position) -> Position:
    """A flag on any hidden cell, most likely a safe one."""
    return replaced(position, rng.choice(position.hidden), FLAG) if position.hidden else position


SPOILERS: tuple[Callable[[Random, Position], Position], ...] = (
    wrong_total,
    wrong_number,
    wrong_flag,
)


def replaced(position: Position, cell: Cell, value: int) -> Position:
    """The position with another value in one cell."""
    cells = [list(line) for line in position.cells]
    cells[cell[0]][cell[1]] = value
    return Position(tuple(map(tuple, cells)), position.mines, position.neighbours)


@st.composite
def positions(draw: st.DrawFn, max_side: int = 7, spoiled: bool = False) -> Position:
    """Positions that shrink towards few cells, no mines and nothing revealed.

    Each cell is drawn as one of: hidden, revealed, hidden mine, flagged mine; openings are then
    followed from some of the revealed cells.
    """
    rows = draw(st.integers(1, max_side), label="rows")
    cols = draw(st.integers(1, max_side), label="cols")
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    kinds = draw(
        st.lists(st.sampled_from("######.....***F"), min_size=len(cells), max_size=len(cells)),
        label="kinds",
    )
    mines = {cell for cell, kind in zip(cells, kinds, strict=True) if kind in "*F"}
    flags = {cell for cell, kind in zip(cells, kinds, strict=True) if kind == "F"}
    revealed = {cell for cell, kind in zip(cells, kinds, strict=True) if kind == "."}
    if revealed and draw(st.booleans(), label="flood"):
        for click in sorted(revealed):
            revealed |= opening(rows, cols, mines, click)
    position = position_of(rows, cols, mines, revealed, flags)
    if spoiled:
        position = draw(st.sampled_from(SPOILERS))(draw(st.randoms()), position)
    return position
