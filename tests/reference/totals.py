"""Joining independent components and the deep cells through the number of mines.

A component is summed up by its *count polynomial*: coefficient k is the number of configurations
with k mines. Polynomials of independent components multiply. If the whole frontier holds k of the
M mines left, the D deep cells hold the other M - k, in C(D, M - k) ways; so configurations are not
equally likely, and each weighs that binomial. With N_k configurations of k mines there are

    S = sum over k of N_k C(D, M - k)

layouts, and a frontier cell is a mine in  sum over k of A_k C(D, M - k)  of them, where A_k counts
the configurations of k mines that have a mine there. A deep cell is a mine in
sum over k of N_k C(D - 1, M - k - 1)  of them: give it its mine, and place the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

from reference.answer import Answer, answer_from_layouts
from reference.position import Cell, Position


@dataclass(frozen=True)
class Counts:
    """A component in numbers: its configurations by mines, and those with a mine in each cell."""

    configurations: Sequence[int]
    with_mine: Mapping[Cell, Sequence[int]]


def multiply(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two polynomials, coefficients from the constant term up."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def ways(cells: int, mines: int) -> int:
    """How many ways there are to put ``mines`` mines in ``cells`` cells; none if mines < 0."""
    return comb(cells, mines) if cells >= 0 and mines >= 0 else 0


def join(position: Position, parts: Sequence[Counts]) -> Answer:
    """The answer on the whole position, from the counts of each of its components."""
    deep = len(position.deep)
    left = position.mines_left

    before = [[1]]  # before[i]: the product of the components 0 .. i - 1
    for part in parts:
        before.append(multiply(before[-1], part.configurations))
    frontier = before[-1]

    solutions = sum(n * ways(deep, left - k) for k, n in enumerate(frontier))
    with_mine: dict[Cell, int] = {}
    after = [1]  # the product of the components after the present one
    for i in reversed(range(len(parts))):
        others = multiply(before[i], after)
        # weight[k]: layouts of everything else when this component holds k mines
        weight = [
            sum(n * ways(deep, left - k - j) for j, n in enumerate(others))
            for k in range(len(parts[i].configurations))
        ]
        for cell, counts in parts[i].with_mine.items():
            with_mine[cell] = sum(n * w for n, w in zip(counts, weight, strict=True))
        after = multiply(after, parts[i].configurations)

    each_deep = sum(n * ways(deep - 1, left - k - 1) for k, n in enumerate(frontier))
    with_mine.update(dict.fromkeys(position.deep, each_deep))
    return answer_from_layouts(position, solutions, with_mine)


def counts_from_groups(
    groups: Sequence[Sequence[Cell]], configurations: Sequence[Sequence[int]]
) -> Counts:
    """Counts from a list of all ways to spread mines over groups (mines per group).

    m mines in a group of s cells stand for C(s, m) placements; one particular cell has a mine in
    C(s - 1, m - 1) of them, which is m/s of them.
    """
    size = sum(len(group) for group in groups)
    total = [0] * (size + 1)
    with_mine = [[0] * (size + 1) for _ in groups]
    for configuration in configurations:
        mines = sum(configuration)
        placements = 1
        for group, m in zip(groups, configuration, strict=True):
            placements *= comb(len(group), m)
        total[mines] += placements
        for counts, group, m in zip(with_mine, groups, configuration, strict=True):
            counts[mines] += placements * m // len(group)
    return Counts(
        total,
        {cell: counts for counts, group in zip(with_mine, groups, strict=True) for cell in group},
    )
