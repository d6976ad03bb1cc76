"""Terms as a person would write them: ``2*c/eps`` for scales, budgets and bounds."""

from __future__ import annotations

from .formulas import Formula, Sign
from .terms import Atom, Exp, Group, Linear, Product, Rational


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
