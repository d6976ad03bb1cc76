"""What the language has: every construct is read, and means what it looks like."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, verify
from shiftproof.dsl.language.flow import HeadNode, SampleNode
from shiftproof.dsl.noise import Laplace, Uniform
from shiftproof.dsl.terms.linear import Symbol, term
from shiftproof.dsl.terms.values import as_python
from tests.dsl.making import Given, body, interpret, made, module_of
from tests.programs.dsl.snippets_read import EXPRESSIONS, STATEMENTS, VALUES


def told(source: str, draws: tuple[Any, ...] = ()) -> list[Any]:
    """What the interpreter releases on :data:`VALUES`."""
    given = Given(VALUES, draws)
    seen = interpret(made(source).program, given)
    assert seen.ended and not seen.undefined and given.used == len(draws)
    return [as_python(v) for v in seen.outputs]


class TestLanguage:
    @pytest.mark.parametrize("name", STATEMENTS)
    def test_statements(self, name: str) -> None:
        text, wanted = STATEMENTS[name]
        found = told(body(text))
        assert found == wanted and list(map(type, found)) == list(map(type, wanted))

    @pytest.mark.parametrize("text", EXPRESSIONS)
    def test_expressions(self, text: str) -> None:
        (found,) = told(body(f"return {text}"))
        wanted = EXPRESSIONS[text]
        assert found == wanted and type(found) is type(wanted)

    @pytest.mark.parametrize(
        ("draw", "value"),
        [
            ("Laplace(1 / eps)", Fraction(-1, 2)),
            ("Exponential(scale=c)", Fraction(1)),
            ("NegativeExponential(c / eps)", Fraction(-1)),
            ("Uniform(0, 1)", Fraction(1, 3)),
            ("Uniform(high=eps + 1, low=eps)", Fraction(3, 2)),
            ("Bernoulli(0.25)", True),
            ("TwoSidedGeometric(2)", -4),
            ("OneSidedGeometric(1 / eps)", 4),
            ("NegativeOneSidedGeometric(1)", -4),
        ],
    )
    def test_samples(self, draw: str, value: Any) -> None:
        assert told(body(f"n = sample({draw})\nyield n"), (value,)) == [value]

    def test_parameters_of_noise_by_name(self) -> None:
        program = made(body("n: float = sample(Uniform(high=c + 1, low=c))\nyield n")).program
        (site,) = program.flow.sites
        assert site.step.distribution is Uniform and site.step.target == "n"
        assert [getattr(a, "name", "sum") for a in site.step.arguments] == ["c", "sum"]

    def test_alignments(self) -> None:
        text = "n = sample(Laplace(1))\n'text'\nalign(n, other(x) - x if n > x else 0)\nyield x + n"
        (site,) = made(body(text)).program.flow.sites
        assert isinstance(site, SampleNode) and site.step.distribution is Laplace
        assert site.step.shift is not None
        assert made(body("b = sample(Bernoulli(0.5))\nalign(b, True)\nyield b")).program.flow.sites

    def test_sites_are_numbered_in_source_order(self) -> None:
        text = """
            a = sample(Laplace(1))
            for v in f:
                if v > 0:
                    b = sample(Laplace(2))
                else:
                    d = sample(Laplace(3))
            e = sample(Laplace(4))
            yield a
        """
        flow = made(body(text)).program.flow
        assert [s.step.target for s in flow.sites] == ["a", "b", "d", "e"]
        assert [s.site for s in flow.sites] == [0, 1, 2, 3]
        (head,) = (k for k, node in enumerate(flow.nodes) if isinstance(node, HeadNode))
        assert flow.assigned[head] >= {"v", "b", "d"} and "f" in flow.live[head]
        assert not flow.live[head] & {"b", "d"} and "a" in flow.live[head]

    def test_preconditions(self) -> None:
        text = "assert c >= 1 and len(T) <= len(f)\nassert T[0] < 1 or c > 5, 'why'\nyield 1"
        program = made(body(text)).program
        assert len(program.preconditions) == 3
        program.check_preconditions(VALUES)
        with pytest.raises(BadInput, match="the precondition 'c >= 1' does not hold"):
            program.check_preconditions(VALUES | {"c": 0})
        with pytest.raises(BadInput, match=r"the precondition 'T\[0\] < 1 or c > 5'"):
            program.check_preconditions(VALUES | {"T": ()})

    @pytest.mark.parametrize(
        "text",
        [
            "y = 1 / c if c > 0 else 1",
            "y = 1 if c > 0 and 1 / c > 2 else 0",
            "y = 1 if c == 0 or 1 / c > 2 else 0",
            "y = T[c] if c < len(T) else 0",
        ],
    )
    def test_what_is_not_reached_owes_nothing(self, text: str) -> None:
        text += "\nn = sample(Laplace(1 / eps))\nyield x + n + y"
        assert verify(made(body(text))).verdict.value == "proved"
        unguarded = "y = 1 / c" if "T" not in text else "y = T[c]"
        text = "\n".join([unguarded, *text.splitlines()[1:]])
        assert verify(made(body(text))).verdict.value != "proved"

    def test_budgets(self) -> None:
        eps, c = (term(Symbol(n, n == "c", fixed=True)) for n in ("eps", "c"))
        source = "@mechanism(DP(){})\ndef m(c: Public[Nat], eps: Epsilon):\n    yield 1"
        assert made(source.format("")).program.budget == eps
        budget = ", budget=lambda eps, c: 2 * eps / (c + 1) - eps"
        wanted = (eps + eps) / (c + term(Symbol("c")) - c + eps / eps) - eps
        assert made(source.format(budget)).program.budget == wanted

    def test_outside_names(self) -> None:
        source = """
            import builtins
            import shiftproof as sp
            LEVEL, WORD, NOTHING = 5.0, "far", None
            smallest = min

            def outside(a):
                return inner(a) + LEVEL

            def inner(LEVEL):
                return LEVEL * 2

            @sp.mechanism(DP())
            def m(x: Count, eps: Epsilon):
                n = sp.sample(sp.Laplace(1 / eps))
                for i in builtins.range(0):
                    yield 0
                yield outside(x) + smallest(LEVEL, n)
                yield WORD
                yield NOTHING
        """
        assert told(source, (Fraction(9),)) == [16, "far", None]

    def test_closures(self) -> None:
        source = """
            def family(level):
                def raised(a):
                    return a + level

                @mechanism(DP())
                def m(x: Count, eps: Epsilon):
                    return raised(x) * level
                return m

            two, three = family(2), family(3)
        """
        module = module_of(source)
        for mechanism, wanted in ((module.two, 10), (module.three, 18)):
            (found,) = interpret(mechanism.program, Given(VALUES, ())).outputs
            assert as_python(found) == wanted == mechanism(3, 1.0)[0]
