"""What the commands that read boards share: files in, one answer a board out, exit codes.

Boards are texts in files or on standard input. A blank line after a board's rows ends it, and it is
answered at once, so that a program can hold a conversation over a pipe. Answers go to standard
output, messages to standard error. Every board is answered, and the exit code is the highest that
any of them earned.
"""

import contextlib
import errno
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

import click

from mineodds import documents
from mineodds.board import Board
from mineodds.engine import Budget
from mineodds.errors import (
    BoardFormatError,
    BudgetExceeded,
    InconsistentBoardError,
    MineoddsError,
    shown,
)
from mineodds.knowledge import MINES_MISSING, Chance
from mineodds.odds import MAX_MEMORY, MAX_WORK
from mineodds.text import chance
from mineodds.topologies import NAMES

DONE, INCONSISTENT, USAGE, OVER_BUDGET = 0, 1, 2, 3
OUTPUT_CLOSED = 141  # what shells say of a program that SIGPIPE ended

LONGEST_TEXT = 1 << 26  # bytes of one board: 64 MiB, enough for 8000 x 8000 cells

Command = TypeVar("Command", bound=Callable[..., int])


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


def options_of_boards(command: Command) -> Command:
    """The arguments of commands that answer boards; `answer_boards` takes them."""
    for option in (
        click.option(
            "--deadline",
            metavar="SECONDS",
            callback=amount(1000),
            help="Give up on a board after this, counts and fractions included.",
        ),
        click.option(
            "--max-memory",
            metavar="BYTES",
            callback=amount(1024),
            help="Refuse boards that need more memory, such as 512M or 2G.",
        ),
        click.option(
            "--max-work",
            metavar="N",
            callback=amount(1000),
            help="Refuse boards that need more table-entry products, such as 5e9 or 5G.",
        ),
        click.option(
            "--json", "as_json", is_flag=True, help="One JSON object a line for each board."
        ),
        click.option(
            "--topology",
            type=click.Choice(NAMES),
            help="Which cells are neighbours. [default: the board's, or rectangle]",
        ),
        click.option(
            "--density",
            callback=as_chance,
            metavar="P",
            help="Their number is unknown; a hidden cell is a mine with this chance, 0.2 or 1/5.",
        ),
        click.option("--mines", type=int, metavar="N", help="Mines on the board, flags included."),
        click.argument("files", metavar="FILE...", nargs=-1, required=True),
    ):
        command = option(command)
    return command


def answer_boards(
    answer: Callable[[Board, Budget], str],
    schema: str,
    *,
    files: Sequence[str],
    as_json: bool,
    max_work: float | None,
    max_memory: float | None,
    deadline: float | None,
    titled: bool = False,
    **known: Any,
) -> int:
    """Write the answer to every board, or the error, in JSON of this schema; the exit code.

    ``titled``: of several boards each is preceded by its place, where that is not for programs.
    """
    code = DONE
    for index, (name, first, text) in enumerate(inputs(files)):
        shown_name = click.format_filename(name)
        try:
            if isinstance(text, Exception):
                raise text
            budget = Budget.from_now(max_work or MAX_WORK, max_memory or MAX_MEMORY, deadline)
            said = answer(read_board(text, first, known), budget)
        except (MineoddsError, OSError, MemoryError) as error:
            code = max(code, exit_code_of(error))
            place = f"{shown_name}: "
            if first > 1 and getattr(error, "line", None) is None:
                place += f"board in line {first}: "
            tell(place + message_of(error))
            document = documents.failure(
                error, message_of(error), schema, file=shown_name, first=first
            )
            said = documents.line(document) if as_json else ""
        else:
            if titled and not as_json and (index or len(files) > 1):
                said = "\n" * (index > 0) + f"{shown_name}, line {first}\n\n{said}"
        if said:
            write(said)
    return code


def message_of(error: Exception) -> str:
    """What to tell people of an error."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and not isinstance(error, MineoddsError):
        return f"cannot be read: {error.strerror or error}"
    return str(error) or "out of memory"


def exit_code_of(error: Exception) -> int:
    """The exit code that an error earns."""
    if isinstance(error, InconsistentBoardError):
        return INCONSISTENT
    return OVER_BUDGET if isinstance(error, BudgetExceeded | MemoryError) else USAGE


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
