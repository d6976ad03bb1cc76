"""SMT-LIB text: Z3 accepts it, and it means what the condition means."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shiftproof.dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Flag,
    Formula,
    Junction,
    Not,
    Sign,
    above,
    at_least,
    choice,
    conjunction,
    equal,
    negation,
)
from shiftproof.dsl.terms.linear import (
    Atom,
    Group,
    Indexed,
    Linear,
    Opaque,
    Product,
    Symbol,
    number,
    term,
)
from shiftproof.dsl.terms.smt import (
    MOST_PRODUCTS,
    Questions,
    Writer,
    multiplications,
    numeral,
    quoted,
)
from shiftproof.dsl.terms.substitution import apply_operation
from tests.dsl.terms import drawing
from tests.dsl.terms.drawing import FLAGS, SYMBOLS, C, Point, T, points, substitution, value_at

MODES = ("all", "public", "none")
modes = st.sampled_from(MODES)
TERMS = drawing.terms()
X, Y, K = (term(drawing.VARYING[n]) for n in "xyk")
CC, N, EPS = (term(drawing.FIXED[n]) for n in ("c", "n", "eps"))


def atoms_in(subject: Linear | Formula) -> Iterable[Atom]:
    """Every atom, also inside others."""
    if isinstance(subject, Linear):
        for atom, _ in subject.parts:
            yield atom
            match atom:
                case Choice():
                    for part in (atom.test, atom.yes, atom.no):
                        yield from atoms_in(part)
                case Product():
                    for base, _ in atom.powers:
                        yield from atoms_in(term(base))
                case Group():
                    yield from atoms_in(atom.inner)
                case Opaque():
                    for part in atom.arguments:
                        yield from atoms_in(part)
    elif isinstance(subject, Sign):
        yield from atoms_in(subject.subject)
    elif isinstance(subject, Not):
        yield from atoms_in(subject.inner)
    elif isinstance(subject, Junction):
        for member in subject.members:
            yield from atoms_in(member)


def pinned(subject: Formula, point: Point, products: bool) -> list[Formula]:
    """The point as conditions; it also says what the unknowns are that stand for functions."""
    put = substitution(point)
    found = [equal(term(s), number(Fraction(point[n]))) for n, s in SYMBOLS.items()]
    found += [flag if point[name] else negation(flag) for name, flag in FLAGS.items()]
    unknown = (Opaque, Product) if products else Opaque
    named = {a.key: a for a in atoms_in(subject) if isinstance(a, unknown)}
    return found + [equal(term(a), put.linear(term(a))) for a in named.values()]


class TestMeaning:
    @given(drawing.formulas(TERMS), points, modes)
    def test_with_products_as_unknowns(self, subject: C, point: Point, mode: str) -> None:
        wanted = value_at(subject, point)
        questions = Questions(Writer(integers=mode))
        questions.add(pinned(subject.formula, point, products=True))
        assert questions.check() == "sat"
        assert questions.ask([subject.formula]) == ("sat" if wanted else "unsat")
        assert questions.ask([negation(subject.formula)]) == ("unsat" if wanted else "sat")

    @given(drawing.formulas(TERMS), points, modes)
    def test_with_exact_products(self, subject: C, point: Point, mode: str) -> None:
        wanted = value_at(subject, point)
        questions = Questions(Writer(exact_products=True, integers=mode))
        questions.add(pinned(subject.formula, point, products=False))
        assert questions.ask([subject.formula]) == ("sat" if wanted else "unsat")
        assert questions.ask([negation(subject.formula)]) == ("unsat" if wanted else "sat")

    @given(TERMS, points, modes, st.booleans())
    def test_terms_as_reals(self, subject: T, point: Point, mode: str, exact: bool) -> None:
        """Asked for a real, a term is written as one, whatever its parts are."""
        value = value_at(subject, point)
        writer = Writer(exact_products=exact, integers=mode)
        questions = Questions(writer)
        questions.add(pinned(equal(subject.term + EPS + term(Symbol("z")), X), point, not exact))
        text = writer.linear(subject.term, real=True)
        assert questions.ask_text([f"(= {text} {numeral(value, False)})"]) == "sat"
        assert questions.ask_text([f"(= {text} {numeral(value + 1, False)})"]) == "unsat"

    @given(drawing.formulas(TERMS), points)
    def test_reals_allow_whatever_integers_allow(self, subject: C, point: Point) -> None:
        if value_at(subject, point):
            for mode in MODES:
                assert Questions(Writer(integers=mode)).ask([subject.formula]) != "unsat"


class TestSorts:
    @pytest.mark.parametrize(
        ("mode", "wanted"),
        [
            ("all", {"|c|": "Int", "|h|": "Int", "|k|": "Int", "|x|": "Real"}),
            ("public", {"|c|": "Int", "|h|": "Real", "|k|": "Int", "|x|": "Real"}),
            ("none", {"|c|": "Real", "|h|": "Real", "|k|": "Real", "|x|": "Real"}),
        ],
    )
    def test_modes(self, mode: str, wanted: dict[str, str]) -> None:
        writer = Writer(integers=mode)
        writer.formula(at_least(CC + K + term(drawing.VARYING["h"]), X))
        assert writer.sorts == wanted

    @pytest.mark.parametrize(("mode", "wanted"), [("all", "unsat"), ("none", "sat")])
    def test_between_two_integers(self, mode: str, wanted: str) -> None:
        between = [above(K, number(0)), above(number(1), K)]
        assert Questions(Writer(integers=mode)).ask(between) == wanted

    def test_private_integers_may_be_reals(self) -> None:
        h = term(drawing.VARYING["h"])
        between = [above(h, number(0)), above(number(1), h)]
        assert Questions(Writer(integers="public")).ask(between) == "sat"
        assert Questions(Writer()).ask(between) == "unsat"

    def test_products_as_unknowns_say_less(self) -> None:
        both_positive = [above(CC, number(0)), above(N, number(0)), above(number(0), CC * N)]
        assert Questions(Writer()).ask(both_positive) == "sat"
        assert Questions(Writer(exact_products=True)).ask(both_positive) == "unsat"

    def test_the_same_operation_is_the_same_unknown(self) -> None:
        halves = [apply_operation("//", (m, number(2))) for m in (CC + N, N + CC)]
        assert Questions(Writer()).ask([above(*halves)]) == "unsat"

    def test_cells_at_equal_indices_are_one_unknown(self) -> None:
        cells = [term(Indexed("f[{}]", i, True, True)) for i in (K + N, N + K, K)]
        assert Questions(Writer()).ask([negation(equal(cells[0], cells[1]))]) == "unsat"
        assert Questions(Writer()).ask([negation(equal(cells[0], cells[2]))]) == "sat"


class TestText:
    @pytest.mark.parametrize(
        ("value", "whole", "text"),
        [
            (3, True, "3"),
            (-3, True, "(- 3)"),
            (0, False, "0.0"),
            (Fraction(-1, 2), False, "(- (/ 1.0 2.0))"),
        ],
    )
    def test_numerals(self, value: Fraction, whole: bool, text: str) -> None:
        assert numeral(value, whole) == text

    def test_truths_and_names(self) -> None:
        writer = Writer()
        assert (writer.formula(TRUE), writer.formula(FALSE)) == ("true", "false")
        assert quoted("a|b c") == "|a!ib c|" != quoted("a!ib c") and writer.linear(number(0)) == "0"

    def test_sorts_are_never_mixed(self) -> None:
        """Z3 would convert silently; other solvers do not."""
        writer = Writer()
        assert writer.linear(K.scaled(2) + X) == "(+ (* 2.0 (to_real |k|)) |x|)"
        mixed = choice(FLAGS["b"], K, X + number(1))
        assert writer.linear(mixed) == "(ite |b| (to_real |k|) (+ |x| 1.0))"

    def test_any_name_is_accepted(self) -> None:
        names = ["move of f[i + 1]", "naïve ε", "x'", "index@1", "(a, b)", "b"]
        flags = [Flag(Symbol(f"flag {name}")) for name in names]
        signs = [above(term(Symbol(name)), number(0)) for name in names]
        questions = Questions(Writer())
        assert questions.ask([*flags, *signs]) == "sat"
        questions.add([*flags, *signs])
        assert questions.check() == "sat"


class TestQuestions:
    def test_questions_are_forgotten_and_facts_are_kept(self) -> None:
        questions = Questions(Writer())
        questions.add([above(X, Y)])
        assert questions.ask([above(Y, X)]) == "unsat"
        assert questions.ask([above(X, number(7))]) == "sat"
        questions.push()
        questions.add([above(number(0), X), above(Y, number(0))])
        assert questions.check() == "unsat"
        questions.pop()
        assert questions.check() == "sat"

    def test_an_unknown_that_was_met_in_a_scope_can_be_used_after_it(self) -> None:
        questions = Questions(Writer())
        questions.push()
        questions.add([above(X, number(1))])
        questions.pop()
        assert questions.ask([above(number(0), X)]) == "sat"
        questions.add([equal(X, number(3)), FLAGS["b"]])
        assert questions.check() == "sat" and questions.point()["x"] == 3

    @given(st.fractions(-5, 5, max_denominator=7), st.integers(-5, 5), st.booleans())
    def test_point(self, x: Fraction, k: int, b: bool) -> None:
        questions = Questions(Writer())
        flag = FLAGS["b"]
        bit = flag if b else negation(flag)
        questions.add([conjunction((equal(X, number(x)), equal(K, number(k)), bit))])
        assert questions.check() == "sat"
        assert questions.point() == {"x": x, "k": k, "b": b}

    def test_an_irrational_point(self) -> None:
        questions = Questions(Writer(exact_products=True))
        questions.add([equal(EPS * EPS, number(2)), above(EPS, number(0))])
        assert questions.check() == "sat" and questions.point()["eps"] is None

    def test_resources_end_a_question(self) -> None:
        questions = Questions(Writer(exact_products=True), resources=1)
        cubes = [equal(CC * CC * CC + N * N * N, EPS * EPS * EPS), above(CC, N), above(N, EPS)]
        assert questions.ask(cubes) == "unknown"

    def test_choices_are_written_out(self) -> None:
        size = choice(at_least(X, number(0)), X, -X)
        assert Questions(Writer()).ask([above(number(0), size)]) == "unsat"
        mixed = choice(FLAGS["b"], K, X) + K
        assert Questions(Writer()).ask([equal(mixed, number(Fraction(1, 2)))]) == "sat"


def test_a_product_of_very_many_is_one_more_unknown() -> None:
    for power, written in ((MOST_PRODUCTS, True), (MOST_PRODUCTS + 1, False)):
        product = EPS
        for _ in range(power - 1):
            product = product * EPS
        text = Writer(exact_products=True).linear(product)
        assert text.startswith("(*") == written


def test_multiplications_are_counted_as_they_are_written() -> None:
    for subject in (
        EPS * EPS * CC,
        (EPS + CC) * N / (CC + N),
        EPS + CC,
        (EPS + CC * N) / (EPS + N),
    ):
        text = Writer(exact_products=True).linear(subject)
        assert multiplications(subject) == text.count("(* ") + text.count("(/ ")
