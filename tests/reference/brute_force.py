"""Brute force: place the mines in every possible way and keep what agrees with the numbers.

Nothing to get wrong, and so the judge of all others; but C(20, 10) is 184,756 placements already.
It knows no frontier, no deep cells and no binomials: a layout is a set of cells, and a number is
right if it counts the mines around it. Layouts and surroundings are bit masks over all cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from reference.answer import Answer, answer_from_layouts
from reference.position import Cell, Position


def solve(position: Position) -> Answer:
    """Exact answer. Cost: C(hidden, mines left) placements, each checked against every number."""

    def mask(cells: Iterable[Cell]) -> int:
        return sum(1 << (row * position.cols + col) for row, col in cells)

    numbers = [
        (value, mask(position.around((row, col))))
        for row, line in enumerate(position.cells)
        for col, value in enumerate(line)
        if value >= 0
    ]
    flags = mask(position.flags)

    solutions = 0
    with_mine = dict.fromkeys(position.hidden, 0)
    # With more flags than mines there is no placement at all.
    placements = (
        combinations(position.hidden, position.mines_left) if position.mines_left >= 0 else ()
    )
    for mines in placements:
        layout = flags | mask(mines)
        if all((layout & around).bit_count() == value for value, around in numbers):
            solutions += 1
            for cell in mines:
                with_mine[cell] += 1
    return answer_from_layouts(position, solutions, with_mine)
