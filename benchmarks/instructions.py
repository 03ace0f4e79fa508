"""Instructions per solve, counted by callgrind: figures that do not depend on the machine's mood.

Beside them the CPU time of the same program without callgrind: the kernel alone, without Python.

    python benchmarks/instructions.py [--program PATH]

Builds cpp/bench/solve.cpp as the extension is built (release, link-time optimisation) unless a
program is given, and runs it under valgrind over the corpus files with one pass and with three.
The difference is what two passes over solved-before sizes take: reading the file and first
allocations are not in it. Writes the page's table. Needs valgrind, CMake and a C++20 compiler.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

from corpus import CORPUS
from table import markdown, rewrite

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "bench"

FILES = ("beginner", "intermediate", "expert", "big50", "big100", "chk", "xien")
"""Files of the corpus that take seconds under callgrind."""


def build() -> Path:
    """Compile the C++ bench; its path."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DMINEODDS_BENCHMARKS=ON"]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(BUILD), *options], check=True)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "bench_solve"], check=True)
    return BUILD / "bench_solve"


def counted(program: Path, file: str, passes: int) -> tuple[int, int, int]:
    """Instructions of a run, and the positions and products that it reports for one pass."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [str(program), str(CORPUS / f"{file}.jsonl"), str(passes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    collected = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    report = re.search(r"positions (\d+), products (\d+)", done.stdout)
    if collected is None or report is None:
        raise ValueError(f"{command} did not report its counts: {done.stdout}{done.stderr}")
    return int(collected[1]), int(report[1]), int(report[2])


def microseconds(program: Path, file: str) -> str:
    """The median over passes of the CPU time of a position, as the program reports it."""
    command = [str(program), str(CORPUS / f"{file}.jsonl")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return f"{float(done.stdout.split('median')[1].split()[0]):.3g} us"


def main() -> None:
    parser = argparse.ArgumentParser(description="Instructions per solve, by callgrind.")
    parser.add_argument("--program", type=Path, help="a bench_solve that is already built")
    program = parser.parse_args().program or build()
    lines = []
    for file in FILES:
        once, positions, products = counted(program, file, 1)
        thrice, _, _ = counted(program, file, 3)
        per_solve = (thrice - once) / (2 * positions)
        row = [file, str(positions), f"{per_solve:,.0f}", f"{products / positions:,.0f}"]
        lines.append([*row, microseconds(program, file)])
        print(*lines[-1], flush=True)
    header = [
        "corpus file",
        "positions",
        "instructions per solve",
        "products per solve",
        "C++ alone",
    ]
    rewrite("instructions", markdown(header, lines))


if __name__ == "__main__":
    main()
