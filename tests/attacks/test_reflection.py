# ruff: noqa: E501
"""Code that runs at import changes K from 1 behind the back of whoever reads the file.

The truth is what importing the file gives: nothing that is believed may be another way.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.believing import believed, imported, wrongly_believed

HEAD = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample
K = 1
def h(): pass
"""
MECHANISM = """
@mechanism(DP())
def noisy(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(K / eps))
    return q + noise
"""
G = "'__globals__'"
OWN = "class C:\n    def {name}(self{more}):\n        global K\n        K = 2\n        {then}\n"

BY_NAME = {
    "getattr": f"getattr(h, {G})['K'] = 2\n",
    "getattr by another name": f"g = getattr\ng(h, {G})['K'] = 2\n",
    "getattr in a list": f"gs = [getattr]\ngs[0](h, {G})['K'] = 2\n",
    "getattr in a dictionary": f"gs = {{1: (getattr,)}}\ngs[1][0](h, {G})['K'] = 2\n",
    "getattr as a default": f"def f(g=getattr):\n    g(h, {G})['K'] = 2\nf()\n",
    "getattr from builtins": f"from builtins import getattr as g\ng(h, {G})['K'] = 2\n",
    "getattr of builtins": f"import builtins as b\nb.getattr(h, {G})['K'] = 2\n",
    "getattr that is bound again": (
        f"g = getattr\ndef f():\n    g(h, {G})['K'] = 2\nf()\ng = 3\n"
    ),
    "getattr of a function that deletes": (
        f"g = getattr\ndef f():\n    g(h, {G})['K'] = 2\nf()\ndel g\n"
    ),
    "getattr in a block that binds it again": (
        f"g = getattr\nfor _ in [1]:\n    g(h, {G})['K'] = 2\n    g = 3\n"
    ),
    "getattr that a function declares global": (
        f"def f():\n    global g\n    g = 3\ng = getattr\ng(h, {G})['K'] = 2\n"
    ),
    "a parameter hides it elsewhere": (
        f"def f():\n    def inner(getattr): pass\n    getattr(h, {G})['K'] = 2\nf()\n"
    ),
    "a comprehension hides it after its source": (
        f"[getattr for getattr in [getattr(h, {G}).update(K=2)]]\n"
    ),
    "a class binds it": f"class X:\n    g = getattr\n    g(h, {G})['K'] = 2\n",
    "the attribute": "h.__globals__['K'] = 2\n",
    "the attribute, by a pattern": (
        "import types\nmatch h:\n    case types.FunctionType(__globals__=g):\n        g['K'] = 2\n"
    ),
    "the attribute, by a pattern of a class": (
        "class M(type):\n    def __instancecheck__(c, o):\n        return True\n"
        "class P(metaclass=M):\n    __match_args__ = ('__globals__',)\n"
        "match h:\n    case P(g):\n        g['K'] = 2\n"
    ),
    "__getattribute__": f"object.__getattribute__(h, {G})['K'] = 2\n",
    "__getattribute__ of its type": f"type(h).__getattribute__(h, {G})['K'] = 2\n",
    "__dict__ of its type": f"type(h).__dict__[{G}].__get__(h)['K'] = 2\n",
    "attrgetter": f"import operator\noperator.attrgetter({G})(h)['K'] = 2\n",
    "attrgetter by name": f"from operator import attrgetter\nattrgetter({G})(h)['K'] = 2\n",
    "attrgetter in a try": (
        f"try:\n    from operator import attrgetter as a\nfinally:\n    pass\na({G})(h)['K'] = 2\n"
    ),
    "methodcaller": (
        f"import operator\noperator.methodcaller('__getattribute__', {G})(h)['K'] = 2\n"
    ),
    "a formatter": (
        "import string\nstring.Formatter().get_field('0.__globals__', (h,), {})[0]['K'] = 2\n"
    ),
    "reduce": f"import functools\nfunctools.reduce(getattr, [h, {G}])['K'] = 2\n",
    "map": f"list(map(getattr, [h], [{G}]))[0]['K'] = 2\n",
    "partial": f"import functools\nfunctools.partial(getattr, h)({G})['K'] = 2\n",
    "inspect": "import inspect\ninspect.getmembers(h)\ndict(inspect.getmembers(h))['__globals__']['K'] = 2\n",
    "closures": "import inspect\ninspect.currentframe().f_globals['K'] = 2\n",
    "gc": "import gc\n[d for d in gc.get_referrers(h) if type(d) is dict and 'K' in d][0]['K'] = 2\n",
    "a frame": "import sys\nsys._getframe().f_globals['K'] = 2\n",
    "a frame by name": "from sys import _getframe as f\nf().f_globals['K'] = 2\n",
    "a frame of a generator": (
        "g = (i for i in [1])\ng.gi_frame.f_globals['K'] = 2\n"
    ),
    "a frame of a generator with attributes of one's own": (
        "class X:\n    gi_frame = f_globals = 1\ng = (i for i in [1])\ng.gi_frame.f_globals['K'] = 2\n"
    ),
    "a frame of an exception": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n"
        "    e.__traceback__.tb_frame.f_globals['K'] = 2\n"
    ),
    "sys.modules": "import sys\nsys.modules[__name__].K = 2\n",
    "sys.modules and vars": "import sys\nvars(sys.modules[__name__])['K'] = 2\n",
    "sys.modules by typing": "from typing import sys\nsys.modules[__name__].K = 2\n",
    "sys.modules by collections": "from collections import _sys as s\ns.modules[__name__].K = 2\n",
    "sys.modules by another library": "import logging\nlogging.sys.modules[__name__].K = 2\n",
    "an indexed library": "import sys\nm = sys.modules[__name__]\nm.K = 2\n",
    "an indexed library and setattr": (
        "import sys\nm = sys.modules[__name__]\nobject.__setattr__(m, 'K', 2)\n"
    ),
    "importlib": "import importlib\nimportlib.import_module(__name__).K = 2\n",
    "__import__": "__import__(__name__).K = 2\n",
    "an import of itself": "import {name} as me\nme.K = 2\n",
    "types": "import types\ntypes.FunctionType(compile('globals()[\"K\"] = 2', '', 'exec'), h.__globals__)()\n",
    "ctypes": (
        "import ctypes\nctypes.pythonapi.PyFunction_GetGlobals.restype = ctypes.py_object\n"
        "ctypes.pythonapi.PyFunction_GetGlobals(ctypes.py_object(h))['K'] = 2\n"
    ),
    "globals": "globals()['K'] = 2\n",
    "globals in an annotation": "def f(a: globals().update(K=2)): pass\n",
    "globals in an annotation of a variable": "x: globals().update(K=2) = 3\n",
    "globals in the annotation of an attribute": "h.x: globals().update(K=2) = 3\n",
    "globals in a target": "(globals().update(K=2) or h).x: int\n",
    "a quoted annotation of a mechanism": (
        "@mechanism(DP())\ndef n(q: \"(globals().update(K=2), Count)[1]\", eps: Epsilon):\n"
        "    yield 1\n"
    ),
    "a quote in a quote": (
        "from shiftproof import Public\n@mechanism(DP())\n"
        "def n(q: 'Public[\"(globals().update(K=2), int)[1]\"]', eps: Epsilon):\n    yield 1\n"
    ),
    "a quote of a mechanism in a loop": (
        "for _ in [1]:\n    @mechanism(DP())\n"
        "    def n(q: '(globals().update(K=2), Count)[1]', eps: Epsilon):\n        yield 1\n"
    ),
    "a quote of a method": (
        "class C:\n    def n(q: '(globals().update(K=2), Count)[1]', eps: Epsilon):\n"
        "        yield 1\nn = mechanism(DP())(C.n)\n"
    ),
    "a quote of a factory": (
        "def make():\n    @mechanism(DP())\n"
        "    def n(q: '(globals().update(K=2), Count)[1]', eps: Epsilon):\n        yield 1\n"
        "make()\n"
    ),
    "a quote that binds": (
        "for _ in [1]:\n    @mechanism(DP())\n"
        "    def n(q: '((K := 2), Count)[1]', eps: Epsilon):\n        yield 1\n"
    ),
    "a text as a type": (
        "from shiftproof import Public\nT = '(globals().update(K=2), int)[1]'\n"
        "@mechanism(DP())\ndef n(q: Public[T], eps: Epsilon):\n    yield 1\n"
    ),
    "a text as a type, by a call": (
        "from shiftproof import Public\n@mechanism(DP())\n"
        "def n(q: Public[str('(globals().update(K=2), int)[1]')], eps: Epsilon):\n    yield 1\n"
    ),
    "a text as a type, in a dictionary": (
        "from shiftproof import Public\nT = {1: '(globals().update(K=2), int)[1]'}\n"
        "@mechanism(DP())\ndef n(q: Public[T[1]], eps: Epsilon):\n    yield 1\n"
    ),
    "a text as a type, in a loop": (
        "from shiftproof import Public\nfor T in ['(globals().update(K=2), int)[1]']:\n"
        "    pass\n@mechanism(DP())\ndef n(q: Public[T], eps: Epsilon):\n    yield 1\n"
    ),
    "a text as a type of a method": (
        "from shiftproof import Public\nT = '(globals().update(K=2), int)[1]'\n"
        "class C:\n    def n(q: Public[T], eps: Epsilon):\n        yield 1\n"
        "n = mechanism(DP())(C.n)\nT = 3\n"
    ),
    "a text as a type of a function": (
        "from shiftproof import Public\nT = '(globals().update(K=2), int)[1]'\n"
        "def n(q: Public[T], eps: Epsilon):\n    yield 1\nclaim = mechanism(DP())\n"
        "n = claim(n)\n"
    ),
    "locals": "locals()['K'] = 2\n",
    "vars": "vars()['K'] = 2\n",
    "builtins": "__builtins__['exec']('K = 2') if type(__builtins__) is dict else 0\n",
    "exec": "exec('K = 2')\n",
    "eval": "eval('globals().update(K=2)')\n",
    "compile": "exec(compile('K = 2', '', 'exec'))\n",
    "exec by map": "list(map(exec, ['global K; K = 2']))\n",
    "exec by a decorator": "@exec\n@str\n@(lambda f: 'K = 2')\ndef f(): pass\n",
    "exec by a key": "sorted(['K = 2'], key=exec)\n",
    "a library's text": "import timeit\ntimeit.timeit('g[\"K\"] = 2', globals={'g': globals()}, number=1)\n",
    "pickle": (
        "import pickle\npickle.loads(b'cbuiltins\\nexec\\n(Vimport sys; sys.modules[\"{name}\"].K = 2\\ntR.')\n"
    ),
    "quoted types of a method": (
        "import typing\nclass C:\n    def m(self, a: 'globals().update(K=2)'): pass\n"
        "typing.get_type_hints(C.m)\n"
    ),
    "quoted types of a function": (
        "from typing import get_type_hints\ndef f(a: 'globals().update(K=2)'): pass\n"
        "get_type_hints(f)\n"
    ),
    "quoted types by dispatch": (
        "import functools\n@functools.singledispatch\ndef f(a): pass\n@f.register\n"
        "def g(a: '[globals().update(K=2), int][1]'): pass\n"
    ),
    "a forward reference": (
        "import typing\ntyping.ForwardRef('globals().update(K=2)')._evaluate(globals(), None, frozenset())\n"
    ),
    "wraps": (
        "import functools\n@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "@mechanism(DP())\ndef o(q: Count, eps: Epsilon):\n    yield 0\n"
        "functools.wraps(o, ())(n)\nK = [*n.function(3, 1)][0]\n"
    ),
    "a thread": (
        "import threading\ndef f():\n    global K\n    K = 2\n"
        "t = threading.Thread(target=f)\nt.start()\nt.join()\n"
    ),
    "an import hook": (
        "import sys\nclass F:\n    def find_spec(self, *a):\n        global K\n        K = 2\n"
        "sys.meta_path.insert(0, F())\ntry:\n    import nowhere_at_all\nexcept ImportError:\n    pass\n"
    ),
}  # fmt: skip

BY_RUNNING = {
    "a call": "def f():\n    global K\n    K = 2\nf()\n",
    "a call that hides a builtin": "def f():\n    global K, len\n    K = 2\n    len = abs\nf()\n",
    "a decorator": "def d(f):\n    global K\n    K = 2\n    return f\n@d\ndef g(): pass\n",
    "a decorator of a class": "def d(f):\n    global K\n    K = 2\n    return f\n@d\nclass G: pass\n",
    "a lambda that calls": "@(lambda f: f())\ndef g():\n    global K\n    K = 2\n",
    "a default": "def d():\n    global K\n    K = 2\ndef g(a=d()): pass\n",
    "a default of a lambda": "def d():\n    global K\n    K = 2\ng = lambda a=d(): a\n",
    "a base": "def d():\n    global K\n    K = 2\n    return object\nclass X(d()): pass\n",
    "a subclass": OWN.format(name="__init_subclass__", more="", then="") + "class D(C): pass\n",
    "a name in a class": (
        OWN.format(name="__set_name__", more=", *a", then="") + "class D:\n    a = C()\n"
    ),
    "a class's own function": "class X:\n    def f():\n        global K\n        K = 2\n    f()\n",
    "a class's own lambda": (
        "class X:\n    len = lambda a: h.__globals__.update(K=2)\n    len(1)\n"
    ),
    "an enumeration": (
        "import enum\nclass E(enum.Enum):\n    A = 1\n    def __init__(self, v):\n"
        "        global K\n        K = 2\n"
    ),
    "with": (
        OWN.format(name="__enter__", more="", then="")
        + "    def __exit__(self, *a): pass\nwith C(): pass\n"
    ),
    "a loop": OWN.format(name="__iter__", more="", then="return iter(())") + "for _ in C(): pass\n",
    "unpacking": OWN.format(name="__iter__", more="", then="return iter((1,))") + "a, = C()\n",
    "in": OWN.format(name="__contains__", more=", o", then="return True") + "1 in C()\n",
    "equal": OWN.format(name="__eq__", more=", o", then="return True") + "x = [C()] == [1]\n",
    "hash": OWN.format(name="__hash__", more="", then="return 1") + "x = {C(): 1}\n",
    "length": OWN.format(name="__len__", more="", then="return 1") + "x = not C()\n",
    "index": OWN.format(name="__index__", more="", then="return 0") + "x = [1][C()]\n",
    "an attribute": OWN.format(name="__getattr__", more=", n", then="return 0") + "C().real\n",
    "a property": (
        "class C:\n    @property\n    def p(self):\n        global K\n        K = 2\nC().p\n"
    ),
    "print": OWN.format(name="__str__", more="", then="return ''") + "print(end=str(C()))\n",
    "a pattern": OWN.format(name="__eq__", more=", o", then="return True")
    + "match C():\n    case 3: pass\n",
    "a generator": "def g():\n    global K\n    K = 2\n    yield\nlist(g())\n",
    "a generator that is thrown away": (
        "def g():\n    global K\n    try:\n        yield\n    finally:\n        K = 2\n"
        "x = g()\nnext(x)\nx = 3\n"
    ),
    "an object that is thrown away": OWN.format(name="__del__", more="", then="") + "C()\n",
    "a coroutine": (
        "async def f():\n    global K\n    K = 2\ntry:\n    f().send(None)\nexcept StopIteration:\n"
        "    pass\n"
    ),
    "a comprehension": "[K := 2 for _ in [1]]\n",
    "a nested comprehension": "[[K := 2 for _ in [1]] for _ in [1]]\n",
    "a walrus in an index": "x = [1, 2][(K := 2) - 1]\n",
    "a walrus in a type of numpy": (
        "from typing import Annotated\nfrom numpy.typing import NDArray\n"
        "T = Annotated[NDArray[(K := 2) and int], 3]\n"
    ),
    "for": "for K in [2]: pass\n",
    "for an index": "A = [1]\nfor A[0] in [2]: pass\nK = A[0]\n",
    "with as": "import contextlib\nwith contextlib.nullcontext(2) as K: pass\n",
    "except as": "try:\n    1 / 0\nexcept ZeroDivisionError as K: pass\n",
    "a capture": "match {'a': 2}:\n    case {'a': K}: pass\n",
    "a rest": "match {'a': 2}:\n    case {**K}: pass\n",
    "a star": "match [1, 2]:\n    case [1, *K]: pass\n",
    "del": "del K\ndef K(): pass\n",
    "a star import": "from operator import *\nfrom math import *\nK = e\n",
    "an import": "import math as K\n",
    "a class": "class K: pass\n",
    "a builtin": "import builtins\nbuiltins.abs = max\nK = abs(1, 2)\n",
    "a builtin, by setattr": "import builtins\nsetattr(builtins, 'abs', max)\nK = abs(1, 2)\n",
    "a function of math": "import math\nmath.exp = math.sqrt\nK = math.exp(4)\n",
    "a function of math, in a function": (
        "def f():\n    import math as m\n    x = m\n    x.exp = m.sqrt\nf()\nimport math\nK = math.exp(4)\n"
    ),
    "a function of math, by a class": (
        "class X:\n    import math\nclass Y:\n    def put(self, m):\n        m.exp = m.sqrt\n"
        "Y().put(X.math)\nimport math\nK = math.exp(4)\n"
    ),
    "a word of the language": "Laplace.scale = property(lambda s: 0)\nK = Laplace(1).scale\n",
    "a mechanism's function": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    def put(self, g):\n        self.function = g\nC.put(n, abs)\nK = n.function(-2)\n"
    ),
    "a mechanism's function, as if new": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    def __init__(self, g):\n        self.function = g\n    go = __init__\n"
        "C.go(n, abs)\nK = n.function(-2)\n"
    ),
    "a mechanism's function, by an alias": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    def __init__(self, g):\n        self.function = g\n    go = __init__\n"
        "C.go(n, len)\ndel K\n"
    ),
    "a mechanism's function, by another self": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    def __init__(self, m):\n        def other():\n            nonlocal self\n"
        "            self = m\n        other()\n        self.function = len\nC(n)\ndel K\n"
    ),
    "a mechanism's function, without a self": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    @staticmethod\n    def __init__(m):\n        m.function = len\n"
        "    def __new__(cls, m):\n        c = object.__new__(cls)\n        c.__init__(m)\n"
        "try:\n    C(n)\nexcept TypeError:\n    pass\ndel K\n"
    ),
    "a class as data": "import dataclasses\ndataclasses.dataclass(Laplace)\ndel K\n",
    "a class as data, by a decorator": (
        "import dataclasses\n@dataclasses.dataclass\n@(lambda c: Laplace)\nclass X: pass\ndel K\n"
    ),
    "an import by a test": (
        "import pytest\nopen(__file__.replace('{name}', 'written'), 'w').write("
        "'import {name}\\n{name}.K = 2')\npytest.importorskip('written')\n"
    ),
    "a list by an index": (
        "import sys\nclass C:\n    def __index__(self):\n        A.append(2)\n        return 0\n"
        "c = C()\nA = [1]\nx = sys.argv[c]\nK = A[-1]\n"
    ),
    "a list by the index of a type": (
        "import sys\nclass C:\n    def __index__(self):\n        A.append(2)\n        return 0\n"
        "c = C()\nA = [1]\nx: sys.argv[c] = 3\nK = A[-1]\n"
    ),
    "a mechanism's inputs": (
        "@mechanism(DP())\ndef n(q: Count, eps: Epsilon):\n    yield q\n"
        "class C:\n    inputs = 1\nn.inputs.pop('q')\nK = len(n.inputs) + 1\n"
    ),
    "a list by an alias": "A = [1]\nB = A\nB.append(2)\nK = len(A)\nK = A[-1]\n",
    "a list by an element": "A = [1]\nB = {'a': (A,)}\nB['a'][0].append(2)\nK = A[-1]\n",
    "a list by a function": "A = [1]\ndef f(): A.append(2)\nf()\nK = A[-1]\n",
    "a list by a function in a list": (
        "A = [1]\ndef f(): A.append(2)\nfs = [f]\nfs[0]()\nK = A[-1]\n"
    ),
    "a list by a default": "A = [1]\ndef f(x=A): x.append(2)\nf()\nK = A[-1]\n",
    "a list by a method": "A = [1]\nclass C:\n    x = A\nC.x.append(2)\nK = A[-1]\n",
    "a list by sorting": "A = [2, 1]\nsorted(A, key=A.remove) if 0 else A.sort()\nK = A[1]\n",
    "a dictionary by update": "A = {'a': 1}\nA.update(a=2)\nK = A['a']\n",
    "a list later": (
        "class C:\n    def __del__(self): A.append(2)\nc = C()\nA = [1]\nc = 3\nK = A[-1]\n"
    ),
    "a list in place": "A = [1]\nB = A\nB += [2]\nK = A[-1]\n",
    "a list by a slice": "A = [1]\nA[:] = [2]\nK = A[0]\n",
    "a list by del": "A = [1, 2]\ndel A[0]\nK = A[0]\n",
}  # fmt: skip

CASES = BY_NAME | BY_RUNNING


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("case", CASES)
def test_nothing_false_is_believed(case: str, after: bool, tmp_path: Path) -> None:
    name = "attacked_module"
    attack = CASES[case].replace("{name}", name)
    path = tmp_path / f"{name}.py"
    parts = [HEAD, MECHANISM, attack] if after else [HEAD, attack, MECHANISM]
    path.write_text("".join(parts), encoding="utf-8")
    assert imported(path, ["K"])["K"] != "1", "it is no attack"
    assert wrongly_believed(path, believed(path)) == []
