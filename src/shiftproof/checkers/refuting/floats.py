"""Claims that are missed by the rounding of a float: ``budget=1 / 72`` is a little below 1/72."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..exact.numbers import decimal, rational, working
from .comparison import Comparison

#: The largest divisor of a fraction that somebody may have meant.
LARGEST = 10_000
#: In how many bits claims are compared.
_BITS = 256


def hint(comparison: Comparison) -> str | None:
    """What to write instead, where the claim is a float and the fraction it stands for is kept."""
    order = Fraction(comparison.order or 1)
    budget = comparison.budget.enclosure
    if comparison.log_ratio is None or not comparison.breaks:
        return None
    claims = {"budget": budget.low / order if budget.exact else Fraction(0)}
    if comparison.delta is not None and comparison.delta.enclosure.exact:
        claims["delta"] = comparison.delta.enclosure.low
    meant = {name: value.limit_denominator(LARGEST) for name, value in claims.items()}
    for name, value in claims.items():
        short = meant[name]
        if short != value and float(short) == float(value) and _is_kept(comparison, meant):
            where, by = "below" if value < short else "above", decimal(abs(short - value), 2)
            exact = f"Fraction({short.numerator}, {short.denominator})"
            is_ = f"the float {float(value)!r} is {where} {short} by {by}"
            return f"{name}: {is_}; {exact} is not broken here"
    return None


def _is_kept(c: Comparison, meant: dict[str, Fraction]) -> bool:
    """Whether it is not shown that such a claim is broken here, too."""
    assert c.log_ratio is not None
    with working(_BITS):
        if c.delta is None:
            order = Fraction(c.order or 1)
            return c.log_ratio.enclosure.low <= meant["budget"] * order
        epsilon = meant["budget"] or c.budget.enclosure.high
        most = rational(meant.get("delta", c.delta.enclosure.low))
        left, right = rational(c.on_left.enclosure.low), rational(c.on_right.enclosure.high)
        return not left - arb(rational(epsilon)).exp() * right > arb(most)
