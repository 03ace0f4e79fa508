"""Ctrl-C while the command `mineodds` starts or ends: exit code 130, without a traceback.

Importing NumPy takes longer than solving a board, so an impatient Ctrl-C often meets the imports,
where no `except` of ours stands. While the command is being imported, and once it has said all, the
signal therefore ends the process at once; in between, `cli.main` has Python's KeyboardInterrupt.
Programs that import mineodds are left alone, and so is a signal that is ignored or handled already.

This is the first import of the package, and imports little itself.
"""

import os
import signal
import sys

INTERRUPTED = 130


def is_command() -> bool:
    """Whether this process is `mineodds` or `python -m mineodds`."""
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    # While Python looks for the module of -m, that option stands in the place of its file.
    if program == "-m":
        return "mineodds" in sys.orig_argv
    name = program.replace("\\", "/").rpartition("/")[2]
    return name.lower() in ("mineodds", "mineodds.exe", "mineodds-script.py")


def end(_signal: int, _frame: object) -> None:
    """End the process; all that was to be written has been."""
    os._exit(INTERRUPTED)


def end_at_once() -> None:
    """From now on an interrupt ends the process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def raise_again() -> None:
    """From now on an interrupt is a KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if is_command():
    end_at_once()
