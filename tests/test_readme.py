"""Every example of README.md runs, in a directory that holds nothing but `examples/`.

- A `python` block runs in a namespace of its own; lines that start with `>>>` show what they print.
- A `console` block holds `$ command` lines, each followed by what it prints; `...` stands for any
  text. Output that is not shown is not compared. A `# exit N` after a command is its exit code.
- In `sh` blocks, the lines that start with `mineodds` must end with exit code 0. (The other lines
  set up and check the project; continuous integration runs them.)
"""

import doctest
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(*languages: str) -> list[Any]:
    """The fenced blocks of these languages, named by the line they start at."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return [
        pytest.param(found[2], id=f"line{readme.count(chr(10), 0, found.start()) + 1}")
        for found in BLOCK.finditer(readme)
        if found[1] in languages
    ]


def test_every_file_is_named() -> None:
    """The list of folders and files leaves nothing out, and names nothing that is not there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files = {
        path.name
        for path in [
            *ROOT.glob("cpp/*/*.[ch]pp"),
            *ROOT.glob("python/mineodds/*.py"),
            *ROOT.glob("python/mineodds/*.pyi"),
        ]
        if not (path.suffix == ".cpp" and path.name.startswith(("register_", "test_", "fuzz_")))
        and (path.suffix == ".hpp" or not path.with_suffix(".hpp").exists())
    }
    table = readme[readme.index("\n## Folders") : readme.index("\n## Development")]
    named = set(re.findall(r"`(\w+\.(?:[ch]pp|pyi?))`", table))
    assert sorted(files - named) == [], "in no line of README.md"
    assert sorted(named - files) == [], "in README.md, but no file"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command with this environment's programs first on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return subprocess.run(
        command,
        shell=True,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PATH": path, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("source", blocks("python"))
def test_python_block(source: str) -> None:
    if ">>>" not in source:
        exec(compile(source, "README.md", "exec"), {"__name__": "readme"})
        return
    example = doctest.DocTestParser().get_doctest(source, {}, "README.md", None, None)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not report, "".join(report)


def examples(source: str) -> list[tuple[str, int, str]]:
    """The (command, exit code, output) of a console block."""
    result = []
    for part in re.split(r"^\$ ", source, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        command, _, code = line.partition("  # exit ")
        result.append((command, int(code or 0), output))
    return result


def stripped(text: str) -> str:
    """Without the blanks at line ends, which nobody sees in a page."""
    return "".join(line.rstrip() + "\n" for line in text.rstrip().splitlines())


@pytest.mark.parametrize("source", blocks("console"))
def test_console_block(source: str) -> None:
    for command, code, expected in examples(source):
        result = run(command)
        assert result.returncode == code, f"{command}\n{result.stdout}{result.stderr}"
        shown, printed = stripped(expected), stripped(result.stdout + result.stderr)
        same = doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)
        assert same or not expected.strip(), f"{command}\nshown:\n{shown}\nprinted:\n{printed}"


@pytest.mark.parametrize("source", blocks("sh"))
def test_shell_block(source: str) -> None:
    for command in re.findall(r"^mineodds .*", source, re.MULTILINE):
        result = run(command)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
