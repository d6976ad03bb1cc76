"""Random terms and conditions, each with a plain function that says what it is worth at a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt
from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

from shiftproof.dsl.terms.formulas import (
    FALSE,
    TRUE,
    Flag,
    Formula,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
)
from shiftproof.dsl.terms.linear import DivisionByZero, Indexed, Linear, Symbol, number, term
from shiftproof.dsl.terms.substitution import OPERATIONS, Substitution, apply_operation

Point = Mapping[str, Fraction | bool]

#: Fixed symbols may be factors and divisors; `c` and `n` are integers.
FIXED = {
    "c": Symbol("c", integral=True, fixed=True),
    "n": Symbol("n", integral=True, fixed=True),
    "eps": Symbol("eps", fixed=True),
    "t": Symbol("t", fixed=True),
}
#: Varying symbols; `k`, `h` and `f[n]` are integers, and the last three are private.
VARYING = {
    "x": Symbol("x"),
    "k": Symbol("k", integral=True),
    "h": Symbol("h", integral=True, private=True),
    "y": Symbol("y", private=True),
    "f[n]": Indexed("f[{}]", term(FIXED["n"]), integral=True, private=True),
}
COMPARISONS = {">=": (at_least, ge), ">": (above, gt), "==": (equal, eq)}
FLAGS = {name: Flag(Symbol(name, private=True)) for name in ("b", "d")}
SYMBOLS = FIXED | VARYING


@dataclass(frozen=True)
class T:
    """A term, and its value at a point."""

    term: Linear
    at: Callable[[Point], Fraction]

    def __repr__(self) -> str:
        return f"T({self.term})"


@dataclass(frozen=True)
class C:
    """A condition, and its truth at a point."""

    formula: Formula
    at: Callable[[Point], bool]

    def __repr__(self) -> str:
        return f"C({self.formula})"


values = st.fractions(-3, 3, max_denominator=3)
points = st.fixed_dictionaries(
    {
        name: st.integers(-3, 3).map(Fraction) if s.integral else values
        for name, s in SYMBOLS.items()
    }
    | {name: st.booleans() for name in FLAGS}
)


def substitution(point: Point) -> Substitution:
    """The point as a substitution."""
    numbers = {name: number(Fraction(point[name])) for name in SYMBOLS}
    flags = {name: TRUE if point[name] else FALSE for name in FLAGS}
    return Substitution(numbers, flags)


def value_at(subject: T | C, point: Point) -> Any:
    """The value by plain arithmetic; points where there is none are not tested."""
    try:
        return subject.at(point)
    except ZeroDivisionError:
        reject()


def symbol(name: str) -> T:
    """A symbol by name."""
    return T(term(SYMBOLS[name]), lambda p: Fraction(p[name]))


def constant(value: Fraction) -> T:
    """A plain number."""
    return T(number(value), lambda p: value)


def plus(a: T, b: T) -> T:
    """``a + b``."""
    return T(a.term + b.term, lambda p: a.at(p) + b.at(p))


def minus(a: T, b: T) -> T:
    """``a - b``."""
    return T(a.term - b.term, lambda p: a.at(p) - b.at(p))


def times(a: T, b: T) -> T:
    """``a * b``."""
    return T(a.term * b.term, lambda p: a.at(p) * b.at(p))


def over(a: T, b: T) -> T:
    """``a / b``."""
    try:
        return T(a.term / b.term, lambda p: a.at(p) / b.at(p))
    except DivisionByZero:
        reject()


def chosen(test: C, yes: T, no: T) -> T:
    """``yes if test else no``; both arms must have a value."""
    found = choice(test.formula, yes.term, no.term)
    return T(found, lambda p: (no.at(p), yes.at(p))[test.at(p)])


def operated(operation: str, a: T, b: T) -> T:
    """``//``, ``%``, ``int`` or ``round``, which are opaque to the algebra."""
    both = operation in ("//", "%")
    arguments = (a, b) if both else (a,)
    assume(not (both and b.term == number(0)))
    found = apply_operation(operation, tuple(x.term for x in arguments))
    return T(found, lambda p: OPERATIONS[operation](*(x.at(p) for x in arguments)))


def compared(operator: str, a: T, b: T) -> C:
    """``a`` compared with ``b``."""
    build, truth = COMPARISONS[operator]
    return C(build(a.term, b.term), lambda p: truth(a.at(p), b.at(p)))


_kinds = st.sampled_from(
    ("monomial", "polynomial", "rational", "opaque", "fixed choice", "sum", "multiple", "choice")
)
_index = st.integers(0, 59)


Draw = Callable[[st.SearchStrategy[Any]], Any]


def _pick(draw: Draw, options: Sequence[Any]) -> Any:
    # One shared strategy: hypothesis is slow with many small ones.
    return options[draw(_index) % len(options)]


def _leaf(draw: Draw, names: Sequence[str]) -> T:
    name = _pick(draw, ("", *names))
    return symbol(name) if name else constant(Fraction(_pick(draw, (1, 0, -1, 2, "1/2", "-3/2"))))


def _fixed(draw: Draw, size: int, operations: Sequence[Callable[[T, T], T]]) -> T:
    """A term over fixed symbols, from so many leaves."""
    if size == 1:
        return _leaf(draw, tuple(FIXED))
    left = 1 + draw(_index) % (size - 1)
    sides = _fixed(draw, left, operations), _fixed(draw, size - left, operations)
    return _pick(draw, operations)(*sides)


@st.composite
def monomials(draw: Draw) -> T:
    found = symbol(_pick(draw, tuple(FIXED)))
    for _ in range(draw(_index) % 4):
        found = _pick(draw, (times, over))(found, symbol(_pick(draw, tuple(FIXED))))
    return found


@st.composite
def polynomials(draw: Draw) -> T:
    return _fixed(draw, 1 + draw(_index) % 5, (plus, minus, times))


@st.composite
def terms(draw: Draw, opaque: bool = True, depth: int = 2) -> T:
    """Terms of every form."""
    kind = draw(_kinds)
    if kind in ("sum", "multiple", "choice") and depth:
        smaller = terms(opaque, depth - 1)
        if kind == "sum":
            return _pick(draw, (plus, minus))(draw(smaller), draw(smaller))
        if kind == "multiple":
            return times(constant(draw(values)), draw(smaller))
        return chosen(draw(_comparisons(smaller)), draw(smaller), draw(smaller))
    if kind == "monomial":
        return draw(monomials())
    if kind == "polynomial":
        return draw(polynomials())
    if kind in ("rational", "opaque", "fixed choice"):
        a, b = (_fixed(draw, 1 + draw(_index) % 3, (plus, minus, times, over)) for _ in range(2))
        if kind == "opaque" and opaque:
            return operated(_pick(draw, tuple(OPERATIONS)), a, b)
        if kind == "fixed choice":
            test = compared(_pick(draw, tuple(COMPARISONS)), a, b)
            return times(chosen(test, a, b), _fixed(draw, 2, (plus, times, over)))
        return _pick(draw, (plus, times, over))(a, b)
    return _leaf(draw, tuple(VARYING))


@st.composite
def _comparisons(draw: Draw, of: st.SearchStrategy[T]) -> C:
    return compared(_pick(draw, tuple(COMPARISONS)), draw(of), draw(of))


@st.composite
def formulas(draw: Draw, of: st.SearchStrategy[T], depth: int = 2) -> C:
    """Conditions about such terms."""
    kind = draw(_index) % (9 if depth else 3)
    if kind == 0:
        name = _pick(draw, tuple(FLAGS))
        return C(FLAGS[name], lambda p: bool(p[name]))
    if kind < 3:
        return draw(_comparisons(of))
    smaller = formulas(of, depth - 1)
    some = [draw(smaller) for _ in range(1 + draw(_index) % 3)]
    first, last = some[0], some[-1]
    parts = [a.formula for a in some]
    # Every part is evaluated: a condition has a truth value where all of its parts have one.
    if kind < 5:
        return C(conjunction(parts), lambda p: False not in [a.at(p) for a in some])
    if kind < 7:
        return C(disjunction(parts), lambda p: True in [a.at(p) for a in some])
    if kind == 7:
        return C(negation(first.formula), lambda p: not first.at(p))
    if draw(_index) % 2:
        return C(implies(parts[0], parts[-1]), lambda p: last.at(p) >= first.at(p))
    return C(iff(parts[0], parts[-1]), lambda p: first.at(p) == last.at(p))
