"""Powers of e as terms."""

from __future__ import annotations

from fractions import Fraction

from .linear import Atom, Exp, Linear, Opaque, Product, Rational, monomial, number, term

#: The highest power to which what stands in a logarithm is taken, as in the kernel: that of
#: 125,000 to the 4,096 has 20,000 digits, and a sum has more terms with every power.
MOST_POWER = 64


def exponential(power: Linear) -> Linear:
    """``exp(power)``, as a product of whole powers: ``exp(2*a + b/3)`` is exp(a)² · exp(b/3).

    A logarithm is taken back: ``exp(a - log(b))`` is exp(a) / b; up to :data:`MOST_POWER` times.
    """
    logarithms = [(a, k) for a, k in power.parts if _is_logarithm(a) and _is_small(k)]
    parts: list[tuple[Linear, Rational]] = [
        (term(atom), k) for atom, k in power.parts if (atom, k) not in logarithms
    ]
    if power.constant:
        parts.append((number(1), power.constant))
    found = [(Exp(base.scaled(Fraction(1, k.denominator))), k.numerator) for base, k in parts]
    total = monomial(tuple(found), 1)
    for atom, k in logarithms:
        assert isinstance(atom, Opaque)
        for _ in range(abs(k.numerator)):
            inside = atom.arguments[0]
            total = total * inside if k > 0 else total / inside
    return total


def _is_logarithm(atom: Atom) -> bool:
    return isinstance(atom, Opaque) and atom.operation == "log"


def _is_small(power: Rational) -> bool:
    return power.denominator == 1 and -MOST_POWER <= power <= MOST_POWER


def exponent_of(atom: Atom) -> Linear | None:
    """The logarithm of a product of powers of e; ``None`` of anything else."""
    total = number(0)
    for base, power in atom.powers if isinstance(atom, Product) else ((atom, 1),):
        if not isinstance(base, Exp):
            return None
        total = total + base.power.scaled(power)
    return total
