"""Numbers as people write them: ``2*c/eps`` for scales, odds, and their logarithms."""

from __future__ import annotations

from .exponentials import exponent_of
from .formulas import Formula, Sign
from .linear import Atom, Exp, Group, Linear, Opaque, Product, Rational, monomial, number
from .substitution import apply_operation


def pretty(subject: Linear) -> str:
    """The term as a Python expression over parameters."""
    parts = [_signed(_factors(atom), k) for atom, k in subject.parts]
    if subject.constant or not parts:
        parts.append(_signed(([], []), subject.constant))
    text = parts[0][1] if parts[0][0] == "+" else f"-{parts[0][1]}"
    return text + "".join(f" {sign} {shown}" for sign, shown in parts[1:])


def pretty_formula(subject: Formula) -> str:
    """A comparison with its negative parts moved to the other side."""
    if not isinstance(subject, Sign):
        return str(subject)
    linear = subject.subject
    left = Linear(max(linear.constant, 0), tuple((a, k) for a, k in linear.parts if k > 0))
    right = left - linear
    return f"{pretty(left)} {subject.relation} {pretty(right)}"


def _factors(atom: Atom) -> tuple[list[str], list[str]]:
    """What stands above and below the line."""
    if not isinstance(atom, Product):
        return [_base(atom)], []
    above = [f for b, p in atom.powers for f in _power(b, p)]
    below = [f for b, p in atom.powers for f in _power(b, -p)]
    return above, below


def _power(base: Atom, power: int) -> list[str]:
    """A positive power as factors; one of e is one factor."""
    if power > 0 and isinstance(base, Exp):
        return [f"exp({pretty(base.power.scaled(power))})"]
    return [_base(base)] * power


def _base(atom: Atom) -> str:
    if isinstance(atom, Exp):
        return f"exp({pretty(atom.power)})"
    if isinstance(atom, Opaque) and atom.operation in ("log", "sqrt"):
        return f"{atom.operation}({pretty(atom.arguments[0])})"
    return f"({pretty(atom.inner)})" if isinstance(atom, Group) else atom.key


def _signed(factors: tuple[list[str], list[str]], k: Rational) -> tuple[str, str]:
    above, below = factors
    size = k if k >= 0 else -k
    if size.numerator != 1 or not above:
        above = [str(size.numerator), *above]
    if size.denominator != 1:
        below = [str(size.denominator), *below]
    divisor = f"({'*'.join(below)})" if len(below) > 1 else "".join(below)
    shown = "*".join(above) + (f"/{divisor}" if below else "")
    return ("-" if k < 0 else "+"), shown


# The odds p / (1 - p) of a probability, and their logarithm where it is a plain term.
#
# before:  p = exp(eps) / (1 + exp(eps))
# after:   odds exp(eps), log odds eps


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
