"""Whether conditions can hold together, and whether a polynomial is never negative under them.

Linear questions keep integers integers.  In the others everything is a real number, which is
sound for proofs: there are more of them.  Of an exponential it is known that it is positive, on
which side of 1 it lies, and that it is at least 1 plus its exponent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ...dsl.terms.exponentials import exponential
from ...dsl.terms.formulas import Formula, Junction, Not, Sign, Truth, above, at_least, negation
from ...dsl.terms.linear import (
    Atom,
    Exp,
    Group,
    Linear,
    Opaque,
    Product,
    Rational,
    monomial,
    number,
)
from ...dsl.terms.polynomials import Polynomial, Quotient, Space, subjects_of
from ...dsl.terms.smt import Questions, Writer, context
from ..walking.sums.claims import Released
from ..walking.sums.rows import Row, Term

#: Resources of Z3 for one question.
RESOURCES = 2_000_000
#: Ends at which variables may be measured from: at most this many combinations are tried.
MOST_ENDS = 64
#: Rational bounds of e.
E_LOW, E_HIGH = Fraction(2718281828, 10**9), Fraction(2718281829, 10**9)


class Linearly:
    """Linear questions, with a memory."""

    def __init__(self, resources: int = RESOURCES) -> None:
        self.questions = Questions(Writer(), resources)
        self._answers: dict[frozenset[str], bool] = {}

    def possible(self, facts: Iterable[Formula]) -> bool:
        """Whether the facts can hold together, as far as is known."""
        facts = list(facts)
        key = frozenset(f.key for f in facts)
        if key not in self._answers:
            self._answers[key] = self.questions.ask(facts) != "unsat"
        return self._answers[key]

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether the claim is proved to follow."""
        return not self.possible([*facts, negation(claim)])


class Deciding:
    """Questions about the polynomials of one space, under facts that always hold."""

    def __init__(
        self, space: Space, facts: Sequence[Formula], linear: Linearly, resources: int = RESOURCES
    ) -> None:
        self._space, self._facts, self._linear = space, tuple(facts), linear
        self._resources = resources
        self._context: Any = context()
        self._signs: dict[tuple[int, frozenset[str]], int] = {}
        self.model: dict[str, Fraction] = {}

    def possible(self, facts: Sequence[Formula]) -> bool:
        """Whether conditions can hold together, besides the facts, as far as is known."""
        facts = [*self._facts, *facts]
        if not self._linear.possible(facts):
            return False
        return self._asked(facts, [])

    def not_negative(self, subject: Quotient, when: Sequence[Formula]) -> bool:
        """Whether a fraction is proved to be at least zero where the conditions hold."""
        facts = (*self._facts, *when)
        over = subject.over
        for k in subject.under:
            side = self._sign_of_divisor(k, facts)
            if side == 0:
                return False
            if side < 0 and subject.under[k] % 2:
                over = -over
        if self._by_form(over, facts):
            return True
        return not self._asked(facts, [(over, "<")])

    def _bounds(self, facts: Sequence[Formula]) -> list[tuple[Fraction | None, Fraction | None]]:
        """Constant bounds of each variable, as single facts say them."""
        found = []
        for variable in self._space.variables:
            low: Fraction | None = None
            high: Fraction | None = None
            if variable.base is not None:
                base = variable.base
                if base.is_constant:
                    low = Fraction(1) if base.constant > 0 else Fraction(0)
                elif self._linear.follows(facts, at_least(base, number(0))):
                    low = Fraction(1)
                else:
                    low = Fraction(0)
            else:
                for f in facts:
                    if not isinstance(f, Sign) or len(f.subject.parts) != 1:
                        continue
                    ((atom, factor),) = f.subject.parts
                    if atom.key != variable.key:
                        continue
                    bound = Fraction(-f.subject.constant) / Fraction(factor)
                    if f.relation == ">" and atom.integral and f.subject.integral:
                        bound += 1 if factor > 0 else -1
                    if factor > 0 or f.relation == "==":
                        low = bound if low is None else max(low, bound)
                    if factor < 0 or f.relation == "==":
                        high = bound if high is None else min(high, bound)
            found.append((low, high))
        return found

    def _by_form(self, subject: Polynomial, facts: Sequence[Formula], strict: bool = False) -> bool:
        """Whether no coefficient is negative once variables are measured from their bounds."""
        if not len(subject):
            return not strict
        used = [k for k, power in enumerate(subject.degrees()) if power]
        ends: list[list[Polynomial]] = []
        bounds = self._bounds(facts)
        total = 1
        for k in range(len(self._space.variables)):
            low, high = bounds[k]
            x = self._space.variable(k)
            options = []
            if low is not None:
                options.append(x + self._space.constant(low))
            if high is not None and k in used:
                options.append(self._space.constant(high) - x)
            if not options:
                if k in used:
                    return False
                options = [x]
            if k not in used:
                options = options[:1]
            total *= len(options)
            ends.append(options)
        if total > MOST_ENDS:
            return False
        for chosen in product(*ends):
            moved = subject.compose(*chosen, ctx=self._space.context) if chosen else subject
            terms = list(moved.terms())
            if all(c >= 0 for _, c in terms):
                if not strict:
                    return True
                if any(not any(powers) and c > 0 for powers, c in terms):
                    return True
        return False

    def _sign_of_divisor(self, k: int, facts: Sequence[Formula]) -> int:
        """1 or -1 where the divisor is proved to be positive or negative, else 0."""
        key = k, frozenset(f.key for f in facts)
        if key not in self._signs:
            divisor = self._space.divisors[k]
            self._signs[key] = 0  # asked again while it is being found, nothing is known of it
            if (
                self._by_form(divisor, facts, strict=True)
                or self._is_variable(divisor)
                or not self._asked(facts, [(divisor, "<=")])
            ):
                self._signs[key] = 1
            elif not self._asked(facts, [(divisor, ">=")]):
                self._signs[key] = -1
        return self._signs[key]

    def _is_variable(self, divisor: Polynomial) -> bool:
        """Whether it is an exponential as it is."""
        return any(
            v.base is not None and divisor == self._space.variable(k)
            for k, v in enumerate(self._space.variables)
        )

    def _asked(self, facts: Sequence[Formula], more: Sequence[tuple[Polynomial, str]]) -> bool:
        """Whether the facts and the comparisons with zero can hold together, over the reals."""
        import z3

        texts = [f"({relation} {self._text(p)} 0.0)" for p, relation in more]
        texts += [text for f in facts if (text := self._formula(f, facts)) is not None]
        texts += self._exponentials(facts)
        declared = "".join(f"(declare-const v{k} Real)" for k in range(len(self._space.variables)))
        solver: Any = z3.SolverFor("QF_NRA", ctx=self._context)
        solver.set("rlimit", self._resources)
        solver.from_string(declared + "".join(f"(assert {t})" for t in texts))
        answer = str(solver.check())
        if answer == "sat" and more:
            self._keep(solver.model())
        return answer != "unsat"

    def _keep(self, model: Any) -> None:
        """The rational values of a model, by the names of the variables."""
        self.model = {}
        for d in model.decls():
            value = model[d]
            try:
                found = value.as_fraction() if hasattr(value, "as_fraction") else value.approx(20)
                if not isinstance(found, Fraction):
                    found = found.as_fraction()
            except Exception:
                continue
            self.model[self._space.variables[int(str(d.name())[1:])].key] = Fraction(found)

    def _exponentials(self, facts: Sequence[Formula]) -> list[str]:
        texts = []
        exps = [(k, v.base) for k, v in enumerate(self._space.variables) if v.base is not None]
        for k, base in exps:
            texts.append(f"(> v{k} 0.0)")
            if base.is_constant:
                root = (Fraction(1) / Fraction(base.constant)).numerator
                e = self._space.variable(k) ** root
                if base.constant > 0 and Fraction(base.constant) * root == 1:
                    for bound, relation in ((E_LOW, ">"), (E_HIGH, "<")):
                        p = e - self._space.constant(bound)
                        texts.append(f"({relation} {self._text(p)} 0.0)")
                continue
            for claim, relation in (
                (above(base, number(0)), ">"),
                (at_least(base, number(0)), ">="),
            ):
                if self._linear.follows(facts, claim):
                    texts.append(f"({relation} v{k} 1.0)")
                    break
            tangent = self._tangent(k, base)
            if tangent is not None:
                texts.append(tangent)
        for k, one in exps:
            for m, two in exps:
                if k != m and self._linear.follows(facts, at_least(one, two)):
                    texts.append(f"(>= v{k} v{m})")
        return texts

    def _tangent(self, k: int, base: Linear) -> str | None:
        """``exp(x) >= 1 + x``, where x is made of variables."""
        try:
            line = self._space.quotient(base)
        except KeyError:
            return None  # its exponent occurs nowhere else
        if line.under:
            return None
        p = self._space.variable(k) - self._space.constant(1) - line.over
        return f"(>= {self._text(p)} 0.0)"

    def _formula(self, formula: Formula, facts: Sequence[Formula]) -> str | None:
        """A condition, or what is weaker; ``None`` if nothing is left of it."""
        if isinstance(formula, Truth):
            return "true" if formula.value else "false"
        if isinstance(formula, Junction):
            texts = [self._formula(m, facts) for m in formula.members]
            if formula.conjunction:
                return f"(and true {' '.join(t for t in texts if t is not None)})"
            if any(t is None for t in texts):
                return None
            return f"(or false {' '.join(t for t in texts if t is not None)})"
        negated = isinstance(formula, Not)
        compared = formula.inner if isinstance(formula, Not) else formula
        if not isinstance(compared, Sign):
            return None
        relation, subject = compared.relation, compared.subject
        if relation == ">" and subject.integral:
            subject, relation = subject - number(1), ">="
        value = self._space.quotient(subject)
        over = value.over
        for k, power in value.under.items():
            side = self._sign_of_divisor(k, [f for f in facts if f != formula])
            if side == 0:
                return None
            if side < 0 and power % 2:
                over = -over
        text = f"({'=' if relation == '==' else relation} {self._text(over)} 0.0)"
        return f"(not {text})" if negated else text

    def _text(self, subject: Polynomial) -> str:
        pieces = []
        for powers, c in subject.terms():
            factors = [f"v{k}" for k, p in enumerate(powers) for _ in range(p)]
            top, bottom = int(c.p), int(c.q)
            size = f"(/ {abs(top)}.0 {bottom}.0)" if bottom != 1 else f"{abs(top)}.0"
            size = f"(- {size})" if top < 0 else size
            pieces.append(f"(* {size} {' '.join(factors)})" if factors else size)
        return f"(+ 0.0 {' '.join(pieces)})" if pieces else "0.0"


def space_of(terms: Iterable[Linear], formulas: Iterable[Formula]) -> Space:
    """The space of all that is asked about."""
    return Space([*terms, *(s for f in formulas for s in subjects_of(f))])


# The rows of a proof by summation as text; the kernel reads it back (``kernel/sums/rows.py``).


def written(rows: Sequence[Term]) -> tuple[Row, ...]:
    """The rows, in their order."""
    return tuple(
        Row(
            output=tuple(map(released_text, row.output)),
            when=tuple(map(formula, row.when)),
            probability=linear(row.probability),
        )
        for row in rows
    )


def released_text(released: Released) -> str:
    """One released value: a number as a term, its type said if it is a float."""
    kind, what = released
    if not isinstance(what, Linear):
        return repr(what)
    return linear(what) if kind == "int" else f"float({linear(what)})"


def linear(subject: Linear) -> str:
    """A term."""
    pieces = [_piece(atom, k) for atom, k in subject.parts]
    if subject.constant or not pieces:
        pieces.append(str(subject.constant))
    text = pieces[0]
    for piece in pieces[1:]:
        text += f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}"
    return text


def _piece(atom: Atom, k: Rational) -> str:
    size = k if k >= 0 else -k
    powers = atom.powers if isinstance(atom, Product) else ((atom, 1),)
    above = [f for b, p in powers for f in _power(b, p)]
    below = [f for b, p in powers for f in _power(b, -p)]
    if size.numerator != 1 or not above:
        above.insert(0, str(size.numerator))
    if size.denominator != 1:
        below.insert(0, str(size.denominator))
    return ("-" if k < 0 else "") + "/".join(["*".join(above), *below])


def _power(base: Atom, power: int) -> list[str]:
    """A positive power as factors; one of e is one factor, where that is read back as the same."""
    if power > 0 and isinstance(base, Exp):
        together = base.power.scaled(power)
        if exponential(together) == monomial(((base, power),), 1):
            return [f"exp({linear(together)})"]
    return [_atom(base)] * power


def _atom(atom: Atom) -> str:
    if isinstance(atom, Group):
        return f"({linear(atom.inner)})"
    if isinstance(atom, Opaque):
        arguments = [linear(a) for a in atom.arguments]
        if atom.operation in ("//", "%"):
            return f"(({arguments[0]}) {atom.operation} ({arguments[1]}))"
        return f"{atom.operation}({', '.join(arguments)})"
    return atom.key


def formula(subject: Formula) -> str:
    """A condition."""
    if not isinstance(subject, Sign):
        return subject.key
    whole = subject.subject
    left = Linear(max(whole.constant, 0), tuple((a, k) for a, k in whole.parts if k > 0))
    return f"{linear(left)} {subject.relation} {linear(left - whole)}"
