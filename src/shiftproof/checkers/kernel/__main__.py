"""``python -m shiftproof.checkers.kernel CERTIFICATE...``: check, and print what is proved."""

import sys

from .check import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
