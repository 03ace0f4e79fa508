"""What clashes on a board that no layout fits: a set of clues, or the clues with the total.

The clues are found with nothing but the question whether some of them hold together. Walk through
them in order to the first that breaks those before it: it is one of a clashing set. Keep it, ask
again with it in front of the clues before it, and stop once the kept clues clash by themselves:
no kept clue can be left out (Junker, QuickXplain, AAAI-04, finds the same sets). Each walk is a
binary search. Clashes are local as a rule, so the walks begin in the shortest stretch of clues that
clashes by itself. Smaller sets near the one found are tried as well, as far as that is cheap.
"""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from mineodds.frontier import Ints, Problem

SMALL_COMPONENT = 12  # clues, all of whose sets are tried
MOST_SETS = 2**SMALL_COMPONENT  # some 100 milliseconds

Consistent = Callable[[Problem], bool]


def clashing_clues(problem: Problem, component: Ints, consistent: Consistent) -> list[int]:
    """A set of clues (positions in ``problem.clue``) that clash, none of which can be left out.

    ``problem`` as a whole is not consistent; ``component`` labels its frontier cells. The set is
    a smallest one if the component it lies in has up to 12 clues, and small as a rule.
    """

    def clash(clues: Sequence[int]) -> bool:
        return not consistent(problem.restricted_to(np.array(sorted(clues), dtype=np.int32)))

    label = component[problem.clue_cell[problem.clue_start[:-1]]]
    candidates = _clashing_stretch(list(range(len(problem.clue))), clash)
    kept: list[int] = []
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
        kept.append(last)
        candidates = [clue for clue in candidates[: breaks - 1] if label[clue] == label[last]]
    near = np.flatnonzero(label == label[kept[0]]).tolist()
    if len(near) > SMALL_COMPONENT:
        near = _clues_around(problem, kept)
    tried = 0
    for size in range(2, len(kept)):
        tried += math.comb(len(near), size)
        if tried > MOST_SETS:
            break
        for clues in itertools.combinations(near, size):
            if clash(clues):
                return list(clues)
    return sorted(kept)


def _clues_around(problem: Problem, clues: Sequence[int]) -> list[int]:
    """The clues that share a cell with one of these, and these."""
    start = problem.clue_start
    own = np.concatenate([problem.clue_cell[start[clue] : start[clue + 1]] for clue in clues])
    touching = np.flatnonzero(np.isin(problem.clue_cell, own))
    found: list[int] = np.unique(np.searchsorted(start, touching, side="right") - 1).tolist()
    return found


def _clashing_stretch(clues: list[int], clash: Callable[[Sequence[int]], bool]) -> list[int]:
    """Halved as long as a half at the front, the middle or the back clashes by itself."""
    while len(clues) > 1:
        half = (len(clues) + 1) // 2
        for first in (0, len(clues) // 4, len(clues) - half):
            if clash(clues[first : first + half]):
                clues = clues[first : first + half]
                break
        else:
            break
    return clues


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
