"""What is said of an exception that should not be: where it comes from, and what to report."""

from __future__ import annotations

import traceback
from pathlib import Path

#: How every such message begins.
FAULT = "a fault of shiftproof itself"
#: How much of an exception's own message is repeated.
_LONGEST = 200


def fault_text(error: Exception) -> str:
    """An unexpected exception as one reason: its type, its message, and its place in shiftproof.

    It is a verdict on nothing but shiftproof: whoever catches one may go on with what is left.
    """
    said = " ".join(str(error).split())
    said = f"{said[:_LONGEST]}…" if len(said) > _LONGEST else said
    kind = type(error).__name__
    what = f"{kind}: {said}" if said else kind
    return f"{FAULT}: {what} ({_place(error)}); please report it with the mechanism"


def _place(error: Exception) -> str:
    """The innermost place of ours on the way to the exception."""
    root = Path(__file__).parent.parent
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(root)]
    if not ours:
        return "place unknown"
    file = Path(ours[-1].filename).relative_to(root).as_posix()
    return f"{file}, line {ours[-1].lineno}, in {ours[-1].name}"
