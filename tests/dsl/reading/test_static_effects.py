"""Code that runs while a file is imported may change what its mechanisms use.

Each case changes K behind the back of whoever reads the file; executing the file shows it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof.dsl.errors import BadInput, Unsupported
from shiftproof.dsl.static import read_file
from shiftproof.workspace.targets import resolve
from tests.loading import load

HEAD = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample
K = 1
"""
MECHANISM = """
@mechanism(DP())
def noisy(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(K / eps))
    return q + noise
"""
CHANGES = "globals().__setitem__('K', 0.001)"
METHOD = """
class C:
    def {name}({parameters}):
        global K
        K = 0.001
        return {result}
"""


def method(name: str, parameters: str, result: str, use: str) -> str:
    return METHOD.format(name=name, parameters=parameters, result=result) + use + "\n"


CASES = {
    "a lambda called in a class": f"class C:\n    x = (lambda: {CHANGES})()\n",
    "a lambda as decorator": f"@lambda f: {CHANGES}\ndef h(): pass\n",
    "a lambda as decorator of a class": f"@lambda f: {CHANGES}\nclass H: pass\n",
    "a function of a class": f"class C:\n    def g():\n        {CHANGES}\n    g()\n",
    "a static method": f"class C:\n    @staticmethod\n    def g():\n        {CHANGES}\nC.g()\n",
    "a subclass": (
        f"class C:\n    def __init_subclass__(cls):\n        {CHANGES}\nclass D(C): pass\n"
    ),
    "a metaclass": (
        f"class M(type):\n    def __new__(m, *a):\n        {CHANGES}\n"
        "        return type.__new__(m, *a)\nclass D(metaclass=M): pass\n"
    ),
    "an attribute that is told its name": (
        f"class S:\n    def __set_name__(self, o, n):\n        {CHANGES}\n"
        "class D:\n    s = S()\n"
    ),
    "global in a class": "class C:\n    global K\n    K = 0.001\n",
    "a function made by a function": (
        f"def a():\n    def b():\n        {CHANGES}\n    return b\na()()\n"
    ),
    "map": f"list(map(lambda x: {CHANGES}, [1]))\n",
    "a sorting key": f"sorted([1], key=lambda x: {CHANGES} or 0)\n",
    "a lambda by name": f"g = lambda: {CHANGES}\ng()\n",
    "a lambda in a dictionary": f"d = {{'a': lambda: {CHANGES}}}\nd['a']()\n",
    "a lambda in a list of tuples": f"d = [(1, lambda: {CHANGES})]\nd[0][1]()\n",
    "a default": f"def h(x=(lambda: {CHANGES})()): pass\n",
    "an annotation": f"x: (lambda: {CHANGES})() = 1\n",
    "a comprehension": f"[{CHANGES} for _ in [1]]\n",
    "a generator": f"any({CHANGES} for _ in [1])\n",
    "a walrus": "[K := 0.001 for _ in [1]]\n",
    "a with block": "import contextlib\nwith contextlib.nullcontext(0.001) as K: pass\n",
    "an assertion": f"assert {CHANGES} is None\n",
    "the module itself": "import sys\nsys.modules[__name__].K = 0.001\n",
    "a frame": "import sys\nsys._getframe().f_globals['K'] = 0.001\n",
    "vars": "import operator\noperator.setitem(vars(), 'K', 0.001)\n",
    "exec": "exec('K = 0.001')\n",
    "a partial": "import functools\nfunctools.partial(globals().update, K=0.001)()\n",
    "a class made by type": f"type('X', (), {{'__init__': lambda s: {CHANGES}}})()\n",
    "match": "match 0.001:\n    case K: pass\n",
    "a coroutine": (
        "async def f():\n    global K\n    K = 0.001\n"
        "try:\n    f().send(None)\nexcept StopIteration: pass\n"
    ),
    "a method": method("g", "self", "None", "C().g()"),
    "an index of a class": method("__class_getitem__", "cls, k", "int", "x: C[1] = 1"),
    "addition": method("__add__", "self, o", "1", "C() + 1"),
    "truth": method("__bool__", "self", "True", "if C(): pass"),
    "iteration": method("__iter__", "self", "iter([])", "for _ in C(): pass"),
    "formatting": method("__format__", "self, s", "''", "x = f'{C()}'"),
    "comparison": method("__eq__", "self, o", "True", "C() == 1"),
    "a function's globals": "def h(): pass\nh.__globals__.update(K=0.001)\n",
    "the end of an object": method("__del__", "self", "None", "C()"),
}  # fmt: skip


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("case", CASES)
def test_what_changes_a_constant_makes_it_unknown(case: str, after: bool, tmp_path: Path) -> None:
    path = tmp_path / "changed.py"
    parts = [HEAD, MECHANISM, CASES[case]] if after else [HEAD, CASES[case], MECHANISM]
    path.write_text("".join(parts), encoding="utf-8")
    noisy = load(path)["noisy"]
    assert noisy.function.__globals__["K"] == 0.001 or case == "a lambda as decorator of a class"
    with pytest.raises((Unsupported, BadInput)):
        _ = dict(read_file(path))["noisy"].program


@pytest.mark.parametrize(
    "case", ["__builtins__.K = 1", "getattr(__builtins__, 'exec')('K = 0.001')"]
)
def test_the_builtins_are_not_touched(case: str, tmp_path: Path) -> None:
    path = tmp_path / "changed.py"
    path.write_text(f"{HEAD}{MECHANISM}{case}\n", encoding="utf-8")
    with pytest.raises((Unsupported, BadInput)):
        _ = dict(read_file(path))["noisy"].program


#: Modules beside the file that change each other: the file itself, then the others.
BESIDE = {
    "an import in a try": {
        "consts": "K = 1\n",
        "helper": (
            "try:\n    import consts\nexcept ImportError:\n    pass\n"
            "else:\n    consts.K = 0.001\n"
        ),
    },
    "an import in a class": {
        "consts": "K = 1\n",
        "helper": "class X:\n    import consts\n    consts.K = 0.001\n",
    },
    "a module that changes itself": {
        "consts": "K = 1\nclass X:\n    import consts\n    consts.K = 0.001\n",
        "helper": "",
    },
    "a lambda in a module": {
        "consts": "K = 1\n(lambda: globals().update(K=0.001))()\n",
        "helper": "",
    },
    "code in a string": {
        "consts": "K = 1\n",
        "helper": "import timeit\ntimeit.timeit('import consts; consts.K = 0.001', number=1)\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("case", BESIDE)
def test_what_modules_do_to_each_other_is_not_missed(case: str, tmp_path: Path) -> None:
    for name, text in BESIDE[case].items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    path = tmp_path / "main_file.py"
    head = HEAD.replace("K = 1\n", "import helper\nfrom consts import K\n")
    path.write_text(head + MECHANISM, encoding="utf-8")
    (noisy,) = resolve(str(path), run=True)
    assert noisy.function.__globals__["K"] == 0.001
    with pytest.raises((Unsupported, BadInput)):
        _ = resolve(str(path))[0].program


REPLACED = {
    "a method of mechanisms": (MECHANISM, "type(noisy).__call__ = lambda s, q, eps: float(q)\n"),
    "in a loop": (MECHANISM, "for x in [type(noisy)]:\n    x.__call__ = lambda s, q, eps: q\n"),
    "a method of noise": ("type(Laplace(1)).draw = lambda s, r: 0.0\n", MECHANISM),
    "as a script": (MECHANISM, "if __name__ == '__main__':\n    K = 0.001\n"),
    "the script itself": (MECHANISM, "import __main__\n__main__.K = 0.001\n"),
}


@pytest.mark.parametrize("case", REPLACED)
def test_what_is_replaced_is_not_read(case: str, tmp_path: Path) -> None:
    path = tmp_path / "replaced.py"
    path.write_text(HEAD + "".join(REPLACED[case]), encoding="utf-8")
    with pytest.raises((Unsupported, BadInput)):
        _ = dict(read_file(path))["noisy"].program


HARMLESS = {
    "a class with a property": (
        "class C:\n    @property\n    def p(self):\n        return vars(self)\n"
    ),
    "a lambda": "double = lambda x: 2 * x\n",
    "a function that is not called": f"def h():\n    {CHANGES}\n",
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_changes_nothing_does_no_harm(case: str, tmp_path: Path) -> None:
    path = tmp_path / "harmless.py"
    path.write_text(f"{HEAD}{HARMLESS[case]}{MECHANISM}", encoding="utf-8")
    assert dict(read_file(path))["noisy"].program.name == "noisy"
