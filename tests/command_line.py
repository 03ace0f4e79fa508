"""What the tests of the command line share: `mineodds`, called as a shell calls it.

The fixture `mineodds` runs a command in this process, `in_a_process` in one of its own; either way
a test gets the exit code and what was written. conftest.py makes the fixtures known.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mineodds import cli

SMALL = "mines: 5\n#2###\n#####\n112##\n00###\n000##\n"
"""Has 72 layouts, four safe cells and no certain mine."""

CLASH = "mines: 1\n1.1#\n..1#\n..1#\n"
"""Has no layout: nothing is hidden around the first 1."""

SCHEMA = "mineodds.solve/1"


def strict_json(text: str) -> dict[str, Any]:
    """One JSON object, without the NaN and Infinity that Python's reader would let pass."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


class Run(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, Any]]:
        """The objects of the output, one a line."""
        return [strict_json(line) for line in self.out.splitlines()]


Mineodds = Callable[..., Run]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty directory, and no wishes about colour or width."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mineodds(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Mineodds:
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
