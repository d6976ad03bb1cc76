"""What a user may have meant by a name that is unknown."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], otherwise: str, most: int = 1) -> str:
    """A question about the known names that are nearest, or else something else to say.

    Args:
        name: what is unknown.
        known: the names that there are.
        otherwise: what is said if none is near.
        most: how many are asked about at most.
    """
    from difflib import get_close_matches

    near = get_close_matches(name, dict.fromkeys(known), n=most, cutoff=0.6 if most == 1 else 0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else otherwise
