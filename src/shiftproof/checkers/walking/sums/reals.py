"""Questions about products and powers of e, as text over the real numbers.

Nothing is cleared or multiplied out: a divisor has an unknown inverse, of which it is said that
the two make 1, and e^x an unknown that is positive, on the side of 1 that x says, and at least
1 + x.  Integers are real numbers here; ``a > b`` between integers says ``a >= b + 1``.

before:  exp(eps)/(1 + exp(eps)) < 1
asked:   t > 0, t > 1 (as eps > 0), (1 + t)·i = 1, t·i >= 1
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ....dsl.errors import Unsupported
from ....dsl.terms.formulas import Choice, Flag, Formula, Junction, Not, Sign, Truth
from ....dsl.terms.linear import Atom, Exp, Group, Linear, Product, number, term
from ....dsl.terms.smt import numeral
from ....dsl.terms.substitution import exponentials_of

#: e lies between these.
E = (Fraction(271828182845904, 10**14), Fraction(271828182845905, 10**14))


def tightened(f: Formula) -> Formula:
    """A condition that integers meet if and only if they meet ``f``, strict nowhere for them."""
    if isinstance(f, Sign) and f.relation == ">" and f.subject.integral:
        return Sign(f.subject - number(1), ">=")
    if isinstance(f, Junction):
        return Junction(f.conjunction, tuple(map(tightened, f.members)))
    return f


@dataclass(slots=True)
class Reals:
    """Writes terms; collects the unknowns that stand for inverses and for powers of e."""

    roots: dict[Linear, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    inverses: dict[str, tuple[str, Linear]] = field(default_factory=dict)
    powers: dict[str, tuple[str, Linear]] = field(default_factory=dict)
    #: The symbols that stand for themselves.
    plain: set[str] = field(default_factory=set)

    @classmethod
    def about(cls, parts: Iterable[Linear | Formula]) -> Reals:
        """A writer that knows which roots of powers of e occur."""
        found = cls()
        for part in parts:
            for exponential in exponentials_of(part):
                times, base = _rooted(exponential)
                found.roots[base] = math.lcm(found.roots.get(base, 1), times.denominator)
        return found

    def linear(self, subject: Linear) -> str:
        """A term."""
        pieces = [f"(* {numeral(k, False)} {self.atom(atom)})" for atom, k in subject.parts]
        pieces.append(numeral(subject.constant, False))
        return pieces[0] if len(pieces) == 1 else f"(+ {' '.join(pieces)})"

    def atom(self, atom: Atom) -> str:
        """One factor."""
        if isinstance(atom, Product):
            return self._product(atom)
        if isinstance(atom, Group):
            return self.linear(atom.inner)
        if isinstance(atom, Exp):
            return self._product(Product(((atom, 1),)))
        if isinstance(atom, Choice):
            test, yes, no = self.formula(atom.test), self.linear(atom.yes), self.linear(atom.no)
            return f"(ite {test} {yes} {no})"
        self.plain.add(atom.key)
        return self._name(atom.key)

    def _product(self, product: Product) -> str:
        factors = []
        for base, power in product.powers:
            if isinstance(base, Exp):
                times, root = _rooted(base)
                whole = times * self.roots[root] * power
                assert whole.denominator == 1, base
                name, power = self._power(root), whole.numerator
                value = term(base)
            else:
                value = base.inner if isinstance(base, Group) else term(base)
                name = self.linear(value)
            if power < 0:
                name = self._inverse(name, value)
            factors += [name] * abs(power)
        return factors[0] if len(factors) == 1 else f"(* 1.0 {' '.join(factors)})"

    def _power(self, root: Linear) -> str:
        base = root.scaled(Fraction(1, self.roots[root]))
        name = self._name(f"exp({base})")
        self.powers[name] = (name, base)
        return name

    def _inverse(self, text: str, value: Linear) -> str:
        name = self._name(f"1/{text}")
        self.inverses[text] = (name, value)
        return name

    def _name(self, key: str) -> str:
        return self.names.setdefault(key, f"x{len(self.names)}")

    def formula(self, subject: Formula) -> str:
        """A condition."""
        if isinstance(subject, Truth):
            return "true" if subject.value else "false"
        if isinstance(subject, Not):
            return f"(not {self.formula(subject.inner)})"
        if isinstance(subject, Junction):
            word = "and" if subject.conjunction else "or"
            return f"({word} {' '.join(map(self.formula, subject.members))})"
        if isinstance(subject, Flag):
            raise Unsupported(f"the flag {subject} in a sum", None, "compare numbers")
        assert isinstance(subject, Sign)
        relation = "=" if subject.relation == "==" else subject.relation
        return f"({relation} {self.linear(subject.subject)} 0.0)"

    def definitions(self) -> Iterator[str]:
        """What is known of the unknowns in anything that was written so far."""
        for text, (name, _) in self.inverses.items():
            yield f"(= (* {text} {name}) 1.0)"
        for name, base in self.powers.values():
            yield f"(> {name} 0.0)"
            if base.is_constant and base.constant > 0 and Fraction(base.constant).numerator == 1:
                times = " ".join([name] * Fraction(base.constant).denominator)
                yield f"(> (* 1.0 {times}) {numeral(E[0], False)})"
                yield f"(< (* 1.0 {times}) {numeral(E[1], False)})"

    def declarations(self) -> str:
        """The unknowns."""
        return "".join(f"(declare-const {name} Real)" for name in self.names.values())


def _rooted(atom: Exp) -> tuple[Fraction, Linear]:
    times, base = atom.power.split()
    return Fraction(times), base
