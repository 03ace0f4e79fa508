"""`mineodds play` and `mineodds hint`: a game in the terminal, and a policy's move for a board.

A game reads one command a line, from people or from a pipe, and draws the board after each that
changed it. Hints and odds see what the player sees, never the layout.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click
import numpy as np

from mineodds import display
from mineodds.board import Board
from mineodds.cli import wants_colour
from mineodds.cli_boards import DONE, USAGE, answer_boards, options_of_boards, tell, write
from mineodds.cli_simulate import Shape, policy_of, shape_of
from mineodds.documents import line
from mineodds.engine import Budget
from mineodds.errors import MineoddsError, shown
from mineodds.game import FIRST_CLICKS, Game
from mineodds.odds import MAX_MEMORY, MAX_WORK, Odds, solve
from mineodds.policy import Move, Policy, best_move, without_flags
from mineodds.text import FLAG, HIDDEN

HINT = "mineodds.hint/1"

FREE = Budget(MAX_WORK, MAX_MEMORY)

LONGEST_COMMAND = 1000  # characters of a line

COMMANDS = """\
ROW COL          open a cell (or: open ROW COL)
flag ROW COL     set a flag, or take it away
chord ROW COL    open what is around a number with all its flags
undo             take the last step back
hint             the policy's move
odds             the chance of a mine in every cell
help, quit       first letters are enough"""

ACTIONS = ("open", "flag", "chord", "undo", "hint", "odds", "help", "quit")


@click.command("hint")
@options_of_boards
@click.option(
    "--policy",
    "wanted",
    type=policy_of,
    metavar="NAME",
    help="[default: pseq; safest where not the number of mines is known, but anything else]",
)
def hint_command(wanted: Policy | None, **options: Any) -> int:
    """Say which cell to open.

    FILE as for solve. Certain safe cells come first, whatever the policy; flags are read as hidden
    cells. Without the number of mines "safest" is the only policy for uncertain cells, and the
    default. Exit codes as for solve.
    """

    def answer(board: Board, budget: Budget) -> str:
        policy = wanted or Policy("pseq" if board.is_plain else "safest")
        move = _move(board, policy, budget)
        if options["as_json"]:
            return line(document(board, policy, move))
        return "\n".join(advice(move))

    return answer_boards(answer, HINT, **options)


def _move(board: Board, policy: Policy, budget: Budget = FREE) -> Move | None:
    """The policy's move; None when the game is won."""
    limits: dict[str, Any] = {"max_work": budget.max_work, "max_memory": budget.max_memory}
    if budget.until < math.inf:
        limits["deadline"] = budget.seconds_left
    if int(np.count_nonzero(board.cells < 0)) == board.mines and board.max_per_cell == 1:
        solve(without_flags(board), **limits)  # raises if the board is inconsistent
        return None
    return best_move(board, policy=policy, **limits)


def document(board: Board, policy: Policy, move: Move | None) -> dict[str, Any]:
    """A move as a value that JSON can hold; the cell is null when no safe cell is hidden."""
    about = {"schema": HINT, "rows": board.rows, "cols": board.cols, "mines": board.mines}
    about["policy"] = str(policy)
    if move is None:
        return about | {"row": None, "col": None, "candidates": []}
    candidates = [
        {
            "row": candidate.row,
            "col": candidate.col,
            "probability": candidate.probability,
            "figures": {
                name: None if value != value else value for name, value in candidate.named_figures
            },
        }
        for candidate in move.candidates
    ]
    return about | {
        "row": move.row,
        "col": move.col,
        "probability": move.probability,
        "certain": move.certain,
        "score": move.score,
        "candidates": candidates,
    }


def advice(move: Move | None, most: int = 10) -> Iterator[str]:
    """What to tell people of a move: the cell, and the candidates with their figures."""
    if move is None:
        yield "no safe cell is hidden: the game is won"
        return
    place = "open " + " ".join(map(str, move.cell))
    if move.certain:
        others = len(move.candidates) - 1
        yield f"{place}: safe" + (f", like {others} other cells" if others else "")
        return
    yield f"{place}: a mine with {display.percentage(move.probability)}"
    ranked = sorted(move.candidates, key=lambda other: (other.probability, other.cell))
    for candidate in ranked[:most]:
        figures = "".join(
            f"  {name} {value:.4g}" for name, value in candidate.named_figures if value == value
        )
        chance = display.percentage(candidate.probability)
        yield f"  {candidate.cell}  {chance}{figures}"
    if len(ranked) > most:
        yield f"  and {len(ranked) - most} more candidates"


@click.command("play")
@click.argument("board", type=shape_of, metavar="[BOARD]", default="beginner")
@click.option("--first-click", type=click.Choice(FIRST_CLICKS), default="safe", show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Names the layout. [random]")
@click.option(
    "--policy", type=policy_of, metavar="NAME", default="pseq", show_default=True, help="For hints."
)
def play_command(board: Shape, first_click: str, seed: int | None, policy: Policy) -> int:
    """Play a game in the terminal, with hints.

    BOARD is beginner (if not given), intermediate, expert, or ROWSxCOLSxMINES like 16x30x99. One
    command a line, "help" lists them. Exit codes: 0 done, 2 usage, 130 interrupted.
    """
    try:
        game = Game(*board, first_click, seed)
    except MineoddsError as error:
        tell(str(error))
        return USAGE
    try:
        if sys.stdin is None:  # closed by the shell, as in `mineodds play <&-`
            raise InputError("is closed")
        _Table(game, policy).play()
    except InputError as error:
        tell(f"standard input {error}")
        return USAGE
    return DONE


class InputError(Exception):
    """No command can be read any more; the rest of a sentence about standard input."""


def is_number(word: str) -> bool:
    """Digits 0 to 9 only; `str.isdigit` takes those of every script, and superscripts."""
    return re.fullmatch("[0-9]+", word) is not None


class _Table:
    """A game and those who sit at it."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game = game
        self.policy = policy
        self.on_terminal = sys.stdin.isatty()

    def play(self) -> None:
        """Read and carry out commands until the game or the input ends."""
        if self.on_terminal:
            write(COMMANDS)
        self.show()
        while self.game.state != "won":
            words = self.read()
            if words is None or (words and "quit".startswith(words[0])):
                return
            if not words:
                continue
            try:
                self.obey(words)
            except (ValueError, IndexError, MineoddsError) as error:
                write(str(error))

    def read(self) -> list[str] | None:
        """The words of the next line; None at the end."""
        if not self.on_terminal:
            try:
                text = sys.stdin.readline(LONGEST_COMMAND + 1)
            except UnicodeDecodeError:
                raise InputError("is not UTF-8 text") from None
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror}") from None
            if len(text) > LONGEST_COMMAND:
                raise InputError(f"has a line of more than {LONGEST_COMMAND} characters")
            return text.lower().split() if text else None
        try:
            return input("> ").lower().split()
        except EOFError:
            return None

    def obey(self, words: list[str]) -> None:
        """Carry out a command; ValueError or IndexError if it is none."""
        if is_number(words[0]):
            words = ["open", *words]
        action = next((name for name in ACTIONS if name.startswith(words[0])), None)
        if action is None:
            raise ValueError(f"no command {shown(words[0])}; help lists them")
        if action in ("open", "flag", "chord"):
            if len(words) != 3 or not all(map(is_number, words[1:])):
                raise ValueError(f"{action} needs a row and a column, as in {action} 0 0")
            act: Callable[[int, int], bool] = getattr(self.game, action)
            if not act(int(words[1]), int(words[2])):
                raise ValueError("nothing to do there")
            self.show()
        elif action == "undo":
            if not self.game.undo():
                raise ValueError("nothing to take back")
            self.show()
        elif action == "help":
            write(COMMANDS)
        elif self.game.state == "lost":
            raise ValueError("the game is lost; undo takes the last step back")
        elif action == "hint":
            write("\n".join(advice(_move(self.game.board, self.policy))))
        else:
            self.draw(solve(without_flags(self.game.board)))

    def show(self) -> None:
        """The board and how the game stands."""
        game, board = self.game, self.game.board
        if game.state == "playing":
            self.draw(board)
            flags = int(np.count_nonzero(board.cells == FLAG))
            hidden = int(np.count_nonzero(board.cells == HIDDEN))
            write(f"{game.mines - flags} mines left in {hidden} cells")
            return
        cells = np.where(game.layout, FLAG, board.cells).astype(np.int8)
        self.draw(Board(cells, game.mines, topology=board.topology))
        if game.exploded is None:
            write(f"won (seed {game.seed})")
        else:
            row, col = game.exploded
            write(f"lost: a mine at {row} {col} (seed {game.seed}); undo takes it back")

    def draw(self, shown: Board | Odds) -> None:
        """A board, with its odds if it is given them."""
        look = display.look_for(sys.stdout)
        if not wants_colour():
            write(display.format_board(shown, look))
            return
        from rich.console import Console

        console = Console(force_terminal=True, legacy_windows=False, soft_wrap=True)
        with console.capture() as capture:
            console.print(display.rich_board(shown, look))
        write(capture.get().rstrip("\n"))
