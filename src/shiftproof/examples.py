"""Examples below the ``--help`` of a command."""

from __future__ import annotations


def examples(*calls: str) -> str:
    """An epilog that shows calls, each as what is typed after ``shiftproof``."""
    lines = "\n".join(f"  shiftproof {call}" for call in calls)
    return f"\b\n{'Examples' if len(calls) > 1 else 'Example'}:\n{lines}"
