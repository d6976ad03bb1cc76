"""Conditions on noise with numbers in them that are not rational, between two that have none.

before:  noise >= log(5)
after:   noise >= 1.60943..., rounded up, is less likely, and rounded down, more
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import shortest
from .affine import Affine
from .irrational import ends, is_irrational, over
from .numbers import Number
from .state import Condition


def enclosed(
    conditions: Sequence[Condition], likely: Callable[[Sequence[Condition]], Number]
) -> Number:
    """How likely it is that all conditions hold, by what is computed of rational ones.

    The larger the constants, the more draws meet them.

    Raises:
        LimitReached: draws are added up whose factors have no rational ratio.
    """
    if all(subject.is_rational for subject, _ in conditions):
        return likely(conditions)
    both = [_between(*condition) for condition in conditions]
    least, most = likely([low for low, _ in both]), likely([high for _, high in both])
    return arb(least).union(arb(most))


def _between(subject: Affine, strict: bool) -> tuple[Condition, Condition]:
    lead = next((f for f in subject.parts.values() if is_irrational(f)), None)
    if lead is not None:
        lead = lead if lead > 0 else -lead
        parts = {d: shortest(over(f, lead)) for d, f in subject.parts.items()}
        if any(is_irrational(f) for f in parts.values()):
            raise LimitReached("POWERS", "noise with factors whose ratio is not rational")
        subject = Affine(parts, shortest(over(subject.constant, lead)), False)
    constant = subject.constant
    if not is_irrational(constant):
        return Condition(subject, strict), Condition(subject, strict)
    low, high = (Affine(subject.parts, shortest(end), False) for end in ends(constant))
    return Condition(low, strict), Condition(high, strict)
