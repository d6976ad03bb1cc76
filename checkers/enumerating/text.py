"""Ratios as a certificate shows them."""

from __future__ import annotations

from fractions import Fraction

from ..kernel.enumeration_text import Monomial, quotient_text
from .factors import exponent_text
from .ratios import Frame, Number


def ratio_text(value: Number, frame: Frame) -> str:
    """A number over parameters, in lowest terms."""
    top, factors = frame.split(value)
    below = frame.product(factors)
    parts = []
    for side in (top, below):
        found: dict[Monomial, Fraction] = {}
        for monomial, k in side.to_dict().items():
            plain = sorted(
                (n, int(p)) for n, p in zip(frame.parameters, monomial, strict=False) if p
            )
            rest = monomial[len(frame.parameters) :]
            powers = sorted(
                (exponent_text(a), Fraction(int(p), unit))
                for (a, unit), p in zip(frame.exponents.items(), rest, strict=False)
                if p
            )
            found[tuple(plain), tuple(powers)] = Fraction(int(k.p), int(k.q))
        parts.append(found)
    return quotient_text(parts[0], parts[1])
