"""Black boxes of other libraries, and what an audit of each should come to.

`python -m benchmarks.libraries` audits them all.  `box.py` says what a box is, `command.py` runs
them, and every other file has those of one library.
"""

from benchmarks.libraries.command import main

__all__ = ["main"]
