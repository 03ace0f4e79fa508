"""What simulations come to: counts that add up, rates with intervals, tables, JSON and a plot."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from mineodds.errors import Cell
from mineodds.statistics import CONFIDENCE, Interval, mcnemar, newcombe_paired, wilson

RISK_BINS = 20  # guesses by their chance of a mine, 5 % each
GUESS_BINS = 32  # lost games by the guess that lost them: 1st, 2nd, ...; the last: and later

SCHEMA = "mineodds.simulate/1"
COMPARE_SCHEMA = "mineodds.compare/1"


def drawing(name: str) -> Any:
    """A module of matplotlib, which is an extra; its types are not needed here.

    ImportError says how to get it.
    """
    try:
        return import_module(f"matplotlib.{name}")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"a plot needs matplotlib ({error}): pip install mineodds[plot]"
        ) from error


@dataclass(frozen=True)
class Counts:
    """Counts of a range of games, a value; those of two ranges add up."""

    games: int = 0
    wins: int = 0
    lost_at_first_click: int = 0
    guesses: int = 0
    clicks: int = 0
    solves: int = 0
    guesses_by_risk: tuple[int, ...] = (0,) * RISK_BINS
    losses_by_risk: tuple[int, ...] = (0,) * RISK_BINS
    losses_by_guess: tuple[int, ...] = (0,) * GUESS_BINS

    @staticmethod
    def of(values: Mapping[str, Any]) -> "Counts":
        """From the core's dictionary."""
        plain: dict[str, Any] = {
            name: int(value) if isinstance(value, int) else tuple(int(count) for count in value)
            for name, value in values.items()
        }
        return Counts(**plain)

    def as_dict(self) -> dict[str, Any]:
        """The counts by name, lists where there are several."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }

    def __add__(self, other: "Counts") -> "Counts":
        """The counts of these games and of other games."""
        total: dict[str, Any] = {
            name: tuple(a + b for a, b in zip(mine, getattr(other, name), strict=True))
            if isinstance(mine, tuple)
            else mine + getattr(other, name)
            for name, mine in vars(self).items()
        }
        return Counts(**total)

    def with_guess(self, risk: float, guesses_before: int, *, lost: bool) -> "Counts":
        """These counts and a guess of this risk."""
        # Simple fractions like 1/20 lie on the edge of two bins: rounding must not decide.
        place = min(int(risk * RISK_BINS + 1e-9), RISK_BINS - 1)
        number = min(guesses_before, GUESS_BINS - 1)
        return self + Counts(
            guesses=1,
            guesses_by_risk=_one_at(place, RISK_BINS),
            losses_by_risk=_one_at(place if lost else -1, RISK_BINS),
            losses_by_guess=_one_at(number if lost else -1, GUESS_BINS),
        )


def _one_at(place: int, bins: int) -> tuple[int, ...]:
    """1 in a bin, 0 in the others; no 1 for -1."""
    return tuple(int(index == place) for index in range(bins))


@dataclass(frozen=True)
class SimulationResult:
    """Games played by one policy. ``complete`` is False after Ctrl-C.

    ``seconds`` is the time that passed, ``core_seconds`` the processor time of all threads
    together (of the whole process, if it does other things too).
    """

    rows: int
    cols: int
    topology: str
    mines: int
    first_click: str
    start: Cell | None
    seed: int
    policy: str
    counts: Counts
    complete: bool
    seconds: float
    core_seconds: float

    @property
    def games(self) -> int:
        """Games that were finished."""
        return self.counts.games

    @property
    def wins(self) -> int:
        """Games that were won."""
        return self.counts.wins

    @property
    def win_rate(self) -> float:
        """Wins a game; nan without games."""
        return self._per_game(self.wins)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Wilson's interval of the win rate."""
        return wilson(self.wins, self.games, confidence)

    @property
    def guesses_per_game(self) -> float:
        """Opened cells with 0 < P(mine) after the first click, a game."""
        return self._per_game(self.counts.guesses)

    @property
    def solves_per_game(self) -> float:
        """Inferences a game."""
        return self._per_game(self.counts.solves)

    @property
    def milliseconds_per_game(self) -> float:
        """Milliseconds of one core a game."""
        return self._per_game(1000.0 * self.core_seconds)

    @property
    def lost_at_first_guess(self) -> int:
        """Games lost by the first guess after the first click."""
        return self.counts.losses_by_guess[0]

    def _per_game(self, total: float) -> float:
        return total / self.games if self.games else float("nan")

    def as_dict(self) -> dict[str, Any]:
        """A document for JSON: setup, counts, rates."""
        low, high = self.interval()
        document = vars(self) | {
            "start": None if self.start is None else list(self.start),
            "counts": self.counts.as_dict(),
        }
        rates = {
            "win_rate": self.win_rate,
            "win_rate_low": low,
            "win_rate_high": high,
            "guesses_per_game": self.guesses_per_game,
            "solves_per_game": self.solves_per_game,
            "milliseconds_per_game": self.milliseconds_per_game,
        }
        numbers = {name: rate if rate == rate else None for name, rate in rates.items()}
        return {"schema": SCHEMA, **document, **numbers}

    def to_json(self) -> str:
        """`as_dict` as JSON."""
        return json.dumps(self.as_dict(), allow_nan=False)

    def rows_of_table(self) -> list[tuple[str, str]]:
        """Label and value of every line of the table."""
        counts = self.counts
        low, high = self.interval()
        start = "policy's choice" if self.start is None else "({}, {})".format(*self.start)
        lost = self.games - self.wins
        at_first = self.lost_at_first_guess
        where = (
            f"{lost}: {counts.lost_at_first_click} at the first click, {at_first} at the first "
            f"guess, {lost - counts.lost_at_first_click - at_first} later"
        )
        return [
            ("board", f"{self.rows}x{self.cols}, {self.mines} mines, seed {self.seed}"),
            ("first click", f"{self.first_click}, {start}"),
            ("policy", self.policy),
            ("games", f"{self.games}" + ("" if self.complete else " (interrupted)")),
            ("won", f"{self.wins} = {self.win_rate:.3%}"),
            (f"{CONFIDENCE:.0%} interval", f"{low:.3%} to {high:.3%}"),
            ("guesses a game", f"{self.guesses_per_game:.3f}"),
            ("lost", where),
            ("inferences a game", f"{self.solves_per_game:.1f}"),
            ("core-ms a game", f"{self.milliseconds_per_game:.3f}"),
        ]

    def __str__(self) -> str:
        """The table as plain text."""
        rows = self.rows_of_table()
        width = max(len(label) for label, _ in rows)
        return "\n".join(f"{label:<{width}}  {value}" for label, value in rows)

    def plot(self, axes: Any = None) -> Any:
        """Guesses by the risk taken, lost ones dark; returns the axes. Needs matplotlib."""
        if axes is None:
            axes = drawing("pyplot").figure().add_subplot()
        edges = [place / RISK_BINS for place in range(RISK_BINS)]
        width = 1.0 / RISK_BINS
        for counts, label in (
            (self.counts.guesses_by_risk, "guesses"),
            (self.counts.losses_by_risk, "lost"),
        ):
            axes.bar(edges, counts, width=width, align="edge", label=label)
        axes.set_xlabel("chance of a mine")
        axes.set_ylabel("guesses")
        axes.set_title(f"{self.policy}: {self.win_rate:.2%} of {self.games} games won")
        axes.legend()
        return axes


@dataclass(frozen=True)
class Comparison:
    """Two policies on the same layouts: who won which games."""

    a: SimulationResult
    b: SimulationResult
    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def games(self) -> int:
        """Layouts that both have played."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def discordant(self) -> int:
        """Games that one won and the other lost."""
        return self.only_a + self.only_b

    @property
    def difference(self) -> float:
        """Win rate of a less that of b."""
        return self.a.win_rate - self.b.win_rate

    @property
    def p_value(self) -> float:
        """Exact McNemar test, two-sided: the chance of so uneven a split of equal policies."""
        return mcnemar(self.only_a, self.only_b)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Newcombe's interval of the difference, for paired games."""
        return newcombe_paired(self.both, self.only_a, self.only_b, self.neither, confidence)

    def as_dict(self) -> dict[str, Any]:
        """A document for JSON."""
        low, high = self.interval()
        rates = {"difference": self.difference, "difference_low": low, "difference_high": high}
        return {
            "schema": COMPARE_SCHEMA,
            "a": self.a.as_dict(),
            "b": self.b.as_dict(),
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "neither": self.neither,
            **{name: rate if rate == rate else None for name, rate in rates.items()},
            "p_value": self.p_value,
        }

    def to_json(self) -> str:
        """`as_dict` as JSON."""
        return json.dumps(self.as_dict(), allow_nan=False)

    def rows_of_table(self) -> list[tuple[str, str]]:
        """Label and value of every line of the table."""
        low, high = self.interval()
        return [
            ("a", f"{self.a.policy}: {self.a.wins} of {self.games} = {self.a.win_rate:.3%}"),
            ("b", f"{self.b.policy}: {self.b.wins} of {self.games} = {self.b.win_rate:.3%}"),
            ("won by both, neither", f"{self.both}, {self.neither}"),
            ("only by a, only by b", f"{self.only_a}, {self.only_b}"),
            ("a less b", f"{self.difference:+.3%}"),
            (f"{CONFIDENCE:.0%} interval", f"{low:+.3%} to {high:+.3%}"),
            ("exact McNemar p", f"{self.p_value:.3g}"),
        ]

    def __str__(self) -> str:
        """The table as plain text."""
        rows = self.rows_of_table()
        width = max(len(label) for label, _ in rows)
        return "\n".join(f"{label:<{width}}  {value}" for label, value in rows)
