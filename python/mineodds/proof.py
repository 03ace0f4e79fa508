"""Why a cell is certain: a smallest set of clues that proves it.

A set of clues proves a cell when no layout that agrees with these clues alone has the other value
there. First one set is narrowed down from which nothing can be left out: walk through the clues,
nearest first, to the first that completes a proof; keep it, and ask again for those before it
(Junker, QuickXplain, AAAI-04, finds the same sets). Then all smaller sets are tried. Without the
total only connected sets around the cell need a try: what hangs together with the cell in no way
cannot help to prove it, as the board as a whole is consistent.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.contracts import Value
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import Cell
from mineodds.frontier import Problem
from mineodds.topology import Topology

MOST_SETS = 20_000  # smaller sets that are tried; 12 clues have 4,096 sets
BATCH = 500  # sets that the core is asked about at a time

COMPLETE = "a clue is complete: its other cells are safe"
FULL = "a clue is full: all of its cells are mines"
PAIR = "two clues together"
SEVERAL = "several clues together"
TOTAL = "the total number of mines"
BEFOREHAND = "certain beforehand: its density is 0 or 1"
OPEN = "not certain: both layouts are possible"


@dataclass(frozen=True, eq=False)
class Explanation(Value):
    """What proves a certain cell, or shows that it is none.

    ``clues`` are the (row, col) of the numbers that prove it, flags being trusted; ``total`` says
    whether the number of mines is needed as well. ``minimum``: no smaller set of clues proves it
    (else only: none of these can be left out). ``rule`` says it in words. An uncertain cell has
    ``layouts``: one with a mine there and one without, bool (rows, cols).
    """

    clues: tuple[Cell, ...]
    total: bool
    minimum: bool
    rule: str
    layouts: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None

    def __str__(self) -> str:
        return f"{self.rule}: {', '.join(map(str, self.clues))}" if self.clues else self.rule


class Proof:
    """Proofs about the cells of one position. ``totals`` are those possible on hidden cells."""

    def __init__(
        self, problem: Problem, topology: Topology, totals: Sequence[int], budget: Budget
    ) -> None:
        self._problem = problem
        self._place = topology.place
        self._totals = np.array(totals, dtype=np.int32)
        self._budget = budget
        hidden = np.concatenate([problem.cell, problem.deep]).tolist()
        self._position = {cell: i for i, cell in enumerate(hidden)}
        start = problem.clue_start.tolist()
        cells = problem.clue_cell.tolist()
        self._cells = [cells[begin:end] for begin, end in itertools.pairwise(start)]

    def explain(self, cell: int, mine: bool) -> Explanation:
        """Why the hidden cell is a mine (or safe), which it is."""
        position = self._position[cell]
        near = self._by_distance(position)
        if not near or self._allows(near, position, mine, total=False):
            return self._with_total(position, mine, near)
        kept = self._narrow(near, position, mine, total=False)
        smaller, minimum = self._smaller(
            self._connected(position, len(kept) - 1), position, mine, total=False
        )
        clues = smaller or kept
        rule = (FULL if mine else COMPLETE) if len(clues) == 1 else SEVERAL
        return self._explanation(clues, minimum, PAIR if len(clues) == 2 else rule, total=False)

    def _with_total(self, position: int, mine: bool, near: Sequence[int]) -> Explanation:
        rest = [clue for clue in range(len(self._cells)) if clue not in set(near)]
        every = [*near, *rest]
        kept = self._narrow(every, position, mine, total=True)
        sets = itertools.chain.from_iterable(
            itertools.combinations(every, size) for size in range(len(kept))
        )
        smaller, minimum = self._smaller(sets, position, mine, total=True)
        clues = kept if smaller is None else smaller
        return self._explanation(clues, minimum, TOTAL, total=True)

    def _explanation(
        self, clues: Sequence[int], minimum: bool, rule: str, *, total: bool
    ) -> Explanation:
        cells = sorted(self._problem.clue[list(clues)].tolist())
        return Explanation(tuple(map(self._place, cells)), total, minimum, rule)

    def _narrow(
        self, candidates: Sequence[int], position: int, mine: bool, *, total: bool
    ) -> list[int]:
        """A proof from these clues that none of its clues can be left out of."""
        kept: list[int] = []
        while self._allows(kept, position, mine, total=total):
            # kept + candidates[:open_] are no proof, kept + candidates[:proves] are one.
            open_, proves = 0, len(candidates)
            while proves - open_ > 1:
                middle = (open_ + proves) // 2
                if self._allows([*kept, *candidates[:middle]], position, mine, total=total):
                    open_ = middle
                else:
                    proves = middle
            kept.append(candidates[proves - 1])
            candidates = candidates[: proves - 1]
        return kept

    def _smaller(
        self, sets: Iterable[Sequence[int]], position: int, mine: bool, *, total: bool
    ) -> tuple[list[int] | None, bool]:
        """The first of the sets, smallest first, that is a proof; whether that settles it."""
        tried = 0
        sets = iter(sets)
        while batch := list(itertools.islice(sets, BATCH)):
            allowed = self._allowed(batch, position, mine, total=total)
            if not allowed.all():
                return list(batch[int(allowed.argmin())]), True
            tried += len(batch)
            if tried >= MOST_SETS:
                return None, False
        return None, True

    def _allows(self, clues: Sequence[int], position: int, mine: bool, *, total: bool) -> bool:
        """Whether these clues are no proof."""
        return bool(self._allowed([clues], position, mine, total=total)[0])

    def _allowed(
        self, sets: Sequence[Sequence[int]], position: int, mine: bool, *, total: bool
    ) -> NDArray[np.bool_]:
        problem, sets = self._with_other_value(sets, position, mine)
        start = np.zeros(len(sets) + 1, dtype=np.int32)
        np.cumsum([len(clues) for clues in sets], out=start[1:])
        try:
            return _core.allowed(
                problem.cell.size + problem.deep.size,
                problem.clue_start,
                problem.clue_cell,
                problem.clue_need,
                set_start=start,
                set_clue=np.fromiter(itertools.chain.from_iterable(sets), np.int32, start[-1]),
                cell=position,
                mine=not mine,
                totals=self._totals if total else np.empty(0, np.int32),
                max_work=self._budget.max_work,
                max_memory=self._budget.max_memory,
            )
        except REFUSALS as error:
            raise self._budget.refusal(error) from None

    def _with_other_value(
        self, sets: Sequence[Sequence[int]], _position: int, _mine: bool
    ) -> tuple[Problem, Sequence[Sequence[int]]]:
        """What to ask whether a cell can have the other value."""
        return self._problem, sets

    @cached_property
    def _touching(self) -> dict[int, list[int]]:
        """The clues of a frontier cell."""
        touching: dict[int, list[int]] = {}
        for clue, cells in enumerate(self._cells):
            for cell in cells:
                touching.setdefault(cell, []).append(clue)
        return touching

    @cached_property
    def _next_to(self) -> list[list[int]]:
        """The clues that a clue shares a hidden cell with."""
        return [
            sorted({other for cell in cells for other in self._touching[cell]} - {clue})
            for clue, cells in enumerate(self._cells)
        ]

    def _by_distance(self, position: int) -> list[int]:
        """The clues of the cell's component, nearest first."""
        reached = list(self._touching.get(position, ()))
        seen = set(reached)
        for clue in reached:  # grows while it is walked
            fresh = [other for other in self._next_to[clue] if other not in seen]
            reached += fresh
            seen.update(fresh)
        return reached

    def _connected(self, position: int, most: int) -> Iterator[tuple[int, ...]]:
        """The connected sets of up to ``most`` clues, one of which touches the cell; by size."""
        level = {frozenset([clue]) for clue in self._touching[position]} if most > 0 else set()
        for size in range(1, most + 1):
            if size > 1:
                level = set(itertools.islice(self._grown(level), MOST_SETS))
            yield from (tuple(sorted(clues)) for clues in level)

    def _grown(self, level: Iterable[frozenset[int]]) -> Iterator[frozenset[int]]:
        seen: set[frozenset[int]] = set()
        for clues in level:
            for other in {n for clue in clues for n in self._next_to[clue]} - clues:
                grown = clues | {other}
                if grown not in seen:
                    seen.add(grown)
                    yield grown
