"""``python -m shiftproof`` is the command line."""

import os
import sys

# Python looks for modules in the current folder first, where a user's z3.py may stand; nothing
# of the user's is executed unless that is asked for.
if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from .cli import main

main()
