"""``python -m benchmarks.libraries``."""

import sys

from benchmarks.libraries.command import main

if __name__ == "__main__":
    sys.exit(main())
