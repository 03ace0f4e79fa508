"""The command line: `mineodds solve` reads boards and says what is certain and how likely the rest.

Answers are for people, or with --json one JSON object a line; cli_boards.py says how boards come in
and answers go out. The other commands are in modules of their own.
"""

import contextlib
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, NoReturn

import click

from mineodds import display, documents, interrupts
from mineodds._core import __version__
from mineodds.approximate import CHAINS, SWEEPS, estimate
from mineodds.approximate import METHODS as APPROXIMATIONS
from mineodds.board import Board
from mineodds.cli_boards import (
    DONE,
    USAGE,
    answer_boards,
    message_of,
    options_of_boards,
    output_failed,
    tell,
    write,
)
from mineodds.engine import Budget
from mineodds.estimates import Estimate
from mineodds.interrupts import INTERRUPTED
from mineodds.odds import Odds, inspected


def answer(board: Board, as_json: bool, exact: bool, method: str, budget: Budget) -> str:
    """What to print about a board. The time is that of all it says, but for parsing and drawing.

    The deadline of the budget holds for all of it.
    """
    start = time.perf_counter()
    odds = inspected(board, method, budget, budget)
    if as_json:
        document = documents.answer(odds, exact=exact)
        document["seconds"] = time.perf_counter() - start
        said = documents.line(document)
    else:
        look = display.look_for(sys.stdout)
        said = picture(odds, display.summary(odds, look, exact), look, start)
    budget.check()
    return said


def estimated(board: Board, as_json: bool, method: str, seed: int | None, budget: Budget) -> str:
    """What to print about a board whose odds are estimated."""
    start = time.perf_counter()
    found = estimate(board, method, budget, seed, CHAINS, SWEEPS)
    if as_json:
        document = documents.estimate(found)
        document["seconds"] = time.perf_counter() - start
        return documents.line(document)
    look = display.look_for(sys.stdout)
    return picture(found, display.estimate_summary(found), look, start)


def picture(
    odds: Odds | Estimate, said: list[tuple[str, str]], look: display.Look, start: float
) -> str:
    """The board for the eye, and what there is to say below it."""
    said.append(("time", f"{1000 * (time.perf_counter() - start):.3g} ms"))
    below = "\n".join(f"{word:8} {text}" for word, text in said)
    if not wants_colour():
        return f"{display.format_board(odds, look)}\n\n{below}"
    from rich.console import Console

    console = Console(force_terminal=True, legacy_windows=False, soft_wrap=True)
    with console.capture() as capture:
        console.print(display.rich_board(odds, look))
    return f"{capture.get()}\n{below}"


def schema_of(command: str) -> str:
    """The schema of a command's JSON; that of solve when there is no such command."""
    return f"mineodds.{command}/1" if command in Commands.elsewhere else documents.SOLVE


def wants_colour() -> bool:
    """On a terminal, or if FORCE_COLOR is set; never if NO_COLOR is (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    able = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return able or bool(os.environ.get("FORCE_COLOR"))


class Commands(click.Group):
    """The commands of other modules are imported when they are asked for."""

    elsewhere: ClassVar[dict[str, str]] = {
        "hint": "cli_play",
        "play": "cli_play",
        "simulate": "cli_simulate",
        "compare": "cli_simulate",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return [*super().list_commands(ctx), *self.elsewhere]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        if cmd_name not in self.elsewhere:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"mineodds.{self.elsewhere[cmd_name]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mineodds")
def commands() -> None:
    """Exact mine probabilities of Minesweeper positions."""


@commands.command("solve")
@options_of_boards
@click.option("--exact", is_flag=True, help="Also the chances as fractions, and every digit.")
@click.option(
    "--method",
    type=click.Choice(["elimination", "enumeration"]),
    default="elimination",
    show_default=True,
    help="The engine that computes the odds.",
)
@click.option(
    "--approximate",
    type=click.Choice(APPROXIMATIONS),
    help="Estimate the odds instead, of boards that are over the budget; nothing is certain then.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Of Gibbs sampling. [random]")
def solve_files(
    exact: bool, method: str, approximate: str | None, seed: int | None, **options: Any
) -> int:
    """Say how likely every hidden cell is a mine.

    FILE is a text file, or - for standard input. Rows hold # (hidden), F (flag, trusted to be a
    mine), . or 0, and 1 to 8; a line like "mines: 99" or "density: 0.2" before them may say what
    is known about the number of mines. A blank line separates boards.

    Exit codes: 0 done, 1 inconsistent board, 2 usage or unreadable board, 3 over budget, 130
    interrupted; of several boards the highest.
    """
    as_json = options["as_json"]
    if approximate is None:
        return answer_boards(
            lambda board, budget: answer(board, as_json, exact, method, budget),
            documents.SOLVE,
            titled=True,
            **options,
        )
    if exact or method != "elimination":
        raise click.UsageError("--approximate is neither exact nor a method of exact odds")
    return answer_boards(
        lambda board, budget: estimated(board, as_json, approximate, seed, budget),
        documents.ESTIMATE,
        titled=True,
        **options,
    )


def run(arguments: Sequence[str]) -> int:
    """Run the command line; its exit code."""
    if sys.stdout is None:  # closed by the shell, as in `mineodds solve - >&-`
        tell("standard output is closed")
        return USAGE
    try:
        return commands.main(list(arguments), "mineodds", standalone_mode=False) or DONE
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        if "--json" in arguments:
            schema = schema_of(arguments[0])
            write(documents.line(documents.failure(error, message_of(error), schema=schema)))
        return USAGE
    except OSError as error:  # the text of --help or --version
        output_failed(error)
    except click.Abort:
        tell("interrupted")
        return INTERRUPTED


def main() -> NoReturn:
    """The command `mineodds`."""
    interrupts.raise_again()
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        interrupts.end_at_once()
        code = INTERRUPTED
    interrupts.end_at_once()
    sys.exit(code)
