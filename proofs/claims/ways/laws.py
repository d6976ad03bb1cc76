"""Mechanisms on finite inputs with finitely many outputs: their laws, compared exactly.

A law gives each output its probability, as an exact number (``Fraction``).  Probabilities of
private mechanisms are mostly rational in e^ε, so an ε = ln 2 or ln 3 keeps them rational.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TypeAlias

Law: TypeAlias = Mapping[Hashable, Fraction]


def mixed(parts: Mapping[Hashable, tuple[Fraction, Law]]) -> dict[Hashable, Fraction]:
    """The law of a choice among laws, each with its probability."""
    law: dict[Hashable, Fraction] = {}
    for chance, part in parts.values():
        for output, probability in part.items():
            law[output] = law.get(output, Fraction(0)) + chance * probability
    return law


def worst_ratio(first: Law, second: Law) -> Fraction | None:
    """The largest ratio Pr[first ∈ S] / Pr[second ∈ S]; None if it is infinite.

    On finitely many outputs a single one attains it.
    """
    ratio = Fraction(0)
    for output, probability in first.items():
        if not probability:
            continue
        below = second.get(output, Fraction(0))
        if not below:
            return None
        ratio = max(ratio, probability / below)
    return ratio


def within(first: Law, second: Law, most: Fraction) -> bool:
    """Whether Pr[first ∈ S] <= most · Pr[second ∈ S] for all S."""
    ratio = worst_ratio(first, second)
    return ratio is not None and ratio <= most
