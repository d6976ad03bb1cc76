"""The kernel's quotients in lowest terms, for people and for floats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..kernel.arithmetic import Polynomial
from ..kernel.enumeration.concrete import Bit
from ..kernel.enumeration.quotients import Quotient

#: Powers of parameters, and powers of e by what they are powers of; each in order, none zero.
Monomial = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, Fraction], ...]]
Table = Mapping[Monomial, Fraction]


class Ratio(NamedTuple):
    """Two polynomials without a common factor."""

    top: Table
    bottom: Table

    def __str__(self) -> str:
        """With coprime whole coefficients."""
        everything = [*self.top.values(), *self.bottom.values()]
        unit = Fraction(math.lcm(*(k.denominator for k in everything)))
        unit /= math.gcd(*(int(k * unit) for k in everything)) or 1
        if self.bottom[max(self.bottom)] < 0:
            unit = -unit
        above, below = ([(m, int(p[m] * unit)) for m in sorted(p, reverse=True)] for p in self)
        shown = _sum_text(above)
        if below == [(((), ()), 1)]:
            return shown
        first = f"({shown})" if len(above) > 1 else shown
        plain = len(below) == 1 and (below[0][0] == ((), ()) or below[0][1] == 1)
        second = _sum_text(below)
        return f"{first}/{second}" if plain and "*" not in second else f"{first}/({second})"

    def at(self, values: Mapping[str, float]) -> float:
        """Its value, where parameters have these."""
        return value_at(self.top, values) / value_at(self.bottom, values)


def ratio_of(number: Quotient, unit: int) -> Ratio:
    """A quotient of a count with this unit of exponents, in lowest terms."""
    import flint

    everything = [number.top, *number.bottom]
    names = sorted({name.removeprefix("/") for p in everything for m, _ in p for name in m})
    context = flint.fmpq_mpoly_ctx.get([f"v{k}" for k in range(len(names))] or ["v"], "lex")
    powers = {name: context.gen(k) for k, name in enumerate(names)}

    def split(p: Polynomial) -> tuple[Any, Any]:
        """Without inverses, and what that was multiplied by."""
        below = Counter[str]()
        for monomial, _ in p:
            below |= Counter(name[1:] for name in monomial if name[0] == "/")
        by = math.prod((powers[n] ** k for n, k in below.items()), start=context.constant(1))
        total = context.constant(0)
        for monomial, c in p:
            left = Counter(below)
            for name in monomial:
                left[name.removeprefix("/")] += -1 if name[0] == "/" else 1
            factor = context.constant(flint.fmpq(c.numerator, c.denominator))
            total += math.prod((powers[n] ** k for n, k in left.items()), start=factor)
        return total, by

    over, under = split(number.top)
    for factor in number.bottom:
        top, bottom = split(factor)
        over, under = over * bottom, under * top
    common = over.gcd(under)
    return Ratio(*(_table(divmod(p, common)[0], names, unit) for p in (over, under)))


def _table(p: Any, names: Sequence[str], unit: int) -> Table:
    found = {}
    for key, c in p.to_dict().items():
        used = [(name, int(k)) for name, k in zip(names, key, strict=False) if k]
        found[_monomial(used, unit)] = Fraction(int(c.p), int(c.q))
    return found


def _monomial(powers: Iterable[tuple[str, int]], unit: int) -> Monomial:
    """Powers of unknowns of the kernel, where ``exp a*b`` is e to the power of a·b / unit."""
    plain = ((name, k) for name, k in powers if not name.startswith("exp "))
    of_e = ((n[4:], Fraction(k, unit)) for n, k in powers if n.startswith("exp "))
    return tuple(sorted(plain)), tuple(sorted(of_e))


def table_of(p: Polynomial, unit: int) -> Table:
    """A polynomial of a count with this unit of exponents."""
    found = {}
    for monomial, c in p:
        powers = Counter[str]()
        for name in monomial:
            powers[name.removeprefix("/")] += -1 if name[0] == "/" else 1
        found[_monomial(powers.items(), unit)] = Fraction(c)
    return found


def value_at(table: Table, values: Mapping[str, float]) -> float:
    """The value of a polynomial, where parameters have these."""
    total = 0.0
    for (plain, powers), k in table.items():
        power = sum(
            float(share) * math.prod(values[n] for n in name.split("*") if n)
            for name, share in powers
        )
        total += float(k) * math.prod(values[n] ** e for n, e in plain) * math.exp(power)
    return total


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


def _scaled(product: str, k: Fraction) -> str:
    if not product:
        return str(k)
    bases = Counter(product.split("*"))
    name = "*".join(b if power == 1 else f"{b}**{power}" for b, power in bases.items())
    top = name if k.numerator == 1 else f"{k.numerator}*{name}"
    return top if k.denominator == 1 else f"{top}/{k.denominator}"


def outcome_text(values: Sequence[Any], unit: int) -> tuple[str, ...]:
    """What one run releases; a float has a point or is a fraction."""
    return tuple(_value_text(value, unit) for value in values)


def _value_text(value: Any, unit: int) -> str:
    if isinstance(value, Bit):
        return str(value.value)
    if not isinstance(value, Quotient):
        return repr(value)
    text = str(ratio_of(value, unit))
    return f"{text}.0" if text.lstrip("-").isdigit() else text
