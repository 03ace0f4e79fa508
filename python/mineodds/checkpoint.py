"""The file that a simulation resumes from: written whole, and believed only if it adds up.

A file may have been cut short, edited, or be something else. Its schema, types, ranges and sums are
checked here, so that what is counted on from is what some simulation can have counted.
"""

import json
import math
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineodds.errors import shown
from mineodds.results import Counts

SCHEMA = "mineodds.checkpoint/1"

LONGEST = 1 << 20  # bytes; a checkpoint has a few thousand


@dataclass
class Checkpoint:
    """Games 0 to ``done`` - 1, of one setup or of two side by side."""

    setups: list[dict[str, Any]]
    done: int
    counts: list[Counts]
    pairs: list[int]
    seconds: float
    core_seconds: list[float]

    def save(self, path: Path) -> None:
        """Write it beside and move it into place: an interruption leaves the old or the new one.

        Raises OSError that names the path.
        """
        document = {"schema": SCHEMA, **vars(self)}
        document["counts"] = [counts.as_dict() for counts in self.counts]
        beside = path.with_name(path.name + ".part")
        try:
            beside.write_text(json.dumps(document), encoding="utf-8")
            beside.replace(path)
        except OSError as error:
            raise _named(error, "written", path) from None

    @staticmethod
    def load(path: Path) -> "Checkpoint | None":
        """What a file holds; None if there is no file.

        Raises ValueError if it is no checkpoint, and OSError that names the path.
        """
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise _refused(path, "it is no regular file")
            with path.open("rb") as file:
                text = file.read(LONGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _named(error, "read", path) from None
        if len(text) > LONGEST:
            raise _refused(path, f"it is longer than {LONGEST >> 20} MiB")
        try:
            document = json.loads(text.decode())
        except (ValueError, RecursionError):
            raise _refused(path, "it is not JSON") from None
        try:
            return _checked(document)
        except ValueError as error:
            raise _refused(path, str(error)) from None


def _named(error: OSError, what: str, path: Path) -> OSError:
    return OSError(error.errno, f"the checkpoint cannot be {what}: {error.strerror}", str(path))


def _refused(path: Path, why: str) -> ValueError:
    return ValueError(f"{path} is no checkpoint of a simulation: {why}")


def _checked(document: object) -> Checkpoint:
    """The checkpoint of a document; ValueError says what is wrong with it."""
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f'"schema" is not {SCHEMA}')
    setups = document.get("setups")
    if not isinstance(setups, list) or len(setups) not in (1, 2):
        raise ValueError('"setups" are not one or two')
    done = _count("done", document.get("done"))
    counts = [
        _counts(values, done) for values in _list("counts", document.get("counts"), len(setups))
    ]
    pairs = [_count("pairs", value) for value in _list("pairs", document.get("pairs"), 4)]
    both, only_a, only_b, _ = pairs
    if len(setups) == 1:
        if any(pairs):
            raise ValueError('"pairs" of one policy are not 0')
    elif sum(pairs) != done or [both + only_a, both + only_b] != [c.wins for c in counts]:
        raise ValueError('"pairs" do not add up to the games and wins')
    core_seconds = _list("core_seconds", document.get("core_seconds"), len(setups))
    return Checkpoint(
        setups=setups,
        done=done,
        counts=counts,
        pairs=pairs,
        seconds=_time("seconds", document.get("seconds")),
        core_seconds=[_time("core_seconds", value) for value in core_seconds],
    )


def _counts(values: object, done: int) -> Counts:
    """The counts of one setup, which lost every game that it did not win, once."""
    blank = vars(Counts())
    if not isinstance(values, Mapping) or set(values) != set(blank):
        raise ValueError(f'"counts" do not hold {", ".join(blank)}')
    plain: dict[str, Any] = {
        name: tuple(_count(name, value) for value in _list(name, values[name], len(zero)))
        if isinstance(zero, tuple)
        else _count(name, values[name])
        for name, zero in blank.items()
    }
    found = Counts(**plain)
    if found.games != done:
        raise ValueError(f'"games" is {shown(found.games)}, but "done" is {shown(done)}')
    lost_by_guess = sum(found.losses_by_guess)
    if found.wins + found.lost_at_first_click + lost_by_guess != done:
        raise ValueError('"wins" and losses do not add up to the games')
    if sum(found.losses_by_risk) != lost_by_guess:
        raise ValueError('"losses_by_risk" and "losses_by_guess" differ')
    if sum(found.guesses_by_risk) != found.guesses:
        raise ValueError('"guesses_by_risk" does not add up to "guesses"')
    risks = zip(found.losses_by_risk, found.guesses_by_risk, strict=True)
    if any(losses > guesses for losses, guesses in risks):
        raise ValueError('"losses_by_risk" is more than "guesses_by_risk"')
    return found


def _list(name: str, value: object, size: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != size:
        raise ValueError(f'"{name}" is not a list of {size}')
    return value


def _count(name: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError(f'"{name}" holds {shown(value)}, which is no count')
    return value


def _time(name: str, value: object) -> float:
    if type(value) not in (int, float) or not 0.0 <= value < math.inf:  # type: ignore[operator]
        raise ValueError(f'"{name}" holds {shown(value)}, which is no time')
    return float(value)  # type: ignore[arg-type]
