"""Programs that Python runs in another way than they look: never proved, or read as Python does.

Each releases a private count or crashes, although the words that are read say nothing of it.
"""

from __future__ import annotations

import pytest

from shiftproof import BadInput, ShiftproofError, Unsupported, Verdict, verify
from tests.dsl.making import body, made

MECHANISM = "@mechanism(DP())\ndef m(x: Count, f: Counts, eps: Epsilon):\n"
TRAPS = {
    "yield in a default": MECHANISM + "    yield 0\n    def h(a=(yield x)):\n        return a",
    "only yield in a default": MECHANISM
    + "    def h(a=(yield x)):\n        return a\n    return 3",
    "yield in an annotation": MECHANISM + "    yield 0\n    def h(a: (yield x)):\n        return a",
    "yield in a result's annotation": MECHANISM
    + "    yield 0\n    def h(a) -> (yield x):\n        return a",
    "assignment in a default": MECHANISM + "    s = 1 / eps\n    def h(a=(s := 0.001)):\n"
    "        return a\n    n = sample(Laplace(s))\n    yield x + n",
    "assignment in an annotation": MECHANISM + "    s = 1 / eps\n    def h(a) -> (s := 0.001):\n"
    "        return a\n    n = sample(Laplace(s))\n    yield x + n",
    "dead yield in a helper": "def h(a):\n    return 0 > 1\n    yield a\n"
    + MECHANISM
    + "    y = 0\n    if h(0):\n        y = 1 if x == 123456 else 0\n    yield y",
    "dead yield in a nested helper": MECHANISM
    + "    def h(a):\n        return 0 > 1\n        yield a\n    y = 0\n    if h(0):\n"
    "        y = 1 if x == 123456 else 0\n    yield y",
    "dead import in a helper": "def h(a):\n    return min(a, 1)\n    import os as min\n"
    + MECHANISM
    + "    y = 0\n    if x == 123456:\n        y = h(3)\n    yield 0",
    "identity of strings": "W, X = 'ab', ''.join(['a', 'b'])\n"
    + MECHANISM
    + "    yield 0 if X is W else (1 if x == 123456 else 0)",
    "an int of one's own": "class Odd(int):\n    def __eq__(self, other):\n        return False\n"
    "    __hash__ = None\nZERO = Odd(0)\n"
    + MECHANISM
    + "    yield 0 if ZERO == 0 else (1 if x == 123456 else 0)",
    "a zip of one's own": "def zip(xs):\n    return [0] * max(xs)\n"
    + MECHANISM
    + "    for i, v in enumerate(zip(f)):\n        yield i",
    "zip of one sequence": MECHANISM + "    for v in zip(f):\n        w = v + 1\n        yield 0",
    "enumerate of a zip": MECHANISM
    + "    for i, v in enumerate(zip(f)):\n        w = v + 1\n        yield 0",
    "zip of a zip": MECHANISM
    + "    for v, w in zip(zip(f), f):\n        w = v + 1\n        yield 0",
    "one loop variable in brackets": MECHANISM + "    for (v,) in f:\n        yield 0",
    "one counter in brackets": MECHANISM + "    for [i] in range(3):\n        yield 0",
    "enumerate by another name": "zip = enumerate\n"
    + MECHANISM
    + "    for v in zip(f):\n        yield 0",
    "min of one number": "least = min\n" + MECHANISM + "    yield least(3)",
    "abs called min": "min = abs\n" + MECHANISM + "    yield min(3, 4)",
    "helper called before it is defined": "def h(a):\n    return 1\n"
    + MECHANISM
    + "    y = h(3)\n    def h(a):\n        return 2\n    yield y",
    "word called before it is redefined": MECHANISM
    + "    y = min(3, 4)\n    def min(a, b):\n        return 2\n    yield y",
    "helper defined on one path": MECHANISM
    + "    if x > 3:\n        def h(a):\n            return 2\n    yield h(3)",
    "range of a float": MECHANISM + "    for i in range(2.5):\n        yield 0",
}


class TestTraps:
    @pytest.mark.parametrize("name", TRAPS)
    def test_not_proved(self, name: str) -> None:
        try:
            verdict = verify(made(TRAPS[name])).verdict.value
        except (Unsupported, BadInput):
            return
        assert verdict != "proved"

    def test_what_is_run_is_not_what_is_read(self) -> None:
        """The traps are real: run on two neighbours without noise, these tell them apart."""
        for name in ("yield in a default", "yield in an annotation", "a zip of one's own"):
            trap = made(TRAPS[name])
            assert trap.run({"x": 3, "f": (3,), "eps": 1.0}) != trap.run(
                {"x": 4, "f": (4,), "eps": 1.0}
            )
        for name in ("dead yield in a helper", "identity of strings", "an int of one's own"):
            trap = made(TRAPS[name])
            assert trap.run({"x": 123456, "f": (), "eps": 1.0}) == (1,)
            assert trap.run({"x": 123457, "f": (), "eps": 1.0}) == (0,)


#: Exact arithmetic and floats differ here, and the programs tell it: the last releases x > 3.
FLOATS = {
    "sum with a parameter": "yield 0 if eps + 1e-30 > eps else (1 if x == 123456 else 0)",
    "sign of a zero": "y = 0.0\nyield y if x > 3 else -y",
}


#: Here they differ whatever a caller gives.
ROUNDED = {
    "sum of a variable": "y = 0.1\nyield 0 if y + 0.2 == 0.3 else (1 if x == 123456 else 0)",
    "integer part": "k = int(2.9 + 0.1 - 1e-17)\nfor i in range(k):\n"
    "    n = sample(Laplace(2 / eps))\n    yield x + n",
    "one round more": "t = 0.0\nwhile t < 1.0:\n    n = sample(Laplace(10 / eps))\n"
    "    yield x + n\n    t += 0.1",
    "up to what is given": "t = 0.0\nwhile t < c:\n    n = sample(Laplace(10 * c / eps))\n"
    "    yield x + n\n    t += 0.1",
    "steps in a list": "w = [0.1, 0.2]\nyield 0 if w[0] + w[1] == 0.3 else x",
    "rounds by a quotient": "k = 0\nwhile k < 1.0 // 0.1:\n    k += 1\nyield 0 if k == 10 else x",
    "a third": "y = 1 / 3\nyield 0 if y + y + y == 1 else x",
    "either way": "y = 0.1\nif c > 2:\n    y = 0.5\nyield 0 if 3 * y == 0.3 else x",
}
#: And here they do not.
HELD = {
    "halves": "t = 0.0\nwhile t < 1.0:\n    n = sample(Laplace(2 / eps))\n    yield x + n\n"
    "    t += 0.5",
    "a number as it is": "y = -0.1\nn = sample(Laplace(1 / eps))\nyield x + n\nyield y < c",
    "noise beside it": "y = 0.1 + 0.2\nn = sample(Laplace(1 / eps))\nyield x + n > y",
    "given": "n = sample(Laplace(1 / eps))\nyield x + n\nyield eps / 3 < 0.1",
}


class TestFloats:
    @pytest.mark.parametrize("name", ROUNDED)
    def test_what_no_caller_makes_exact_is_refused(self, name: str) -> None:
        with pytest.raises(Unsupported, match="a decision by constants that floats round"):
            made(body(ROUNDED[name], "x: Count, c: Public[Nat]")).program

    @pytest.mark.parametrize("name", HELD)
    def test_what_floats_hold_is_not(self, name: str) -> None:
        assert verify(made(body(HELD[name], "x: Count, c: Public[Nat]"))).verdict is Verdict.PROVED

    @pytest.mark.parametrize("name", FLOATS)
    def test_the_idealisation_is_printed(self, name: str) -> None:
        """A proof is about exact arithmetic; where floats differ, it says nothing, and says so."""
        report = verify(made(body(FLOATS[name], "x: Count")))
        assert any("exact" in line for line in report.assumptions)


class TestEnvironment:
    """Constants that differ between the process that proves and the one that runs."""

    @pytest.mark.parametrize("test", ["__debug__", "__name__ != '__main__'"])
    def test_not_proved(self, test: str) -> None:
        text = f"yield 0 if {test} else (1 if x == 123456 else 0)"
        with pytest.raises(Unsupported):
            made(body(text, "x: Count")).program


class TestErrors:
    """Whatever is wrong with a mechanism, the error is one of the toolkit's own."""

    @pytest.mark.parametrize(
        ("name", "source"),
        [
            (
                "numpy constant",
                "import numpy\nS = numpy.float64(0.5)\n" + MECHANISM + "    yield S",
            ),
            ("long sum", MECHANISM + f"    yield 1{' + 1' * 900}"),
        ],
    )
    def test_no_other_exception(self, name: str, source: str) -> None:
        try:
            assert verify(made(source)).verdict.value in ("proved", "unknown", "unsupported")
        except (Unsupported, BadInput):
            pass

    @pytest.mark.parametrize(
        "source",
        [
            "def h(a):\n    if a > 0:\n        return 1\n" + MECHANISM + "    yield h(3)",
            "def h(a, b=1):\n    return 1\n" + MECHANISM + "    yield h(3)",
            "def h(*a):\n    return 1\n" + MECHANISM + "    yield h(3)",
            MECHANISM + "    def h(a):\n        pass\n    yield h(3)",
        ],
    )
    def test_refused_helpers_have_a_place(self, source: str) -> None:
        with pytest.raises(ShiftproofError) as caught:
            made(source).program
        assert getattr(caught.value, "location").line > 0  # noqa: B009
        assert "^" in str(caught.value)

    def test_columns_count_characters(self) -> None:
        with pytest.raises(Unsupported) as caught:
            made(MECHANISM + "    ε = 2; y = ε ** ε\n    yield y").program
        location = caught.value.location
        assert location is not None and (location.column, location.width) == (16, 6)

    def test_lambdas_are_refused_as_such(self) -> None:
        with pytest.raises(Unsupported, match="lambda"):
            made("h = lambda a: a\n" + MECHANISM + "    yield h(2)").program

    @pytest.mark.parametrize("index", ["0 % len(f)", "x // (x - x)"])
    def test_a_division_by_zero_is_no_question_of_types(self, index: str) -> None:
        raising = made(f"{MECHANISM}    yield f[{index}]")
        assert verify(raising, effort=0).verdict.value == "unknown"
        report = verify(raising)
        # The first one releases f[0] as it is, where there is one.
        assert report.verdict.value == ("refuted" if "len" in index else "unsupported")

    def test_budgets_that_compare_are_refused(self) -> None:
        source = (
            "@mechanism(DP(), budget=lambda eps: 1 if eps == 1 else 2 * eps)\n"
            "def m(x: Count, eps: Epsilon):\n    yield 1"
        )
        with pytest.raises(BadInput, match="budget"):
            made(source).program
