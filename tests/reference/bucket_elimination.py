"""Bucket elimination over cells, with dense tables, one elimination for every target.

As in the textbook (Dechter, Bucket elimination: a unifying framework for reasoning, 1999; Koller
& Friedman, Probabilistic Graphical Models, 2009, chapter 9). A *factor* is a table over all
settings of the cells in its *scope*; a setting is a bit mask, 1 for a mine. Each clue is a
factor: 1 where the mines in its scope add up to its need, otherwise 0. To *eliminate* a cell,
multiply all factors that have it in their scope (its bucket) and sum it out; what remains after
all cells but the target is a factor over the target alone.

Entries are polynomials in z whose coefficient k counts configurations with k mines. The trap: a
mine must be counted once, *when its cell is summed out* (the entry with the mine is multiplied by
z), never in a clue, for a cell that two clues share would be counted twice.

A polynomial is kept as one integer, its value at a power of two so large that no coefficient can
spill into the next (Kronecker substitution): a component of n cells has at most 2^n
configurations, so at z = 2^(n + 1) the coefficients are simply the digits. Sums and products are
then those of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference.answer import Answer
from reference.position import Cell, Clue, Component, Position
from reference.totals import Counts, join


@dataclass(frozen=True)
class Factor:
    """table[mask]: the value when exactly the scope's cells with a bit in the mask are mines."""

    scope: tuple[Cell, ...]
    table: list[int]


def solve(position: Position) -> Answer:
    """Exact answer. Cost: targets x cells x 2^(induced width + 1) table entries."""
    return join(position, [count(component) for component in position.components])


def count(component: Component) -> Counts:
    n = len(component.cells)
    digit = n + 1
    z = 1 << digit

    def coefficients(value: int) -> list[int]:
        return [(value >> (digit * k)) & (z - 1) for k in range(n + 1)]

    if n == 0:
        return Counts([int(all(clue.need == 0 for clue in component.clues))], {})
    configurations = []
    with_mine = {}
    for group in component.groups:  # cells of a group have the same clues, hence the same answer
        target = eliminate(component, group[0], z)
        configurations.append(coefficients(target.table[0] + z * target.table[1]))
        with_mine.update(dict.fromkeys(group, coefficients(z * target.table[1])))
    assert all(counts == configurations[0] for counts in configurations)
    return Counts(configurations[0], with_mine)


def eliminate(component: Component, target: Cell, z: int) -> Factor:
    """Sum out every cell but the target."""
    factors = [clue_factor(clue) for clue in component.clues]
    order, _ = min_degree_order(component, target)
    for cell in order:
        bucket = [factor for factor in factors if cell in factor.scope]
        factors = [factor for factor in factors if cell not in factor.scope]
        factors.append(sum_out(multiply(bucket), cell, z))
    return multiply(factors)


def clue_factor(clue: Clue) -> Factor:
    settings = range(1 << len(clue.hidden))
    return Factor(clue.hidden, [int(mask.bit_count() == clue.need) for mask in settings])


def multiply(factors: Sequence[Factor]) -> Factor:
    """The product, over the union of the scopes."""
    scope = tuple(sorted({cell for factor in factors for cell in factor.scope}))
    table = [1] * (1 << len(scope))
    for factor in factors:
        # entry[mask]: where to look in the factor's table for a setting of the whole scope
        entry = [0]
        for cell in scope:
            bit = 1 << factor.scope.index(cell) if cell in factor.scope else 0
            entry += [place | bit for place in entry]
        table = [value * factor.table[place] for value, place in zip(table, entry, strict=True)]
    return Factor(scope, table)


def sum_out(factor: Factor, cell: Cell, z: int) -> Factor:
    """Both settings of the cell added up; the one with a mine counts its mine, only here."""
    bit = 1 << factor.scope.index(cell)
    table = factor.table
    return Factor(
        tuple(other for other in factor.scope if other != cell),
        [table[mask] + z * table[mask | bit] for mask in range(len(table)) if not mask & bit],
    )


def min_degree_order(component: Component, target: Cell) -> tuple[list[Cell], int]:
    """An elimination order that ends before the target, and its induced width.

    Cells are adjacent when a clue has both. Each step takes the cell with the fewest neighbours and
    joins those to each other (*fill-in*), because they now stand in one factor.
    """
    adjacent: dict[Cell, set[Cell]] = {cell: set() for cell in component.cells}
    for clue in component.clues:
        for cell in clue.hidden:
            adjacent[cell] |= set(clue.hidden) - {cell}
    order = []
    width = 0
    while len(adjacent) > 1:
        cell = min((c for c in adjacent if c != target), key=lambda c: (len(adjacent[c]), c))
        around = adjacent.pop(cell)
        for other in around:
            adjacent[other] |= around
            adjacent[other] -= {cell, other}
        order.append(cell)
        width = max(width, len(around))
    return order, width
