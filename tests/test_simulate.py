"""Simulations: the same for any number of workers, resumable, interruptible, and well counted."""

import json
import pickle
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from math import comb, isnan
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import distributed
import matplotlib
import numpy as np
import pytest

import mineodds as mo
from mineodds import statistics

BOARD = {"rows": 9, "cols": 9, "mines": 10}
GAMES = 600


def first_best(odds: mo.Odds) -> tuple[int, int]:
    return odds.best[0]


@pytest.mark.parametrize("policy", ["safest", "safest:ties=random", "pseq", "survival:depth=2"])
def test_counts_do_not_depend_on_the_workers(policy: str) -> None:
    def counts(**how: Any) -> mo.SimulationResult:
        return mo.simulate(**BOARD, policy=policy, games=GAMES, start=(0, 0), seed=5, **how)

    one = counts(workers=1)
    assert one.complete
    assert one.games == GAMES
    assert pickle.dumps(counts(workers=3).counts) == pickle.dumps(one.counts)
    with ThreadPoolExecutor(2) as pool:
        assert pickle.dumps(counts(executor=pool).counts) == pickle.dumps(one.counts)


def test_results_are_values() -> None:
    how: dict[str, Any] = {**BOARD, "games": 50, "start": (0, 0), "seed": 2, "workers": 1}
    result = mo.simulate(policy="safest", **how)
    by_function = mo.simulate(policy=first_best, **how)
    compared = mo.compare("safest", "pseq", **how)
    for value in (result, by_function, compared, result.counts):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)
    assert len({result, by_function, pickle.loads(pickle.dumps(result))}) == 2
    assert result.start == (0, 0)
    assert json.loads(result.to_json()) == result.as_dict()
    with pytest.raises(AttributeError):
        result.counts.games = 3  # type: ignore[misc]


def test_a_process_pool_gives_the_same() -> None:
    expected = mo.simulate(**BOARD, games=GAMES, policy="pseq", workers=1)
    by_function = mo.simulate(**BOARD, games=GAMES, policy=first_best, workers=1)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = mo.simulate(**BOARD, games=GAMES, policy="pseq", executor=pool)
        assert found.counts == expected.counts
        found = mo.simulate(**BOARD, games=GAMES, policy=first_best, executor=pool)
        assert found.counts == by_function.counts


def test_a_dask_cluster_gives_the_same() -> None:
    expected = mo.simulate(**BOARD, games=GAMES, policy="pseq", workers=1)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = mo.simulate(**BOARD, games=GAMES, policy="pseq", executor=client.get_executor())
    assert json.dumps(found.counts.as_dict()) == json.dumps(expected.counts.as_dict())


@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
@pytest.mark.parametrize("start", [None, (2, 2)])
def test_a_function_and_the_core_play_the_same_games(
    rule: str, start: tuple[int, int] | None
) -> None:
    how: dict[str, Any] = {**BOARD, "games": 150, "first_click": rule, "start": start}
    core = mo.simulate(policy="safest", ties="first", **how).counts
    own = mo.simulate(policy=first_best, **how).counts
    for name in ("games", "wins", "lost_at_first_click", "guesses", "losses_by_guess"):
        assert getattr(own, name) == getattr(core, name), name
    assert own.guesses_by_risk == core.guesses_by_risk


def test_counts_add_up() -> None:
    result = mo.simulate(16, 16, 60, policy="safest", games=300, first_click="any")
    counts = result.counts
    lost = counts.games - counts.wins
    assert lost == counts.lost_at_first_click + sum(counts.losses_by_guess)
    assert sum(counts.losses_by_risk) == sum(counts.losses_by_guess)
    assert sum(counts.guesses_by_risk) == counts.guesses
    # Risks are chances: guesses of 25 to 30 % hit a mine about as often.
    guesses, losses = counts.guesses_by_risk[5], counts.losses_by_risk[5]
    low, high = statistics.wilson(losses, guesses, 0.9999)
    assert low < 0.30
    assert high > 0.25


def test_blank_boards_without_and_full_of_mines() -> None:
    assert mo.simulate(4, 4, 0, games=3).wins == 3
    assert mo.simulate(4, 4, 16, games=3, first_click="any").wins == 3
    with pytest.raises(mo.BoardFormatError, match="at most 7 mines fit"):
        mo.simulate(4, 4, 8, games=3, first_click="opening", start=(1, 1))


def test_interruption_returns_what_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    reports = []

    def interrupt(done: int, games: int) -> None:
        reports.append((done, games))
        if len(reports) == 3:
            raise KeyboardInterrupt

    how: dict[str, Any] = {**BOARD, "policy": "safest", "seed": 8, "checkpoint": path}
    part = mo.simulate(**how, games=20_000, progress=interrupt)
    assert not part.complete
    assert 0 < part.games == reports[-1][0] < 20_000
    assert "interrupted" in str(part)
    whole = mo.simulate(**how, games=20_000)
    assert whole.complete
    assert whole.counts == mo.simulate(**BOARD, policy="safest", seed=8, games=20_000).counts
    assert mo.simulate(**how, games=20_000).counts == whole.counts  # nothing left to play
    with pytest.raises(ValueError, match="is a checkpoint of"):
        mo.simulate(**{**how, "seed": 9}, games=20_000)
    with pytest.raises(ValueError, match="more than the 10 asked for"):
        mo.simulate(**how, games=10)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="no checkpoint"):
        mo.simulate(**how, games=20_000)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("counts", 0, "games"), -5, '"games" holds -5, which is no count'),
        (("counts", 0, "games"), 99, '"games" is 99, but "done" is 200'),
        (("counts", 0, "wins"), 99999, "do not add up to the games"),
        (("done",), -3, '"done" holds -3'),
        (("done",), 10**400, '"done" holds an integer of about'),
        (("done",), True, '"done" holds True'),
        (("counts", 0, "solves"), None, '"solves" holds None'),
        (("counts", 0, "solves"), 2**63, '"solves" holds 9223372036854775808'),
        (("counts",), 5, '"counts" is not a list of 1'),
        (("counts", 0), {}, '"counts" do not hold games'),
        (("counts", 0, "guesses_by_risk"), [1], '"guesses_by_risk" is not a list of 20'),
        (("counts", 0, "guesses"), 0, 'does not add up to "guesses"'),
        (("counts", 0, "losses_by_risk", 0), 10**6, '"losses_by_guess" differ'),
        (("pairs",), 5, '"pairs" is not a list of 4'),
        (("pairs", 0), 7, '"pairs" of one policy'),
        (("seconds",), float("nan"), '"seconds" holds nan'),
        (("core_seconds",), [-1.0], '"core_seconds" holds -1.0'),
        (("schema",), "mineodds.checkpoint/-1", '"schema" is not'),
        (("setups",), None, '"setups" are not'),
    ],
)
def test_a_checkpoint_must_add_up(
    tmp_path: Path, place: tuple[str | int, ...], value: object, message: str
) -> None:
    path = tmp_path / "c.json"
    mo.simulate(4, 4, 3, games=200, checkpoint=path)
    document = target = json.loads(path.read_text(encoding="utf-8"))
    for step in place[:-1]:
        target = target[step]
    assert target[place[-1]] != value
    target[place[-1]] = value
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=r"c\.json is no checkpoint of a simulation: ") as caught:
        mo.simulate(4, 4, 3, games=300, checkpoint=path)
    assert message in str(caught.value)


def test_a_checkpoint_of_two_policies_must_add_up(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    how: dict[str, Any] = {"rows": 4, "cols": 4, "mines": 3, "checkpoint": path}
    mo.compare("safest", "pseq", games=200, **how)
    text = path.read_text(encoding="utf-8")
    whole = mo.compare("safest", "pseq", games=300, **how)
    assert whole.a.counts == mo.simulate(4, 4, 3, policy="safest", games=300).counts
    both, only_a, *rest = json.loads(text)["pairs"]
    document = json.loads(text) | {"pairs": [both + 1, only_a - 1, *rest]}
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match="do not add up to the games and wins"):
        mo.compare("safest", "pseq", games=300, **how)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[" * 100_000, b"\xff", b"1", b"[]", b" " * (1 << 21)]
)
def test_what_is_no_checkpoint(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(text)
    with pytest.raises(ValueError, match=r"c\.json is no checkpoint of a simulation: "):
        mo.simulate(4, 4, 3, games=3, checkpoint=path)
    assert path.read_bytes() == text


def test_a_checkpoint_that_cannot_be_kept_is_said_before_the_games(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it is no regular file"):
        mo.simulate(4, 4, 3, games=3, checkpoint=tmp_path)
    path = tmp_path / "none" / "c.json"
    how: dict[str, Any] = {"games": 3, "checkpoint": path, "progress": pytest.fail}
    with pytest.raises(FileNotFoundError, match="the checkpoint cannot be written") as caught:
        mo.simulate(4, 4, 3, **how)
    assert caught.value.filename == str(path)


def test_an_executor_is_one() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match=r"must be a concurrent\.futures\.Executor, not 5"):
        mo.simulate(4, 4, 3, games=3, executor=wrong)


class Broken(Executor):
    """Runs the first block, then is interrupted, as a cluster may be."""

    def __init__(self) -> None:
        self.runs = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.runs += 1
        if self.runs == 1:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(KeyboardInterrupt())
        return future


def test_interruption_of_an_executor_keeps_whole_blocks() -> None:
    part = mo.simulate(**BOARD, policy="safest", games=1000, executor=Broken())
    assert not part.complete
    assert part.games == 200
    assert part.counts == mo.simulate(**BOARD, policy="safest", games=200).counts


def test_comparison_pairs_the_same_layouts() -> None:
    a, b = "safest:ties=first", "pseq"
    found = mo.compare(a, b, **BOARD, games=GAMES, start=(0, 0), seed=3, workers=2)
    assert (
        found.a.counts == mo.simulate(**BOARD, policy=a, games=GAMES, start=(0, 0), seed=3).counts
    )
    assert found.games == GAMES
    assert found.both + found.only_a == found.a.wins
    assert found.both + found.only_b == found.b.wins
    assert found.discordant < GAMES / 4  # unpaired, it would be about 2 p (1 - p)
    low, high = found.interval()
    assert low <= found.difference <= high
    same = mo.compare("safest", "safest", **BOARD, games=100)
    assert same.discordant == 0
    assert same.p_value == 1.0
    assert json.loads(found.to_json())["only_a"] == found.only_a
    assert "McNemar" in str(found)


def test_result_as_table_json_and_plot() -> None:
    result = mo.simulate(**BOARD, policy="pseq", games=200, start=(0, 0), workers=1)
    document = json.loads(result.to_json())
    assert document["schema"] == "mineodds.simulate/1"
    assert document["counts"]["wins"] == result.wins
    assert document["win_rate"] == result.win_rate
    assert "pseq" in str(result)
    assert pickle.loads(pickle.dumps(result)) == result
    matplotlib.use("Agg")
    axes = result.plot()
    assert len(axes.patches) == 40


# Wilson: Newcombe (Two-sided confidence intervals for the single proportion, 1998), table I.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert statistics.wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_mcnemar_is_the_exact_binomial_test() -> None:
    for b in range(12):
        for c in range(12):
            tail = sum(comb(b + c, k) for k in range(min(b, c) + 1))
            exact = min(Fraction(1), Fraction(2 * tail, 2 ** (b + c)))
            assert statistics.mcnemar(b, c) == pytest.approx(float(exact), rel=1e-15)
    assert statistics.mcnemar(30_000, 30_500) == pytest.approx(0.0426, abs=2e-3)


# Newcombe (Statistics in Medicine 17, 1998, pages 2635-2650), method 10.
def test_newcombe_paired() -> None:
    found = statistics.newcombe_paired(36, 12, 2, 0)
    assert found == pytest.approx((0.0569, 0.3404), abs=5e-5)
    low, high = statistics.newcombe_paired(36, 2, 12, 0)
    assert (-high, -low) == pytest.approx(found, rel=1e-12)


def test_newcombe_covers() -> None:
    """Drawn pairs of known rates: the interval holds the difference about as often as it says."""
    rng = np.random.default_rng(4)
    held = 0
    for both, only_a, only_b, neither in rng.multinomial(400, [0.3, 0.12, 0.1, 0.48], size=1000):
        low, high = statistics.newcombe_paired(int(both), int(only_a), int(only_b), int(neither))
        held += low <= 0.02 <= high
    assert 0.93 < held / 1000 < 0.97


def test_statistics_of_nothing() -> None:
    assert all(map(isnan, statistics.wilson(0, 0)))
    assert all(map(isnan, statistics.newcombe_paired(0, 0, 0, 0)))
    assert isnan(statistics.standard_error(0, 0))
    with pytest.raises(ValueError, match="confidence"):
        statistics.wilson(1, 2, 1.0)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"games": 0}, ValueError),
        ({"workers": 0}, ValueError),
        ({"seed": -1}, ValueError),
        ({"games": 2.0}, TypeError),
        ({"workers": 1.5}, TypeError),
        ({"seed": 1.0}, TypeError),
        ({"start": (9, 0)}, IndexError),
        ({"start": (0, 0, 0)}, IndexError),
        ({"first_click": "lucky"}, ValueError),
        ({"policy": "best"}, ValueError),
        ({"policy": 7}, TypeError),
        ({"mines": 82}, mo.BoardFormatError),
    ],
)
def test_bad_arguments_are_refused(wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        mo.simulate(**{**BOARD, "games": 10, **wrong})
