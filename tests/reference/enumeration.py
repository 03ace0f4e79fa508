"""Depth-first enumeration of hypotheses over clues, with forward checking.

Take the clue with the fewest open cells; suppose, one after another, every way to spread its
missing mines over them; look ahead at what that forces; go on with the next clue. The forward
check: a clue that needs no more mines makes its open cells safe, one that needs as many as it has
open cells makes them mines, and one that needs fewer than none or more than there are ends the
branch. (Haralick & Elliott, Increasing tree search efficiency for constraint satisfaction
problems, 1980.)

The search spreads mines over groups (cells with the same clues), not over single cells, so a leaf
stands for many configurations at once.

The trap: a hypothesis says where the mines of a clue are *and that its other cells are safe*. A
search that leaves the others undecided lets a later clue put mines there, and counts configurations
that break the first clue, or counts the same one several times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reference.answer import Answer
from reference.position import Component, Position
from reference.totals import Counts, counts_from_groups, join

OPEN = -1  # a group whose mines are not decided yet


def solve(position: Position) -> Answer:
    """Exact answer. Cost: the configurations of groups, component by component."""
    return join(position, [count(component) for component in position.components])


def count(component: Component) -> Counts:
    return counts_from_groups(component.groups, list(configurations(component)))


def configurations(component: Component) -> Iterator[list[int]]:
    """Every way to spread mines over the groups of a component that agrees with its clues."""
    groups = component.groups
    sizes = [len(group) for group in groups]
    # Each clue as the indices of its groups; a group lies in a clue wholly or not at all.
    members = [
        [i for i, group in enumerate(groups) if group[0] in clue.hidden] for clue in component.clues
    ]
    needs = [clue.need for clue in component.clues]

    def missing(clue: int, mines: Sequence[int]) -> int:
        return needs[clue] - sum(mines[i] for i in members[clue] if mines[i] != OPEN)

    def open_groups(clue: int, mines: Sequence[int]) -> list[int]:
        return [i for i in members[clue] if mines[i] == OPEN]

    def look_ahead(mines: list[int]) -> bool:
        """Settle what is forced until nothing changes; False if some clue can no longer hold."""
        changed = True
        while changed:
            changed = False
            for clue in range(len(needs)):
                need, free = missing(clue, mines), open_groups(clue, mines)
                room = sum(sizes[i] for i in free)
                if not 0 <= need <= room:
                    return False
                if free and need in (0, room):
                    changed = True
                    for i in free:
                        mines[i] = 0 if need == 0 else sizes[i]
        return True

    def search(mines: list[int]) -> Iterator[list[int]]:
        if not look_ahead(mines):
            return
        undecided = [clue for clue in range(len(needs)) if open_groups(clue, mines)]
        if not undecided:
            yield mines
            return
        clue = min(undecided, key=lambda c: sum(sizes[i] for i in open_groups(c, mines)))
        free = open_groups(clue, mines)
        for hypothesis in spreads(missing(clue, mines), [sizes[i] for i in free]):
            supposed = list(mines)
            for i, m in zip(free, hypothesis, strict=True):
                supposed[i] = m  # all of them: the groups without a mine are safe now
            yield from search(supposed)

    return search([OPEN] * len(groups))


def spreads(mines: int, sizes: Sequence[int]) -> Iterator[list[int]]:
    """Every way to put ``mines`` mines into groups of these sizes (mines per group)."""
    if not sizes:
        if mines == 0:
            yield []
        return
    for first in range(min(mines, sizes[0]) + 1):
        for rest in spreads(mines - first, sizes[1:]):
            yield [first, *rest]
