"""Running something in a child process, because it may crash and take its process with it.

Z3's Spacer has been seen to end in a segmentation fault.  That is "unknown" like any other
failure of a solver; it must not end the program that asked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def isolated(work: Callable[[], str], otherwise: str) -> str:
    """What ``work`` returns, a text; ``otherwise`` if the child process dies.

    Where processes cannot be forked (Windows) the work is done here and now.
    """
    if sys.platform == "win32":
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(work().encode())
        finally:
            os._exit(0)  # nothing of the parent's is flushed, closed or handled here
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        answer = answers.read().decode()
    os.waitpid(child, 0)
    return answer or otherwise
