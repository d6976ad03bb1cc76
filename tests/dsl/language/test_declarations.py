"""What a mechanism declares: privacy, inputs, budget; and what is wrong with a declaration."""

from __future__ import annotations

import math
from typing import Any

import pytest

from shiftproof import (
    DP,
    BadInput,
    CountingQueries,
    IntegerValue,
    Mechanism,
    Queries,
    Query,
    Unsupported,
    Value,
    mechanism,
)
from shiftproof.dsl.privacy import inputs
from tests.dsl.making import module_of

SOURCE = "@mechanism(DP(){})\ndef m({}):\n    yield 1\n"


class TestInputs:
    @pytest.mark.parametrize(
        ("annotation", "kind"),
        [
            ("Counts", inputs.CountingQueries),
            ("Histogram", inputs.CountingQueries),
            ("Count", inputs.CountingQuery),
            ("Annotated[Sequence[int], CountingQueries(counted={0})]", inputs.CountingQueries),
            ("Annotated[Sequence[float], Queries(sensitivity=2)]", inputs.Queries),
            ("Annotated[float, Query(direction='increasing')]", inputs.Query),
            ("Annotated[Sequence[int], WindowCounts(3)]", inputs.WindowCounts),
            ("Annotated[float, Value(0, 1)]", inputs.Value),
            ("Annotated[int, IntegerValue(0, 9)]", inputs.IntegerValue),
            ("Private[float]", inputs.Secret),
            ("Private[Sequence[float]]", inputs.Secrets),
            ("Public[Vector]", inputs.PublicVector),
            ("Public[IntVector]", inputs.PublicIntVector),
            ("Public[float]", inputs.PublicFloat),
            ("Public[int]", inputs.PublicInt),
            ("Public[Nat]", inputs.PublicNat),
            ("Epsilon", inputs.EpsilonInput),
        ],
    )
    def test_kinds(self, annotation: str, kind: type) -> None:
        for prefix in ("", "from __future__ import annotations\n"):
            header = f"{prefix}from shiftproof import *\nfrom typing import *\n"
            found = module_of(SOURCE.format("", f"a: {annotation}, eps: Epsilon"), header).m
            assert type(found.inputs["a"]) is kind
            assert found.inputs["a"].public == (annotation.startswith(("Public", "Eps")))

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ("a", "the annotation of 'a' does not say what it is"),
            ("a: float", "the annotation of 'a' does not say what it is"),
            ("a: Vector", "the annotation of 'a' does not say what it is"),
            ("a: Nat", "the annotation of 'a' does not say what it is"),
            ("a: Public[str]", "the annotation of 'a' does not say what it is"),
            ("a: 'Unheard'", "an annotation cannot be read"),
            ("a: Count = 1", "parameter 'a' has a default"),
            ("*a: Count", r"'\*a.*' is no plain parameter"),
            ("**a: Count", r"'\*\*a.*' is no plain parameter"),
            ("a: Count, /", "'a.*' is no plain parameter"),
            ("*, a: Count", "'a.*' is no plain parameter"),
        ],
    )
    def test_bad_parameters(self, parameters: str, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            module_of(SOURCE.format("", parameters))

    @pytest.mark.parametrize(
        "make",
        [
            lambda: Queries(sensitivity=-1),
            lambda: Queries(sensitivity=math.nan),
            lambda: Query(sensitivity=math.inf),
            lambda: Queries(direction="up"),
            lambda: Queries(differing="some"),
            lambda: Value(1, 0),
            lambda: Value(0, math.inf),
            lambda: Value(False, 1),
            lambda: IntegerValue(0, math.nan),
            lambda: CountingQueries(counted=set()),
            lambda: DP("nearby"),
        ],
    )
    def test_bad_kinds(self, make: Any) -> None:
        with pytest.raises(BadInput):
            make()


class TestDeclaration:
    def test_privacy_and_expectation(self) -> None:
        with pytest.raises(BadInput, match="a privacy definition such as"):
            mechanism(DP)
        with pytest.raises(BadInput, match="'proved', 'bounded' or 'refuted' is needed"):
            mechanism(DP(), expect="maybe")
        with pytest.raises(BadInput, match="a function defined with def is needed"):
            mechanism(DP())(print)
        found = module_of(SOURCE.format(", expect='refuted'", "eps: Epsilon")).m
        assert isinstance(found, Mechanism) and found.expect == "refuted"
        assert found.location.line == 2 and found.location.file.endswith(".py")

    @pytest.mark.parametrize(
        ("budget", "parameters", "message"),
        [
            ("", "x: Count", "0 Epsilon parameters and no budget"),
            ("", "a: Epsilon, b: Epsilon", "2 Epsilon parameters and no budget"),
            (", budget=lambda d: d", "eps: Epsilon", "the budget's 'd' is no public parameter"),
            (", budget=lambda x: x", "x: Count, eps: Epsilon", "'x' is no public parameter"),
            (", budget=lambda T: T", "T: Public[Vector]", "a sequence is no number"),
            (", budget=lambda eps: eps ** 2", "eps: Epsilon", "no expression in"),
            (", budget=lambda eps: eps / 0", "eps: Epsilon", "no expression in"),
            (", budget=lambda eps: 'eps'", "eps: Epsilon", "no expression in"),
            (", budget=lambda eps: True", "eps: Epsilon", "no expression in"),
            (", budget=lambda eps: (eps)() if 1 else 2", "eps: Epsilon", "called, as if it were"),
        ],
    )
    def test_bad_budgets(self, budget: str, parameters: str, message: str) -> None:
        with pytest.raises(BadInput, match=message) as caught:
            module_of(SOURCE.format(budget, parameters)).m.program
        assert caught.value.location is not None

    @pytest.mark.parametrize(
        ("budget", "text"),
        [
            ("lambda eps: 2 * eps", "2*eps"),
            ("lambda eps, c: (c + 1) * eps / 2 - eps", "1/2*[c**1*eps**1] + -1/2*eps"),
            ("lambda eps: 3 - -eps + 0.5", "1*eps + 7/2"),
            ("lambda c, eps: 1 / (c / eps)", "1*[c**-1*eps**1]"),
            ("lambda: 1", "1"),
        ],
    )
    def test_budgets(self, budget: str, text: str) -> None:
        source = SOURCE.format(f", budget={budget}", "c: Public[Nat], eps: Epsilon")
        assert module_of(source).m.program.budget.key == text.replace("1*", "", text[:2] == "1*")

    @pytest.mark.parametrize(
        ("budget", "called"),
        [
            ("lambda exp, eps: exp(eps)", "exp"),
            ("lambda exp, eps: eps + 2 * exp(eps)", "exp"),
            ("lambda len, f: len(f)", "len"),
        ],
    )
    def test_a_parameter_hides_a_function(self, budget: str, called: str) -> None:
        """As in Python: it would be a number that is called, whatever the name is elsewhere."""
        inputs_ = "f: Counts, exp: Public[float], len: Public[float], eps: Epsilon"
        with pytest.raises(Unsupported, match=f"a call of '{called}', which is a parameter"):
            module_of(SOURCE.format(f", budget={budget}", inputs_)).m.program

    def test_a_parameter_may_be_called_like_a_function(self) -> None:
        source = SOURCE.format(", budget=lambda exp: 2 * exp", "f: Counts, exp: Public[float]")
        assert module_of(source).m.program.budget.key == "2*exp"
