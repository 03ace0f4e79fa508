"""Engines within a budget: what the core refuses becomes an error that says what would help."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from mineodds import _core
from mineodds.errors import BudgetExceeded, DeadlineExceeded
from mineodds.frontier import Problem
from mineodds.modular import Engine

REFUSALS = (_core.CostExceeded, _core.DeadlinePassed)


class Budget(NamedTuple):
    """What an answer may cost: see `solve`. ``until`` is the deadline on the monotonic clock."""

    max_work: float
    max_memory: float
    deadline: float = math.inf
    until: float = math.inf

    @staticmethod
    def from_now(max_work: float, max_memory: float, deadline: float | None) -> "Budget":
        """A budget whose deadline, if any, is so many seconds from now. Raises ValueError."""
        if not (max_work >= 0 and max_memory >= 0 and (deadline is None or deadline >= 0)):
            raise ValueError(
                "max_work, max_memory and deadline must be numbers from 0 on, not "
                f"{max_work}, {max_memory} and {deadline}"
            )
        if deadline is None:
            return Budget(max_work, max_memory)
        return Budget(max_work, max_memory, deadline, time.monotonic() + deadline)

    def without_deadline(self) -> "Budget":
        """The same budget for questions after the call that the deadline was for."""
        return Budget(self.max_work, self.max_memory)

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, inf without one."""
        return max(self.until - time.monotonic(), 0.0)

    def refusal(self, error: Exception) -> BudgetExceeded:
        """What to raise for one of the REFUSALS of the core."""
        if isinstance(error, _core.DeadlinePassed):
            return DeadlineExceeded(
                f"not done within the deadline of {self.deadline:g} seconds; give it more time",
                max_work=self.max_work,
                max_memory=self.max_memory,
            )
        work, memory = error.args
        return BudgetExceeded(
            f"this board needs at least {work:.3g} products (max_work is {self.max_work:.3g}) and "
            f"{memory / 2**20:,.1f} MiB (max_memory is {self.max_memory / 2**20:,.1f} MiB); raise "
            "the limit, or reveal or flag more cells first",
            work=work,
            memory=memory,
            max_work=self.max_work,
            max_memory=self.max_memory,
        )


def elimination(problem: Problem, budget: Budget) -> _core.Elimination:
    """The elimination engine on a problem, planned but not evaluated."""
    try:
        return _core.Elimination(
            problem.cell.size,
            problem.clue_start,
            problem.clue_cell,
            problem.clue_need,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
            deadline=budget.seconds_left,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None


def enumeration(problem: Problem, budget: Budget) -> _core.Enumeration:
    """The enumeration engine on a problem; it counts configurations at once."""
    try:
        return _core.Enumeration(
            problem.cell.size,
            problem.clue_start,
            problem.clue_cell,
            problem.clue_need,
            max_work=budget.max_work,
            deadline=budget.seconds_left,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None


METHODS: dict[str, Callable[[Problem, Budget], Engine]] = {
    "elimination": elimination,
    "enumeration": enumeration,
}
