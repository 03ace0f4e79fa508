"""Boards and arguments that `mineodds solve` cannot answer: what it says, and its exit code.

One of several boards does not stop the others, and the highest exit code counts.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

import mineodds as mo
from command_line import CLASH, SCHEMA, SMALL, Mineodds
from mineodds import cli, cli_boards
from mineodds.engine import Budget
from mineodds.odds import inspected

pytestmark = pytest.mark.usefixtures("environment")


def test_inconsistent_board(mineodds: Mineodds) -> None:
    code, out, err = mineodds("solve", "-", stdin=CLASH)
    assert (code, out) == (1, "")
    assert err.startswith("mineodds: -: ")
    code, _, err = run = mineodds("solve", "-", "--json", stdin=CLASH)
    [answer] = run.json
    assert code == 1
    assert list(answer) == ["schema", "error"]
    assert answer["schema"] == SCHEMA
    assert answer["error"]["type"] == "InconsistentBoardError"
    assert answer["error"]["message"] in err
    assert answer["error"]["clues"] == [[0, 0]]
    [answer] = mineodds("solve", "-", "--json", stdin="mines: 3\n1##\n").json
    assert answer["error"]["totals"] == [[1, 2]]


def test_malformed_board(mineodds: Mineodds) -> None:
    code, _, err = run = mineodds("solve", "-", "--json", stdin="mines: 1\n##\n#x\n")
    [answer] = run.json
    assert code == 2
    assert answer["error"]["type"] == "BoardFormatError"
    assert (answer["error"]["line"], answer["error"]["column"]) == (3, 2)
    assert "line 3, column 2" in err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (SMALL.encode("utf-16"), "line 1: a binary file or UTF-16"),
        (SMALL.encode("utf-16-be"), "line 1: a binary file or UTF-16"),
        (b"mines: 1\n\x7fELF\x02\x01\x01\0\0\xff\xfe", "line 2: a binary file or UTF-16"),
        (b"mines: 1\n##\n#\xe4\n", "line 3, column 2: byte 0xe4 is not UTF-8"),
        (b"\xc3\xa4\xe4\n", "line 1, column 2: byte 0xe4 is not UTF-8"),
        (b"", "no rows"),
        (b"\n\n\n", "no rows"),
        (b"mines: 4\n", "no rows"),
    ],
)
def test_what_is_no_board(mineodds: Mineodds, data: bytes, message: str) -> None:
    Path("board").write_bytes(data)
    code, _, err = run = mineodds("solve", "board", "--json")
    assert code == 2
    assert message in err
    [answer] = run.json
    assert answer["error"]["type"] == "BoardFormatError"
    assert err.count("\n") == 1


def test_a_directory_is_no_board(mineodds: Mineodds) -> None:
    code, _, err = mineodds("solve", ".")
    assert code == 2
    assert err.startswith("mineodds: .: cannot be read: ")


def test_texts_without_end_are_refused(mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_boards, "LONGEST_TEXT", 1 << 20)
    for text in ("#" * (1 << 21), "#\n" * (1 << 20)):
        code, _, err = mineodds("solve", "-", stdin=text)
        assert code == 2
        assert "longer than 1 MiB" in err


def test_several_boards(mineodds: Mineodds) -> None:
    """Blank lines separate them; each is answered, and the highest exit code counts."""
    text = f"\n\n{SMALL}\n \t\n{CLASH}\r\n\nmines: 1\n\n##\n\n##\nmines: 1\n\n{SMALL}\n\n"
    code, _, err = run = mineodds("solve", "-", "--json", stdin=text)
    assert code == 2
    assert [answer.get("solutions") for answer in run.json] == ["72", None, "2", None, "72"]
    assert [line.split(": ")[2] for line in err.splitlines()] == [
        "board in line 11",
        "line 22, column 1",
    ]
    errors = [answer["error"] for answer in run.json if "error" in answer]
    assert [(error["file"], error["board_line"]) for error in errors] == [("-", 11), ("-", 21)]


def test_several_files(mineodds: Mineodds) -> None:
    Path("a.txt").write_text(SMALL)
    Path("b.txt").write_text(CLASH)
    code, out, err = mineodds("solve", "a.txt", "b.txt", "missing.txt", "a.txt", "-")
    assert code == 2
    assert out.count("a.txt, line 1\n\n   0   1") == 2
    first, second, third = err.splitlines()
    assert first.startswith("mineodds: b.txt: ")
    assert second.startswith("mineodds: missing.txt: cannot be read: ")
    assert os.strerror(errno.ENOENT) in second
    assert third.startswith("mineodds: -: line ")
    assert mineodds("solve", "a.txt", "b.txt").code == 1
    answers = mineodds("solve", "--json", "b.txt", "missing.txt").json
    assert [answer["error"]["file"] for answer in answers] == ["b.txt", "missing.txt"]


def test_over_budget(mineodds: Mineodds) -> None:
    text = Path(__file__).parent.joinpath("data/cases/115_dense_narrow_19x10.json").read_text()
    case = json.loads(text)
    board = "\n".join([f"mines: {case['mines']}", *case["board"]])
    code, _, err = run = mineodds("solve", "-", "--json", "--max-work", "10", stdin=board)
    [answer] = run.json
    assert code == 3
    assert answer["error"]["type"] == "BudgetExceeded"
    assert answer["error"]["work"] > answer["error"]["max_work"] == 10
    assert answer["error"]["message"] in err
    assert mineodds("solve", "-", "--max-memory", "1k", stdin=board).code == 3
    assert mineodds("solve", "-", "--max-memory", "2G", stdin=board).code == 0


def test_deadline(mineodds: Mineodds) -> None:
    board = "mines: 80\n" + "\n".join(["#" * 31, "".join("#2"[col % 2] for col in range(31))] * 15)
    code, _, err = run = mineodds("solve", "-", "--json", "--deadline", "1e-6", stdin=board)
    [answer] = run.json
    assert code == 3
    assert answer["error"]["type"] == "DeadlineExceeded"
    assert err == f"mineodds: -: {answer['error']['message']}\n"


@pytest.mark.parametrize("options", [[], ["--exact"], ["--json"], ["--method", "enumeration"]])
def test_the_deadline_holds_for_all_that_is_said(
    mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """Here it passes once the odds are known, before counts, fractions and ties."""

    def late(board: mo.Board, method: str, budget: Budget, later: Budget) -> mo.Odds:
        return inspected(board, method, budget, later._replace(until=0.0))

    monkeypatch.setattr(cli, "inspected", late)
    arguments = ["solve", "-", "--deadline", "1000", *options]
    code, out, err = run = mineodds(*arguments, stdin=SMALL)
    message = "not done within the deadline of 1000 seconds; give it more time"
    assert (code, err) == (3, f"mineodds: -: {message}\n")
    if "--json" in options:
        [answer] = run.json
        assert (answer["error"]["type"], answer["error"]["message"]) == (
            "DeadlineExceeded",
            message,
        )
    else:
        assert out == ""


def test_out_of_memory(mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_arguments: object, **_options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "inspected", too_large)
    code, _, err = run = mineodds("solve", "-", "--json", stdin=SMALL)
    assert (code, err) == (3, "mineodds: -: out of memory\n")
    assert run.json[0]["error"]["type"] == "MemoryError"


@pytest.mark.parametrize("amount", ["", "k", "x", "-1", "0", "nan", "inf", "1e999", "1 kB"])
def test_amounts_that_are_none(mineodds: Mineodds, amount: str) -> None:
    code, _, err = mineodds("solve", "-", "--max-work", amount, stdin=SMALL)
    assert code == 2
    assert "positive number" in err


def test_usage_errors(mineodds: Mineodds) -> None:
    for arguments in (
        ["solve"],
        ["solve", "--method", "guess", "-"],
        ["solve", "--mines", "many", "-"],
        ["solve", "--colour", "-"],
        ["sovle", "-"],
    ):
        code, out, err = mineodds(*arguments)
        assert (code, out) == (2, "")
        assert "Usage: mineodds" in err
        code, out, err = run = mineodds(*arguments, "--json")
        [answer] = run.json
        assert code == 2
        assert answer["schema"] == SCHEMA
        assert answer["error"]["message"] in err
