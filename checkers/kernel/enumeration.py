"""Proofs by enumeration: everything is counted again, from the program alone."""

from __future__ import annotations

from ...dsl.program import Program
from .enumeration_counting import counted_again
from .enumeration_table import EnumerationPart


def check_enumeration(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """Count everything again; the number of comparisons, and what is in the way of the proof."""
    return counted_again(program, part)
