"""Engines within a budget: what the core refuses becomes an error that says what would help."""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from mineodds import _core
from mineodds.contracts import limit
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
        """A budget whose deadline, if any, is so many seconds from now.

        Raises TypeError for what is no number, ValueError for what is negative or nan.
        """
        work, memory = limit("max_work", max_work), limit("max_memory", max_memory)
        if deadline is None:
            return Budget(work, memory)
        seconds = limit("deadline", deadline)
        return Budget(work, memory, seconds, time.monotonic() + seconds)

    def without_deadline(self) -> "Budget":
        """The same budget for questions after the call that the deadline was for."""
        if self.until == math.inf:
            return self
        return Budget(self.max_work, self.max_memory)

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, inf without one."""
        return max(self.until - time.monotonic(), 0.0)

    def check(self) -> None:
        """Raise DeadlineExceeded if the deadline has passed."""
        if time.monotonic() >= self.until:
            raise self._too_late()

    def allow_memory(self, work: float, memory: float) -> None:
        """Raise BudgetExceeded if so many bytes, for so many products, are over the budget."""
        if memory > self.max_memory:
            raise self.refusal(_core.CostExceeded(work, memory))

    def refusal(self, error: Exception) -> BudgetExceeded:
        """What to raise for one of the REFUSALS of the core."""
        if isinstance(error, _core.DeadlinePassed):
            return self._too_late()
        work, memory = error.args
        over = [("max_work", work > self.max_work), ("max_memory", memory > self.max_memory)]
        limits = " and ".join(name for name, exceeded in over if exceeded) or "max_memory"
        return self.exceeded(
            f"this board needs at least {work:.3g} products (max_work is {self.max_work:.3g}) and "
            f"{amount_of_memory(memory)} (max_memory is {amount_of_memory(self.max_memory)}); "
            f"raise {limits}, or reveal or flag more cells first",
            work=work,
            memory=memory,
        )

    def exceeded(self, message: str, **cost: float) -> BudgetExceeded:
        """The error for a ``work`` or ``memory`` over this budget, or both."""
        return BudgetExceeded(message, **cost, max_work=self.max_work, max_memory=self.max_memory)

    def _too_late(self) -> DeadlineExceeded:
        return DeadlineExceeded(
            f"not done within the deadline of {self.deadline:g} seconds; give it more time",
            max_work=self.max_work,
            max_memory=self.max_memory,
        )


def amount_of_memory(size: float) -> str:
    """A number of bytes in the unit that suits it, as in "512 bytes" or "1.5 GiB"."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.3g} TiB" if size < math.inf else "unlimited"


def elimination(
    problem: Problem,
    budget: Budget,
    *,
    plan: str = "best",
    mask_words: int = 0,
    semi_joins: bool = False,
    **weights: Any,
) -> _core.Elimination:
    """The elimination engine on a problem, planned but not evaluated.

    ``plan`` may ask for one kind of plan whatever it costs ("min-fill", "linear", "annealed"), and
    ``mask_words`` for masks of so many words at least, ``semi_joins`` for tables that are made as
    on costly boards: all of them give the same answers.
    ``weights`` are the arrays of cells that have their own.
    """
    try:
        return _core.Elimination(
            *problem.arrays,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
            deadline=budget.seconds_left,
            plan=plan,
            mask_words=mask_words,
            semi_joins=semi_joins,
            **weights,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None


def enumeration(problem: Problem, budget: Budget) -> _core.Enumeration:
    """The enumeration engine on a problem; it counts configurations at once."""
    try:
        return _core.Enumeration(
            *problem.arrays,
            max_work=budget.max_work,
            deadline=budget.seconds_left,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None


METHODS: dict[str, Callable[[Problem, Budget], Engine]] = {
    "elimination": elimination,
    "enumeration": enumeration,
}
