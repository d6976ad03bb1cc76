"""Amounts of parameters in which logarithms may stand: what a ratio costs, and which is more.

The logarithm of a ratio of probabilities is a sum over its factors, so that what belongs together
cancels: log((1 + e^ε) / 2) + log(2 e^ε / (1 + e^ε)) is ε.  Of such sums the powers of e are
compared, which are polynomials.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from ....dsl.terms.enclosures import rational_ends
from ....dsl.terms.exponentials import exponential
from ....dsl.terms.formulas import Formula, above, at_least
from ....dsl.terms.functions import facts_of_functions, tangents
from ....dsl.terms.linear import Atom, Exp, Linear, Opaque, Product, number, term
from ....dsl.terms.polynomials import Polynomial, Space, subjects_of
from ....dsl.terms.substitution import apply_operation, exponentials_of

#: Whether a claim follows from facts.
Follows = Callable[[Sequence[Formula], Formula], bool]

#: Up to which number the prime factors of one are looked for.
MOST_PRIME = 10_000
#: How many times a unit a price may be, where any that is enough will do.
MULTIPLES = tuple(Fraction(k, 2) for k in (-4, -2, -1, 0, 1, 2, 4))
#: The highest degree of a polynomial about which a question is asked: others take too long.
MOST_DEGREE = 8
ONE = number(1)


class Amounts:
    """What is proved of amounts under facts about parameters."""

    def __init__(self, facts: Iterable[Formula], follows: Follows) -> None:
        self._facts = [fact for fact in facts if fact.fixed]
        self._follows = follows

    def holds(self, claim: Formula) -> bool:
        """Whether a claim about parameters follows, if it is not of too high a degree."""
        if any(map(_is_high, subjects_of(claim))):
            return False
        known = (f for atom in dict.fromkeys(exponentials_of(claim)) for f in _facts_of(atom))
        return self._follows([*self._facts, *known], claim)

    def is_most(self, more: Linear, less: Linear) -> bool:
        """Whether an amount is proved to be at least another one."""
        plain = at_least(more, less)
        facts = [*self._facts, *facts_of_functions(more, less)]
        if self._follows(facts, plain):
            return True
        near = tangents(more - less, self._facts)
        if near and self._follows([*facts, *near], plain):
            return True
        if more.constant > 0 and has_logs(less):
            low, _ = rational_ends(exponential(number(more.constant)))
            rest = more - number(more.constant)
            return self.holds(_as_powers(rest - less, number(low)))
        return has_logs(more - less) and self.holds(_as_powers(more - less))

    def price(self, own: Linear, other: Linear) -> Linear | None:
        """log(own / other), if its sign is known, and that of each of its factors."""
        found = self._log_ratio(own, other)
        signed = found is not None and (
            self.is_most(found, number(0)) or self.is_most(number(0), found)
        )
        return found if signed else None

    def rough_price(self, own: Linear, other: Linear, budget: Linear) -> Linear | None:
        """The least simple multiple of the budget, or of an exponent, that covers the ratio."""
        powers = [atom.power for part in (own, other) for atom in exponentials_of(part)]
        for unit in dict.fromkeys((*powers, budget)):
            for k in MULTIPLES:
                price = unit.scaled(k)
                if self._covers(price, own, other):
                    return price
        return None

    def _covers(self, price: Linear, own: Linear, other: Linear) -> bool:
        ratio = self._factors(own, other)
        if ratio is None:
            return False
        size, factors = ratio
        top, bottom = exponential(_positive(-price)), exponential(_positive(price))
        top, bottom = top.scaled(size.numerator), bottom.scaled(size.denominator)
        for factor, power in factors:
            for _ in range(abs(power)):
                top, bottom = (top * factor, bottom) if power > 0 else (top, bottom * factor)
        return self.holds(_as_polynomial(bottom - top))

    def _log_ratio(self, own: Linear, other: Linear) -> Linear | None:
        ratio = self._factors(own, other)
        if ratio is None:
            return None
        size, factors = ratio
        logs = (_log(factor).scaled(power) for factor, power in factors)
        return sum(logs, _log_of_number(size))

    def _factors(
        self, own: Linear, other: Linear
    ) -> tuple[Fraction, list[tuple[Linear, int]]] | None:
        """own / other as a positive number times powers of what is proved to be positive."""
        space, size, counts = Space([own, other]), Fraction(1), Counter[str]()
        named: dict[str, Polynomial] = {}
        for subject, sign in ((own, 1), (other, -1)):
            quotient = space.quotient(subject)
            parts = [(quotient.over, sign)]
            parts += [(space.divisors[k], -sign * power) for k, power in quotient.under.items()]
            for polynomial, power in parts:
                if not len(polynomial):
                    return None
                constant, found = polynomial.factor()
                size *= _fraction(constant) ** power
                for factor, times in found:
                    content, primitive = _primitive(factor)
                    size *= content ** (times * power)
                    named[str(primitive)] = primitive
                    counts[str(primitive)] += times * power
        factors = []
        for name, power in counts.items():
            factor = _term_of(space, named[name])
            if power and self.holds(above(number(0), factor)):
                factor, size = -factor, size * Fraction(-1) ** power
            elif power and not self.holds(above(factor, number(0))):
                return None
            factors.append((factor, power))
        return (size, factors) if size > 0 else None


def _facts_of(atom: Exp) -> Iterator[Formula]:
    """A power of e is positive, and at least 1 + x."""
    yield above(term(atom), number(0))
    yield at_least(term(atom), number(1) + atom.power)


def _positive(amount: Linear) -> Linear:
    """The terms with a positive coefficient."""
    return Linear(max(amount.constant, 0), tuple((a, k) for a, k in amount.parts if k > 0))


def _fraction(c: Polynomial) -> Fraction:
    return Fraction(int(c.p), int(c.q))


def _primitive(factor: Polynomial) -> tuple[Fraction, Polynomial]:
    """A number, and the polynomial with coprime whole coefficients."""
    import flint

    coefficients = [_fraction(c) for c in factor.coeffs()]
    whole = math.lcm(*(c.denominator for c in coefficients))
    shared = math.gcd(*(int(c * whole) for c in coefficients))
    return Fraction(shared, whole), factor * flint.fmpq(whole, shared)


def _term_of(space: Space, polynomial: Polynomial) -> Linear:
    """A polynomial as a term."""
    total = number(0)
    for powers, c in polynomial.terms():
        part = number(_fraction(c))
        for variable, power in zip(space.variables, map(int, powers), strict=False):
            if variable.base is not None:
                part = part * exponential(variable.base.scaled(power))
            elif variable.atom is not None:
                part = part * math.prod([term(variable.atom)] * power, start=number(1))
        total = total + part
    return total


def _log(positive: Linear) -> Linear:
    """The logarithm of one factor."""
    if len(positive.parts) == 1 and not positive.constant:
        ((atom, k),) = positive.parts
        if k == 1 and isinstance(atom, Exp):
            return atom.power
    return apply_operation("log", (positive,))


def _log_of_number(size: Fraction) -> Linear:
    total = number(0)
    for prime, power in (*_primes(size.numerator, 1), *_primes(size.denominator, -1)):
        total = total + apply_operation("log", (number(prime),)).scaled(power)
    return total


def _primes(size: int, sign: int) -> Iterator[tuple[int, int]]:
    """The prime factors; what is left of a number without small ones counts as one."""
    candidate = 2
    while candidate <= min(size, MOST_PRIME):
        power = 0
        while size % candidate == 0:
            size, power = size // candidate, power + sign
        if power:
            yield candidate, power
        candidate += 1
    if size > 1:
        yield size, sign


def _is_log(atom: Atom) -> bool:
    return isinstance(atom, Opaque) and atom.operation == "log"


def has_logs(amount: Linear) -> bool:
    """Whether a logarithm stands in an amount."""
    return any(_is_log(atom) for atom, _ in amount.parts)


def _is_high(subject: Linear) -> bool:
    powers = (atom.powers for atom, _ in subject.parts if isinstance(atom, Product))
    return any(sum(abs(power) for _, power in found) > MOST_DEGREE for found in powers)


def has_products(claim: Formula) -> bool:
    """Whether parameters are multiplied or divided in a claim, or powers of e stand in it."""
    atoms = (atom for subject in subjects_of(claim) for atom, _ in subject.parts)
    return any(isinstance(atom, Exp | Product) for atom in atoms)


def _as_powers(difference: Linear, factor: Linear = ONE) -> Formula:
    """``log(factor) + difference >= 0`` as a comparison of e to its parts."""
    # Powers of e may be broken ones, those of what stands in a logarithm may not.
    whole = math.lcm(*(Fraction(k).denominator for a, k in difference.parts if _is_log(a)))
    amount = difference.scaled(whole)
    sides = []
    for part in (_positive(amount), _positive(-amount)):
        logs = [
            (atom.arguments[0], k)
            for atom, k in part.parts
            if isinstance(atom, Opaque) and _is_log(atom)
        ]
        rest = Linear(part.constant, tuple((a, k) for a, k in part.parts if not _is_log(a)))
        inside = (argument for argument, k in logs for _ in range(int(k)))
        sides.append(math.prod(inside, start=exponential(rest)))
    top, bottom = sides
    for _ in range(whole):
        top = top * factor
    return _as_polynomial(top - bottom)


def _as_polynomial(difference: Linear) -> Formula:
    """``difference >= 0``, with roots and powers of one e^x as powers of one of them."""
    space = Space([difference])
    found = space.quotient(difference)
    over = difference if found.under else _term_of(space, found.over)
    return at_least(over, number(0))
