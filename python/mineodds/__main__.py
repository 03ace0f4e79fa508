"""`python -m mineodds`, the same as the command `mineodds`."""

from mineodds.cli import main

if __name__ == "__main__":
    main()
