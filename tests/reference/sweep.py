"""Sweeping across the board: one group of cells after another, the clues' open needs as the state.

The dynamic programming that counts tilings and self-avoiding walks on strips ("transfer matrix",
Kasteleyn 1961; "broken profile" in programming contests; for Minesweeper as constraints over paths,
Golan, Minesweeper on graphs, 2011). Groups of cells are decided in the order of the shorter side
of the component. After some of them, only what every clue *still needs* matters for the rest: that
is the state. ``before[i][state]`` counts the ways to decide the first i groups that end in a state,
``after`` the ways to finish from one. A group's cells have a mine in

    sum over states and m of  before[i][state] C(s - 1, m - 1) z^m after[i + 1][state less m]

configurations. No table over cells, no elimination order, no search: a route of its own, and the
only one in pure Python that reaches boards whose clues form one wide tangle.

Polynomials are integers, evaluated at a large power of two, as in ``bucket_elimination``. The
state is an integer too: four bits for each clue of the component.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb

from reference.answer import Answer
from reference.position import Cell, Component, Position
from reference.totals import Counts, join

MOST_NEED = 15  # four bits


class TooWide(Exception):
    """More than the caller wanted to spend."""


def solve(position: Position, most_bits: float = 8e9) -> Answer:
    """Exact answer. Cost: groups x states, which grow exponentially with the shorter side.

    ``most_bits``: of all polynomials of a component; TooWide is raised before any is made.
    """
    for component in position.components:
        if bits(component, most_bits) > most_bits:
            raise TooWide(f"more than {most_bits:g} bits")
    return join(position, [count(component) for component in position.components])


def bits(component: Component, most: float) -> int:
    """What the polynomials of all states take; counted until it is more than ``most``."""
    if is_impossible(component):
        return 0
    start, steps = start_and_steps(component)
    layer = {start}
    total = 0
    for step in steps:
        layer = {following for state in layer for _, following in step.choices(state)}
        total += len(layer) * len(component.cells) ** 2
        if total > most:
            break
    return total


def is_impossible(component: Component) -> bool:
    """Whether some clue alone cannot hold."""
    return any(not 0 <= clue.need <= len(clue.hidden) for clue in component.clues)


def start_and_steps(component: Component) -> tuple[int, list[Step]]:
    """The state before the first group, and the groups in the order of the sweep."""
    needs = [clue.need for clue in component.clues]
    assert max(needs, default=0) <= MOST_NEED
    steps = [Step(component, group) for group in sweep_order(component)]
    left = [len(clue.hidden) for clue in component.clues]
    for step in steps:
        for clue in step.clues:
            left[clue] -= step.size
        step.left = [left[clue] for clue in step.clues]
    return sum(need << 4 * index for index, need in enumerate(needs)), steps


def count(component: Component) -> Counts:
    n = len(component.cells)
    if is_impossible(component):
        return Counts([0] * (n + 1), {cell: [0] * (n + 1) for cell in component.cells})
    digit = n + 1
    start, steps = start_and_steps(component)
    before: list[dict[int, int]] = [{start: 1}]
    for step in steps:
        layer: dict[int, int] = defaultdict(int)
        for state, ways in before[-1].items():
            for m, following in step.choices(state):
                layer[following] += ways * comb(step.size, m) << digit * m
        before.append(layer)

    mask = (1 << digit) - 1

    def coefficients(value: int) -> list[int]:
        return [value >> digit * k & mask for k in range(n + 1)]

    with_mine: dict[Cell, list[int]] = {}
    after = {0: 1}
    for step in reversed(steps):
        before.pop()
        layer = {}
        masses = 0
        for state, ways in before[-1].items():
            whole = mines = 0
            for m, following in step.choices(state):
                finish = after.get(following, 0) << digit * m
                whole += comb(step.size, m) * finish
                mines += comb(step.size - 1, m - 1) * finish if m else 0
            if whole:
                layer[state] = whole
                masses += ways * mines
        after = layer
        with_mine.update(dict.fromkeys(step.cells, coefficients(masses)))
    return Counts(coefficients(after.get(start, 0)), with_mine)


class Step:
    """A group of cells, and what deciding it does to the state."""

    def __init__(self, component: Component, cells: tuple[Cell, ...]) -> None:
        self.cells = cells
        self.size = len(cells)
        self.clues = [i for i, clue in enumerate(component.clues) if cells[0] in clue.hidden]
        self.one_mine = sum(1 << 4 * clue for clue in self.clues)
        self.left: list[int] = []  # cells of each clue that come after this step

    def choices(self, state: int) -> list[tuple[int, int]]:
        """(mines, state after): no clue gets more than it needs, all can still be met."""
        least, most = 0, self.size
        for clue, left in zip(self.clues, self.left, strict=True):
            need = state >> 4 * clue & MOST_NEED
            least = max(least, need - left)
            most = min(most, need)
        return [(m, state - m * self.one_mine) for m in range(least, most + 1)]


def sweep_order(component: Component) -> list[tuple[Cell, ...]]:
    """The groups, along the longer side of what the component covers."""
    rows = {row for row, _ in component.cells}
    cols = {col for _, col in component.cells}
    by_row = len(rows) >= len(cols)
    return sorted(component.groups, key=lambda group: group[0] if by_row else group[0][::-1])
