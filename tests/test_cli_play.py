"""`mineodds play`, `hint`, `simulate` and `compare` as a shell and as other programs see them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mineodds as mo
from command_line import SMALL, Mineodds
from mineodds import cli, cli_simulate, display

BOARD = "mines: 1\n##\n1#\n##\n"
SEVERAL = "max_per_cell: 2\nequally_likely: placements"
pytestmark = pytest.mark.usefixtures("environment")


# hint


def test_hint_of_a_certain_board(mineodds: Mineodds) -> None:
    assert mineodds("hint", "-", stdin=SMALL) == (0, "open 1 2: safe, like 3 other cells\n", "")
    [found] = mineodds("hint", "-", "--json", stdin=SMALL).json
    assert found["schema"] == "mineodds.hint/1"
    assert (found["row"], found["col"], found["certain"]) == (1, 2, True)
    cells = [[other["row"], other["col"]] for other in found["candidates"]]
    assert cells == [[1, 2], [3, 2], [3, 3], [4, 3]]


@pytest.mark.parametrize("policy", ["safest", "minimax:tolerance=0.5", "pseq", "survival:depth=3"])
def test_hint_is_the_best_move(mineodds: Mineodds, policy: str) -> None:
    move = mo.best_move(BOARD, policy=policy)
    [found] = mineodds("hint", "-", "--policy", policy, "--json", stdin=BOARD).json
    assert (found["row"], found["col"], found["score"]) == (move.row, move.col, move.score)
    assert [other["probability"] for other in found["candidates"]] == [
        other.probability for other in move.candidates
    ]
    figures = [other.figures for other in move.candidates]
    for shown, exact in zip(found["candidates"], figures, strict=True):
        assert list(shown["figures"]) == list(exact)
    plain = mineodds("hint", "-", "--policy", policy, stdin=BOARD).out
    assert plain.startswith(f"open {move.row} {move.col}: a mine with 20 %\n")


def test_hint_of_what_has_none(mineodds: Mineodds) -> None:
    assert mineodds("hint", "-", stdin="mines: 1\n1#\n").out == (
        "no safe cell is hidden: the game is won\n"
    )
    [found] = mineodds("hint", "-", "--json", stdin="mines: 1\n1F\n").json
    assert (found["row"], found["candidates"]) == (None, [])
    for text, code in (("mines: 1\n2#\n", 1), ("mines: 1\n0#\n", 1), ("mines: 1\n#x\n", 2)):
        result = mineodds("hint", "-", "--json", stdin=text)
        assert result.code == code
        [found] = result.json
        assert found["schema"] == "mineodds.hint/1"
        assert found["error"]["message"] in result.err


# play


def test_a_game_from_a_pipe(mineodds: Mineodds) -> None:
    game = mo.Game(9, 9, 10, "safe", seed=3)
    code, out, err = mineodds("play", "--seed", "3", stdin="0 0\nflag 8 8\nu\nquit\n")
    assert (code, err) == (0, "")
    pictures = [display.format_board(game.board)]
    game.open(0, 0)
    pictures.append(display.format_board(game.board))
    game.flag(8, 8)
    pictures += [display.format_board(game.board), pictures[1]]
    left = ["10 mines left in 81", "10 mines left in 71", "9 mines left in 70"]
    left.append(left[1])
    expected = [f"{picture}\n{count} cells" for picture, count in zip(pictures, left, strict=True)]
    assert out == "\n".join(expected) + "\n"


def test_a_game_is_won_by_its_hints(mineodds: Mineodds) -> None:
    """What a player types who does as told; 5 is a seed of a game that is won so."""
    lines, game = ["0 0"], mo.Game(9, 9, 10, "opening", seed=5)
    game.open(0, 0)
    while game.state == "playing":
        move = mo.best_move(game.board)
        game.open(move.row, move.col)
        lines += ["hint", f"o {move.row} {move.col}"]
    assert game.state == "won"
    text = "\n".join([*lines, "never read"])
    code, out, err = mineodds("play", "--first-click", "opening", "--seed", "5", stdin=text)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "won (seed 5)"
    assert out.count("open ") == lines.count("hint")


def test_a_lost_game_can_be_taken_back(mineodds: Mineodds) -> None:
    text = "0 0\nhint\nodds\nundo\nhint\nodds\nq\n"
    code, out, _ = mineodds("play", "1x2x1", "--first-click", "any", "--seed", "6", stdin=text)
    assert code == 0
    assert "0  F   #\nlost: a mine at 0 0 (seed 6); undo takes it back\n" in out
    assert out.count("the game is lost; undo takes the last step back") == 2
    assert "open 0 0: a mine with 50 %" in out
    assert "0 50% 50%" in out


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("help", "set a flag, or take it away"),
        ("zork", "no command 'zork'; help lists them"),
        ("open 99 0", "row 99 is outside 0 to 8"),
        ("open -1 0", "open needs a row and a column, as in open 0 0"),
        ("5", "open needs a row and a column, as in open 0 0"),
        ("chord 0 0", "nothing to do there"),
        ("undo", "nothing to take back"),
        ("odds", "0 12% 12%"),
    ],
)
def test_what_a_game_answers(mineodds: Mineodds, command: str, answer: str) -> None:
    code, out, err = mineodds("play", stdin=f"\n{command}\n")
    assert (code, err) == (0, "")
    assert answer in out


def test_games_that_cannot_be(mineodds: Mineodds) -> None:
    assert mineodds("play", "2x2x5").err == (
        "mineodds: mines must be from 0 to 4, the number of cells, not 5\n"
    )
    assert mineodds("play", "2x2x5").code == 2
    code, out, _ = mineodds("play", "3x3x5", "--first-click", "opening", stdin="1 1\n")
    assert code == 0
    assert "at most 0 mines fit" in out


# simulate and compare


def test_simulate(mineodds: Mineodds) -> None:
    arguments = ["simulate", "beginner", "--policy", "safest:ties=first", "--games", "300"]
    arguments += ["--start", "0,0", "--seed", "7", "--first-click", "any", "--workers", "1"]
    expected = mo.simulate(
        *(9, 9, 10), policy="safest:ties=first", games=300, start=(0, 0), seed=7, first_click="any"
    )
    result = mineodds(*arguments, "--json")
    assert (result.code, result.err) == (0, "")
    [found] = result.json
    assert found["schema"] == "mineodds.simulate/1"
    assert found["counts"] == expected.counts.as_dict()
    assert (found["policy"], found["start"]) == ("safest:ties=first", [0, 0])
    assert mineodds(*arguments).out.splitlines()[:5] == str(expected).splitlines()[:5]


def test_compare(mineodds: Mineodds) -> None:
    arguments = ["compare", "9x9x10", "--policies", "safest", "pseq", "--games", "200"]
    expected = mo.compare("safest", "pseq", 9, 9, 10, games=200)
    [found] = mineodds(*arguments, "--json").json
    assert found["schema"] == "mineodds.compare/1"
    assert (found["only_a"], found["only_b"]) == (expected.only_a, expected.only_b)
    assert mineodds(*arguments).out == f"{expected}\n"


def test_checkpoint_and_plot(mineodds: Mineodds) -> None:
    arguments = ["simulate", "beginner", "--checkpoint", "c.json", "--json"]
    [first] = mineodds(*arguments, "--games", "100").json
    [more] = mineodds(*arguments, "--games", "300", "--plot", "plot.png").json
    assert first["counts"]["games"] == 100
    assert more["counts"] == mo.simulate(9, 9, 10, games=300).counts.as_dict()
    assert Path("plot.png").read_bytes().startswith(b"\x89PNG")
    code, _, err = mineodds(*arguments, "--games", "300", "--seed", "1")
    assert code == 2
    assert "c.json is a checkpoint of" in err


def test_a_bad_checkpoint_ends_with_2(mineodds: Mineodds) -> None:
    arguments = ["simulate", "4x4x3", "--games", "600", "--checkpoint"]
    Path("c.json").write_text("{}", encoding="utf-8")
    message = 'c.json is no checkpoint of a simulation: "schema" is not mineodds.checkpoint/1'
    assert mineodds(*arguments, "c.json") == (2, "", f"mineodds: {message}\n")
    path = str(Path("none") / "c.json")
    code, out, err = mineodds(*arguments, path)
    assert (code, out) == (2, "")
    assert err.startswith(f"mineodds: {path}: the checkpoint cannot be written: ")
    if Path("/dev/full").exists():
        code, _, err = mineodds(*arguments, "/dev/full")
        assert code == 2
        assert err.endswith("no checkpoint of a simulation: it is no regular file\n")


def test_without_matplotlib(mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = mineodds("simulate", "4x4x3", "--games", "10", "--plot", "x.svg")
    assert (code, out) == (2, "")
    assert "a plot needs matplotlib" in err
    assert err.endswith("pip install mineodds[plot]\n")


def test_a_game_won_from_the_start(mineodds: Mineodds) -> None:
    for shape, cells in (("1x1x1", 1), ("2x3x6", 6)):
        code, out, err = mineodds("play", shape, "--seed", "3", stdin="0 0\n")
        assert (code, err) == (0, "")
        assert out.count("F") == cells
        assert out.endswith("won (seed 3)\n")
    assert mo.Game(2, 3, 6).layout.tolist() == [[True] * 3] * 2


def test_play_without_readable_input(
    mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = mineodds("play", stdin="\0" * 100_000)
    assert run.code == 2
    assert run.err == "mineodds: standard input has a line of more than 1000 characters\n"
    broken = io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")
    for stream, why in ((None, "is closed"), (broken, "is not UTF-8 text")):
        monkeypatch.setattr(sys, "stdin", stream)
        assert cli.run(["play"]) == 2
        assert capfd.readouterr().err == f"mineodds: standard input {why}\n"


def test_play_takes_plain_digits_and_echoes_little(mineodds: Mineodds) -> None:
    digit = "\N{ARABIC-INDIC DIGIT THREE}"
    code, out, err = mineodds("play", stdin=f"{digit} {digit}\nopen {digit} 3\n{'z' * 900}\n")
    assert (code, err) == (0, "")
    assert f"no command '{digit}'; help lists them" in out
    assert "open needs a row and a column" in out
    assert "z..." in out
    assert "z" * 200 not in out


@pytest.mark.parametrize("command", ["simulate", "compare"])
def test_interruption_prints_what_was_finished(
    mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def interrupt(done: int, games: int) -> None:
        assert 0 < done < games
        raise KeyboardInterrupt

    @contextmanager
    def bar() -> Iterator[Callable[[int, int], None]]:
        yield interrupt

    monkeypatch.setattr(cli_simulate, "progress_bar", bar)
    more = ["--policies", "safest", "pseq"] if command == "compare" else []
    code, _, err = result = mineodds(command, "expert", *more, "--games", "1000000", "--json")
    assert code == 130
    [found] = result.json
    played = found if command == "simulate" else found["a"]
    assert not played["complete"]
    games = played["counts"]["games"]
    assert 0 < games < 1_000_000
    assert err == f"mineodds: interrupted after {games:,} games\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate"],
        ["simulate", "master"],
        ["simulate", "9x9"],
        ["simulate", "9x9x82"],
        ["simulate", "\N{ARABIC-INDIC DIGIT THREE}x3x1"],
        ["simulate", "3x3x1", "--start", "\N{ARABIC-INDIC DIGIT ONE},1"],
        ["simulate", "0x9x0"],
        ["simulate", "99999x99999x5"],
        ["simulate", "beginner", "--games", "0"],
        ["simulate", "beginner", "--policy", "lucky"],
        ["simulate", "beginner", "--policy", "safest:depth=2"],
        ["simulate", "beginner", "--policy", "survival:depth=99"],
        ["simulate", "beginner", "--start", "9,0"],
        ["simulate", "beginner", "--start", "a"],
        ["simulate", "3x3x5", "--first-click", "opening", "--start", "1,1"],
        ["simulate", "beginner", "--seed", "-1"],
        ["compare", "beginner", "--policies", "safest"],
        ["compare", "beginner"],
    ],
)
def test_bad_arguments_end_with_2(mineodds: Mineodds, arguments: list[str]) -> None:
    code, out, err = mineodds(*arguments)
    assert (code, out) == (2, "")
    assert err
    result = mineodds(*arguments, "--json")
    [found] = result.json
    assert result.code == 2
    assert found["schema"] == f"mineodds.{arguments[0]}/1"
    assert found["error"]["message"] in result.err


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with cli_simulate.progress_bar() as progress:
        assert progress is None
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    with cli_simulate.progress_bar() as progress:
        assert progress is not None
        progress(3, 10)
    assert "3/10" in terminal.getvalue()


@pytest.mark.parametrize("command", [["simulate"], ["compare", "--policies", "safest", "pseq"]])
def test_a_plot_that_cannot_be_drawn_is_refused_before_the_games(
    mineodds: Mineodds, command: list[str]
) -> None:
    arguments = [*command, "expert", "--games", "1000000000", "--plot"]
    path = str(Path("none") / "plot.png")
    code, out, err = mineodds(*arguments, path)
    assert (code, out) == (2, "")
    assert err == f"mineodds: {path}: No such file or directory\n"
    code, out, err = mineodds(*arguments, "plot.xyz")
    assert (code, out) == (2, "")
    assert "'xyz' is not supported" in err
    assert not Path("plot.xyz").exists()
    Path("kept.png").write_bytes(b"before")
    assert mineodds(*command, "4x4x3", "--games", "0", "--plot", "kept.png").code == 2
    assert Path("kept.png").read_bytes() == b"before"


def test_hint_takes_the_options_of_solve(mineodds: Mineodds) -> None:
    arguments = ["hint", "-", "--mines", "2", "--topology", "torus", "--json"]
    torus = mineodds(*arguments, stdin="#1##\n####")
    expected = mo.best_move(mo.Board.parse("#1##\n####", 2, topology="torus"))
    assert (torus.json[0]["row"], torus.json[0]["col"]) == (expected.row, expected.col)
    wide = "#####\n#3#3#\n#####\n#2#2#\n#####"
    arguments = ["hint", "-", "--mines", "6", "--json"]
    over = mineodds(*arguments, "--max-work", "1", stdin=wide)
    assert (over.code, over.json[0]["error"]["type"]) == (3, "BudgetExceeded")
    assert mineodds(*arguments, "--max-memory", "1", stdin=wide).code == 3
    assert mineodds(*arguments, "--deadline", "1e-9", stdin=wide).code == 3
    assert mineodds(*arguments, "--deadline", "100", stdin=wide).code == 0


def test_hint_without_the_number_of_mines(mineodds: Mineodds) -> None:
    """Certain cells first, for all policies; then "safest" alone: the least chance, in a corner."""
    [sure] = mineodds("hint", "-", "--density", "0.2", "--json", stdin="01#\n01#\n01#").json
    assert (sure["certain"], sure["probability"]) == (True, 0.0)
    safest = ["hint", "-", "--density", "0.2", "--policy", "safest", "--json"]
    [found] = mineodds(*safest, stdin="#3###\n#####\n#####").json
    assert (found["row"], found["col"]) == (0, 4)
    assert found["probability"] == pytest.approx(0.2, rel=1e-12)
    pseq = ["hint", "-", "--density", "0.2", "--policy", "pseq"]
    code, out, err = mineodds(*pseq, stdin="#3###\n#####")
    assert (code, out) == (2, "")
    assert "the policy 'pseq' needs the number of mines" in err


def test_errors_of_hint_say_where(mineodds: Mineodds) -> None:
    """As those of solve: the file, and the line in which the board begins."""
    two = "mines: 1\n#1\n\nmines: 1\n#2\n"
    for command in ("solve", "hint"):
        code, _, err = mineodds(command, "-", stdin=two)
        assert code == 1
        assert err.startswith("mineodds: -: board in line 4: the 2 at (0, 1) cannot hold")


@pytest.mark.parametrize("known", ["density: 0.2", "totals: 3=1/2 4=1/2", "mines: 4\n" + SEVERAL])
def test_the_default_hint_where_the_number_of_mines_is_not_known(
    mineodds: Mineodds, known: str
) -> None:
    text = f"{known}\n#3###\n#####\n#####"
    [found] = mineodds("hint", "-", "--json", stdin=text).json
    assert found == mineodds("hint", "-", "--policy", "safest", "--json", stdin=text).json[0]
    assert (found["policy"], found["certain"]) == ("safest:ties=local", False)
    assert mineodds("hint", "-", stdin=text).out.startswith("open ")
    for policy in ("pseq", "survival"):
        refused = mineodds("hint", "-", "--policy", policy, stdin=text)
        assert (refused.code, refused.out) == (2, "")
        assert "take 'safest'" in refused.err
    [found] = mineodds("hint", "-", "--json", stdin="mines: 4\n#3###\n#####\n#####").json
    assert found["policy"] == "pseq"
    assert "safest where not the number of mines is known" in " ".join(
        mineodds("hint", "--help").out.split()
    )
