"""Certificates by counting: what was counted for which sizes, and how it is counted again."""

from __future__ import annotations

import msgspec

from ...dsl.program import Program


class EnumeratedSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was found for one choice of sizes.

    Attributes:
        sizes: the public integers, and lengths of sequences as ``len(q)``.
        inputs: how many private inputs there are.
        outcomes: how many different outputs they have.
        pairs: how many ordered pairs of inputs are neighbours.
        comparisons: how many different pairs of probabilities were compared.
        laws: what comes out of each input with which probability, where that is short.
    """

    sizes: dict[str, int]
    inputs: int
    outcomes: int
    pairs: int
    comparisons: int
    laws: tuple[str, ...] = ()


class EnumerationPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A proof by counting all runs on all inputs.

    Attributes:
        largest: no size is larger.
        complete: whether the preconditions allow no larger ones.
        settings: each choice of sizes that has inputs.
    """

    largest: int
    complete: bool
    settings: tuple[EnumeratedSizes, ...]


def check_enumeration(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """Count everything again; the number of comparisons, and what is in the way of the proof."""
    from .enumeration_counting import counted_again

    return counted_again(program, part)
