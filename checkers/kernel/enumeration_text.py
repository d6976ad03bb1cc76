"""How a certificate by counting shows outcomes and probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

#: Powers of parameters, and powers of e by what they are powers of; each in order, none zero.
Monomial = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, Fraction], ...]]
Polynomial = Mapping[Monomial, Fraction]

#: Tables with more rows are left out.
MOST_ROWS = 64


def quotient_text(top: Polynomial, bottom: Polynomial) -> str:
    """A fraction of two polynomials without a common factor: with coprime whole coefficients."""
    everything = [*top.values(), *bottom.values()]
    unit = Fraction(math.lcm(*(k.denominator for k in everything)))
    unit /= math.gcd(*(int(k * unit) for k in everything)) or 1
    if bottom[max(bottom)] < 0:
        unit = -unit
    above, below = ([(m, int(p[m] * unit)) for m in sorted(p, reverse=True)] for p in (top, bottom))
    shown = _sum_text(above)
    if below == [(((), ()), 1)]:
        return shown
    first = f"({shown})" if len(above) > 1 else shown
    plain = len(below) == 1 and (below[0][0] == ((), ()) or below[0][1] == 1)
    second = _sum_text(below)
    return f"{first}/{second}" if plain and "*" not in second else f"{first}/({second})"


def _sum_text(parts: Sequence[tuple[Monomial, int]]) -> str:
    text = ""
    for monomial, k in parts:
        size = abs(k)
        shown = _monomial_text(monomial)
        term = str(size) if not shown else shown if size == 1 else f"{size}*{shown}"
        if text:
            text += f" - {term}" if k < 0 else f" + {term}"
        else:
            text = f"-{term}" if k < 0 else term
    return text or "0"


def _monomial_text(monomial: Monomial) -> str:
    plain, powers = monomial
    factors = [name if power == 1 else f"{name}**{power}" for name, power in plain]
    if powers:
        factors.append(f"exp({' + '.join(_scaled(name, k) for name, k in powers)})")
    return "*".join(factors)


def _scaled(name: str, k: Fraction) -> str:
    if name == "1":
        return str(k)
    top = name if k.numerator == 1 else f"{k.numerator}*{name}"
    return top if k.denominator == 1 else f"{top}/{k.denominator}"


def value_text(value: bool | int | Fraction | str | None) -> str:
    """A released value; a float has a point or is a fraction."""
    if isinstance(value, Fraction):
        return f"{value}.0" if value.denominator == 1 else str(value)
    return repr(value)


def outcome_text(values: Iterable[str]) -> str:
    """All that one run releases."""
    return ", ".join(values) or "nothing"


def row_text(inputs: Mapping[str, object], outcome: str, probability: str) -> str:
    """One line of a table."""
    shown = ", ".join(f"{name} = {value}" for name, value in inputs.items())
    return f"{shown or 'always'}: {outcome} with probability {probability}"
