"""Random small positions whose cells are not alike, what `solve` is told, and all their layouts.

Several mines in a cell (both priors), or chances by cell; the number of mines known, distributed,
or unknown; on rectangles and other topologies.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import mineodds as mo
from reference.cell_weights import WeightedLayouts
from reference.neighbourhoods import NEXT, grid
from reference.position import FLAG, HIDDEN, Cell, Neighbours, Position

CHANCES = [Fraction(1, 5), Fraction(1, 2), 0.3, 0.999, Fraction(1, 10**12), 0, 1]

Case = tuple[Position, dict[str, Any], WeightedLayouts]


def neighbourhood(rng: Random) -> tuple[str, Neighbours]:
    """A topology's name and who is next to whom; mostly the usual one."""
    name = rng.choice(("rectangle", "rectangle", *(kind for kind in NEXT if kind != "box")))
    return name, grid(NEXT[name])


def several(seed: int) -> tuple[Random, Case]:
    """A position with several mines in a cell, what `solve` is told, and all its layouts."""
    rng = Random(seed)
    topology, neighbours = neighbourhood(rng)
    capacity = rng.choice((2, 2, 3))
    rows, cols = rng.choice([(1, 4), (2, 3), (3, 3), (2, 4)])
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    held = {cell: rng.choice((0, 0, 1, rng.randint(0, capacity))) for cell in cells}
    most_hidden = 7 if capacity == 2 else 5
    safe = [cell for cell in cells if not held[cell]]
    shown = {cell for cell in safe if rng.random() < 0.5}
    rest = [cell for cell in cells if cell not in shown]
    for cell in rng.sample(rest, max(len(rest) - most_hidden, 0)):
        held[cell] = 0
        shown.add(cell)
    flags = {cell for cell in cells if held[cell] and rng.random() < 0.3}

    def value(cell: Cell) -> int:
        if cell in shown:
            return sum(held[other] for other in neighbours(rows, cols, *cell))
        return FLAG if cell in flags else HIDDEN

    values = tuple(tuple(value((row, col)) for col in range(cols)) for row in range(rows))
    mines = sum(held.values())
    position = Position(values, mines, neighbours)
    kind = rng.choice(("arrangements", "placements"))
    known: dict[str, Any] = {"max_per_cell": capacity, "equally_likely": kind}
    known["topology"] = topology
    count = len(cells)

    def weight(_cell: Cell, j: int) -> Fraction:
        return Fraction(1) if kind == "arrangements" else Fraction(1, math.factorial(j))

    if rng.random() < 0.6:
        known["mines"] = mines

        def total(m: int) -> Fraction:
            return Fraction(m == mines)
    else:
        chance = {mines: 1, rng.randint(0, count): 0.5, rng.randint(0, count): Fraction(1, 3)}
        known["totals"] = chance
        power = [Fraction(1)]
        for _ in range(count):
            wider = [Fraction(0)] * (len(power) + capacity)
            for i, a in enumerate(power):
                for j in range(capacity + 1):
                    wider[i + j] += a * weight((0, 0), j)
            power = wider

        def total(m: int) -> Fraction:
            return Fraction(chance.get(m, 0)) / power[m]

    return rng, (position, known, WeightedLayouts(position, capacity, weight, total))


def unequal(seed: int) -> tuple[Random, Case]:
    """The same with chances by cell, the number of mines known or not."""
    rng = Random(seed)
    topology, neighbours = neighbourhood(rng)
    rows, cols = rng.choice([(1, 6), (2, 4), (3, 3), (3, 4)])
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    few = rng.sample(CHANCES, 3)
    chance = {cell: rng.choice(few) for cell in cells}
    mines = {cell for cell in cells if rng.random() < 0.3 or chance[cell] == 1} - {
        cell for cell in cells if chance[cell] == 0
    }
    shown = {cell for cell in cells if cell not in mines and rng.random() < 0.4}
    flags = {cell for cell in mines if rng.random() < 0.2}

    def value(cell: Cell) -> int:
        if cell in shown:
            return len(mines.intersection(neighbours(rows, cols, *cell)))
        return FLAG if cell in flags else HIDDEN

    values = tuple(tuple(value((row, col)) for col in range(cols)) for row in range(rows))
    fixed = rng.random() < 0.5
    position = Position(values, len(mines), neighbours)
    array = np.empty((rows, cols), dtype=object)
    for cell in cells:
        array[cell] = chance[cell]
    known: dict[str, Any] = {"density": array, "topology": topology}
    if fixed:
        known["mines"] = len(mines)

    def weight(cell: Cell, j: int) -> Fraction:
        if cell in flags:
            return Fraction(1)
        return Fraction(chance[cell]) if j else 1 - Fraction(chance[cell])

    def total(m: int) -> Fraction:
        return Fraction(not fixed or m == len(mines))

    return rng, (position, known, WeightedLayouts(position, 1, weight, total))


KINDS = {"several": several, "unequal": unequal}


def solve(position: Position, known: dict[str, Any]) -> mo.Odds:
    """Its odds."""
    return mo.solve(np.array(position.cells, dtype=np.int8), **known)
