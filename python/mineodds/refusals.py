"""What to say of a board that no layout fits: the errors of `solve`, for every prior."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mineodds.clash import Consistent, clashing_clues, fitting_totals
from mineodds.engine import Budget, elimination
from mineodds.errors import InconsistentBoardError, counted
from mineodds.frontier import Problem, component_labels
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology


def wrong_number(
    cells: NDArray[np.int8], topology: Topology, problem: Problem
) -> InconsistentBoardError:
    """The first number that is wrong whatever the hidden cells hold. ``cells`` by number."""
    start, neighbour = topology.neighbours
    cell = int(problem.wrong[0])
    around = cells[neighbour[start[cell] : start[cell + 1]]]
    flags = np.count_nonzero(around == FLAG)
    hidden = np.count_nonzero(around == HIDDEN)
    place = topology.place(cell)
    return InconsistentBoardError(
        f"the {cells[cell]} at {place} cannot hold: around it are "
        f"{counted(int(flags), 'flag')} and {counted(int(hidden), 'hidden cell')}",
        clues=[place],
    )


def clash(topology: Topology, problem: Problem, consistent: Consistent) -> InconsistentBoardError:
    """Numbers that cannot hold together."""
    component = component_labels(problem.cell.size, problem.clue_start, problem.clue_cell)
    clues = clashing_clues(problem, component, consistent)
    places = [topology.place(cell) for cell in problem.clue[clues].tolist()]
    return InconsistentBoardError(
        f"the numbers at {', '.join(map(str, places))} cannot hold together", clues=places
    )


def no_total(mines: str, problem: Problem, frontier_mines: Sequence[int]) -> InconsistentBoardError:
    """``mines`` says in words what totals were asked for; none fits ``frontier_mines``."""
    totals = fitting_totals(frontier_mines, problem.flags, problem.deep.size)
    ranges = " or ".join(
        f"{least} to {most}" if least < most else f"{least}" for least, most in totals
    )
    return InconsistentBoardError(
        f"no layout has {mines}: flags and numbers fit {ranges}", totals=totals
    )


def refusal(
    cells: NDArray[np.int8],
    topology: Topology,
    problem: Problem,
    mines: str,
    budget: Budget,
) -> InconsistentBoardError:
    """Why a position that no layout fits has none. ``cells`` by number."""
    if problem.wrong.size:
        return wrong_number(cells, topology, problem)
    engine = elimination(problem, budget)
    if not engine.consistent:
        return clash(topology, problem, lambda part: elimination(part, budget).consistent)
    counts = np.arange(engine.least_mines, engine.most_mines + 1)
    return no_total(mines, problem, counts[engine.possible].tolist())
