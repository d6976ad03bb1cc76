"""What is read without executing a file is what executing it gives, or it is unsupported."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from shiftproof import BadInput, Mechanism, Unsupported, verify
from shiftproof.dsl.normalise import same_program
from shiftproof.dsl.static import read_file, read_text
from tests.dsl.making import import_file
from tests.loading import load
from tests.places import ATTACKS, REWRITES, ROOT
from tests.programs.dsl.static_bindings import READ, UNREAD
from tests.sampling import every

FILES = [
    *sorted((ROOT / "mechanisms").glob("*.py")),
    *REWRITES,
    *ATTACKS,
]
IMPORTS = "from shiftproof import *\nfrom typing import Annotated\n"
MECHANISM = "@mechanism(DP())\ndef m(x: Count, eps: Epsilon):\n    yield LEVEL\n"


def one(text: str, name: str = "m") -> Mechanism[..., Any]:
    """The mechanism of a text that is read."""
    return dict(read_text(IMPORTS + text, "read.py"))[name]


def refusal(mechanism: Mechanism[..., Any]) -> Unsupported:
    with pytest.raises(Unsupported) as caught:
        _ = mechanism.program
    return caught.value


def _executed(path: Path) -> tuple[Path, dict[str, Mechanism[..., Any]]]:
    """The mechanisms of a file, and the file as it knows itself (the gallery's by a link)."""
    held = load(path)
    if path.parent.name != "mechanisms" or not held:
        return path, held
    return Path(next(iter(held.values())).location.file).with_name(path.name), held


class TestSameAsExecuted:
    @pytest.mark.parametrize("path", every(5, FILES), ids=lambda path: path.stem)
    def test_files(self, path: Path) -> None:
        """The same names in order, the same programs, and errors wherever the others have some."""
        try:
            path, executed = _executed(path)
        except (BadInput, Unsupported):
            with pytest.raises(BadInput):
                assert [mechanism.program for _, mechanism in read_file(path)]
            return
        read = dict(read_file(path))
        assert list(read) == list(executed)
        for name, mechanism in executed.items():
            try:
                wanted = mechanism.program
                assert same_program(wanted, wanted)  # what it claims is read as well
            except (BadInput, Unsupported):
                with pytest.raises((BadInput, Unsupported)):
                    assert same_program(read[name].program, read[name].program)
                continue
            if name == "row16_shadowed_min_closure":  # made by a function
                refusal(read[name])
            else:
                assert same_program(read[name].program, wanted), name
                assert read[name].location == mechanism.location
                assert read[name].expect == mechanism.expect

    @pytest.mark.parametrize("name", READ)
    def test_bindings(self, name: str, tmp_path: Path) -> None:
        before, after = READ[name]
        path = tmp_path / "bound.py"
        path.write_text(f"{IMPORTS}{before}\n{MECHANISM}{after}\n")
        wanted = import_file(path).m.program
        assert same_program(dict(read_file(path))["m"].program, wanted)

    @pytest.mark.parametrize("name", UNREAD)
    def test_what_only_running_would_tell(self, name: str) -> None:
        before, after = UNREAD[name]
        error = refusal(one(f"{before}\n{MECHANISM}{after}\n"))
        assert error.location is not None and error.location.file == "read.py"
        assert "--import" in error.advice
        assert "^" in str(error)

    @pytest.mark.parametrize("name", UNREAD)
    def test_it_does_no_harm_to_others(self, name: str) -> None:
        """Unless anything may have been changed, mechanisms that do not use it are read."""
        before, after = UNREAD[name]
        anything = "globals()", "vars()", "exec", "setattr", "modules", "star import"
        others = MECHANISM.replace("LEVEL", "x").replace("def m", "def n")
        found = one(f"{others}{before}\n{after}\n", "n")
        if any(word in before + name for word in anything):
            refusal(found)
        else:
            assert found.program.name == "n"


class TestDeclarations:
    def test_values_are_those_at_this_point(self) -> None:
        text = (
            "P = Policy({1})\nN = Count\nB = 2\n"
            "@mechanism(ADP(P), budget=B)\ndef m(x: N, eps: Epsilon):\n    yield 1\n"
            "P = Policy({0})\nN = Public[int]\nB = 3\n"
        )
        program = one(text).program
        assert str(program.privacy) == "ADP(Policy(sensitive={1}))"
        assert not program.inputs["x"].public
        assert str(program.budget) == "2"

    def test_a_budget_reads_the_last_values(self) -> None:
        text = (
            "B = 2\n@mechanism(DP(), budget=lambda eps: B * eps / 2)\n"
            "def m(x: Count, eps: Epsilon):\n    yield 1\nB = 3\n"
        )
        program = one(text).program
        assert str(program.budget) == "3/2*eps" and not program.divisors

    @pytest.mark.parametrize(
        ("budget", "wanted"),
        [
            ("lambda eps, c: c * eps / c", "eps"),
            ("lambda eps: -eps + 3 * eps", "2*eps"),
            ("twice", "2*eps"),
            ("Fraction(1, 3)", "1/3"),
            ("lambda eps: Fraction(1, 3) * eps", "1/3*eps"),
            ("0.5", "1/2"),
        ],
    )
    def test_budgets(self, budget: str, wanted: str) -> None:
        text = (
            "from fractions import Fraction\ndef twice(eps):\n    'Doubled.'\n    return 2 * eps\n"
            f"@mechanism(DP(), budget={budget})\n"
            "def m(x: Count, c: Public[Nat], eps: Epsilon):\n    yield 1\n"
        )
        assert str(one(text).program.budget) == wanted

    @pytest.mark.parametrize(
        "budget",
        ["lambda eps: min(eps, 1)", "lambda eps: eps if True else 1", "thrice", "print", "DP",
         "lambda eps: unknown * eps", "lambda eps: eps ** 2", "lambda eps: (a := eps)"],
    )  # fmt: skip
    def test_budgets_that_are_not_read(self, budget: str) -> None:
        text = (
            "import random\nunknown = random.random()\n"
            "def thrice(eps):\n    eps = 3 * eps\n    return eps\n"
            f"@mechanism(DP(), budget={budget})\ndef m(x: Count, eps: Epsilon):\n    yield 1\n"
        )
        with pytest.raises((Unsupported, BadInput)) as caught:
            _ = one(text).program
        assert caught.value.location is not None

    def test_annotations_in_quotes(self) -> None:
        head = "from __future__ import annotations\n"
        text = (
            "Own = Annotated['float', Value(0, 1)]\n"
            * 0
            + "Own = Annotated[float, Value(0, 1)]\n@mechanism(DP())\n"
            "def m(x: 'Own', c: 'Public[Nat]', d: Public['float'], eps: Epsilon) -> Unheard:\n"
            "    yield 1\n"
        )
        for start in ("", head):
            quoted = start + IMPORTS + text.replace(" -> Unheard", "" if not start else " -> int")
            (found,) = [m for _, m in read_text(quoted, "read.py")]
            kinds = [type(k).__name__ for k in found.inputs.values()]
            assert kinds == ["Value", "PublicNat", "PublicFloat", "EpsilonInput"]

    def test_numpy_says_nothing(self) -> None:
        text = (
            "import numpy as np\nfrom numpy.typing import NDArray\n"
            "from collections.abc import Sequence\n"
            "Own = Annotated[Sequence[float] | NDArray[np.float64], Queries(sensitivity=1)]\n"
            "@mechanism(DP())\ndef m(q: Own, eps: Epsilon) -> np.ndarray:\n    yield 1\n"
        )
        assert type(one(text).inputs["q"]).__name__ == "Queries"

    def test_claims_made_in_other_ways(self) -> None:
        text = (
            "import shiftproof as sp\nclaim = sp.mechanism(privacy=sp.DP())\n"
            "@claim\ndef a(x: sp.Count, eps: sp.Epsilon):\n    yield 1\n"
            "def plain(x: Count, eps: Epsilon):\n    yield 2\n"
            "b = mechanism(DP())(plain)\nc = b\n"
        )
        found = dict(read_text(IMPORTS + text))
        assert list(found) == ["a", "b", "c"] and found["c"] is found["b"]
        assert found["a"].program.name == "a" and found["b"].program.name == "plain"

    @pytest.mark.parametrize(
        "text",
        [
            "import functools\n@functools.cache\n" + MECHANISM,
            MECHANISM.replace("DP()", "unknown()"),
            MECHANISM.replace("Count", "Unknown"),
            "if unknown:\n    " + MECHANISM.replace("\n", "\n    "),
            "for i in range(3):\n    " + MECHANISM.replace("\n", "\n    "),
            "def make():\n    " + MECHANISM.replace("\n", "\n    ") + "return m\nm = make()",
            "def outer():\n    global m\n" + MECHANISM,
            "import random\n@mechanism(DP(), budget=random.random())\n" + MECHANISM[17:],
            "m = mechanism(DP())(unknown)",
            "globals()\n" + MECHANISM,
        ],
    )
    def test_mechanisms_that_are_not_read_stay_in_sight(self, text: str) -> None:
        head = "from elsewhere import unknown, Unknown\nLEVEL = 1\n"
        found = dict(read_text(IMPORTS + head + text, "read.py"))
        error = refusal(found["m"])
        assert "--import" in error.advice and error.location is not None
        report = verify(found["m"])
        assert report.verdict.value == "unsupported" and report.reasons == (str(error),)

    def test_they_do_not_run(self) -> None:
        found = one("LEVEL = 1\n" + MECHANISM)
        with pytest.raises(BadInput, match="--import"):
            found(3, 1.0)
        with pytest.raises(BadInput, match="--import"):
            list(found.releases(3, 1.0))


class TestNames:
    @pytest.mark.parametrize(
        "shadow",
        ["min = max", "def min(a, b):\n    return a + b", "from builtins import max as min"],
    )
    def test_a_shadowed_builtin(self, shadow: str, tmp_path: Path) -> None:
        path = tmp_path / "shadowed.py"
        path.write_text(f"{IMPORTS}{MECHANISM.replace('LEVEL', 'min(x, 3)')}{shadow}\n")
        wanted = import_file(path).m.program
        found = dict(read_file(path))["m"].program
        assert same_program(found, wanted)
        plain = one(MECHANISM.replace("LEVEL", "min(x, 3)")).program
        assert not same_program(found, plain)

    @pytest.mark.parametrize(
        "shadow",
        ["from elsewhere import min", "min = unknown()", "from elsewhere import *",
         "class min: pass", "import builtins\nbuiltins.min = max",
         "try:\n    min = max\nfinally:\n    pass"],
    )  # fmt: skip
    def test_a_builtin_that_may_be_shadowed(self, shadow: str) -> None:
        text = f"from elsewhere import unknown\n{MECHANISM.replace('LEVEL', 'min(x, 3)')}{shadow}\n"
        refusal(one(text))

    def test_a_sample_of_ones_own(self) -> None:
        text = "def sample(x):\n    return 0\n@mechanism(DP())\ndef m(x: Count, eps: Epsilon):\n"
        error = refusal(one(text + "    n = sample(Laplace(1 / eps))\n    yield x + n"))
        assert "executing" not in error.message

    def test_bad_input_has_its_place(self) -> None:
        for text, column in [
            ("Own = Annotated[float, Value(1, 0)]", 24),
            ("P = Policy({3})", 5),
            ("X = 1 / 0", 5),
            ("X = nowhere", 5),
        ]:
            with pytest.raises(BadInput) as caught:
                read_text(IMPORTS + text, "read.py")
            assert str(caught.value).startswith(f"read.py:3:{column}: ")


class TestImports:
    def write(self, folder: Path, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    FILES: ClassVar = {
        "pack/__init__.py": "from .constants import LEVEL\n",
        "pack/constants.py": "LEVEL = 2\nHIDDEN = print\n__all__ = ['LEVEL']\nunused: int\n",
        "pack/inner/__init__.py": "",
        "pack/inner/m.py": "",
        "pack/helpers.py": "from .constants import LEVEL\ndef raised(x):\n    return x + LEVEL\n",
        "pack/first.py": "A = 1\nfrom . import second\nB = 2\n",
        "pack/second.py": "from .first import A\nC = A + 1\n",
        "pack/made.py": "def __getattr__(name):\n    return 3\n",
    }

    @pytest.mark.parametrize(
        ("imports", "expression"),
        [
            ("from ..constants import LEVEL as L", "x + L"),
            ("from .. import constants", "x + constants.LEVEL"),
            ("import pack.constants", "x + pack.constants.LEVEL"),
            ("import pack.constants as c", "x + c.LEVEL"),
            ("import pack", "x + pack.LEVEL"),
            ("from pack import constants, LEVEL", "x + constants.LEVEL + LEVEL"),
            ("from ..constants import *", "x + LEVEL"),
            ("from ..helpers import raised", "raised(x)"),
            ("from .. import helpers as h", "h.raised(x)"),
            ("from ..first import A, B\nfrom ..second import C", "x + A + B + C"),
            ("import pack.first", "x + pack.second.C + pack.first.B"),
            ("import sys\nsys.path.insert(0, 'x')\nimport pack.constants", "pack.constants.LEVEL"),
        ],
    )
    def test_of_a_package(self, tmp_path: Path, imports: str, expression: str) -> None:
        body = MECHANISM.replace("LEVEL", expression)
        self.write(tmp_path, self.FILES | {"pack/inner/m.py": f"{IMPORTS}{imports}\n{body}"})
        from shiftproof.workspace.targets import resolve

        path = tmp_path / "pack" / "inner" / "m.py"
        (wanted,) = resolve(str(path), run=True)
        (found,) = read_file(path)
        assert found[1].function.__module__ == "pack.inner.m"
        assert same_program(found[1].program, wanted.program)

    @pytest.mark.parametrize(
        ("imports", "expression"),
        [
            ("from ..made import LEVEL", "x + LEVEL"),
            ("from .. import made", "x + made.LEVEL"),
            (
                "try:\n    from .. import constants\nexcept ImportError:\n    pass",
                "constants.LEVEL",
            ),
            ("import pack.constants\npack.constants.LEVEL = 5", "pack.constants.LEVEL"),
            ("from .. import constants\nprint(constants)", "constants.LEVEL"),
        ],
    )
    def test_what_is_not_read(self, tmp_path: Path, imports: str, expression: str) -> None:
        body = MECHANISM.replace("LEVEL", expression)
        self.write(tmp_path, self.FILES | {"pack/inner/m.py": f"{IMPORTS}{imports}\n{body}"})
        ((_, found),) = read_file(tmp_path / "pack" / "inner" / "m.py")
        refusal(found)

    def test_a_module_that_changes_another(self, tmp_path: Path) -> None:
        files = {
            "level.py": "LEVEL = 1\n",
            "change.py": "import level\nlevel.LEVEL = 2\n",
            "m.py": f"{IMPORTS}import change\nfrom level import LEVEL\n{MECHANISM}",
        }
        self.write(tmp_path, files)
        refusal(read_file(tmp_path / "m.py")[0][1])
        maybe = files["m.py"].replace(
            "import change", "try:\n    import change\nfinally:\n    pass"
        )
        self.write(tmp_path, {"m.py": maybe})
        refusal(read_file(tmp_path / "m.py")[0][1])

    def test_a_file_with_the_name_of_a_known_module(self, tmp_path: Path) -> None:
        files = {
            "math.py": "pi = 3\n",
            "m.py": f"{IMPORTS}from math import pi as LEVEL\n{MECHANISM}",
        }
        self.write(tmp_path, files)
        assert "next to it" in str(refusal(read_file(tmp_path / "m.py")[0][1]))

    def test_modules_that_import_each_other(self, tmp_path: Path) -> None:
        files = {
            "p/__init__.py": "",
            "p/a.py": f"{IMPORTS}from p.b import LEVEL\nONE = 1\n{MECHANISM}",
            "p/b.py": "from p.a import ONE\nLEVEL = ONE\n",
        }
        self.write(tmp_path, files)
        with pytest.raises(BadInput, match="circular import"):
            read_file(tmp_path / "p" / "a.py")
        late = {"p/b.py": "from . import a\nLEVEL = 1\ndef f():\n    return a.ONE\n"}
        self.write(tmp_path, late)
        assert dict(read_file(tmp_path / "p" / "a.py"))["m"].program.name == "m"

    def test_a_file_that_its_neighbour_imports_would_run_twice(self, tmp_path: Path) -> None:
        files = {
            "a.py": f"{IMPORTS}from b import LEVEL\nONE = 1\n{MECHANISM}",
            "b.py": "import a\nLEVEL = 1\n",
        }
        self.write(tmp_path, files)
        assert "would run twice" in str(refusal(read_file(tmp_path / "a.py")[0][1]))

    def test_text_imports_nothing(self) -> None:
        error = refusal(one("from tests.loading import load as LEVEL\n" + MECHANISM))
        assert "elsewhere" in error.message


class TestHostile:
    @pytest.mark.parametrize(
        "text",
        [
            "(" * 5000 + ")" * 5000,
            "[" * 150 + "]" * 150,
            "-" * 60_000 + "1",
            "not " * 60_000 + "1",
            "x = 1" + " + 1" * 60_000,
            "x = a" + ".a" * 60_000,
            "x = a" + "[0]" * 60_000,
            "x = f" + "()" * 60_000,
            "x = " + "lambda: " * 30_000 + "1",
            "x = " + "1 if 1 else " * 30_000 + "1",
            "if a: pass\n" + "elif a: pass\n" * 30_000,
            "x = " + "9" * 10_000,
            "x = 'a'\n" * 20_000,
            "\x00",
            "# coding: nowhere\nx = 1",
            "\ud800 = 1",
            "x = '\ud800'",
            "@" * 100,
        ],
        ids=range(18),
    )
    def test_no_crash_and_no_hang(self, text: str) -> None:
        try:
            assert read_text(text) == []
        except BadInput as error:
            assert len(str(error)) < 1_000_000

    @pytest.mark.parametrize(
        "text",
        [
            "A = 7\n" + "A = A * A\n" * 200,
            "A = (1,)\n" + "A = (A, A)\n" * 200 + "B = {A: 1}",
            "A = list[int]\n" + "A = dict[A, A]\n" * 200 + "B = Annotated[A, 1]",
            "A = Policy(range(10 ** 12))",
            "A = Policy(range(1000000000000))",
            "from fractions import Fraction\nA = Fraction('1e999999999')",
            "A = int('9' * 10)",
            "import math\nA = math.exp(710)",
            "A = max([1], key=print)",
        ],
    )
    def test_nothing_large_is_computed(self, text: str) -> None:
        try:
            read_text(IMPORTS + text)
        except BadInput as error:
            assert "math.exp" not in text or "OverflowError" in str(error)

    def test_files(self, tmp_path: Path) -> None:
        (tmp_path / "huge.py").write_bytes(b"#" * 5_000_000)
        with pytest.raises(BadInput, match="larger than"):
            read_file(tmp_path / "huge.py")
        (tmp_path / "latin.py").write_bytes("# coding: latin-1\nA = 'é'\n".encode("latin-1"))
        assert read_file(tmp_path / "latin.py") == []
        (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbfA = 1\r\n")
        assert read_file(tmp_path / "bom.py") == []
