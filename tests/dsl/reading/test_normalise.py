"""One text for one mechanism: it reads back as the same program, and tells apart what differs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Unsupported
from shiftproof.dsl.normalise import fingerprint, normalised, read_normalised, same_program
from shiftproof.dsl.static import read_text
from tests.dsl.making import HEADER, import_file
from tests.loading import load
from tests.places import ATTACKS, PROGRAMS, REWRITES, ROOT
from tests.sampling import every
from tests.working import counted

FILES = [
    *sorted((ROOT / "mechanisms").glob("*.py")),
    *REWRITES,
    *ATTACKS,
    *sorted((PROGRAMS / "checkers").glob("*_mechanisms.py")),
    PROGRAMS / "checkers" / "related_mechanisms_more.py",
]


def readable(found: dict[str, Mechanism[..., Any]]) -> dict[str, Mechanism[..., Any]]:
    """Those whose program can be read."""
    kept = {}
    for name, mechanism in found.items():
        try:
            _ = mechanism.program
        except (BadInput, Unsupported):
            continue
        kept[name] = mechanism
    return kept


@pytest.mark.parametrize("path", every(20, FILES), ids=lambda path: path.stem)
def test_files(path: Path) -> None:
    """The text of every mechanism declares the same program, and its text is the same again."""
    try:
        executed = readable(load(path))
    except (BadInput, Unsupported):
        return
    text = path.read_text(encoding="utf-8")
    if "\nfrom ." in text:
        return  # it stands nowhere else than in its package
    read = readable(dict(read_text(text, "elsewhere.py")))
    texts = {}
    for name, mechanism in executed.items():
        text = texts[name] = normalised(mechanism)
        again = read_normalised(text)
        assert same_program(again.program, mechanism.program), name
        assert again.expect == mechanism.expect
        assert normalised(again) == text
        assert str(path.parent) not in text and "#" not in text and '"""' not in text
        if name in read:
            assert normalised(read[name]) == text
    for one, text in texts.items():
        for other in texts:
            if text == texts[other]:
                assert same_program(executed[one].program, executed[other].program)


def written(text: str, tmp_path: Path | None = None) -> str:
    """The text of the mechanism ``m`` of a file that is read, or executed where there is a path."""
    if tmp_path is None:
        return normalised(dict(read_text(text, "some.py"))["m"])
    path = tmp_path / "some.py"
    path.write_text(text)
    return normalised(import_file(path).m)


BASE = """
from collections.abc import Iterator, Sequence
from typing import Annotated
from shiftproof import *

FACTOR = 2
P = Policy({1}, universe={0, 1, 2})
Own = Annotated[Sequence[float], Queries(sensitivity=1)]

def scaled(x, by):
    return by * x + FACTOR

@mechanism(DP(), budget=lambda eps, c: FACTOR * eps / c)
def m(q: Own, c: Public[Nat], eps: Epsilon) -> Iterator[float | None]:
    assert c >= 1 and len(q) >= 1
    for i in range(len(q)):
        noise = sample(Laplace(c / eps))
        if scaled(q[i], 1) + noise >= -3:
            yield max(q[i] + noise, 0.5)
        else:
            yield None
"""


class TestTheSameText:
    @pytest.mark.parametrize(
        "edits",
        [
            [("FACTOR", "OTHER_NAME")],
            [("FACTOR = 2", "FACTOR = 5 - 3")],
            [("FACTOR", "2"), ("2 = 2", "")],
            [("    return by", "    '''Say so.'''\n    # and why\n    return by")],
            [("    assert c", "    '''It does.'''\n    # really\n\n    assert c")],
            [("q: Own", "q: 'Own'")],
            [("Annotated[Sequence[float]", "Annotated[list[float]")],
            [("x, by):", "x: float, by: float) -> float:")],
            [("-> Iterator[float | None]", "")],
            [("sample(", "draw("), ("FACTOR = 2", "draw, FACTOR = sample, 2")],
            [("Laplace(", "sp.Laplace("), ("FACTOR = 2", "import shiftproof as sp; FACTOR = 2")],
            [("max(", "largest("), ("FACTOR = 2", "largest = max\nFACTOR = 2")],
            [("lambda eps, c:", "lambda c, eps:")],
            [("0.5", "5e-1"), ("-3", "-(3)")],
            [("None", "NOTHING"), ("FACTOR = 2", "NOTHING = None\nFACTOR = 2")],
            [("            yield None", "            yield (None)")],
            [("budget=lambda eps, c: FACTOR * eps / c", "budget=b"),
             ("@mech", "def b(eps, c):\n    return FACTOR * eps / c\n\n@mech")],
            [("noise = sample", "noise: float = sample")],
            [("FACTOR = 2", "def unused(x):\n    return x\nFACTOR = 2")],
        ],
    )  # fmt: skip
    def test_whatever_the_file_looks_like(
        self, edits: list[tuple[str, str]], tmp_path: Path
    ) -> None:
        text = BASE
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        wanted = written(BASE)
        if ("FACTOR", "2") in edits:
            text = text.replace("2 = 2", "")
        assert written(text) == wanted
        assert written(text, tmp_path) == wanted

    def test_definitions_in_any_order(self, tmp_path: Path) -> None:
        helper = "def scaled(x, by):\n    return by * x + FACTOR\n"
        later = BASE.replace(helper, "") + helper
        assert written(later) == written(BASE) == written(BASE, tmp_path)

    def test_helpers_from_elsewhere(self, tmp_path: Path) -> None:
        helper = "def scaled(x, by):\n    return by * x + FACTOR\n"
        (tmp_path / "beside.py").write_text("FACTOR = 2\n" + helper)
        from shiftproof.workspace.targets import resolve

        for imports in ("from beside import scaled\n", "import beside\n"):
            text = BASE.replace(helper, imports)
            if "from" not in imports:
                text = text.replace("scaled(q", "beside.scaled(q")
            (tmp_path / "m.py").write_text(text)
            for run in (False, True):
                (found,) = resolve(str(tmp_path / "m.py"), run)
                assert normalised(found) == written(BASE)


class TestAnotherText:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("FACTOR = 2", "FACTOR = 3"),
            ("FACTOR = 2", "FACTOR = 2.0"),
            ("by * x", "x * by"),
            ("x + FACTOR", "x - FACTOR"),
            (">= -3", "> -3"),
            (">= -3", ">= 3"),
            ("c / eps))", "1 / eps))"),
            ("Laplace(", "Exponential("),
            ("max(", "min("),
            ("0.5", "0.25"),
            ("yield None", "yield 0"),
            ("yield None", "yield 'None'"),
            ("yield None", "return"),
            ("c >= 1", "c >= 2"),
            (" and len(q) >= 1", ""),
            ("sensitivity=1", "sensitivity=2"),
            ("sensitivity=1", "sensitivity=1, differing='one'"),
            ("sensitivity=1", "sensitivity='c'"),
            ("Public[Nat]", "Public[int]"),
            ("DP()", "DP('add-remove')"),
            ("DP()", "ADP(P)"),
            ("eps / c)", "eps)"),
            ("eps / c)", "eps / c, expect='refuted')"),
            ("eps / c)", "eps * c / c)"),
            (", budget=lambda eps, c: FACTOR * eps / c", ""),
            ("range(len(q))", "range(1, len(q))"),
            ("def m(q: Own, c: Public[Nat]", "def m(c: Public[Nat], q: Own"),
            ("max(", "abs(0) + max("),
        ],
    )
    def test_for_whatever_matters(self, old: str, new: str) -> None:
        assert old in BASE
        changed = BASE.replace(old, new)
        assert written(changed) != written(BASE)
        assert fingerprint(written(changed)) != fingerprint(written(BASE))

    def test_policies(self) -> None:
        text = BASE.replace("DP()", "ADP(P)")
        found = {
            written(text.replace("Policy({1}, universe={0, 1, 2})", policy))
            for policy in (
                "Policy({1})", "Policy({1}, universe={0, 1, 2})", "Policy({2}, universe={0, 1, 2})",
                "Policy(set())", "Policy.everything()", "Policy.everything(range(3))",
            )
        }  # fmt: skip
        assert len(found) == 6
        same = text.replace("Policy({1}, universe={0, 1, 2})", "Policy([1, 1], (2, 1, 0))")
        assert written(same) == written(text)

    def test_a_shadowed_builtin(self) -> None:
        shadowed = BASE + "\ndef max(a, b):\n    return a + b\n"
        assert written(shadowed) != written(BASE)
        again = read_normalised(written(shadowed))
        assert not same_program(again.program, read_normalised(written(BASE)).program)


class TestNames:
    def same(self, text: str, tmp_path: Path) -> str:
        """The text, after a look at what it means."""
        found = dict(read_text(HEADER + text, "some.py"))["m"]
        result = normalised(found)
        again = read_normalised(result)
        assert same_program(again.program, found.program), result
        assert normalised(again) == result == written(HEADER + text, tmp_path)
        return result

    def test_locals_capture_nothing(self, tmp_path: Path) -> None:
        text = (
            "least, draw, L = min, sample, Laplace\ndef helper(x):\n    return x\nh = helper\n"
            "@mechanism(DP())\ndef m(sample: Count, eps: Epsilon):\n"
            "    min = 3\n    helper = 4\n    Laplace = 5\n    DP = 1\n    Count = 2\n"
            "    noise = draw(L(1 / eps))\n"
            "    yield least(h(sample), min) + noise + helper + Laplace + DP + Count\n"
        )
        result = self.same(text, tmp_path)
        assert "sample as sample_2" in result and "min_2 = min" in result
        assert "def helper_2(x)" in result

    def test_two_helpers_with_one_name(self, tmp_path: Path) -> None:
        text = (
            "def h(x):\n    return x + 1\none = h\ndef h(x):\n    return x + 2\n"
            "@mechanism(DP())\ndef m(x: Count, eps: Epsilon):\n    yield one(x) + h(one(x))\n"
        )
        result = self.same(text, tmp_path)
        assert "h(x) + h_2(h(x))" in result

    def test_a_mechanism_with_a_name_of_the_language(self, tmp_path: Path) -> None:
        text = (
            "draw = sample\n@mechanism(DP())\ndef sample(x: Count, eps: Epsilon):\n"
            "    noise = draw(Laplace(1 / eps))\n    yield x + noise\nm = sample\n"
        )
        assert "def sample(" in self.same(text, tmp_path)

    def test_helpers_of_helpers_and_rules(self, tmp_path: Path) -> None:
        text = (
            "K = 2\ndef near(x):\n    d = gap(x, other(x))\n    return -K <= d <= K\n"
            "def gap(x, y):\n    'The gap.'\n    return x - y\n"
            "@mechanism(Related(near))\ndef m(x: Private[float], eps: Epsilon):\n"
            "    noise = sample(Laplace(K / eps))\n    return x + noise\n"
        )
        result = self.same(text, tmp_path)
        assert re.search(r"def gap.*def near.*Related\(near\)", result, re.DOTALL)
        changed = self.same(text.replace("K = 2", "K = 3"), tmp_path)
        assert not same_program(read_normalised(result).program, read_normalised(changed).program)

    def test_functions_inside(self, tmp_path: Path) -> None:
        text = (
            "K = 2\n@mechanism(DP())\ndef m(x: Count, eps: Epsilon):\n    y = x\n"
            "    def inner(a: int, b: float = 0 if False else 1) -> float:\n        return a\n"
        ).replace(": float = 0 if False else 1", ": float") + (
            "    K2 = K\n    def more(K):\n        '''K is its own.'''\n        return K + y\n"
            "    yield inner(y, K) + more(K2)\n"
        )
        assert "def more(K):\n        return K + y" in self.same(text, tmp_path)

    def test_kinds(self, tmp_path: Path) -> None:
        text = (
            "from fractions import Fraction\nfrom collections.abc import Iterable\n"
            "@mechanism(DP())\ndef m(\n    a: Counts, b: Count, c: Histogram,\n"
            "    d: Annotated[Sequence[int], CountingQueries({0, 2}, one_hot=True)],\n"
            "    e: Annotated[Sequence[int], LocationCounts(by='f')], f: Public[IntVector],\n"
            "    g: Annotated[Sequence[int], WindowCounts(3)],\n"
            "    h: Annotated[Sequence[float], Queries(Fraction(1, 3), 'decreasing', 'one')],\n"
            "    i: Annotated[float, Query(0.5)], j: Annotated[float, Query('n')],\n"
            "    k: Annotated[Iterable[float], Stream(1, 'increasing')],\n"
            "    l: Annotated[Sequence[Sequence[int]], DataSet(2)],\n"
            "    o: Annotated[float, Value(-1.5, 2)], p: Annotated[int, IntegerValue(0, 3)],\n"
            "    q: Private[float], r: Private[int], s: Private[list[float]], t: Public[float],\n"
            "    u: Public[int], n: Public[Nat], v: Public[Vector], eps: Epsilon,\n"
            "):\n    yield 1\n"
        )
        self.same(text, tmp_path)

    def test_what_cannot_be_written(self, tmp_path: Path) -> None:
        text = (
            HEADER + "def b(eps):\n    eps = 2 * eps\n    return eps\n"
            "@mechanism(DP(), budget=b)\ndef m(x: Count, eps: Epsilon):\n    yield 1\n"
        )
        with pytest.raises(Unsupported) as caught:
            written(text, tmp_path)
        assert caught.value.location is not None


class TestReading:
    @pytest.mark.parametrize(
        "text",
        ["", "x = 1", "(" * 5000, "-" * 100_000 + "1", "x" * 2_000_000, "\x00", "import os",
         "1 / 0",
         "from shiftproof import *\n@mechanism(DP())\ndef m(x, eps: Epsilon):\n    yield 1",
         "from shiftproof import *\nfrom os import *\n@mechanism(DP())\ndef m(): ...",
         "from shiftproof import *\n@mechanism(unknown())\ndef m(eps: Epsilon):\n    yield 1",
         "import shiftproof.__main__", "from shiftproof import __main__"],
        ids=range(13),
    )  # fmt: skip
    def test_hostile_texts(self, text: str) -> None:
        with pytest.raises((BadInput, Unsupported)):
            _ = read_normalised(text).program

    def test_deep_bodies(self) -> None:
        for expression in ("x" + " + x" * 5000, "-" * 900 + "x", "abs(" * 90 + "x" + ")" * 90):
            text = (
                "from shiftproof import *\n@mechanism(DP())\n"
                f"def m(x: Count, eps: Epsilon):\n    yield {expression}\n"
            )
            try:
                normalised(read_normalised(text))
            except (BadInput, Unsupported):
                pass

    def test_long_budgets(self) -> None:
        names = [f"e{k}" for k in range(40)]
        factor = f"({' + '.join(names)})"
        text = (
            f"from shiftproof import *\n@mechanism(DP(), budget=lambda {', '.join(names)}: "
            f"{' * '.join([factor] * 20)})\n"
            f"def m({', '.join(f'{n}: Epsilon' for n in names)}):\n    yield 1\n"
        )
        with counted() as work, pytest.raises((BadInput, Unsupported)):
            _ = read_normalised(text).program
        assert work.calls < 12_000_000  # 2.4 million today, a second; all terms would be 40 ** 20

    def test_the_last_mechanism_is_meant(self) -> None:
        one = "@mechanism(DP())\ndef {}(eps: Epsilon):\n    yield 1\n"
        text = "from shiftproof import *\n" + one.format("a") + one.format("b")
        assert read_normalised(text).function.__name__ == "b"
        with pytest.raises(BadInput, match="<normalised>:5:1"):
            read_normalised(text.replace("def b(eps: Epsilon)", "def b(eps)"))

    def test_it_is_quick(self) -> None:
        gallery = [m for path in FILES[:27] for m in readable(load(path)).values()]
        for text in map(normalised, gallery):
            with counted() as work:
                _ = read_normalised(text).program
            assert work.calls < 60 * len(text)  # at most 22 of each character today
