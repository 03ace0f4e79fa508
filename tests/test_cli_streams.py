"""`mineodds solve` among other programs: pipes, closed streams, interruption, what is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CLASH, SMALL, Mineodds, in_a_process
from mineodds import cli, cli_boards, interrupts

pytestmark = pytest.mark.usefixtures("environment")


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
    assert (done.returncode, done.stderr) == (cli_boards.OUTPUT_CLOSED, b"")


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


def test_interruption(mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "inspected", interrupted)
    code, out, err = mineodds("solve", "-", stdin=SMALL)
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
