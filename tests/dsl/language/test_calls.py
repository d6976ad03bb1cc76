"""Calls of mechanisms: how they are read and refused, and that they run as they are read."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Unsupported, seeded
from shiftproof.dsl.language.flow import CallNode
from shiftproof.dsl.language.runtime import recorded
from tests.dsl.language.test_differential import inputs_for, natively, same
from tests.dsl.language.test_rejections import marked
from tests.dsl.making import Given, interpret, made, module_of
from tests.programs.checkers import composed_mechanisms

CALLING = {
    name: value
    for name, value in vars(composed_mechanisms).items()
    if isinstance(value, Mechanism) and value.program.calls
}

#: What the refused calls call, and what they are given.
CALLEES = """
@mechanism(DP())
def one(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise

@mechanism(DP())
def pair(f: Counts, T: Public[Vector], eps: Epsilon):
    return 1, None

@mechanism(DP())
def stream(f: Counts, eps: Epsilon) -> Iterator[int]:
    yield 1

@mechanism(DP(), expect="refuted")
def wrong(q: Count, eps: Epsilon):
    return q

@mechanism(DP("add-remove"))
def another(q: Count, eps: Epsilon):
    return 1

@mechanism(DP())
def either(q: Count, t: Public[float], eps: Epsilon):
    if t > 0:
        return 1
    return 1.0

@mechanism(DP())
def more(q: Count, t: Public[float], eps: Epsilon):
    if t > 0:
        return 1, 2
    return 1

@mechanism(DP())
def adaptive(s: Annotated[Sequence[float], Stream()], eps: Epsilon) -> Iterator[int]:
    yield 1

@mechanism(DP())
def located(
    f: Annotated[Sequence[int], LocationCounts(by="place")], place: Public[IntVector], eps: Epsilon
):
    return 1

@mechanism(DP())
def m(
    q: Count, f: Counts, h: Histogram, T: Public[Vector], c: Public[Nat], eps: Epsilon,
    s: Annotated[Sequence[float], Stream()],
    l: Annotated[Sequence[int], LocationCounts(by="here")],
    here: Public[IntVector], there: Public[IntVector],
):
"""
NOT_YET, NEVER = "not yet", "never"
REFUSED = [
    (NOT_YET, "x = «one(q, eps)»\n    return x"),
    (NOT_YET, "x: float = «one(q, eps)»\n    return x"),
    (NOT_YET, "return «one(q, eps)»"),
    (NOT_YET, "yield «one(q, eps)»"),
    (NOT_YET, "«one(q, eps)»\n    return 1"),
    (NOT_YET, "«(x,) = one(q, eps) + (1,)»\n    return x"),
    (NOT_YET, "if «one(q, eps)» == 1:\n        return 1"),
    (NOT_YET, "for x in «one(q, eps)»:\n        yield x"),
    (NOT_YET, "x = max(«one(q, eps)», 2)\n    return x"),
    (NOT_YET, "a = [0.0] * c\n    «a[0]», = one(q, eps)\n    return 1"),
    (NOT_YET, "«*x», = one(q, eps)\n    return 1"),
    (NOT_YET, "«x = (y,) = one(q, eps)»\n    return 1"),
    (NOT_YET, "x = «yield from one(q, eps)»\n    return x"),
    (NOT_YET, "«yield from f»"),
    (NOT_YET, "«yield from max(1, 2)»"),
    (NOT_YET, "noise = sample(Laplace(1 / eps))\n    align(noise, «one(q, eps)»)\n    return 1"),
    (NEVER, "«x, y = one(q, eps)»\n    return x"),
    (NEVER, "«x, x = pair(f, T, eps)»\n    return x"),
    (NEVER, "(x,) = «one(q)»\n    return x"),
    (NEVER, "(x,) = «one(q, eps, 1)»\n    return x"),
    (NEVER, "(x,) = one(q, eps, q=«1»)\n    return x"),
    (NEVER, "(x,) = one(q, epsilon=«eps»)\n    return x"),
    (NEVER, "(x,) = one(q, **«{}»)\n    return x"),
    (NOT_YET, "(x,) = one(«*f»)\n    return x"),
    (NOT_YET, "(x,) = «stream(f, eps)»\n    return x"),
    (NOT_YET, "(x,) = «another(q, eps)»\n    return x"),
    (NEVER, "(x,) = «wrong(q, eps)»\n    return x"),
    (NEVER, "(x,) = «m(q, f, h, T, c, eps, s, l, here, there)»\n    return x"),
    (NOT_YET, "(x,) = «either(q, 1, eps)»\n    return x"),
    (NOT_YET, "(x,) = «more(q, 1, eps)»\n    return x"),
    (NOT_YET, "yield from adaptive(«s», eps)"),
    (NOT_YET, "yield from stream(«h», eps)"),
    (NOT_YET, "yield from stream(«T», eps)"),
    (NOT_YET, "yield from stream(«q», eps)"),
    (NOT_YET, "a = [0] * c\n    yield from stream(«a», eps)"),
    (NOT_YET, "yield from stream(«[1, 2]», eps)"),
    (NOT_YET, "x, y = pair(f, «f», eps)\n    return x"),
    (NOT_YET, "x, y = pair(f, «there», eps)\n    return x"),
    (NEVER, "(x,) = located(«l», there, eps)\n    return x"),
    (NOT_YET, "(x,) = one(«f», eps)\n    return x"),
    (NEVER, "(x,) = one(q, «epsilon»)\n    return x"),
    (
        NOT_YET,
        "noise = sample(Laplace(1 / eps))\n    align(noise, outcome())\n"
        "    «yield from one(q, eps)»",
    ),
]


class TestRefused:
    @pytest.mark.parametrize("case", REFUSED, ids=lambda c: c[1].replace("\n    ", "; "))
    def test_at_its_place(self, case: tuple[str, str]) -> None:
        clean, place = marked(f"{CALLEES}    {case[1]}\n")
        with pytest.raises(Unsupported) as caught:
            made(clean).program
        error, found = caught.value, caught.value.location
        assert found is not None and error.outlook == case[0] and error.advice
        assert (found.line, found.column, found.width) == (place.line, place.column, place.width)

    def test_each_other(self) -> None:
        text = """
        @mechanism(DP())
        def m(q: Count, eps: Epsilon):
            (x,) = n(q, eps)
            return x

        @mechanism(DP())
        def n(q: Count, eps: Epsilon):
            (x,) = m(q, eps)
            return x
        """
        for name in "mn":
            with pytest.raises(Unsupported, match="calls itself, directly or through others"):
                getattr(module_of(text), name).program

    @pytest.mark.parametrize(
        "inside", ["(x,) = n(q, 1)\n    return x", "x = n(q, 1)\n    return x", "return n(q, 1)"]
    )
    def test_in_a_helper(self, inside: str) -> None:
        text = f"""
@mechanism(DP())
def n(q: Count, eps: Epsilon):
    return 1

def helper(q):
    {inside}

@mechanism(DP())
def m(q: Count, eps: Epsilon):
    return helper(q)
"""
        with pytest.raises(Unsupported, match=r"inside something else|in the helper"):
            made(text).program

    def test_what_only_looks_like_a_mechanism(self) -> None:
        text = """
        class Other(Mechanism):
            def __call__(self, *given):
                return given

        @mechanism(DP())
        def real(q: Count, eps: Epsilon):
            return 1

        n = Other(real.function, real.privacy, None, "proved")

        @mechanism(DP())
        def m(q: Count, eps: Epsilon):
            (x,) = n(q, eps)
            return x
        """
        with pytest.raises(Unsupported, match="a call of 'n'"):
            made(text).program

    def test_a_callee_outside_the_language(self) -> None:
        text = """
        @mechanism(DP())
        def n(q: Count, eps: Epsilon):
            return [q]

        @mechanism(DP())
        def m(q: Count, eps: Epsilon):
            (x,) = n(q, eps)
            return x
        """
        with pytest.raises(Unsupported, match="a collection as a value") as caught:
            made(text).program
        assert caught.value.location is not None and caught.value.location.line == 5


KINDS = {
    "return 1": ("int",),
    "return 1, 2.0": ("int", "float"),
    "return q": ("int",),
    "return t": ("float",),
    "return q / 2": ("float",),
    "return q + t": ("float",),
    "return q if t > 0 else 2": ("int",),
    "return q if t > 0 else t": None,
    "return max(q, 2)": ("int",),
    "return max(q, 2.0)": None,
    "return abs(q), t > 2, not t > 2": ("int", "bool", "bool"),
    "q = 1.5\n    return q": ("float",),
    "if t > 0:\n        q = 1.5\n    return q": None,
    "x = 1\n    while x < t:\n        x = x / 2\n    return x": None,
    "x = 1\n    while x < t:\n        x = x + 1\n    return x": ("int",),
    "while True:\n        if t > 0:\n            return 1": ("int",),
    "if t > 0:\n        return 1": None,
    "if t > 0:\n        return 'a'\n    return 'a'": "atom",
    "if t > 0:\n        return 'a'\n    return 'b'": None,
    "if t > 0:\n        return None\n    return 0": None,
    "a = [q, 1]\n    return a[0], len(a)": ("int", "int"),
    "a = [0] * 2\n    a[0] = t\n    return a[0]": None,
    "a = []\n    a.append(1.0)\n    return a[0]": ("float",),
    "a = [0.0, t]\n    return argmax(a)": ("int",),
    "a = [0.0, t]\n    o = top_k(a, 1)\n    return o[0]": ("int",),
    "x = sample(TwoSidedGeometric(1))\n    return x": ("int",),
    "x = sample(Bernoulli(0.5))\n    return x": ("bool",),
    "x = sample(Laplace(1))\n    return x": ("float",),
    "def twice(v):\n        return v * 2\n    return twice(q), twice(t)": ("int", "float"),
    "x, y = n(q)\n    return y, x": ("float", "int"),
}


class TestKinds:
    @pytest.mark.parametrize("text", KINDS)
    def test_results(self, text: str) -> None:
        source = f"""
@mechanism(DP(), budget=0)
def n(q: Count):
    return 1, 2.0

@mechanism(DP())
def k(q: Count, t: Public[float], eps: Epsilon):
    {text}

@mechanism(DP())
def m(q: Count, t: Public[float], eps: Epsilon):
    yield 1
"""
        program = module_of(source).k.program
        wanted = KINDS[text]
        if wanted is None:
            with pytest.raises(Exception, match=r"same type|as many values"):
                _ = program.results
        elif wanted == "atom":
            assert program.results[0] not in ("int", "float", "bool", "several")
        else:
            assert program.results == wanted


class TestRuns:
    def test_the_native_run_calls(self) -> None:
        with recorded([Fraction(1, 2), Fraction(-3)]):
            assert composed_mechanisms.two_counts(3, 5, 1.0) == (Fraction(7, 2), Fraction(2))

    def test_its_noise_is_fresh(self) -> None:
        with seeded(3):
            x, y = composed_mechanisms.two_counts(3, 3, 1.0)
        assert x != y

    def test_one_release_at_a_time(self) -> None:
        with recorded([1, 2, 3]):
            releases = composed_mechanisms.in_rounds.releases(4, 3, 1.0)
            assert [next(releases), next(releases), next(releases)] == [5, 6, 7]

    def test_what_the_callee_asks_is_asked(self) -> None:
        module = module_of("""
        @mechanism(DP())
        def n(q: Count, t: Public[float], eps: Epsilon):
            assert t > 0
            return 1

        @mechanism(DP())
        def m(q: Count, t: Public[float], eps: Epsilon):
            (x,) = n(q - 2, t, eps)
            return x
        """)
        assert module.m(2, 1.0, 1.0) == (1,)
        with pytest.raises(BadInput, match="must be at least 0"):
            module.m(1, 1.0, 1.0)
        with pytest.raises(BadInput, match="the precondition 't > 0' does not hold"):
            module.m(2, 0.0, 1.0)

    def test_a_callee_is_frozen(self) -> None:
        module = module_of("""
        @mechanism(DP())
        def n(q: Count, eps: Epsilon):
            return 1

        @mechanism(DP())
        def m(q: Count, eps: Epsilon):
            (x,) = n(q, eps)
            return x
        """)
        assert module.m(2, 1.0) == (1,)
        kept, module.n = module.n, module.m
        with pytest.raises(BadInput, match="'n' was changed"):
            module.m(2, 1.0)
        module.n = kept
        module.n.function.__code__ = (lambda q, eps: (2,)).__code__
        with pytest.raises(BadInput, match="the code of n was changed"):
            module.m.program.check_frozen()

    def test_each_callee_once(self) -> None:
        program = composed_mechanisms.budgets_add_up.program
        assert [p.name for p in program.calls] == ["two_budgets", "noisy", "half_a_nat"]
        assert composed_mechanisms.noisy.program.calls == ()


class TestWrittenOut:
    @pytest.mark.parametrize("name", CALLING)
    def test_it_does_what_runs(self, name: str) -> None:
        mechanism = CALLING[name]
        whole = mechanism.program.inlined
        assert not whole.calls and not any(isinstance(n, CallNode) for n in whole.flow.nodes)
        assert [n.site for n in whole.flow.sites] == list(range(len(whole.flow.sites)))
        for seed in range(6):
            check(mechanism, inputs_for(mechanism, random.Random(seed)), seed)

    def test_it_raises_where_the_call_does(self) -> None:
        source = """
        @mechanism(DP())
        def n(q: Count, v: Public[Nat], eps: Epsilon):
            assert v >= 2
            return q

        @mechanism(DP())
        def m(q: Count, v: Public[int], eps: Epsilon):
            (x,) = n(q - 1, v, eps)
            return x
        """
        m = made(source)
        for q, v, fine in ((1, 2, True), (0, 2, False), (1, 1, False), (1, -1, False)):
            seen = interpret(m.program.inlined, Given({"q": q, "v": v, "eps": 1}, []))
            assert seen.undefined is not fine
            if not fine:
                with pytest.raises(BadInput):
                    m(q, v, 1.0)


def check(mechanism: Mechanism[..., Any], values: dict[str, Any], seed: int) -> None:
    """The same releases from a native run and from the program written out, in exact numbers."""
    native, draws = natively(mechanism, values, seed)
    seen = interpret(mechanism.program.inlined, given := Given(values, draws))
    if native is None:
        assert seen.undefined
    else:
        assert seen.ended and not seen.failed and given.used == len(draws)
        assert len(native) == len(seen.outputs) and all(map(same, native, seen.outputs))
