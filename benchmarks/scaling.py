"""Cost against board size, for boards in play at expert density: products, time, exponents, a plot.

    python benchmarks/scaling.py

Boards of several seeds (boards.in_play) from 16x16 to 1000x1000. For each size the mean of the
plan's table-entry products and of the CPU seconds of ``solve``; an exponent is the slope of the
least-squares line through the logarithms, cells against cost. Goal: at most 1.1 for the products
(tests/test_scaling.py holds them to it). Writes scaling.png and the page's table.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

import mineodds as mo
from boards import EXPERT_DENSITY, in_play
from measure import cpu_seconds
from table import markdown, rewrite, time_words

PLOT = Path(__file__).parent / "scaling.png"

SEEDS_BY_SIDE = {
    **dict.fromkeys((16, 23, 32, 45, 64), 20),
    **dict.fromkeys((100, 141, 200), 8),
    **dict.fromkeys((316, 500), 3),
    **dict.fromkeys((707, 1000), 1),
}
"""How many boards of each size: small boards differ more from each other."""

SUM_ERROR = 1e-9


def cost(side: int, seed: int) -> tuple[float, float]:
    """Predicted table-entry products and CPU seconds of one board."""
    board = in_play(side, side, EXPERT_DENSITY, seed)
    mo.solve(board.cells, mines=board.mines)  # the neighbour table of a size is made once, and kept
    odds, seconds = cpu_seconds(lambda: mo.solve(board.cells, mines=board.mines))
    # The law that every exact answer keeps: the chances add up to the mines.
    assert abs(float(np.nansum(odds.probability)) - board.mines) <= SUM_ERROR * board.mines
    return odds.plan.work, seconds


def exponent(cells: list[int], costs: list[float]) -> tuple[float, float]:
    """Slope and intercept of the line through log(cells), log(cost)."""
    slope, intercept = np.polyfit(np.log(cells), np.log(costs), 1).tolist()
    return slope, intercept


def plot(cells: list[int], columns: dict[str, list[float]]) -> None:
    mpl.use("Agg")
    figure, axes = plt.subplots(1, len(columns), figsize=(11, 4.5), layout="constrained")
    for panel, (name, costs) in zip(axes, columns.items(), strict=True):
        slope, intercept = exponent(cells, costs)
        line = np.exp(intercept) * np.array(cells, dtype=float) ** slope
        panel.loglog(cells, costs, "o", label="mean over boards")
        panel.loglog(cells, line, "-", label=f"cells^{slope:.2f}")
        panel.set(xlabel="cells of the board", ylabel=name)
        panel.grid(True, which="major", alpha=0.3)
        panel.legend()
    figure.suptitle("Boards in play, expert density (20.6 % mines)")
    figure.savefig(PLOT, dpi=120)


def main() -> None:
    cells, products, seconds, lines = [], [], [], []
    for side, seeds in SEEDS_BY_SIDE.items():
        costs = [cost(side, seed) for seed in range(1, seeds + 1)]
        cells.append(side * side)
        products.append(mean(work for work, _ in costs))
        seconds.append(mean(spent for _, spent in costs))
        lines.append(
            [f"{side}x{side}", str(seeds), f"{products[-1]:,.0f}", time_words(seconds[-1])]
        )
        print(*lines[-1], flush=True)
    columns = {"table-entry products": products, "CPU seconds of solve": seconds}
    plot(cells, columns)
    fits = ", ".join(f"{name}: {exponent(cells, costs)[0]:.3f}" for name, costs in columns.items())
    table = markdown(["board", "boards", "table-entry products", "`solve`"], lines)
    rewrite("scaling", f"Fitted exponents: {fits}.\n\n![cost](scaling.png)\n\n{table}")
    print(fits)


if __name__ == "__main__":
    main()
