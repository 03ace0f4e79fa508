"""`mineodds simulate` and `mineodds compare`: whole games from the command line.

The table, or one JSON object, goes to standard output, a progress bar to standard error if that is
a terminal. Ctrl-C prints what was finished and ends with exit code 130.
"""

import io
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from mineodds.cli import schema_of
from mineodds.cli_boards import DONE, exit_code_of, message_of, tell, write
from mineodds.documents import failure, line
from mineodds.errors import MineoddsError
from mineodds.game import FIRST_CLICKS
from mineodds.interrupts import INTERRUPTED
from mineodds.policy import Policy
from mineodds.results import Comparison, SimulationResult, drawing
from mineodds.simulate import Progress, compare, simulate

Shape = tuple[int, int, int]

MOST_CELLS = 1_000_000

Command = TypeVar("Command", bound=Callable[..., int])

PRESETS: dict[str, Shape] = {
    "beginner": (9, 9, 10),
    "intermediate": (16, 16, 40),
    "expert": (16, 30, 99),
}


def shape_of(text: str) -> Shape:
    """(rows, cols, mines) of a preset's name or ROWSxCOLSxMINES."""
    found = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,18})", text)
    if found is not None:
        rows, cols, mines = map(int, found.groups())
        if rows * cols > MOST_CELLS:
            raise click.BadParameter(f"a game has at most {MOST_CELLS:,} cells")
        return rows, cols, mines
    if text not in PRESETS:
        raise click.BadParameter(
            f"{text!r} is none of {', '.join(PRESETS)}, nor ROWSxCOLSxMINES like 16x30x99"
        )
    return PRESETS[text]


def cell_of(text: str) -> tuple[int, int]:
    """(row, col) of ROW,COL."""
    found = re.fullmatch(r"([0-9]{1,9}),([0-9]{1,9})", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is no cell; one is ROW,COL like 0,0")
    return int(found[1]), int(found[2])


def policy_of(text: str) -> Policy:
    """The policy of a name with its options after a colon."""
    try:
        return Policy.parse(text)
    except (ValueError, TypeError) as error:
        raise click.BadParameter(str(error)) from None


def options_of_games(command: Command) -> Command:
    """The options that both commands have."""
    for option in (
        click.option(
            "--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw the guesses."
        ),
        click.option("--json", "as_json", is_flag=True, help="One JSON object."),
        click.option(
            "--checkpoint",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Keep what is finished in this file, and resume from it.",
        ),
        click.option("--workers", type=click.IntRange(1), help="Threads. [default: all cores]"),
        click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True),
        click.option(
            "--start", type=cell_of, metavar="ROW,COL", help="First click. [default: policy's]"
        ),
        click.option(
            "--first-click", type=click.Choice(FIRST_CLICKS), default="safe", show_default=True
        ),
        click.option("--games", type=click.IntRange(1), default=10_000, show_default=True),
        click.argument("board", type=shape_of, metavar="BOARD"),
    ):
        command = option(command)
    return command


@click.command("simulate")
@click.option(
    "--policy",
    type=policy_of,
    metavar="NAME",
    default="pseq",
    show_default=True,
    help="Its name; options after a colon, as in survival:depth=3.",
)
@options_of_games
def simulate_command(
    board: Shape, policy: Policy, as_json: bool, plot: str | None, **options: Any
) -> int:
    """Play whole games by a policy and count what happens.

    BOARD is beginner, intermediate, expert, or ROWSxCOLSxMINES like 16x30x99. Policies: safest,
    minimax, information, balanced, progress, pseq, survival.

    Exit codes: 0 done, 2 usage, 3 over budget, 130 interrupted (what was finished is printed).
    """
    return _run(
        "simulate",
        lambda progress: simulate(*board, policy=policy, progress=progress, **options),
        as_json,
        plot,
    )


@click.command("compare")
@click.option(
    "--policies",
    nargs=2,
    type=policy_of,
    required=True,
    metavar="A B",
    help="Names; options after a colon, as in survival:depth=3.",
)
@options_of_games
def compare_command(
    board: Shape, policies: tuple[Policy, Policy], as_json: bool, plot: str | None, **options: Any
) -> int:
    """Let two policies play the same layouts and test whether they differ.

    BOARD is beginner, intermediate, expert, or ROWSxCOLSxMINES like 16x30x99. Exit codes as for
    simulate.
    """
    return _run(
        "compare",
        lambda progress: compare(*policies, *board, progress=progress, **options),
        as_json,
        plot,
    )


def _run(
    name: str,
    play: Callable[[Progress | None], SimulationResult | Comparison],
    as_json: bool,
    plot: str | None,
) -> int:
    try:
        if plot is not None:
            _check_drawing(plot)  # what stands in its way is said before the games
        with progress_bar() as progress:
            found = play(progress)
        if plot is not None:
            _draw(found, plot)
    except (MineoddsError, ValueError, IndexError, OSError, ImportError, MemoryError) as error:
        message = message_of(error)
        if isinstance(error, OSError) and error.filename is not None:
            message = f"{error.filename}: {error.strerror}"
        tell(message)
        if as_json:
            write(line(failure(error, message, schema_of(name))))
        return exit_code_of(error)
    write(found.to_json() if as_json else str(found))
    complete = found.complete if isinstance(found, SimulationResult) else found.a.complete
    if complete:
        return DONE
    tell(f"interrupted after {found.games:,} games")
    return INTERRUPTED


def _check_drawing(path: str) -> None:
    """Raise what drawing to this file would raise; it stays as it is."""
    drawing("figure").Figure().savefig(io.BytesIO(), format=Path(path).suffix[1:] or None)
    is_new = not Path(path).exists()
    with Path(path).open("ab"):
        pass
    if is_new:
        Path(path).unlink()


def _draw(found: SimulationResult | Comparison, path: str) -> None:
    results = [found] if isinstance(found, SimulationResult) else [found.a, found.b]
    figure = drawing("figure").Figure(figsize=(6.0, 4.0 * len(results)), layout="constrained")
    for place, result in enumerate(results, 1):
        result.plot(figure.add_subplot(len(results), 1, place))
    figure.savefig(path)


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """What to call with the games done and those in all; None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = BarColumn(), MofNCompleteColumn(), "games", TimeRemainingColumn()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=None)
        yield lambda done, games: bar.update(task, completed=done, total=games)
