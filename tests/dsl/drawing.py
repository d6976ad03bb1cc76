"""Random terms and conditions, each with a plain function that says what it is worth at a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import assume, reject
from hypothesis import strategies as st

from shiftproof.dsl.formulas import (
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
from shiftproof.dsl.substitution import OPERATIONS, Substitution, apply_operation
from shiftproof.dsl.terms import DivisionByZero, Indexed, Linear, Symbol, number, term

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


def value_at(subject: T, point: Point) -> Fraction:
    """The term's value by plain arithmetic; points where it has none are not tested."""
    try:
        return subject.at(point)
    except ZeroDivisionError:
        reject()


def truth_at(subject: C, point: Point) -> bool:
    """The condition's truth by plain arithmetic; points where it has none are not tested."""
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
    build, truth = {
        ">=": (at_least, lambda p: a.at(p) >= b.at(p)),
        ">": (above, lambda p: a.at(p) > b.at(p)),
        "==": (equal, lambda p: a.at(p) == b.at(p)),
    }[operator]
    return C(build(a.term, b.term), truth)


leaves = values.map(constant)
monomials = st.recursive(
    st.sampled_from(sorted(FIXED)).map(symbol),
    lambda inner: st.builds(times, inner, inner) | st.builds(over, inner, inner),
    max_leaves=4,
)
polynomials = st.recursive(
    leaves | st.sampled_from(sorted(FIXED)).map(symbol),
    lambda inner: (
        st.builds(plus, inner, inner)
        | st.builds(minus, inner, inner)
        | st.builds(times, inner, inner)
    ),
    max_leaves=5,
)
#: Anything built from fixed symbols, so that it may be multiplied and divided by.
rationals = st.recursive(
    leaves | st.sampled_from(sorted(FIXED)).map(symbol),
    lambda inner: st.one_of(st.builds(f, inner, inner) for f in (plus, minus, times, over)),
    max_leaves=6,
)


def terms(opaque: bool = True) -> st.SearchStrategy[T]:
    """Terms of every form."""
    fixed = rationals
    if opaque:
        names = st.sampled_from(sorted(OPERATIONS))
        fixed = fixed | st.builds(operated, names, rationals, rationals)
    factors = fixed | st.builds(chosen, _comparisons(fixed), fixed, fixed)
    base = factors | st.sampled_from(sorted(VARYING)).map(symbol)
    return st.recursive(
        base,
        lambda inner: st.one_of(
            st.builds(plus, inner, inner),
            st.builds(minus, inner, inner),
            st.builds(times, leaves, inner),
            st.builds(chosen, _comparisons(inner), inner, inner),
        ),
        max_leaves=4,
    ) | st.builds(times, factors, factors)


def _comparisons(of: st.SearchStrategy[T]) -> st.SearchStrategy[C]:
    return st.builds(compared, st.sampled_from([">=", ">", "=="]), of, of)


def formulas(of: st.SearchStrategy[T]) -> st.SearchStrategy[C]:
    """Conditions about such terms."""
    flags = st.sampled_from(sorted(FLAGS)).map(lambda n: C(FLAGS[n], lambda p: bool(p[n])))
    base = flags | _comparisons(of) | st.sampled_from([C(TRUE, lambda p: True)])
    return st.recursive(base, _combined, max_leaves=5)


def _combined(inner: st.SearchStrategy[C]) -> st.SearchStrategy[C]:
    some = st.lists(inner, max_size=3)
    return st.one_of(
        inner.map(lambda a: C(negation(a.formula), lambda p: not a.at(p))),
        some.map(
            lambda m: C(conjunction(a.formula for a in m), lambda p: all([a.at(p) for a in m]))
        ),
        some.map(
            lambda m: C(disjunction(a.formula for a in m), lambda p: any([a.at(p) for a in m]))
        ),
        st.tuples(inner, inner).map(
            lambda ab: C(
                implies(ab[0].formula, ab[1].formula), lambda p: ab[1].at(p) >= ab[0].at(p)
            )
        ),
        st.tuples(inner, inner).map(
            lambda ab: C(iff(ab[0].formula, ab[1].formula), lambda p: ab[0].at(p) == ab[1].at(p))
        ),
    )
