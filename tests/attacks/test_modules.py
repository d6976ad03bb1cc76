"""Modules that run twice, later or in part, and what Python itself binds in them.

The truth is what importing the file gives: nothing that is believed may be another way.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

from shiftproof import BadInput, Unsupported
from shiftproof.dsl.static import read_file
from tests.believing import believed, imported, wrongly_believed

HEAD = "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
MECHANISM = """
@mechanism(DP())
def noisy(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(K / eps))
    return q + noise
"""
MAYBE = "import sys\nif len(sys.argv) > 10 ** 6:\n    "


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write them; the file in question is the first."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / next(iter(files))


#: Python's own names: what they guard, and what is made of them, is not known.
OWN = {
    "__debug__": "if __debug__:\n    K = 2\n",
    "not __debug__": "K = 2\nif not __debug__:\n    K = 3\n",
    "__debug__ as a number": "K = __debug__\n",
    "__debug__ of builtins": "import builtins\nif builtins.__debug__:\n    K = 2\n",
    "__debug__ from builtins": "from builtins import __debug__ as d\nif d:\n    K = 2\n",
    "__debug__ in a tuple": "K = (__debug__, 2)[1]\n",
    "__doc__": "'text'\nif __doc__:\n    K = 2\n",
    "__doc__ as a value": "'text'\nK = __doc__\n",
    "no __doc__": "K = 2\nif __doc__:\n    K = 3\n",
    "__doc__ of itself": "'text'\nimport attacked_module as me\nK = 2\nif me.__doc__:\n    K = 3\n",
    "__doc__ of math": "import math\nif math.__doc__:\n    K = 2\n",
    "__doc__ from math": "from math import __doc__ as d\nif d:\n    K = 2\n",
    "__doc__ of a neighbour": "import beside\nif beside.__doc__:\n    K = 2\n",
    "__doc__ from a neighbour": "from beside import __doc__ as d\nif d:\n    K = 2\n",
    "__doc__ of a function": "def f():\n    'text'\nif f.__doc__:\n    K = 2\n",
    "__doc__ that is bound": "__doc__ = 'text'\nif __doc__:\n    K = 2\n",
    "__name__": "K = __name__\n",
    "if __name__": "if __name__:\n    K = 2\n",
    "another __name__": "K = 2\nif __name__ == 'attacked_module':\n    K = 3\n",
    "a key by __name__": "K = {'__main__': 1, 'attacked_module': 2}[__name__]\n",
    "__name__ of a neighbour": "from beside import __name__ as K\n",
    "__name__ of math": "import math\nK = math.__name__\n",
    "__file__": "K = __file__\n",
    "if __file__": "if __file__:\n    K = 2\n",
    "__file__ of a neighbour": "import beside\nK = beside.__file__\n",
    "__spec__": "if __spec__:\n    K = 2\n",
    "__package__": "K = 2\nif __package__:\n    K = 3\n",
    "no __package__": "if not __package__:\n    K = 2\n",
    "__cached__": "if __cached__:\n    K = 2\n",
    "__loader__": "if __loader__:\n    K = 2\n",
    "__builtins__": "if __builtins__:\n    K = 2\n",
    "an assertion": "K = 2\nassert (K := 3)\n",
}


@pytest.mark.parametrize("case", OWN)
def test_what_python_binds_is_not_known(case: str, tmp_path: Path) -> None:
    files = {"attacked_module.py": HEAD + OWN[case] + MECHANISM, "beside.py": "'text'\n"}
    path = write(tmp_path, files)
    known = believed(path)
    assert known is None or "K" not in known
    assert wrongly_believed(path, known) == []
    if known is not None:
        with pytest.raises((Unsupported, BadInput)):
            _ = dict(read_file(path))["noisy"].program


def test_versions_are_constants(tmp_path: Path) -> None:
    path = write(tmp_path, {"m.py": "__version__ = 3\n__author__ = 'a'\nK = __version__\n"})
    assert believed(path) == {"K": 3}


#: In each the first file is read; it, or another one, runs twice.
TWICE = {
    "by a neighbour": {"m.py": "import b\nK = 1\n", "b.py": "import m\n"},
    "by a neighbour, for a name": {
        "m.py": "import b\nK = 1\n", "b.py": "try:\n    from m import K\nexcept ImportError: pass\n"
    },
    "by itself": {"m.py": "import m\nK = 1\n"},
    "by itself, under a condition": {"m.py": f"{MAYBE.replace('>', '<')}import m\nK = 1\n"},
    "by itself, in a class": {"m.py": "class C:\n    import m\nK = 1\n"},
    "by a package": {"m.py": "import p\nK = 1\n", "p/__init__.py": "import m\n"},
    "by a package of a package": {
        "m.py": "import p.q\nK = 1\n", "p/__init__.py": "", "p/q/__init__.py": "import m\n"
    },
    "by three": {
        "m.py": "import b\nK = 1\n", "b.py": "import c\n", "c.py": "from m import *\n"
    },
    "in a loop": {"m.py": "for _ in [1]:\n    import b\nK = 1\n", "b.py": "import m\n"},
}  # fmt: skip


@pytest.mark.parametrize("case", TWICE)
def test_a_file_that_runs_twice_is_not_read(case: str, tmp_path: Path) -> None:
    write(tmp_path, TWICE[case])
    counted = {name: f"{text}open({str(tmp_path / 'runs')!r}, 'a').write('{name} ')\n"
               for name, text in TWICE[case].items()}  # fmt: skip
    path = write(tmp_path / "counted", counted)
    import sys

    before = list(sys.path), set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.path[:] = before[0]
        for name in set(sys.modules) - before[1]:
            del sys.modules[name]
    runs = (tmp_path / "runs").read_text().split()
    assert runs.count("m.py") == 2
    assert not believed(tmp_path / "m.py")


#: A link, or another name, of a file that is read already.
LINKS = [
    ("m.py", "n.py", "import n\nK = n.K\n", "n"),
    ("p/m.py", "p/n.py", "from . import n\nK = 1\n", "n"),
    ("p/m.py", "n.py", "import n\nK = 1\n", "n"),
]


@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["soft", "hard"])
@pytest.mark.parametrize(("name", "other", "text", "word"), LINKS)
def test_another_name_of_a_file(
    name: str, other: str, text: str, word: str, link: object, tmp_path: Path
) -> None:
    files = {name: f"{text}K = __name__ != {word!r}\n"}
    path = write(tmp_path, files | ({"p/__init__.py": ""} if "/" in name else {}))
    assert callable(link)
    link(path, tmp_path / other)
    assert not believed(path)


def test_a_module_of_a_package_has_one_name(tmp_path: Path) -> None:
    files = {
        "p/m.py": "K = 1\nimport p.m\nfrom p import m\nfrom . import m as n\n"
        "from .m import K as L\n",
        "p/__init__.py": "",
    }
    path = write(tmp_path, files)
    known = believed(path)
    assert known is not None and known["L"] == 1 and known["m"] is known["n"]
    assert wrongly_believed(path, known) == []


#: What is seen of a module depends on when it is imported; the first file is read.
ORDER = {
    "a circle under a condition": {
        "p/m.py": f"K = 1\n{MAYBE}import p.a\nK = 2\nfrom p.a import L\n",
        "p/a.py": "from p.m import K\nL = K\n",
    },
    "a circle in a try": {
        "p/m.py": "K = 1\ntry:\n    nowhere\n    import p.a\nexcept NameError: pass\nK = 2\n"
        "from p.a import L\n",
        "p/a.py": "from p.m import K\nL = K\n",
    },
    "a circle by an attribute": {
        "p/m.py": f"K = 1\n{MAYBE}from p import a\nK = 2\nfrom p.a import L\n",
        "p/a.py": "from p import m\nL = m.K\n",
    },
    "a circle of three": {
        "p/m.py": f"K = 1\n{MAYBE}from . import b\nK = 2\nfrom p.a import L\n",
        "p/b.py": "from . import a\n",
        "p/a.py": "from p import m\nL = m.K\n",
    },
    "a list that changes": {
        "m.py": f"import c\n{MAYBE}import b\nc.A[0] = 2\nfrom b import L\n",
        "b.py": "from c import A\nL = A[0]\n",
        "c.py": "A = [1]\n",
    },
    "a name of the package": {
        "p/m.py": f"import p\n{MAYBE}import p.a\nL = p.a\n",
        "p/__init__.py": "a = 3\n",
        "p/a.py": "",
    },
    "a class of the package": {
        "p/m.py": f"from . import a as before\n{MAYBE}import p.a\nfrom p import a\nL = a.L\n",
        "p/__init__.py": "class a:\n    L = 2\n",
        "p/a.py": "L = 1\n",
    },
    "__getattr__ that changes": {
        "m.py": "import b\nfrom b import A\nfrom b import nothing\nL = A[0]\n",
        "b.py": "A = [1]\ndef __getattr__(name):\n    A[0] = 2\n",
    },
    "__getattr__ for __path__": {
        "m.py": "import b, c\nL = c.A[0]\n",
        "b.py": "from c import A\n",
        "c.py": "A = [1]\ndef __getattr__(name):\n    A[0] = 2\n    raise AttributeError(name)\n",
    },
    "__getattr__ for __all__": {
        "p/m.py": "from p.c import *\nfrom p.c import A\nL = A[0]\n",
        "p/__init__.py": "",
        "p/c.py": "A = [1]\ndef __getattr__(name):\n    A[0] = 2\n    raise AttributeError(name)\n",
    },
    "__getattr__ in a try": {
        "m.py": "L = 1\ntry:\n    from b import nothing\nfinally: pass\n",
        "b.py": "import sys\ndef __getattr__(name):\n    sys.modules['m'].L = 2\n",
    },
    "__getattr__ of an attribute": {
        "m.py": "import b\nA = [1]\nb.A = A\nx = b.nothing\nL = A[0]\n",
        "b.py": "def __getattr__(name):\n    A[0] = 2\n",
    },
    "a module that is written": {
        "m.py": "with open(__file__.replace('m.py', 'b.py'), 'w') as f:\n    f.write('L = 2')\n"
        "from b import L\n",
        "b.py": "L = 1\n",
    },
    "a module that a function writes": {
        "m.py": "def w():\n    with open(__file__.replace('m.py', 'b.py'), 'w') as f:\n"
        "        f.write('L = 2')\nw()\nfrom b import L\n",
        "b.py": "L = 1\n",
    },
    "a module on another path": {
        "m.py": "import sys\nsys.path.insert(0, __file__.replace('m.py', 'lib'))\n"
        "from b import L\n",
        "b.py": "L = 1\n",
        "lib/b.py": "L = 2\n",
    },
    "a path that a function changes": {
        "m.py": "import sys\ndef f():\n    sys.path.insert(0, __file__.replace('m.py', 'lib'))\n"
        "f()\nfrom b import L\n",
        "b.py": "L = 1\n",
        "lib/b.py": "L = 2\n",
    },
    "a standard module's name": {
        "m.py": "from sys import argv as L\n", "sys.py": "argv = 3\n"
    },
    "a loaded standard module's name": {
        "m.py": "from os import sep as L\n", "os.py": "sep = 3\n"
    },
    "a standard module that changes another": {
        "m.py": "import b\nimport fractions\nL = b.L\n",
        "b.py": "L = 1\n",
        "fractions.py": "import b\nb.L = 2\n",
    },
    "a neighbour that changes a neighbour": {
        "m.py": "import b\nimport c\nL = b.L\n", "b.py": "L = 1\n", "c.py": "import b\nb.L = 2\n"
    },
    "a neighbour that changes it by getattr": {
        "m.py": "import b\nimport c\nL = b.L\n",
        "b.py": "L = 1\ndef f(): pass\n",
        "c.py": "import b\ngetattr(b.f, '__globals__')['L'] = 2\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("case", ORDER)
def test_nothing_false_is_believed(case: str, tmp_path: Path) -> None:
    files = dict(ORDER[case])
    if "p/m.py" in files:
        files.setdefault("p/__init__.py", "")
    path = write(tmp_path, files)
    known = believed(path)
    assert wrongly_believed(path, known) == []


@pytest.mark.parametrize(
    "script",
    ["K = 2", "def K(): pass", "class K: pass", "import math as K", "from math import pi as K",
     "for K in [2]: pass", "with open('x') as K: pass", "K += 1", "del K", "(K := 2)",
     "try:\n        pass\n    except OSError as K:\n        pass", "def min(a, b): pass"],
)  # fmt: skip
def test_what_a_script_binds_again_is_not_known(script: str, tmp_path: Path) -> None:
    body = MECHANISM.replace("K / eps", "min(K, 1) / eps")
    text = f"{HEAD}K = 1\nif __name__ == '__main__':\n    {script}\n{body}"
    path = write(tmp_path, {"m.py": text})
    with pytest.raises((Unsupported, BadInput)):
        _ = dict(read_file(path))["noisy"].program
    assert imported(path, ["K"]) == {"K": "1"}
