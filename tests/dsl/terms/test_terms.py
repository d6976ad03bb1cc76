"""Terms and conditions: canonical forms keep the value, and equal forms are equal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shiftproof.dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Not,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    first_choice,
    iff,
    implies,
    negation,
    sign,
)
from shiftproof.dsl.terms.linear import (
    DivisionByZero,
    Indexed,
    Linear,
    Opaque,
    Product,
    Symbol,
    inverted,
    number,
    shortest,
    term,
)
from shiftproof.dsl.terms.substitution import Substitution, apply_operation, symbols_of
from tests.dsl.terms import drawing
from tests.dsl.terms.drawing import FLAGS, C, Point, T, points, substitution, value_at

TERMS = drawing.terms()
FORMULAS = drawing.formulas(TERMS)
X, Y, K = (term(drawing.VARYING[n]) for n in "xyk")
CC, N, EPS, TT = (term(drawing.FIXED[n]) for n in ("c", "n", "eps", "t"))


def constants_are_short(subject: Linear) -> bool:
    numbers = [subject.constant, *(k for _, k in subject.parts)]
    return all(isinstance(k, int) or k.denominator != 1 for k in numbers)


class TestValues:
    @given(TERMS, points)
    def test_a_term_is_worth_what_it_says(self, subject: T, point: Point) -> None:
        wanted = value_at(subject, point)
        assert substitution(point).linear(subject.term) == number(wanted)

    @given(TERMS, points)
    def test_a_point_may_come_in_two_parts(self, subject: T, point: Point) -> None:
        wanted = value_at(subject, point)
        whole = substitution(point)
        first = Substitution({n: v for n, v in whole.numbers.items() if n in drawing.FIXED})
        try:
            half = first.linear(subject.term)
        except (DivisionByZero, ZeroDivisionError):
            pytest.fail("a part of the point has no value where the whole point has one")
        rest = {k: v for k, v in whole.numbers.items() if k not in drawing.FIXED}
        rest[f"f[{point['n']}]"] = whole.numbers["f[n]"]
        assert Substitution(rest, whole.flags).linear(half) == number(wanted)

    @given(FORMULAS, points)
    def test_a_condition_is_as_true_as_it_says(self, subject: C, point: Point) -> None:
        wanted = value_at(subject, point)
        assert substitution(point).formula(subject.formula) == (TRUE if wanted else FALSE)

    @given(TERMS, points)
    def test_integral_terms_have_integer_values(self, subject: T, point: Point) -> None:
        if subject.term.integral:
            assert value_at(subject, point).denominator == 1

    @given(TERMS)
    def test_what_is_fixed_has_fixed_symbols_only(self, subject: T) -> None:
        assert subject.term.fixed == all(s.fixed for s in symbols_of(subject.term))

    @given(TERMS)
    def test_canonical(self, subject: T) -> None:
        keys = [atom.key for atom, _ in subject.term.parts]
        assert keys == sorted(set(keys)) and all(k for _, k in subject.term.parts)
        assert constants_are_short(subject.term)


class TestAlgebra:
    @given(TERMS, TERMS, TERMS)
    def test_sums(self, a: T, b: T, c: T) -> None:
        x, y, z = a.term, b.term, c.term
        assert x + y == y + x and (x + y) + z == x + (y + z)
        assert x - x == number(0) and x + number(0) == x and x - y == -(y - x)
        assert (x + y) - y == x and hash((x + y) - y) == hash(x)

    @given(TERMS, drawing.values, drawing.values)
    def test_multiples(self, a: T, k: Fraction, m: Fraction) -> None:
        x = a.term
        assert x.scaled(k) == x * number(k) == number(k) * x
        assert x.scaled(k) + x.scaled(m) == x.scaled(k + m)
        assert x.scaled(k).scaled(m) == x.scaled(k * m)
        assert k == 0 or x.scaled(k) / number(k) == x

    @given(drawing.polynomials(), drawing.polynomials(), drawing.polynomials())
    def test_products_of_polynomials(self, a: T, b: T, c: T) -> None:
        x, y, z = a.term, b.term, c.term
        assert x * y == y * x and (x * y) * z == x * (y * z)
        assert x * (y + z) == x * y + x * z and x * number(1) == x

    @given(drawing.polynomials(), drawing.monomials(), drawing.monomials())
    def test_quotients_by_monomials(self, a: T, m: T, k: T) -> None:
        x, y, z = a.term, m.term, k.term
        assert x / y * y == x and x / y / z == x / (y * z) and (x / y) / (z / y) == x / z
        assert number(1) / (number(1) / y) == y

    @given(drawing.polynomials(), drawing.polynomials(), drawing.polynomials(), points)
    def test_quotients_by_sums_distribute(self, a: T, b: T, c: T, at: Point) -> None:
        if c.term != number(0) and c.at(at) != 0:
            put, wanted = substitution(at), number((a.at(at) + b.at(at)) / c.at(at))
            assert put.linear((a.term + b.term) / c.term) == wanted
            assert put.linear(a.term / c.term + b.term / c.term) == wanted

    @given(TERMS)
    def test_split(self, a: T) -> None:
        factor, rest = a.term.split()
        assert rest.scaled(factor) == a.term
        assert factor == 0 or (rest.parts[0][1] if rest.parts else rest.constant) == 1

    def test_powers_cancel(self) -> None:
        assert CC * EPS / CC == EPS and (CC / EPS) * (EPS / CC) == number(1)
        assert (CC + number(1)) * (CC - number(1)) == CC * CC - number(1)
        assert CC / (EPS / number(2)) == number(2) * CC / EPS
        ((atom, k),) = (CC * CC / EPS).parts
        assert isinstance(atom, Product) and k == 1
        assert {(b.key, p) for b, p in atom.powers} == {("c", 2), ("eps", -1)}

    def test_equal_divisors_share_an_unknown(self) -> None:
        one, two = number(1) / (CC + number(1)), number(1) / (number(3) + CC.scaled(3))
        assert one == two.scaled(3)

    @pytest.mark.parametrize("other", [Y, K, CC + X])
    def test_products_of_what_varies(self, other: Linear) -> None:
        product = X * other
        assert product == other * X and not product.fixed
        assert product / CC == X * (other / CC)
        assert (X + number(1)) * other == product + other

    def test_a_quotient_is_a_factor(self) -> None:
        for divisor in (X, CC + X, CC - EPS):
            assert (Y + CC) / divisor == Y / divisor + CC / divisor
            assert divisor * (Y / divisor) == Y == (divisor * Y) / divisor

    def test_what_a_sum_shares_is_a_factor(self) -> None:
        share = (number(1) - CC) * EPS
        assert (EPS - EPS * CC) / share == number(1)
        assert (CC - EPS + X) * (number(1) / (CC - EPS)) == number(1) + X / (CC - EPS)

    def test_a_choice_is_multiplied_arm_by_arm(self) -> None:
        chosen = choice(above(X, number(0)), X, Y)
        assert chosen * CC == choice(above(X, number(0)), X * CC, Y * CC) == CC * chosen

    def test_division_by_zero(self) -> None:
        with pytest.raises(DivisionByZero):
            X / number(0)
        with pytest.raises(DivisionByZero):
            CC / (EPS - EPS)

    def test_equality_is_by_key(self) -> None:
        same = Linear(1, ((Symbol("x", integral=True), 2),))
        assert same == X.scaled(2) + number(1) and same.key == (X + X + number(1)).key
        assert X != Y and X != "x" and number(Fraction(4, 2)) == number(2)
        assert len({X, term(Symbol("x")), Y}) == 2 and repr(X + number(1)) == (X + number(1)).key

    def test_short_numbers(self) -> None:
        assert type(shortest(Fraction(4, 2))) is int and shortest(Fraction(1, 2)) == Fraction(1, 2)
        assert inverted(2) == Fraction(1, 2) and type(inverted(Fraction(1, 2))) is int
        assert type((X + number(Fraction(1, 2)) + number(Fraction(1, 2))).constant) is int

    def test_integral(self) -> None:
        assert (K + CC * N).integral and not (K + X).integral and not (CC / N).integral
        assert not K.scaled(Fraction(1, 2)).integral and number(3).integral


class TestConditions:
    @given(FORMULAS, points)
    def test_negation(self, a: C, point: Point) -> None:
        once, twice = negation(a.formula), negation(negation(a.formula))
        wanted = value_at(a, point)
        put = substitution(point)
        assert put.formula(once) == (FALSE if wanted else TRUE)
        assert put.formula(twice) == (TRUE if wanted else FALSE)

    @given(FORMULAS)
    def test_what_is_simplified_at_once(self, a: C) -> None:
        f = a.formula
        assert conjunction((f, f)) == f == disjunction((f, f))
        assert conjunction((f, FALSE)) == FALSE and disjunction((f, TRUE)) == TRUE
        assert conjunction((TRUE, f)) == f == disjunction((FALSE, f))
        assert iff(f, f) == TRUE and implies(FALSE, f) == TRUE and implies(TRUE, f) == f
        assert conjunction(()) == TRUE and disjunction(()) == FALSE

    @given(FORMULAS)
    def test_contradictions_of_simple_conditions(self, a: C) -> None:
        b = FLAGS["b"]
        for f in (b, at_least(X, Y), equal(X, Y)):
            assert conjunction((a.formula, f, negation(f))) == FALSE
            assert disjunction((a.formula, f, negation(f))) == TRUE

    @given(FORMULAS, TERMS, TERMS, points)
    def test_choice(self, test: C, yes: T, no: T, point: Point) -> None:
        found = drawing.chosen(test, yes, no)
        value_at(test, point)
        wanted = value_at(found, point)
        assert substitution(point).linear(found.term) == number(wanted)

    def test_choice_is_simplified(self) -> None:
        b = FLAGS["b"]
        assert choice(TRUE, X, Y) == X and choice(FALSE, X, Y) == Y and choice(b, X, X) == X
        found = choice(b, X, Y)
        assert first_choice(found + K) is not None and first_choice(X + K) is None
        ((atom, _),) = found.parts
        assert isinstance(atom, Choice) and atom.test == b
        assert {s.key for s in symbols_of(found)} == {"b", "x", "y"}

    @given(st.integers(-3, 3).filter(bool), st.sampled_from([">=", ">", "=="]))
    def test_signs_are_scaled(self, k: int, relation: str) -> None:
        found = sign((X - Y).scaled(k), relation)
        turned = k < 0 and relation != "=="
        assert found == sign(Y - X if turned else X - Y, relation)

    def test_comparisons_of_numbers_are_decided(self) -> None:
        one, two = number(1), number(2)
        assert (at_least(two, one), above(one, one), equal(one, one)) == (TRUE, FALSE, TRUE)
        assert negation(above(X, Y)) == at_least(Y, X) and isinstance(negation(equal(X, Y)), Not)

    def test_indexed_symbols_follow_their_index(self) -> None:
        cell = term(Indexed("f[{}]", K + number(1), integral=True, private=True))
        assert cell.key == "f[k + 1]" and [s.key for s in symbols_of(cell)] == ["f[k + 1]", "k"]
        assert Substitution({"k": number(2)}).linear(cell).key == "f[3]"

    def test_operations_on_numbers_are_computed(self) -> None:
        half = number(Fraction(-7, 2))
        two = number(2)
        assert apply_operation("//", (half, two)) == two.scaled(-1)
        assert apply_operation("%", (half, two)) == number(Fraction(1, 2))
        assert apply_operation("int", (half,)) == number(-3)
        assert apply_operation("round", (half,)) == number(-4)
        assert not apply_operation("%", (EPS, two)).integral
        assert apply_operation("%", (CC, two)).integral and apply_operation("int", (EPS,)).integral


PIECES = ("c", "z", "c + z", "2*c", "c + 2*z", "c, z", "x >= 0", "c - z", "[c**-1]", "(c + z)")
FORMS = ("{}", "cost of {}", "a#{}", "others of d with {}", "rank({})", "move of {}")


class TestKeys:
    """A key is one term's: whatever stands in the names of its symbols."""

    def test_no_two_sums_share_one(self) -> None:
        """All sums of two, with small factors: as many keys as there are sums."""
        names = [form.format(piece) for form in FORMS for piece in PIECES]
        atoms = list({a.key: a for a in map(Symbol, names)}.values())
        assert len(atoms) == len(names)
        found = {
            (term(a).scaled(j) + term(b).scaled(k)).key
            for n, a in enumerate(atoms)
            for b in atoms[n + 1 :]
            for j in (-1, 1, 2)
            for k in (0, 1, 2)
        }
        one_alone = 3 * (len(atoms) - 1)  # where the second has no part
        both = 3 * 2 * len(atoms) * (len(atoms) - 1) // 2
        assert len(found) == one_alone + both

    def test_no_function_shares_one(self) -> None:
        x, y, both = (term(Symbol(name)) for name in ("x", "y", "x, y"))
        assert Opaque("max", (x, y), False) != Opaque("max", (both,), False)
