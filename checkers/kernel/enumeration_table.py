"""What a proof by enumeration writes down: for which sizes, and what was counted there."""

from __future__ import annotations

import msgspec


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
