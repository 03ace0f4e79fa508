"""The command line: `mineodds solve` reads boards and says what is certain and how likely the rest.

Boards are texts in files or on standard input. A blank line after a board's rows ends it, and it is
answered at once, so that a program can hold a conversation over a pipe. Answers go to standard
output, for people or with --json as one JSON object a line, messages to standard error. Every
board is answered, and the exit code is the highest that any of them earned.
"""

import contextlib
import errno
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, ClassVar, NoReturn

import click

from mineodds import display, documents, interrupts
from mineodds._core import __version__
from mineodds.board import Board
from mineodds.engine import Budget
from mineodds.errors import (
    BoardFormatError,
    BudgetExceeded,
    InconsistentBoardError,
    MineoddsError,
    shown,
)
from mineodds.interrupts import INTERRUPTED
from mineodds.knowledge import MINES_MISSING, Chance
from mineodds.odds import MAX_MEMORY, MAX_WORK, Odds, inspected
from mineodds.text import chance
from mineodds.topologies import NAMES

DONE, INCONSISTENT, USAGE, OVER_BUDGET = 0, 1, 2, 3
OUTPUT_CLOSED = 141  # what shells say of a program that SIGPIPE ended

LONGEST_TEXT = 1 << 26  # bytes of one board: 64 MiB, enough for 8000 x 8000 cells


def board_texts(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """The text of each board, with the number of its first line; BoardFormatError if not UTF-8."""
    lines: list[str] = []
    first, size, has_rows, found = 1, 0, False, False
    for number, line in enumerate(iter(lambda: stream.readline(LONGEST_TEXT + 1), b""), 1):
        size += len(line)
        if size > LONGEST_TEXT:
            raise BoardFormatError(
                f"the text of this board is longer than {LONGEST_TEXT >> 20} MiB", line=first
            )
        text = _decoded(line, number)
        blank = not text.strip(" \t\r\n")
        if blank and has_rows:
            yield first, "".join(lines)
            lines, has_rows, found = [], False, True
        if blank and not lines:
            first, size = number + 1, 0
            continue
        lines.append(text)
        # A blank line between a header and its rows does not end the board.
        has_rows = has_rows or not (blank or ":" in text)
    if lines or not found:
        yield first, "".join(lines)


def _decoded(line: bytes, number: int) -> str:
    if b"\0" in line or line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BoardFormatError("a binary file or UTF-16; a board is UTF-8 text", line=number)
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        byte = line[error.start]
        column = len(line[: error.start].decode()) + 1
        raise BoardFormatError(
            f"byte 0x{byte:02x} is not UTF-8 text", line=number, column=column
        ) from error


def open_input(name: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    """A file, or standard input for -. Raises OSError."""
    if name != "-":
        return Path(name).open("rb")
    if sys.stdin is None:  # closed by the shell, as in `mineodds solve - <&-`
        raise OSError(errno.EBADF, "standard input is closed")
    return contextlib.nullcontext(sys.stdin.buffer)


def inputs(files: Sequence[str]) -> Iterator[tuple[str, int, str | Exception]]:
    """File, first line and text of every board, or why the rest of a file cannot be read."""
    for name in files:
        try:
            with open_input(name) as stream:
                for first, text in board_texts(stream):
                    yield name, first, text
        except (OSError, BoardFormatError, MemoryError) as error:
            yield name, 1, error


def read_board(text: str, first: int, known: dict[str, Any]) -> Board:
    """The board of a text that begins at a line of a file, which errors count from."""
    try:
        return Board.parse(text, **known)
    except BoardFormatError as error:
        if str(error) == MINES_MISSING:
            raise BoardFormatError(
                "the number of mines is missing: give --mines N or --density P, or a line like "
                "'mines: 10' before the rows"
            ) from None
        return Board.parse("\n" * (first - 1) + text, **known)


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
        said = picture(odds, exact, start)
    budget.check()
    return said


def picture(odds: Odds, exact: bool, start: float) -> str:
    """The board for the eye, and what there is to say below it."""
    look = display.look_for(sys.stdout)
    said = display.summary(odds, look, exact)
    said.append(("time", f"{1000 * (time.perf_counter() - start):.3g} ms"))
    below = "\n".join(f"{word:8} {text}" for word, text in said)
    if not wants_colour():
        return f"{display.format_board(odds, look)}\n\n{below}"
    from rich.console import Console

    console = Console(force_terminal=True, legacy_windows=False, soft_wrap=True)
    with console.capture() as capture:
        console.print(display.rich_board(odds, look))
    return f"{capture.get()}\n{below}"


def message_of(error: Exception) -> str:
    """What to tell people of an error."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and not isinstance(error, MineoddsError):
        return f"cannot be read: {error.strerror or error}"
    return str(error) or "out of memory"


def schema_of(command: str) -> str:
    """The schema of a command's JSON; that of solve when there is no such command."""
    return f"mineodds.{command}/1" if command in Commands.elsewhere else documents.SOLVE


def exit_code_of(error: Exception) -> int:
    """The exit code that an error earns."""
    if isinstance(error, InconsistentBoardError):
        return INCONSISTENT
    return OVER_BUDGET if isinstance(error, BudgetExceeded | MemoryError) else USAGE


def wants_colour() -> bool:
    """On a terminal, or if FORCE_COLOR is set; never if NO_COLOR is (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    able = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return able or bool(os.environ.get("FORCE_COLOR"))


def amount(unit: int) -> Callable[[click.Context, click.Parameter, str | None], float | None]:
    """An option's callback: a positive number, perhaps with k, M, G or T for powers of a unit."""

    def convert(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
        if text is None:
            return None
        power = max(0, " kMGT".find(text[-1:]))
        try:
            number = float(text[:-1] if power else text) * float(unit) ** power
        except ValueError:
            number = math.nan
        if not 0 < number < math.inf:
            raise click.BadParameter(
                f"{text!r} is not a positive number like 5e8 or 2G", ctx, param
            )
        return number

    return convert


def as_chance(_: click.Context, param: click.Parameter, text: str | None) -> Chance | None:
    """An option's callback: a number as a board's text has it, exact where it is like 1/5."""
    try:
        return None if text is None else chance(text)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            f"{shown(text)} is no chance like 0.2 or 1/5", param=param
        ) from None


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
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--mines", type=int, metavar="N", help="Mines on the board, flags included.")
@click.option(
    "--density",
    callback=as_chance,
    metavar="P",
    help="Their number is unknown; a hidden cell is a mine with this chance, 0.2 or 1/5.",
)
@click.option(
    "--topology",
    type=click.Choice(NAMES),
    help="Which cells are neighbours. [default: the board's, or rectangle]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each board.")
@click.option("--exact", is_flag=True, help="Also the chances as fractions, and every digit.")
@click.option(
    "--method",
    type=click.Choice(["elimination", "enumeration"]),
    default="elimination",
    show_default=True,
    help="The engine that computes the odds.",
)
@click.option(
    "--max-work",
    metavar="N",
    callback=amount(1000),
    help="Refuse boards that need more table-entry products, such as 5e9 or 5G.",
)
@click.option(
    "--max-memory",
    metavar="BYTES",
    callback=amount(1024),
    help="Refuse boards that need more memory, such as 512M or 2G.",
)
@click.option(
    "--deadline",
    metavar="SECONDS",
    callback=amount(1000),
    help="Give up on a board after this, counts and fractions included.",
)
def solve_files(
    files: tuple[str, ...],
    mines: int | None,
    density: Chance | None,
    topology: str | None,
    as_json: bool,
    exact: bool,
    method: str,
    max_work: float | None,
    max_memory: float | None,
    deadline: float | None,
) -> int:
    """Say how likely every hidden cell is a mine.

    FILE is a text file, or - for standard input. Rows hold # (hidden), F (flag, trusted to be a
    mine), . or 0, and 1 to 8; a line like "mines: 99" or "density: 0.2" before them may say what
    is known about the number of mines. A blank line separates boards.

    Exit codes: 0 done, 1 inconsistent board, 2 usage or unreadable board, 3 over budget, 130
    interrupted; of several boards the highest.
    """
    known = {"mines": mines, "density": density, "topology": topology}
    code = DONE
    for index, (name, first, text) in enumerate(inputs(files)):
        shown_name = click.format_filename(name)
        try:
            if isinstance(text, Exception):
                raise text
            budget = Budget.from_now(max_work or MAX_WORK, max_memory or MAX_MEMORY, deadline)
            said = answer(read_board(text, first, known), as_json, exact, method, budget)
        except (MineoddsError, OSError, MemoryError) as error:
            code = max(code, exit_code_of(error))
            place = f"{shown_name}: "
            if first > 1 and getattr(error, "line", None) is None:
                place += f"board in line {first}: "
            tell(place + message_of(error))
            document = documents.failure(error, message_of(error), file=shown_name, first=first)
            said = documents.line(document) if as_json else ""
        else:
            if not as_json and (index or len(files) > 1):
                said = "\n" * (index > 0) + f"{shown_name}, line {first}\n\n{said}"
        if said:
            write(said)
    return code


def write(text: str) -> None:
    """Write to standard output or end: quietly if its reader has gone, as `head` does."""
    try:
        click.echo(text, color=True)
    except OSError as error:
        output_failed(error)


def output_failed(error: OSError) -> NoReturn:
    """End because standard output takes no more."""
    # Windows has another number for a broken pipe.
    gone = error.errno in (errno.EPIPE, errno.EINVAL)
    if not gone:
        tell(f"standard output: {error.strerror}")
    # What is left in the buffer is not tried again at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(OUTPUT_CLOSED if gone else USAGE) from None


def tell(message: str) -> None:
    """Say something on standard error, if that can be written; the exit code says the rest."""
    try:
        click.echo(f"mineodds: {message}", err=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


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
