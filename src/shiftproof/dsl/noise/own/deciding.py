"""Whether shifts cost no more than a law states: shown for all parameters and draws, or not.

Two claims each imply it, and are put to Z3 as questions about real numbers.  One compares the log
of the density at x and at x + d.  The other bounds its slope: log g(x) - log g(x + d) is minus the
integral of the slope from x to x + d, where the density is made of functions that have one almost
everywhere and do not jump.  A value of exp, log, tanh or floor is an unknown, of which a few
things are told that hold of every such value: so more could break a claim than does, never less.
Integers are asked about as the reals between them, for the same reason.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import z3

from ...errors import BadInput
from ...terms.smt import context, numeral
from ...terms.values import exact
from ..texts import compared, parsed, value_of

#: Resources (z3 "rlimit" units, not seconds) for one question; answers do not depend on load.
RESOURCES = 3_000_000
#: The slope of what has no ``x`` in it.
FLAT = ""


@dataclass(frozen=True, slots=True)
class Law:
    """What a law states, as texts over ``parameters``; it is on ``reals`` or ``integers``."""

    parameters: tuple[str, ...]
    lattice: str
    exists: str
    ends: tuple[str, str]
    cost: tuple[str, str]
    log_density: str


class Undecided(Exception):
    """A claim is not shown.

    Attributes:
        point: where it is the one about the cost, numbers that break what was asked.
    """

    def __init__(self, claim: str, point: Mapping[str, Fraction] | None = None) -> None:
        self.point = point
        super().__init__(f"it is not decided whether {claim}")


@lru_cache(100)
def shown(law: Law) -> Undecided | None:
    """Why it is not shown that shifts cost no more than a law states; ``None`` if it is.

    Raises:
        BadInput: a text means nothing.
    """
    try:
        Question(law).bound_slope()
    except Undecided:
        try:
            Question(law).compare()
        except Undecided as open_:
            return open_
    return None


@dataclass(frozen=True, slots=True)
class Term:
    """A value in SMT-LIB, and its slope in ``x``; ``None`` if it may jump."""

    question: Question
    value: str
    slope: str | None = FLAT

    def __add__(self, other: Term) -> Term:
        return self._and(other, f"(+ {self.value} {other.value})", self.slope, other.slope)

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __neg__(self) -> Term:
        return self * self.question.constant(-1)

    def __mul__(self, other: Term) -> Term:
        value = f"(* {self.value} {other.value})"
        return self._and(other, value, other.times(self.slope), self.times(other.slope))

    def __truediv__(self, other: Term) -> Term:
        return self * self.question.inverse(other)

    def times(self, slope: str | None) -> str | None:
        """A slope times this value."""
        return f"(* {self.value} {slope})" if slope else slope

    def _and(self, other: Term, value: str, one: str | None, two: str | None) -> Term:
        if one is None or two is None:
            return Term(self.question, value, None)
        slope = f"(+ {one} {two})" if one and two else one or two
        return Term(self.question, value, slope)


class Question:
    """The reals that a law is about, and what is known of them."""

    def __init__(self, law: Law) -> None:
        _check_amount(parsed(law.cost[0]))
        self._law = law
        self._context: z3.Context | None = None
        self._names: list[str] = []
        self._facts: list[str] = []
        self._known: dict[tuple[str, str], Term] = {}
        self._given = {name: self._unknown(f"the {name}") for name in law.parameters}
        for strict, more, less in compared(law.exists, self._given, self.constant):
            self._facts.append(f"({'>' if strict else '>='} {more.value} {less.value})")
        self._ends = [self._read(end) if end else None for end in law.ends]
        low, high = self._ends
        if low and high:
            order = "<" if law.lattice == "reals" else "<="
            self._owe(f"({order} {low.value} {high.value})", f"{' < '.join(law.ends)}")
        self._x = self._within(Term(self, self._unknown("x").value, "1.0"))

    def bound_slope(self) -> None:
        """Show the claim by the slope of the log of the density.

        Raises:
            Undecided: it is not shown.
        """
        slope = self._read(self._law.log_density, x=self._x).slope
        if slope is None:
            raise Undecided("the density jumps")
        still, up, down = (self._paid(self.constant(d)) for d in (0, 1, -1))
        self._owe_cost(f"(>= {still.value} 0.0)")
        for way, most in ("(- {})", up - still), ("{}", down - still):
            self._owe_cost(f"(<= {way.format(slope or '0.0')} {most.value})")

    def compare(self) -> None:
        """Show the claim by the log of the density at two places.

        Raises:
            Undecided: it is not shown.
        """
        shift = self._unknown("d")
        moved = self._within(self._x + shift)
        here, there = (self._read(self._law.log_density, x=at) for at in (self._x, moved))
        self._owe_cost(f"(<= {(here - there).value} {self._paid(shift).value})")

    def _owe_cost(self, claim: str) -> None:
        amount, rate = self._law.cost
        if (point := self._broken(claim)) is not None:
            said = f"log g(x) - log g(x + d) is at most ({amount}) * ({rate})"
            raise Undecided(said, {name.removeprefix("the "): v for name, v in point.items()})

    def _read(self, text: str, **more: Term) -> Term:
        given = {**self._given, **more}
        found = value_of(text, given, self.constant, {name: self._of(name) for name in WORDS})
        assert isinstance(found, Term)
        return found

    def _paid(self, shift: Term) -> Term:
        """What a shift costs."""
        amount, rate = self._law.cost
        return self._read(amount, d=shift) * self._read(rate)

    def _within(self, at: Term) -> Term:
        """A place in the support."""
        low, high = self._ends
        self._facts += [f"(<= {low.value} {at.value})"] if low else []
        self._facts += [f"(<= {at.value} {high.value})"] if high else []
        return at

    def constant(self, value: int | float) -> Term:
        """A number, as the decimal that it is written as."""
        return Term(self, numeral(exact(value), False))

    def inverse(self, of: Term) -> Term:
        """1 over a term that is never zero."""
        return self._of("inverse")(of)

    def _unknown(self, name: str) -> Term:
        self._names.append(f"|{name}|")
        return Term(self, f"|{name}|")

    def _of(self, function: str) -> Callable[[Term], Term]:
        """A function, each value of which is an unknown with facts."""
        known = FUNCTIONS[function]

        def value(of: Term) -> Term:
            found = self._known.get((function, of.value))
            if found is not None:
                return found
            if known.domain:
                what = "a logarithm is" if function == "log" else "a division is by what is"
                self._owe(known.domain.format(u=of.value), f"{what} never {_NOT[function]}")
            v = self._unknown(f"{function} {len(self._known)}").value
            self._facts += [fact.format(u=of.value, v=v) for fact in known.facts]
            slope = of.slope
            if slope:
                slope = known.slope.format(u=of.value, v=v, s=slope) or None
            found = self._known[function, of.value] = Term(self, v, slope)
            return found

        return value

    def _owe(self, claim: str, said: str) -> None:
        if self._broken(claim) is not None:
            raise Undecided(said)

    def _broken(self, claim: str) -> dict[str, Fraction] | None:
        """Numbers that may break a claim, if any are known; ``None`` if it follows."""
        import z3

        self._context = self._context or context()
        solver = z3.SolverFor("QF_NRA", ctx=self._context)
        solver.set("rlimit", RESOURCES)
        declared = "".join(f"(declare-const {name} Real)" for name in self._names)
        asserted = "".join(f"(assert {fact})" for fact in (*self._facts, f"(not {claim})"))
        solver.from_string(declared + asserted)
        answer = str(solver.check())
        if answer == "unsat":
            return None
        model = solver.model() if answer == "sat" else ()
        point = {str(d.name()): str(model[d]) for d in model}
        return {name: Fraction(value) for name, value in point.items() if _is_rational(value)}


def _check_amount(e: ast.expr) -> int:
    """Whether an amount has ``d``, if it is a sum of multiples of ``d`` and ``abs(d)``.

    Raises:
        BadInput: it is not.
    """
    match e:
        case ast.Name(id=name):
            return int(name == "d")
        case ast.Call(func=ast.Name(id="abs"), args=[ast.Name(id="d")]):
            return 1
        case ast.Constant():
            return 0
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _check_amount(inner)
        case ast.BinOp(left=left, op=op, right=right):
            one, two = _check_amount(left), _check_amount(right)
            if isinstance(op, ast.Add | ast.Sub):
                return max(one, two)
            factor = right if one else left
            named = one + two and any(isinstance(part, ast.Name) for part in ast.walk(factor))
            if one + two < 2 and not named and not (two and isinstance(op, ast.Div)):
                return one + two
    raise BadInput(f"the amount {ast.unparse(e)!r} of a cost is not linear in d or abs(d)")


def _is_rational(text: str) -> bool:
    try:
        Fraction(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Function:
    """What is known of a function: its value is ``v`` at ``u``, whose own slope is ``s``.

    Attributes:
        facts: hold of every value.
        slope: of the value; empty if there may be none.
        domain: where there is a value at all, if not everywhere.
    """

    facts: tuple[str, ...]
    slope: str
    domain: str = ""


#: Those that a text may name.
WORDS = ("abs", "exp", "log", "tanh", "floor")
_NOT = {"inverse": "zero", "log": "of zero or less"}
FUNCTIONS = {
    "inverse": Function(
        ("(= (* {u} {v}) 1.0)",), "(- (* {v} (* {v} {s})))", "(not (= {u} 0.0))"
    ),
    "abs": Function(
        ("(>= {v} 0.0)", "(= {v} (ite (>= {u} 0.0) {u} (- {u})))"),
        "(ite (>= {u} 0.0) {s} (- {s}))",
    ),
    "exp": Function(
        ("(> {v} 0.0)", "(>= {v} (+ 1.0 {u}))", "(= (< {v} 1.0) (< {u} 0.0))",
         "(= (> {v} 1.0) (> {u} 0.0))"),
        "(* {v} {s})",
    ),
    "log": Function(
        ("(<= {v} (- {u} 1.0))", "(= (> {v} 0.0) (> {u} 1.0))"), "(/ {s} {u})", "(> {u} 0.0)"
    ),
    "tanh": Function(
        ("(< (- 1.0) {v})", "(< {v} 1.0)", "(= (< {v} 0.0) (< {u} 0.0))",
         "(= (> {v} 0.0) (> {u} 0.0))"),
        "(* (- 1.0 (* {v} {v})) {s})",
    ),
    "floor": Function(("(<= {v} {u})", "(< {u} (+ {v} 1.0))"), ""),
}  # fmt: skip
