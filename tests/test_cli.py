"""The command line as a shell and as other programs see it: output, errors, exit codes.

Longer than other files because every case drives one program through the fixture that stands first.
"""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import mineodds
from mineodds import cli, display, interrupts
from mineodds.engine import Budget
from mineodds.odds import inspected

SMALL = "mines: 5\n#2###\n#####\n112##\n00###\n000##\n"
CLASH = "mines: 1\n1.1#\n..1#\n..1#\n"
SCHEMA = "mineodds.solve/1"


class Run(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, Any]]:
        """The objects of the output, read by the rules of JSON (which has no NaN)."""

        def refuse(constant: str) -> None:
            raise AssertionError(constant)

        return [json.loads(line, parse_constant=refuse) for line in self.out.splitlines()]


Mineodds = Callable[..., Run]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mineodds_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Mineodds:
    """Run in this process."""

    def run(*arguments: str, stdin: str | bytes = b"") -> Run:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        code = cli.run(arguments)
        return Run(code, *capfd.readouterr())

    return run


def in_a_process(*arguments: str, stdin: bytes = b"", **environment: str) -> Run:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "mineodds", *arguments],
        input=stdin,
        capture_output=True,
        env=os.environ | environment,
        timeout=60,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_plain_answer_of_a_file(mineodds_command: Mineodds) -> None:
    Path("board.txt").write_text(SMALL)
    code, out, err = mineodds_command("solve", "board.txt")
    picture, below = out.split("\n\n")
    assert (code, err) == (0, "")
    assert picture == display.format_board(mineodds.solve(mineodds.Board.parse(SMALL)))
    words = [line.split("  ")[0] for line in below.splitlines()]
    assert words == ["✓ safe", "best", "deep", "layouts", "time"]


def test_json_answer(mineodds_command: Mineodds) -> None:
    code, out, err = run = mineodds_command("solve", "-", "--json", stdin=SMALL)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert out.isascii()
    [answer] = run.json
    assert list(answer) == [
        *("schema", "rows", "cols", "mines", "solutions", "log10_solutions", "probability"),
        *("safe", "mine", "best", "best_probability", "deep_probability", "seconds"),
    ]
    assert [answer[key] for key in ("schema", "rows", "cols", "mines")] == [SCHEMA, 5, 5, 5]
    assert answer["solutions"] == "72"
    assert answer["probability"][2][:3] == [None] * 3
    assert answer["probability"][2][3:] == pytest.approx([7 / 12, 11 / 36], rel=1e-12)
    assert answer["safe"] == answer["best"] == [[1, 2], [3, 2], [3, 3], [4, 3]]
    assert answer["mine"] == []
    assert answer["best_probability"] == 0
    assert answer["deep_probability"] == answer["probability"][4][4]
    assert 0 <= answer["seconds"] < 60


def test_json_with_fractions(mineodds_command: Mineodds) -> None:
    [answer] = mineodds_command("solve", "-", "--json", "--exact", stdin=SMALL).json
    assert answer["fraction"][1] == ["1/6", "5/6", "0/1", "7/12", "11/36"]
    assert answer["fraction"][2] == [None, None, None, "7/12", "11/36"]
    [answer] = mineodds_command("solve", "-", "--json", "--exact", stdin="mines: 2\nF1##").json
    assert answer["fraction"] == [["1/1", None, "0/1", "1/1"]]
    assert answer["probability"] == [[1.0, None, 0.0, 1.0]]
    assert answer["mine"] == [[0, 3]]


def test_json_has_no_nan(mineodds_command: Mineodds) -> None:
    [answer] = mineodds_command("solve", "-", "--json", stdin="mines: 1\n11\n1F").json
    assert answer["best"] == []
    assert answer["best_probability"] is None
    assert answer["deep_probability"] is None
    assert answer["probability"] == [[None, None], [None, 1.0]]


def test_counts_longer_than_python_prints(mineodds_command: Mineodds) -> None:
    text = "mines: 10000\n" + ("#" * 200 + "\n") * 100
    [answer] = mineodds_command("solve", "-", "--json", stdin=text).json
    assert len(answer["solutions"]) == 6019
    assert answer["log10_solutions"] == pytest.approx(6018.35, abs=0.01)
    plain = mineodds_command("solve", "-", "--exact", stdin=text).out
    assert f"layouts  {answer['solutions']}\n" in plain
    assert "layouts  2.2" in mineodds_command("solve", "-", stdin=text).out


def test_methods_agree(mineodds_command: Mineodds) -> None:
    for exact in ([], ["--exact"]):
        answers = [
            mineodds_command("solve", "-", "--json", "--method", method, *exact, stdin=SMALL).json[
                0
            ]
            for method in ("elimination", "enumeration")
        ]
        for key in ("solutions", "safe", "mine", "best"):
            assert answers[0][key] == answers[1][key]
        assert answers[0].get("fraction") == answers[1].get("fraction")
        np.testing.assert_allclose(
            *(np.array(answer["probability"], dtype=float) for answer in answers), rtol=1e-12
        )


def test_mines_on_the_command_line(mineodds_command: Mineodds) -> None:
    rows = SMALL.partition("\n")[2]
    assert mineodds_command("solve", "-", "--mines", "5", stdin=rows).code == 0
    assert mineodds_command("solve", "-", "--mines", "5", stdin=SMALL).code == 0
    code, out, err = mineodds_command("solve", "-", "--mines", "6", stdin=SMALL)
    assert (code, out) == (2, "")
    assert err.startswith("mineodds: -: line 1")
    code, _, err = mineodds_command("solve", "-", stdin=rows)
    assert code == 2
    assert "give --mines N or --density P, or a line like 'mines: 10'" in err
    assert mineodds_command("solve", "-", "--mines=-1", stdin=rows).code == 2
    assert mineodds_command("solve", "-", "--mines", "26", stdin=rows).code == 2


def test_density_on_the_command_line(mineodds_command: Mineodds) -> None:
    row = "#1##"
    for density in ("1/5", "0.2"):
        code, out, _ = mineodds_command(
            "solve", "-", "--json", "--exact", "--density", density, stdin=row
        )
        assert (code, json.loads(out)["density"]) == (0, 0.2)
        deep = {"1/5": "1/5", "0.2": "3602879701896397/18014398509481984"}[density]
        assert json.loads(out)["fraction"][0] == ["1/2", None, "1/2", deep]
    for wrong in ("x", "1/0", "9" * 5000, "1/5/7"):
        code, out, err = mineodds_command("solve", "-", "--density", wrong, stdin=row)
        assert (code, out) == (2, "")
        assert "is no chance like 0.2 or 1/5" in err
        assert len(err) < 400
    assert mineodds_command("solve", "-", "--density", "6/5", stdin=row).code == 2


def test_inconsistent_board(mineodds_command: Mineodds) -> None:
    code, out, err = mineodds_command("solve", "-", stdin=CLASH)
    assert (code, out) == (1, "")
    assert err.startswith("mineodds: -: ")
    code, _, err = run = mineodds_command("solve", "-", "--json", stdin=CLASH)
    [answer] = run.json
    assert code == 1
    assert list(answer) == ["schema", "error"]
    assert answer["schema"] == SCHEMA
    assert answer["error"]["type"] == "InconsistentBoardError"
    assert answer["error"]["message"] in err
    assert answer["error"]["clues"] == [[0, 0]]
    [answer] = mineodds_command("solve", "-", "--json", stdin="mines: 3\n1##\n").json
    assert answer["error"]["totals"] == [[1, 2]]


def test_malformed_board(mineodds_command: Mineodds) -> None:
    code, _, err = run = mineodds_command("solve", "-", "--json", stdin="mines: 1\n##\n#x\n")
    [answer] = run.json
    assert code == 2
    assert answer["error"]["type"] == "BoardFormatError"
    assert (answer["error"]["line"], answer["error"]["column"]) == (3, 2)
    assert "line 3, column 2" in err


def test_over_budget(mineodds_command: Mineodds) -> None:
    text = Path(__file__).parent.joinpath("data/cases/115_dense_narrow_19x10.json").read_text()
    case = json.loads(text)
    board = "\n".join([f"mines: {case['mines']}", *case["board"]])
    code, _, err = run = mineodds_command("solve", "-", "--json", "--max-work", "10", stdin=board)
    [answer] = run.json
    assert code == 3
    assert answer["error"]["type"] == "BudgetExceeded"
    assert answer["error"]["work"] > answer["error"]["max_work"] == 10
    assert answer["error"]["message"] in err
    assert mineodds_command("solve", "-", "--max-memory", "1k", stdin=board).code == 3
    assert mineodds_command("solve", "-", "--max-memory", "2G", stdin=board).code == 0


def test_deadline(mineodds_command: Mineodds) -> None:
    board = "mines: 80\n" + "\n".join(["#" * 31, "".join("#2"[col % 2] for col in range(31))] * 15)
    code, _, err = run = mineodds_command("solve", "-", "--json", "--deadline", "1e-6", stdin=board)
    [answer] = run.json
    assert code == 3
    assert answer["error"]["type"] == "DeadlineExceeded"
    assert err == f"mineodds: -: {answer['error']['message']}\n"


@pytest.mark.parametrize("options", [[], ["--exact"], ["--json"], ["--method", "enumeration"]])
def test_the_deadline_holds_for_all_that_is_said(
    mineodds_command: Mineodds, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """Here it passes once the odds are known, before counts, fractions and ties."""

    def late(board: mineodds.Board, method: str, budget: Budget, later: Budget) -> mineodds.Odds:
        return inspected(board, method, budget, later._replace(until=0.0))

    monkeypatch.setattr(cli, "inspected", late)
    arguments = ["solve", "-", "--deadline", "1000", *options]
    code, out, err = run = mineodds_command(*arguments, stdin=SMALL)
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


@pytest.mark.parametrize("amount", ["", "k", "x", "-1", "0", "nan", "inf", "1e999", "1 kB"])
def test_amounts_that_are_none(mineodds_command: Mineodds, amount: str) -> None:
    code, _, err = mineodds_command("solve", "-", "--max-work", amount, stdin=SMALL)
    assert code == 2
    assert "positive number" in err


def test_several_boards(mineodds_command: Mineodds) -> None:
    """Blank lines separate them; each is answered, and the highest exit code counts."""
    text = f"\n\n{SMALL}\n \t\n{CLASH}\r\n\nmines: 1\n\n##\n\n##\nmines: 1\n\n{SMALL}\n\n"
    code, _, err = run = mineodds_command("solve", "-", "--json", stdin=text)
    assert code == 2
    assert [answer.get("solutions") for answer in run.json] == ["72", None, "2", None, "72"]
    assert [line.split(": ")[2] for line in err.splitlines()] == [
        "board in line 11",
        "line 22, column 1",
    ]
    errors = [answer["error"] for answer in run.json if "error" in answer]
    assert [(error["file"], error["board_line"]) for error in errors] == [("-", 11), ("-", 21)]


def test_several_files(mineodds_command: Mineodds) -> None:
    Path("a.txt").write_text(SMALL)
    Path("b.txt").write_text(CLASH)
    code, out, err = mineodds_command("solve", "a.txt", "b.txt", "missing.txt", "a.txt", "-")
    assert code == 2
    assert out.count("a.txt, line 1\n\n   0   1") == 2
    first, second, third = err.splitlines()
    assert first.startswith("mineodds: b.txt: ")
    assert second.startswith("mineodds: missing.txt: cannot be read: ")
    assert os.strerror(errno.ENOENT) in second
    assert third.startswith("mineodds: -: line ")
    assert mineodds_command("solve", "a.txt", "b.txt").code == 1
    answers = mineodds_command("solve", "--json", "b.txt", "missing.txt").json
    assert [answer["error"]["file"] for answer in answers] == ["b.txt", "missing.txt"]


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
def test_what_is_no_board(mineodds_command: Mineodds, data: bytes, message: str) -> None:
    Path("board").write_bytes(data)
    code, _, err = run = mineodds_command("solve", "board", "--json")
    assert code == 2
    assert message in err
    [answer] = run.json
    assert answer["error"]["type"] == "BoardFormatError"
    assert err.count("\n") == 1


def test_a_byte_order_mark_is_no_cell(mineodds_command: Mineodds) -> None:
    assert mineodds_command("solve", "-", stdin="\ufeff" + SMALL).code == 0


def test_a_directory_is_no_board(mineodds_command: Mineodds) -> None:
    code, _, err = mineodds_command("solve", ".")
    assert code == 2
    assert err.startswith("mineodds: .: cannot be read: ")


def test_texts_without_end_are_refused(
    mineodds_command: Mineodds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "LONGEST_TEXT", 1 << 20)
    for text in ("#" * (1 << 21), "#\n" * (1 << 20)):
        code, _, err = mineodds_command("solve", "-", stdin=text)
        assert code == 2
        assert "longer than 1 MiB" in err


def test_usage_errors(mineodds_command: Mineodds) -> None:
    for arguments in (
        ["solve"],
        ["solve", "--method", "guess", "-"],
        ["solve", "--mines", "many", "-"],
        ["solve", "--colour", "-"],
        ["sovle", "-"],
    ):
        code, out, err = mineodds_command(*arguments)
        assert (code, out) == (2, "")
        assert "Usage: mineodds" in err
        code, out, err = run = mineodds_command(*arguments, "--json")
        [answer] = run.json
        assert code == 2
        assert answer["schema"] == SCHEMA
        assert answer["error"]["message"] in err


def test_help_and_version(mineodds_command: Mineodds) -> None:
    assert mineodds_command("--version") == (0, f"mineodds, version {mineodds.__version__}\n", "")
    for arguments in (["-h"], ["--help"], ["solve", "-h"], ["solve", "--help"]):
        code, out, err = mineodds_command(*arguments)
        assert (code, err) == (0, "")
        assert out.startswith("Usage: mineodds")
    for option in ("mines", "json", "exact", "method", "max-work", "max-memory", "deadline"):
        assert f"--{option} " in out


def test_colour_is_asked_for_by_the_environment(
    mineodds_command: Mineodds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = mineodds_command("solve", "-", stdin=SMALL).out
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = mineodds_command("solve", "-", stdin=SMALL).out
    assert "\x1b[" in coloured
    assert coloured.count("\n") == plain.count("\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in mineodds_command("solve", "-", stdin=SMALL).out


def test_colour_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda answer=terminal: answer)
        assert cli.wants_colour() == terminal
    monkeypatch.setenv("TERM", "dumb")
    assert not cli.wants_colour()


def test_interruption(mineodds_command: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "inspected", interrupted)
    code, out, err = mineodds_command("solve", "-", stdin=SMALL)
    assert (code, out) == (130, "")
    assert "interrupted" in err


@pytest.mark.parametrize("program", ["/usr/bin/mineodds", r"C:\Scripts\mineodds.exe", "other.py"])
def test_interruption_of_the_imports(program: str) -> None:
    """The command ends quietly; a program that uses the package gets its KeyboardInterrupt."""
    impatient = f"""
import signal, sys
sys.argv[0] = {program!r}
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
class Impatient:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Impatient())
import mineodds
"""
    done = subprocess.run([sys.executable, "-c", impatient], capture_output=True)
    if program == "other.py":
        assert done.returncode not in (0, 130)
        assert b"KeyboardInterrupt" in done.stderr
    else:
        assert (done.returncode, done.stderr) == (130, b"")


def test_the_command_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    for argv, original, is_command in (
        (["/usr/bin/mineodds", "solve"], [], True),
        (["-m"], ["python", "-W", "error", "-m", "mineodds", "solve"], True),
        (["-m"], ["python", "-m", "pytest"], False),
        (["solve_mineodds.py"], [], False),
        ([], [], False),
    ):
        monkeypatch.setattr(sys, "argv", argv)
        monkeypatch.setattr(sys, "orig_argv", original)
        assert interrupts.is_command() == is_command


def test_closed_streams() -> None:
    """Whatever is closed: a line at most, and the exit code says it."""
    message = b"mineodds: -: cannot be read: standard input is closed\n"
    for closed, stdin, code, err in (
        ("stdin", b"", 2, message),
        ("stdout", SMALL.encode(), 2, b"mineodds: standard output is closed\n"),
        ("stderr", SMALL.encode(), 0, b""),
        ("stderr", CLASH.encode(), 1, b""),
    ):
        program = (
            "import sys; from mineodds import cli\n"
            f"sys.{closed} = None\n"
            "sys.argv[1:] = ['solve', '-']\n"
            "cli.main()"
        )
        done = subprocess.run([sys.executable, "-c", program], input=stdin, capture_output=True)
        assert (done.returncode, done.stderr) == (code, err)
        assert bool(done.stdout) == (closed == "stderr" and code == 0)


def test_out_of_memory(mineodds_command: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_arguments: object, **_options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "inspected", too_large)
    code, _, err = run = mineodds_command("solve", "-", "--json", stdin=SMALL)
    assert (code, err) == (3, "mineodds: -: out of memory\n")
    assert run.json[0]["error"]["type"] == "MemoryError"


def test_python_m(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(SMALL)
    code, out, err = in_a_process("solve", str(tmp_path / "board.txt"))
    assert (code, err) == (0, "")
    assert "layouts  72" in out
    assert in_a_process("solve", "-", "--json", stdin=CLASH.encode()).code == 1


def test_a_pipe_is_answered_board_by_board() -> None:
    """An answer comes when the blank line behind a board does, not at the end of the input."""
    arguments = [sys.executable, "-m", "mineodds", "solve", "--json", "-"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(SMALL.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["solutions"] == "72"
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_a_reader_that_leaves_ends_the_program_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "mineodds", "solve", "-"],
        input=SMALL.encode(),
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (cli.OUTPUT_CLOSED, b"")


@pytest.mark.parametrize("arguments", [["solve", "-"], ["--help"], ["--version"], ["-", "--json"]])
def test_output_that_cannot_be_written_is_an_error(arguments: list[str]) -> None:
    with Path(os.devnull).open("rb") as read_only:
        done = subprocess.run(
            [sys.executable, "-m", "mineodds", *arguments],
            input=SMALL.encode(),
            stdout=read_only,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    *usage, said = done.stderr.splitlines()
    assert said.startswith(b"mineodds: standard output: ")
    assert bool(usage) == (arguments == ["-", "--json"])
    assert b"Traceback" not in done.stderr


def test_messages_that_cannot_be_written_are_no_error() -> None:
    with Path(os.devnull).open("rb") as read_only:
        for arguments in (["solve", "missing.txt"], ["unknown"], ["solve", "-"]):
            done = subprocess.run(
                [sys.executable, "-m", "mineodds", *arguments],
                input=SMALL.encode(),
                stdout=subprocess.PIPE,
                stderr=read_only,
            )
            assert done.returncode == (0 if "-" in arguments else 2)


def test_rich_is_imported_for_colour_only() -> None:
    program = (
        "import sys, mineodds.cli\n"
        "mineodds.cli.run(['solve', '-'])\n"
        "print('rich' in sys.modules, file=sys.stderr)"
    )
    for colour in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=SMALL.encode(),
            capture_output=True,
            env=os.environ | {"FORCE_COLOR": colour},
            check=True,
        )
        assert done.stderr.split() == [b"True" if colour else b"False"]
