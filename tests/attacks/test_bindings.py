"""Files that bind something else than they seem to: nothing of theirs is proved."""

from __future__ import annotations

import py_compile
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from shiftproof.dsl.static import read_file
from shiftproof.dsl.static.harmless import may_read
from shiftproof.dsl.static.imports import is_library

HEAD = """\
from collections.abc import Iterator
from typing import Annotated
from shiftproof import DP, LDP, Count, Counts, Epsilon, Laplace, Value, mechanism, sample
"""
BODY = """
@mechanism(DP("add-remove"))
def m(f: Count, eps: Epsilon):
    noise = sample(Laplace({scale} / eps))
    yield f + noise
"""
LATER = "    noise = sample(Laplace(1 / eps))\n    return x + noise\n"
#: By name: the files beside it, and the file; where it is run, the noise is a thousandth of this.
FILES: dict[str, tuple[dict[str, str], str]] = {
    "an attribute that a library has, too": (
        {},
        HEAD + "import warnings\nSCALE = 1\nclass T:\n    _module = sys = modules = exec = None\n"
        "warnings.catch_warnings()._module.sys.modules['builtins'].exec("
        "'import sys; sys.modules[n].SCALE = 0.001', {'n': __name__})\n"
        + BODY.format(scale="SCALE"),
    ),
    "a file that only the library imports": (
        {"random.py": "import builtins\nbuiltins.max = lambda a, b: 0.001\n"},
        HEAD + BODY.format(scale="max(1, 0)"),
    ),
    "a file that only a library of the library imports": (
        {"mpmath/__init__.py": "import builtins\nbuiltins.max = lambda a, b: 0.001\n"},
        HEAD + BODY.format(scale="max(1, 0)"),
    ),
    "a file that only an outside library imports": (
        {"packaging.py": "import builtins\nbuiltins.max = lambda a, b: 0.001\n"},
        HEAD + "import nobody_knows\n" + BODY.format(scale="max(1, 0)"),
    ),
    "a private helper of a library": (
        {},
        HEAD + "import enum\nSCALE = 1000\nclass T:\n    _convert_ = None\nclass S:\n"
        "    SCALE = 1\nenum.IntEnum._convert_('X', __name__, lambda n: n == 'SCALE', S)\n"
        + BODY.format(scale="SCALE / 1000"),
    ),
    "a module under another name": (
        {
            "pk/__init__.py": "from . import b\nfrom . import d as b\n",
            "pk/b.py": "SCALE = 1\n",
            "pk/d.py": "SCALE = 0.001\n",
        },
        HEAD + "import pk.b as c\n" + BODY.format(scale="c.SCALE"),
    ),
    "types that are evaluated later": (
        {},
        "from __future__ import annotations\n" + HEAD + "B = 1\n"
        "def g(x: Annotated[float, Value(0, B)], eps: Epsilon) -> float:\n" + LATER
        + "B = 1000\nm = mechanism(LDP())(g)\n",
    ),
    "a type in quotes": (
        {},
        HEAD + "K = Value(0, 1)\ndef g(x: 'Annotated[float, K]', eps: Epsilon) -> float:\n"
        + LATER + "K = Value(0, 1000)\nm = mechanism(LDP())(g)\n",
    ),
    "a type in quotes inside another one": (
        {},
        HEAD + "K = float\ndef g(x: Annotated['K', Value(0, 1)], eps: Epsilon) -> float:\n"
        + LATER + "K = int\nm = mechanism(LDP())(g)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_proved(name: str, tmp_path: Path) -> None:
    beside, text = FILES[name]
    for path, content in beside.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    ((_, found),) = read_file(tmp_path / "m.py")
    assert verify(found, effort=0).verdict is not Verdict.PROVED


def test_byte_code_that_is_not_compared_with_its_source(tmp_path: Path) -> None:
    source = tmp_path / "beside.py"
    (tmp_path / "m.py").write_text(HEAD + "import beside\n" + BODY.format(scale="beside.K"))
    for content, mode, proved in (
        ("K = 0.001\n", py_compile.PycInvalidationMode.UNCHECKED_HASH, False),
        ("K = 0.001\n", py_compile.PycInvalidationMode.CHECKED_HASH, True),
    ):
        source.write_text(content, encoding="utf-8")
        py_compile.compile(str(source), invalidation_mode=mode)
        source.write_text("K = 1\n", encoding="utf-8")
        ((_, found),) = read_file(tmp_path / "m.py")
        assert (verify(found, effort=0).verdict is Verdict.PROVED) == proved


def test_what_classes_define_does_not_lead_on() -> None:
    names = {"_module", "sys", "modules", "exec", "_convert_", "os", "root", "mine", "__dict__"}
    assert {name for name in names if may_read(name, names)} <= {"mine", "modules", "root"}


def test_a_harmless_file_may_have_the_name_of_a_library(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("SCALE = 1\n")
    (tmp_path / "m.py").write_text(HEAD + BODY.format(scale="max(1, 0)"))
    [(_, found)] = read_file(tmp_path / "m.py")
    assert verify(found).verdict is Verdict.PROVED


#: Servers of editors and assistants are processes of their own, with no user's file on the path.
LOADED = """
import importlib, pkgutil, sys
before = set(sys.modules)
import shiftproof
for found in pkgutil.walk_packages(shiftproof.__path__, "shiftproof."):
    if not {"__main__", "editors", "assistants"} & set(found.name.split(".")):
        importlib.import_module(found.name)
print(*(n for n, m in sys.modules.items() if "." not in n and n not in before
        and getattr(m, "__file__", None)))
"""


def test_what_the_library_may_import_is_known() -> None:
    ours = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=300
    )
    loaded = {name for name in ours.stdout.split() if PathFinder.find_spec(name)}
    assert len(loaded) > 100
    assert {name for name in loaded if not is_library(name)} == {"shiftproof"}
