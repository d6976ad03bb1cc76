# ruff: noqa: E501
"""Random modules: what is believed of them after reading is what importing them gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.believing import believed, wrongly_believed
from tests.sampling import every

NUMBERS, LISTS, FUNCTIONS = ("a", "b", "c", "min"), ("A", "B"), ("f", "g", "h")
HEAD = """
import math, sys, beside
from typing import TYPE_CHECKING
from shiftproof import DP, Count, Epsilon, mechanism
a, b, c, min = 1, 2, 3, 4
A, B = [1, 2], [3]
def f(*x): return 5
def g(*x): return a
def h(*x): pass
class C:
    z = 1
    def m(self, *x): return 6
"""
BESIDE = """
from typing import TYPE_CHECKING
a, b = 11, 12
A = [13]
def f(*x): return 14
"""
MECHANISM = "@mechanism(DP())\ndef noisy(q: Count, eps: Epsilon):\n    yield a\n"


class Writer:
    """Writes statements; ``n``, ``m`` stand for numbers' names, ``l`` for lists', ``f`` for others'."""

    def __init__(self, chance: random.Random, beside: bool = False) -> None:
        self.chance = chance
        self.beside = beside

    def module(self) -> str:
        size = self.chance.randint(2, 7)
        return "".join(self.statement(2) for _ in range(size))

    def statement(self, depth: int) -> str:
        which = self.chance.choices([PLAIN, BLOCKS, FAR], [70, 20 if depth else 0, 4])[0]
        text = self.chance.choice(which)
        while self.beside and any(word in text for word in ("beside", "math", "sys", "C")):
            text = self.chance.choice(PLAIN)
        # Functions that call each other may never end.
        ends = "def " in text or "lambda" in text
        names = {
            "n": self.name(NUMBERS), "m": self.name(NUMBERS), "l": self.name(LISTS),
            "k": self.name(LISTS), "f": self.name(FUNCTIONS), "g": self.name(FUNCTIONS),
            "v": self.value(ends), "w": self.value(ends),
            "i": str(self.chance.randint(20, 99)),
        }  # fmt: skip
        for part in ("block", "other"):
            if f"{{{part}}}" in text:
                inside = self.statement(depth - 1)
                names[part] = inside.replace("\n", "\n    ").rstrip() or "pass"
        return text.format(**names) + "\n"

    def name(self, names: tuple[str, ...]) -> str:
        chosen = self.chance.choice(names)
        return {"B": "A", "g": "f", "h": "f", "c": "a", "min": "b"}.get(chosen, chosen) if (
            self.beside
        ) else chosen  # fmt: skip

    def value(self, ends: bool) -> str:
        others = VALUES[:9] if self.beside else VALUES
        others = [v for v in others if not ends or ("f" not in v and "C()" not in v)]
        return self.chance.choice(others).format(
            n=self.name(NUMBERS), m=self.name(NUMBERS), l=self.name(LISTS), f=self.name(FUNCTIONS),
            i=self.chance.randint(20, 99),
        )  # fmt: skip


VALUES = [
    "{i}", "{n}", "{n} + {m}", "-{n}", "{n} * {i}", "{l}[0]", "{l}[-1]", "{f}()", "len({l})",
    "math.floor(2.5)", "beside.a", "beside.f()", "beside.A[0]", "C.z", "C().m()", "(lambda: {n})()",
    "max({n}, {m})", "{n} if {m} > 3 else {i}", "[{n} for _ in '1'][0]", "sum({l})", "abs({n})",
    "[{f}][0]()", "{{1: {n}}}[1]", "({n}, {m})[1]", "int('{i}')", "({n} := {i})", "round({n})",
    "{n} // 2", "{n} % 5", "f({n}) and {m}", "not {n}", "C().m({l}.append({i}))",
]  # fmt: skip
PLAIN = [
    "{n} = {v}", "{n} = {v}", "{n} = {v}", "{n}, {m} = {v}, {w}", "{n} = {m} = {v}", "{n} += {v}",
    "{n}: int = {v}", "{l} = [{v}, {w}]", "{l} = {k}", "{l}.append({v})", "{l}[0] = {v}",
    "{l} += [{v}]", "{l}[:] = [{v}]", "{l}.insert(0, {v})", "{f} = {g}", "{f}({l})", "{f}()",
    "def {f}(*x): return {v}", "def {f}(*x):\n    {l}.append({v})\n    return {i}",
    "def {f}(*x):\n    global {n}\n    {n} = {v}\n    return {i}",
    "def {f}(*x):\n    {l}[0] = {v}\n    return {i}", "def {f}(*x, y={v}): return y",
    "def {f}(*x, y={l}):\n    y.append({v})\n    return {i}", "{f} = lambda *x: {v}",
    "@(lambda u: u)\ndef {f}(*x): return {v}", "@{g}\ndef unused(): pass",
    "del {n}\n{n} = {v}", "from math import floor, pi as {n}\n{n} = floor({n})",
    "beside.{f}()" , "beside.A.append({v})", "from beside import a as {n}", "from beside import A as {l}",
    "import beside as other\n{n} = other.b",
    "for {n} in [{v}]: pass", "[{n} := {v} for _ in '1']", "assert ({n} := {i})",
    "match {v}:\n    case {n}: pass",
    "class C:\n    z = {v}\n    def m(self, *x): return {w}",
    "class C:\n    z = {v}\n    def m(self, *x):\n        {l}.append({i})\n        return {w}",
    "class C:\n    z = {l}[0]\n    {n} = {v}\n    def m(self, *x): return {w}",
    "class D(C):\n    def __init_subclass__(c):\n        global {n}\n        {n} = {i}\nclass E(D): pass",
    "print(end='')", "x = sorted({l}, key={f})", "x = list(map({f}, {l}))", "def unused(y: {v} = {w}): pass",
]  # fmt: skip
#: What leaves nothing known.
FAR = [
    "globals()['{n}'] = {v}",
    "exec('{n} = {i}')",
    "setattr(sys.modules[__name__], '{n}', {v})",
    "vars()['{n}'] = {v}",
    "C.z = {v}",
    "getattr({f}, '__globals__', {{}})['{n}'] = {v}",
    "beside.a = {v}",
    "def {f}(*x):\n    globals()['{n}'] = {v}\n    return {i}",
    "from beside import *",
    "import math\nmath.pi = {v}",
    "__doc__ = {v}",
]  # fmt: skip
BLOCKS = [
    "if {n}:\n    {block}", "if {v} > 20:\n    {block}\nelse:\n    {other}", "if True:\n    {block}",
    "if TYPE_CHECKING:\n    {block}", "if not TYPE_CHECKING:\n    {block}\nelse:\n    {other}",
    "if __debug__:\n    {block}", "if __name__ == '__main__':\n    {block}", "for _ in '12':\n    {block}",
    "try:\n    {block}\nexcept ValueError:\n    {other}", "try:\n    {block}\nfinally:\n    {other}",
    "try:\n    {block}\n    1 / 0\nexcept ZeroDivisionError as e:\n    {other}",
    "while {n}:\n    {block}\n    break", "class D:\n    {block}", "match {n}:\n    case _:\n        pass\n{other}",
]  # fmt: skip


def check(seed: int, folder: Path) -> int:
    """How many names are known of a random module; -1 if it cannot be imported."""
    chance = random.Random(seed)
    text = HEAD + Writer(chance).module() + MECHANISM + Writer(chance).module()
    (folder / "beside.py").write_text(BESIDE + Writer(chance, beside=True).module())
    path = folder / "random_module.py"
    path.write_text(text)
    known = believed(path)
    try:
        wrong = wrongly_believed(path, known)
    except RuntimeError:
        return -1
    assert not wrong, (
        f"seed {seed}: {wrong}\n{text}\n# beside:\n{(folder / 'beside.py').read_text()}"
    )
    return len(known or {})


@pytest.mark.parametrize("start", every(4, range(0, 200, 50)))
def test_random_modules(start: int, tmp_path: Path) -> None:
    found = [check(seed, tmp_path) for seed in range(start, start + 50)]
    assert sum(known >= 0 for known in found) > 20 and sum(known > 12 for known in found) > 5


@pytest.mark.slow
def test_many_random_modules(tmp_path: Path) -> None:
    for seed in range(3000):
        check(seed, tmp_path)
