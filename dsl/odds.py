"""The odds p / (1 - p) of a probability, and their logarithm where it is a plain term.

before:  p = exp(eps) / (1 + exp(eps))
after:   odds exp(eps), log odds eps
"""

from __future__ import annotations

from .substitution import apply_operation
from .terms import Group, Linear, Product, exponent_of, monomial, number


def odds_of(p: Linear) -> Linear | None:
    """``p / (1 - p)``; ``None`` if p is 1."""
    top, bottom = _ratio(p)
    rest = bottom - top
    return None if rest == number(0) else top / rest


def log_odds_of(p: Linear) -> Linear:
    """The logarithm of the odds: a term if they are a power of e, else one more unknown."""
    odds = odds_of(p)
    if odds == number(1):
        return number(0)
    if odds is not None and len(odds.parts) == 1 and not odds.constant:
        ((atom, factor),) = odds.parts
        power = exponent_of(atom)
        if factor == 1 and power is not None:
            return power
    return apply_operation("log_odds", (p,))


def _ratio(p: Linear) -> tuple[Linear, Linear]:
    """The term over the one sum that its parts are divided by, if there is one; else over 1."""
    divisors = [
        base
        for atom, _ in p.parts
        if isinstance(atom, Product)
        for base, power in atom.powers
        if isinstance(base, Group) and power == -1
    ]
    if not divisors or any(d != divisors[0] for d in divisors):
        return p, number(1)
    bottom = divisors[0].inner
    top = bottom.scaled(p.constant)
    for atom, k in p.parts:
        powers = atom.powers if isinstance(atom, Product) else ((atom, 1),)
        kept = tuple(part for part in powers if part[0] != divisors[0])
        divided = len(kept) < len(powers)
        top = top + (monomial(kept, k) if divided else monomial(powers, k) * bottom)
    return top, bottom
