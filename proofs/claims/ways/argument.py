"""A proof of several steps, each decided on its own."""

from __future__ import annotations

from ..claim import Finding
from .several import together


def argument(shown: str, *steps: Finding) -> Finding:
    """Whether all steps hold.

    Args:
        shown: what they amount to, said instead of their details.
        steps: what the steps found.
    """
    found = together(*steps)
    return Finding(True, shown) if found.holds else found
