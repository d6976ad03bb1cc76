"""Questions about sums of probabilities: without fractions, and with what is known of powers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    add,
    both,
    either,
    names_of,
    scaled,
    times,
    unknown,
)
from ..claim.policies import Case, Kind
from ..language.steps import Mechanism
from ..paired.runs import Ask, Run, State, multiple
from ..trees import refute

#: The highest power that relates two powers of e.
MOST_ROOT = 16


class SumRun(Run):
    """Asks its questions without fractions: they are multiplied by divisors of known sign."""

    def __init__(
        self, mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask, alone: bool
    ) -> None:
        super().__init__(mechanism, kinds, case, ask, alone)
        #: The signs of what is known to be the divisor of an inverse.
        self.signs: dict[str, int] = {}
        #: The powers of e seen so far.
        self.powers: list[str] = []

    def decide(self, state: State, f: Condition) -> bool | None:
        if f[0] != "=" or f in state.known or f in self.common:
            return super().decide(state, f)
        differ = super().decide(state, self.unknowns.negated(f))
        return None if differ is None else not differ

    def refuted(self, conditions: Sequence[Condition], *, plain: bool = False) -> bool:
        self._relate_powers()
        cleared = [self.cleared(f) for f in (*self.common, *conditions)]
        question = [f for f in dict.fromkeys(cleared) if f != TRUE]
        if FALSE in question:
            return True
        self.unknowns.about = (self.line, self.why)
        tree = self.ask(self.unknowns, question)
        self.questions += 1
        if tree != "-":
            refute(self.unknowns, question, tree)
        return tree != "-"

    def cleared(self, f: Condition) -> Condition:
        """What is true if and only if ``f`` is, without inverses of what has a known sign."""
        if f[0] in ("and", "or"):
            return (both if f[0] == "and" else either)(map(self.cleared, f[1]))
        if f[0] == "?":
            return f
        p, order = f[1], list(self.unknowns.whole)
        while inverses := [x for x in names_of(p) if self._sign(x)]:
            # A divisor may have inverses in it, of which there were unknowns before.
            p = self._multiplied(p, max(inverses, key=order.index))
        return f if p is f[1] else self.unknowns.compare(f[0], p)

    def _multiplied(self, p: Polynomial, inverse: str) -> Polynomial:
        """Times as many of the divisor, taken positively, as there are inverses of it."""
        sign, most, total = self._sign(inverse), max(m.count(inverse) for m, _ in p), ZERO
        divisor = scaled(self._divisor(inverse), sign)
        for m, c in p:
            k, rest = m.count(inverse), tuple(x for x in m if x != inverse)
            total = add(total, times(((rest, c * sign**k),), power_of(divisor, most - k)))
        return total

    def _divisor(self, name: str) -> Polynomial:
        return unknown(name[1:]) if name[0] == "/" else self.unknowns.divisors.get(name, ZERO)

    def _sign(self, name: str) -> int:
        """The sign of what an unknown is the inverse of; 0 if it is none, or that is not known."""
        p = self._divisor(name)
        if p and name not in self.signs:
            self.signs[name] = 0  # while it is being found nothing is known of it
            for sign in (-1, 1):
                if self.refuted([self.unknowns.compare(">=", scaled(p, -sign))]):
                    self.signs[name] = sign
        return self.signs.get(name, 0)

    def _relate_powers(self) -> None:
        """What is true of powers of e, each by itself and two by two."""
        q = self.unknowns
        for name in [x for x in q.exponents if x not in self.powers]:
            base, t = q.exponents[name], unknown(name)
            self.assume(q.at_least(t, add(ONE, base)))
            for there, u in [(q.exponents[x], unknown(x)) for x in self.powers]:
                r = Fraction(multiple(base, there) or 0)
                if r > 0 and max(r.numerator, r.denominator) <= MOST_ROOT:
                    self.assume(q.equal(power_of(t, r.denominator), power_of(u, r.numerator)))
                else:
                    self.assume(q.implies(q.at_least(base, there), q.at_least(t, u)))
                    self.assume(q.implies(q.at_least(there, base), q.at_least(u, t)))
            self.powers.append(name)


def power_of(p: Polynomial, k: int) -> Polynomial:
    """A power, which is a product."""
    return reduce(times, [p] * k, ONE)
