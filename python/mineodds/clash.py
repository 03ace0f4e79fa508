"""What clashes on a board that no layout fits: a set of clues, or the clues with the total.

The clues are found with nothing but the question whether some of them hold together. Walk through
them in order to the first that breaks those before it: it is one of a clashing set. Keep it, ask
again with it in front of the clues before it, and stop once the kept clues clash by themselves:
no kept clue can be left out (Junker, QuickXplain, AAAI-04, finds the same sets). Each walk is a
binary search. In a small component all smaller sets are tried as well, for a smallest one.
"""

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from mineodds.frontier import Ints, Problem

SMALL_COMPONENT = 12  # clues; 2**12 questions take milliseconds

Consistent = Callable[[Problem], bool]


def clashing_clues(problem: Problem, component: Ints, consistent: Consistent) -> list[int]:
    """A set of clues (positions in ``problem.clue``) that clash, none of which can be left out.

    ``problem`` as a whole is not consistent; ``component`` labels its frontier cells. The set is
    a smallest one if the component it lies in has up to 12 clues.
    """

    def clash(clues: Sequence[int]) -> bool:
        return not consistent(problem.restricted_to(np.array(sorted(clues), dtype=np.int32)))

    label = component[problem.clue_cell[problem.clue_start[:-1]]]
    candidates = list(range(len(problem.clue)))
    kept: list[int] = []
    members = candidates
    while not (kept and clash(kept)):
        # kept + candidates[:fits] are consistent, kept + candidates[:breaks] are not.
        fits, breaks = 0, len(candidates)
        while breaks - fits > 1:
            middle = (fits + breaks) // 2
            if clash(kept + candidates[:middle]):
                breaks = middle
            else:
                fits = middle
        last = candidates[breaks - 1]
        if not kept:
            members = np.flatnonzero(label == label[last]).tolist()
        kept.append(last)
        candidates = [clue for clue in candidates[: breaks - 1] if label[clue] == label[last]]
    if len(members) <= SMALL_COMPONENT:
        for size in range(2, len(kept)):
            for clues in itertools.combinations(members, size):
                if clash(clues):
                    return list(clues)
    return sorted(kept)


def fitting_totals(frontier_mines: Sequence[int], flags: int, deep: int) -> list[tuple[int, int]]:
    """The ranges (least, most) of totals with which a board could be finished, in rising order.

    ``frontier_mines`` are the mine counts of configurations, rising; there can be gaps. Between
    none and all of the ``deep`` cells can be mines beside them, and all flags are.
    """
    totals: list[tuple[int, int]] = []
    for mines in frontier_mines:
        least, most = flags + mines, flags + mines + deep
        if totals and least <= totals[-1][1] + 1:
            least = totals.pop()[0]
        totals.append((least, most))
    return totals
