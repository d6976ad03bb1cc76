"""``python -m shiftproof`` is the command line."""

from .cli import main

main()
