"""Gaussian elimination over the rationals, then enumeration of the free variables.

Every clue is a linear equation: the mines of its groups add up to its need. Row reduction turns
the equations into as many *pivot* variables as there are independent equations, each given by the
*free* variables to its right. Setting the free variables in every possible way, and keeping what
makes every pivot a whole number between 0 and the size of its group, gives all configurations.

The trap: back-substitution may read a variable only after it was set. In a row

    x1 = b - a2 x2 - a3 x3 - ...

all of x2, x3, ... must have values before x1 gets one, free variables included; a program that
goes through the rows and takes what is not set yet for 0 finds one configuration where there are
many. On a 3x3 board with a revealed 1 in the middle and one mine it says that one certain cell is
the mine, instead of 1/8 for each of the eight. So the walk below goes over *columns*, from the
last to the first, and meets each variable, pivot or free, after everything that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from reference.answer import Answer
from reference.position import Component, Position
from reference.totals import Counts, counts_from_groups, join


def solve(position: Position) -> Answer:
    """Exact answer. Cost: the settings of the free variables, component by component."""
    return join(position, [count(component) for component in position.components])


def count(component: Component) -> Counts:
    return counts_from_groups(component.groups, list(configurations(component)))


def equations(component: Component) -> list[list[Fraction]]:
    """One row for each clue: 1 at the groups it touches, and its need as the right-hand side."""
    return [
        [Fraction(int(group[0] in clue.hidden)) for group in component.groups]
        + [Fraction(clue.need)]
        for clue in component.clues
    ]


def reduce(rows: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[int]]:
    """Reduced row echelon form without its zero rows, and the pivot column of each row.

    The right-hand side takes part like a column: when it has a pivot, a row says 0 = 1.
    """
    rows = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        top = len(pivots)
        found = next((i for i in range(top, len(rows)) if rows[i][column] != 0), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        rows[top] = [x / rows[top][column] for x in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[column] != 0:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def configurations(component: Component) -> Iterator[list[int]]:
    """Every way to spread mines over the groups of a component that agrees with its clues."""
    sizes = [len(group) for group in component.groups]
    rows, pivots = reduce(equations(component))
    if len(sizes) in pivots:  # 0 = 1
        return iter(())
    row_of = dict(zip(pivots, rows, strict=True))
    mines = [0] * len(sizes)

    def walk(column: int) -> Iterator[list[int]]:
        """Set this column and those to its left; those to its right are set."""
        if column < 0:
            yield list(mines)
        elif column in row_of:
            row = row_of[column]
            right = range(column + 1, len(sizes))
            value = row[-1] - sum(row[i] * mines[i] for i in right if row[i] != 0)
            if value.denominator == 1 and 0 <= value <= sizes[column]:
                mines[column] = int(value)
                yield from walk(column - 1)
        else:
            for value in range(sizes[column] + 1):
                mines[column] = value
                yield from walk(column - 1)

    return walk(len(sizes) - 1)


def settings(component: Component) -> int:
    """How many settings of the free variables there are at most: the predicted cost."""
    _, pivots = reduce(equations(component))
    product = 1
    for column, group in enumerate(component.groups):
        if column not in pivots:
            product *= len(group) + 1
    return product
