"""What `mineodds solve` answers, as text and as JSON, and the options that change it."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import mineodds as mo
from command_line import CLASH, SCHEMA, SMALL, Mineodds
from mineodds import cli, display

pytestmark = pytest.mark.usefixtures("environment")


def test_plain_answer_of_a_file(mineodds: Mineodds) -> None:
    Path("board.txt").write_text(SMALL)
    code, out, err = mineodds("solve", "board.txt")
    picture, below = out.split("\n\n")
    assert (code, err) == (0, "")
    assert picture == display.format_board(mo.solve(mo.Board.parse(SMALL)))
    words = [line.split("  ")[0] for line in below.splitlines()]
    assert words == ["✓ safe", "best", "deep", "layouts", "time"]


def test_json_answer(mineodds: Mineodds) -> None:
    code, out, err = run = mineodds("solve", "-", "--json", stdin=SMALL)
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


def test_json_with_fractions(mineodds: Mineodds) -> None:
    [answer] = mineodds("solve", "-", "--json", "--exact", stdin=SMALL).json
    assert answer["fraction"][1] == ["1/6", "5/6", "0/1", "7/12", "11/36"]
    assert answer["fraction"][2] == [None, None, None, "7/12", "11/36"]
    [answer] = mineodds("solve", "-", "--json", "--exact", stdin="mines: 2\nF1##").json
    assert answer["fraction"] == [["1/1", None, "0/1", "1/1"]]
    assert answer["probability"] == [[1.0, None, 0.0, 1.0]]
    assert answer["mine"] == [[0, 3]]


def test_json_has_no_nan(mineodds: Mineodds) -> None:
    [answer] = mineodds("solve", "-", "--json", stdin="mines: 1\n11\n1F").json
    assert answer["best"] == []
    assert answer["best_probability"] is None
    assert answer["deep_probability"] is None
    assert answer["probability"] == [[None, None], [None, 1.0]]


def test_counts_longer_than_python_prints(mineodds: Mineodds) -> None:
    text = "mines: 10000\n" + ("#" * 200 + "\n") * 100
    [answer] = mineodds("solve", "-", "--json", stdin=text).json
    assert len(answer["solutions"]) == 6019
    assert answer["log10_solutions"] == pytest.approx(6018.35, abs=0.01)
    plain = mineodds("solve", "-", "--exact", stdin=text).out
    assert f"layouts  {answer['solutions']}\n" in plain
    assert "layouts  2.2" in mineodds("solve", "-", stdin=text).out


def test_methods_agree(mineodds: Mineodds) -> None:
    for exact in ([], ["--exact"]):
        answers = [
            mineodds("solve", "-", "--json", "--method", method, *exact, stdin=SMALL).json[0]
            for method in ("elimination", "enumeration")
        ]
        for key in ("solutions", "safe", "mine", "best"):
            assert answers[0][key] == answers[1][key]
        assert answers[0].get("fraction") == answers[1].get("fraction")
        np.testing.assert_allclose(
            *(np.array(answer["probability"], dtype=float) for answer in answers), rtol=1e-12
        )


def test_mines_on_the_command_line(mineodds: Mineodds) -> None:
    rows = SMALL.partition("\n")[2]
    assert mineodds("solve", "-", "--mines", "5", stdin=rows).code == 0
    assert mineodds("solve", "-", "--mines", "5", stdin=SMALL).code == 0
    code, out, err = mineodds("solve", "-", "--mines", "6", stdin=SMALL)
    assert (code, out) == (2, "")
    assert err.startswith("mineodds: -: line 1")
    code, _, err = mineodds("solve", "-", stdin=rows)
    assert code == 2
    assert "give --mines N or --density P, or a line like 'mines: 10'" in err
    assert mineodds("solve", "-", "--mines=-1", stdin=rows).code == 2
    assert mineodds("solve", "-", "--mines", "26", stdin=rows).code == 2


def test_density_on_the_command_line(mineodds: Mineodds) -> None:
    row = "#1##"
    for density in ("1/5", "0.2"):
        code, out, _ = mineodds("solve", "-", "--json", "--exact", "--density", density, stdin=row)
        assert (code, json.loads(out)["density"]) == (0, 0.2)
        deep = "1/5"
        assert json.loads(out)["fraction"][0] == ["1/2", None, "1/2", deep]
    for wrong in ("x", "1/0", "9" * 5000, "1/5/7"):
        code, out, err = mineodds("solve", "-", "--density", wrong, stdin=row)
        assert (code, out) == (2, "")
        assert "is no chance like 0.2 or 1/5" in err
        assert len(err) < 400
    assert mineodds("solve", "-", "--density", "6/5", stdin=row).code == 2


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("totals: 1=1e400 0=1", {"0": 1.0, "1": "1E+400"}),
        ("totals: 1=1e-400 0=1/4", {"0": 0.25, "1": "1E-400"}),
        ("totals: 1=0 0=3", {"0": 3.0, "1": 0.0}),
        ("density: 1e-400", "1E-400"),
        ("density: 1e-300", 1e-300),
        (f"density: 0.{'9' * 30}", f"{'9' * 30}/1{'0' * 30}"),
        ("densities: 0 1e-400", [[0.0, "1E-400"]]),
        (f"densities: 1 0.{'9' * 30}", [[1.0, f"{'9' * 30}/1{'0' * 30}"]]),
    ],
)
def test_chances_beyond_doubles(mineodds: Mineodds, header: str, said: object) -> None:
    """JSON says nothing that the reader would refuse or take for certain."""
    key = header.partition(":")[0].replace("densities", "density")
    for more in ([], ["--approximate", "gibbs", "--seed", "1"]):
        run = mineodds("solve", "-", "--json", *more, stdin=f"{header}\n##")
        assert (run.code, run.err) == (0, "")
        assert run.json[0][key] == said


def test_a_byte_order_mark_is_no_cell(mineodds: Mineodds) -> None:
    assert mineodds("solve", "-", stdin="\ufeff" + SMALL).code == 0


def test_help_and_version(mineodds: Mineodds) -> None:
    assert mineodds("--version") == (0, f"mineodds, version {mo.__version__}\n", "")
    for arguments in (["-h"], ["--help"], ["solve", "-h"], ["solve", "--help"]):
        code, out, err = mineodds(*arguments)
        assert (code, err) == (0, "")
        assert out.startswith("Usage: mineodds")
    for option in ("mines", "json", "exact", "method", "max-work", "max-memory", "deadline"):
        assert f"--{option} " in out


def test_colour_is_asked_for_by_the_environment(
    mineodds: Mineodds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = mineodds("solve", "-", stdin=SMALL).out
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = mineodds("solve", "-", stdin=SMALL).out
    assert "\x1b[" in coloured
    assert coloured.count("\n") == plain.count("\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in mineodds("solve", "-", stdin=SMALL).out


def test_colour_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda answer=terminal: answer)
        assert cli.wants_colour() == terminal
    monkeypatch.setenv("TERM", "dumb")
    assert not cli.wants_colour()


@pytest.mark.parametrize("method", ["gibbs", "belief-propagation"])
def test_estimates(mineodds: Mineodds, method: str) -> None:
    """They say that they are estimates, and no cell is certain in any form."""
    arguments = ["solve", "-", "--approximate", method, "--seed", "1"]
    run = mineodds(*arguments, "--json", stdin=SMALL)
    [found] = run.json
    assert (run.code, run.err) == (0, "")
    expected = mo.solve(SMALL, approximate=method, seed=1)
    assert found["schema"] == "mineodds.estimate/1"
    assert found["estimate"] is True
    assert (found["method"], found["converged"]) == (method, expected.converged)
    assert found["samples"] == expected.samples
    for name in ("r_hat", "change", "clue_error"):
        value = getattr(expected, name)
        assert found[name] == (None if math.isnan(value) else value)
    for name in ("probability", "standard_error"):
        array = np.array(found[name], dtype=np.float64)
        np.testing.assert_array_equal(array, getattr(expected, name))
    assert not {"safe", "mine", "best", "solutions", "fraction"} & found.keys()
    code, out, err = mineodds(*arguments, stdin=SMALL)
    assert (code, err) == (0, "")
    assert f"by {method}: not exact, and no cell is certain" in out
    assert display.USUAL.safe not in out
    assert ("standard errors up to" in out) == (method == "gibbs")
    assert ("errors are unknown" in out) == (method != "gibbs")


def test_estimates_that_are_refused(mineodds: Mineodds) -> None:
    for more in (["--exact"], ["--method", "enumeration"]):
        code, out, err = mineodds("solve", "-", "--approximate", "gibbs", *more, stdin=SMALL)
        assert (code, out) == (2, "")
        assert "--approximate is neither exact nor" in err
    run = mineodds("solve", "-", "--approximate", "gibbs", "--json", stdin=CLASH)
    assert run.code == 1
    assert run.json[0]["schema"] == "mineodds.estimate/1"
    assert run.json[0]["error"]["type"] == "InconsistentBoardError"
    totals, known = "totals: 1=1 2=2\n1##\n###\n", "mines: 1\n##\n"
    arguments = ["solve", "-", "--approximate", "belief-propagation"]
    run = mineodds(*arguments, "--json", stdin=f"{totals}\n{known}")
    assert run.code == 2
    assert "no distribution of totals" in run.err
    refused, answered = run.json
    assert refused["error"]["type"] == "BoardFormatError"
    assert answered["probability"] == [[pytest.approx(0.5)] * 2]
    run = mineodds(*arguments, stdin=f"{totals}\n{known}")
    assert run.code == 2
    assert "by belief-propagation" in run.out
    free = "mines: 5\n#2###\n#####\n"
    assert mineodds("solve", "-", "--approximate", "gibbs", "--max-work", "1", stdin=free).code == 3
