"""What the language has: every construct is read, and means what it looks like."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Unsupported
from shiftproof.dsl.flow import HeadNode, SampleNode
from shiftproof.dsl.noise import Laplace, Uniform
from shiftproof.dsl.terms import Symbol, term
from shiftproof.dsl.values import as_python
from tests.dsl.making import Given, body, interpret, made, module_of

VALUES = {"x": 3, "f": (4, 0, 7), "T": (Fraction(1, 2), Fraction(3)), "c": 2, "eps": Fraction(1)}


def told(source: str, draws: tuple[Any, ...] = ()) -> list[Any]:
    """What the interpreter releases on :data:`VALUES`."""
    given = Given(VALUES, draws)
    seen = interpret(made(source).program, given)
    assert seen.ended and not seen.undefined and given.used == len(draws)
    return [as_python(v) for v in seen.outputs]


STATEMENTS = {
    "pass": ("pass\nyield 1", [1]),
    "text": ("'a docstring'\n'more text'\nyield 1", [1]),
    "assign": ("y = x + 1\nyield y", [4]),
    "annotated": ("y: int = x\nyield y", [3]),
    "in brackets": ("(y) = x\nyield (y)", [3]),
    "augmented": ("y = 1\ny += x\ny *= 2\ny -= 1\ny //= 2\ny %= 2\nyield y", [1]),
    "divided": ("y = 1.0\ny /= 4\nyield y", [Fraction(1, 4)]),
    "tuple": ("y, z = x, 2\ny, z = z, y\nyield y\nyield z", [2, 3]),
    "list target": ("[y, (z)] = (x, 2)\nyield y - z", [1]),
    "parameter assigned": ("x = x + 1\nyield x", [4]),
    "if": ("if x > 2:\n    yield 1\nelif x > 1:\n    yield 2\nelse:\n    yield 3", [1]),
    "elif": ("if x > 9:\n    yield 1\nelif x > 1:\n    yield 2\nelse:\n    yield 3", [2]),
    "if without else": ("if x > 9:\n    yield 1\nyield 2", [2]),
    "while": ("i = 0\nwhile i < x:\n    yield i\n    i += 1", [0, 1, 2]),
    "break": ("while True:\n    break\nyield 1", [1]),
    "continue": ("for i in range(4):\n    if i % 2 == 0:\n        continue\n    yield i", [1, 3]),
    "range": ("for i in range(3):\n    yield i", [0, 1, 2]),
    "range from": ("for i in range(x, 5):\n    yield i", [3, 4]),
    "range by": ("for i in range(5, -2, -3):\n    yield i", [5, 2, -1]),
    "empty range": ("i = 7\nfor i in range(0):\n    yield 1\nyield i", [7]),
    "assigned bound": ("n = 2\nfor i in range(n):\n    n = 9\n    yield i", [0, 1]),
    "assigned counter": ("for i in range(3):\n    yield i\n    i = 5", [0, 1, 2]),
    "last value": ("i = 9\nfor i in range(3):\n    pass\nyield i", [2]),
    "sequence": ("for v in f:\n    yield v", [4, 0, 7]),
    "enumerate": ("for i, v in enumerate(f):\n    yield i + v", [4, 1, 9]),
    "zip": ("for v, t in zip(f, T):\n    yield v + t", [Fraction(9, 2), Fraction(3)]),
    "zip in list": ("for [v, t, w] in zip(f, T, f):\n    yield w - v", [0, 0]),
    "nested loops": ("for i in range(2):\n    for j in range(i, 2):\n        yield j", [0, 1, 1]),
    "inner break": (
        "v = 1\nfor i in range(2):\n    for v in f:\n        break\n    yield v",
        [4, 4],
    ),
    "bare return": ("yield 1\nreturn\nyield 2", [1]),
    "return in loop": ("for v in f:\n    yield v\n    if v == 0:\n        return", [4, 0]),
    "value": ("return x + 1", [4]),
    "two values": ("return x, None", [3, None]),
    "no values": ("return ()", []),
    "return nothing": ("return", [None]),
    "fall off": ("if x > 9:\n    return 1", [None]),
    "bare yield": ("yield", [None]),
    "atoms": ("yield None\nyield 'above'\nyield True\nyield False", [None, "above", True, False]),
    "mixed arms": ("yield x if x < 0 else None", [None]),
    "nested arms": ("y = None if x < 0 else 'low' if x < 2 else x\nyield y", [3]),
    "nested helper": ("def h(a, b):\n    y = a - b\n    return y\nyield h(x, 1)", [2]),
    "helper reads": ("def h():\n    return y\ny = 1\ny = 2\nyield h()", [2]),
    "helper branches": (
        "def h(a):\n    'text'\n    y: int = 0\n    if a > 2:\n        y += a\n    else:\n"
        "        return 0\n    pass\n    return y\nyield h(x) + h(1)",
        [3],
    ),
    "helper shadows": ("def h(x):\n    c = 5\n    return x + c\nyield h(1) + c", [8]),
}
EXPRESSIONS = {
    "2 + x * 3 - 1": 10,
    "x / 2": Fraction(3, 2),
    "7 // c + 7 % c": 4,
    "-7 // c": -4,
    "-7 % c": 1,
    "+x - -x": 6,
    "0.1 + 0.2": Fraction(3, 10),
    "1e-3": Fraction(1, 1000),
    "min(x, 2, c)": 2,
    "max(x, 2)": 3,
    "abs(2 - x * 2)": 4,
    "int(7 / c)": 3,
    "int(-7 / c)": -3,
    "round(7 / c)": 4,
    "round(5 / c)": 2,
    "len(f) + len(T)": 5,
    "f[len(f) - 1]": 7,
    "f[x - 3]": 4,
    "1 if x >= 3 else 0": 1,
    "0 < x <= 3 < f[2]": True,
    "x != 3 or x == 3 and not x > 3": True,
    "x > 2 and (f[1] < 0 or True)": True,
    "None is None": True,
    "None is not None": False,
    "x is None": False,
    "x == None": False,
    "'a' == 'a' and 'a' != 'b'": True,
    "(x > 2) == (c > 1)": True,
    "True if x > 2 else False": True,
    "math.pi > 3": True,
    "x < 0 and 1 / (x - 3) > 0": False,
    "x > 0 or f[9] > 0": True,
    "1 / (x - 3) if x < 0 else 5": 5,
}


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
            LEVEL, WORD, NOTHING = 5, "far", None
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
        with pytest.raises(Unsupported, match=r"builtins.range|smallest"):
            told(source, (Fraction(9),))
        source = source.replace("builtins.range", "range").replace("smallest(", "min(")
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
