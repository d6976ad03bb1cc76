"""``python -m shiftproof``, and what the installed script calls: the command line."""

import os
import sys


def start() -> None:
    """Load the command line and run it; Ctrl-C while it loads ends it without a traceback."""
    try:
        from .commands.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()


if __name__ == "__main__":
    # Python looks for modules in the current folder first, where a user's z3.py may stand; nothing
    # of the user's is executed unless that is asked for.
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    start()
