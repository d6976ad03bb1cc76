"""From a target to mechanisms: what is found, what is kept apart, and one message for the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shiftproof import BadInput, Unsupported, verify
from shiftproof.workspace.targets import NO_FILE, AnyMechanism, gallery, resolve, resolve_text

IMPORTS = "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
ONE = '''
@mechanism(DP())
def {name}(x: Count, eps: Epsilon) -> float:
    """{text}"""
    noise = sample(Laplace(1 / eps))
    return x + noise
'''


def mechanism_text(*names: str, text: str = "") -> str:
    return IMPORTS + "".join(ONE.format(name=name, text=text) for name in names)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def names(found: list[AnyMechanism]) -> list[str]:
    return [mechanism.function.__name__ for mechanism in found]


def fault(target: object, run: bool = False) -> str:
    with pytest.raises(BadInput) as caught:
        resolve(str(target), run)
    return str(caught.value)


@pytest.fixture(params=[False, True], ids=["read", "executed"])
def run(request: pytest.FixtureRequest) -> bool:
    """Whether the files of a test are executed."""
    return bool(request.param)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestFound:
    def test_all_of_a_file_in_order(self, here: Path, run: bool) -> None:
        write(here / "m.py", mechanism_text("second", "first") + "alias = first\n")
        assert names(resolve("m.py", run)) == ["second", "first"]
        assert names(resolve(str(here / "m.py"), run)) == ["second", "first"]
        assert names(resolve("m.py::alias", run)) == ["first"]

    def test_one_of_a_file(self, here: Path, run: bool) -> None:
        write(here / "m.py", mechanism_text("a", "b"))
        (found,) = resolve("m.py::b", run)
        assert found.function.__name__ == "b"
        assert found.location.file == str(here / "m.py")

    def test_what_another_module_made(self, here: Path, run: bool) -> None:
        write(here / "maker.py", mechanism_text("made"))
        write(here / "m.py", "from maker import made")
        assert names(resolve("m.py", run)) == ["made"]

    def test_module_of_the_current_folder(self, here: Path, run: bool) -> None:
        write(here / "own_module.py", mechanism_text("a"))
        assert names(resolve("own_module", run)) == ["a"]
        assert names(resolve("own_module::a", run)) == ["a"]
        assert "own_module" not in sys.modules

    def test_package_with_all_its_modules(self, here: Path, run: bool) -> None:
        write(here / "pack" / "__init__.py", "")
        write(here / "pack" / "__main__.py", "raise SystemExit('run')")
        write(here / "pack" / "a.py", mechanism_text("one"))
        write(here / "pack" / "inner" / "__init__.py", mechanism_text("two"))
        write(here / "pack" / "inner" / "b.py", "from ..a import one")
        assert names(resolve("pack", run)) == ["one", "two"]
        assert names(resolve("pack.inner.b", run)) == ["one"]

    def test_gallery(self, run: bool) -> None:
        assert "asymmetric_sparse_vector" in names(gallery(run))
        assert names(resolve("asymmetric_sparse_vector", run)) == ["asymmetric_sparse_vector"]
        module = "shiftproof.mechanisms.asymmetric_sparse_vector"
        one, same = (resolve(t, run)[0] for t in (module, "asymmetric_sparse_vector"))
        assert one.location == same.location

    def test_a_star_binds_what_the_package_offers(self, here: Path, run: bool) -> None:
        text = "\n".join(mechanism_text("m").splitlines()[1:])
        write(here / "everything.py", "from shiftproof import *\n")
        for k, head in enumerate(
            (
                "from shiftproof import *",
                "from everything import *",
                "from everything import DP, Count, Epsilon, Laplace, mechanism, sample",
                "from shiftproof import *\nimport everything\nLaplace = everything.Exponential",
            )
        ):
            write(here / f"m{k}.py", f"{head}\n{text}")
            (found,) = resolve(f"m{k}.py", run)
            law = "Exponential" if k == 3 else "Laplace"
            assert [n.step.distribution.__name__ for n in found.program.flow.sites] == [law]

    def test_a_star_loads_only_what_is_used(self, here: Path) -> None:
        text = "\n".join(mechanism_text("m").splitlines()[1:])
        write(here / "m.py", f"from shiftproof import *\n{text}")
        command = (
            "import sys; from shiftproof.workspace.targets import resolve; "
            "resolve('m.py')[0].program; print({'scipy', 'hypothesis', 'z3'} & {*sys.modules})"
        )
        found = subprocess.run([sys.executable, "-c", command], capture_output=True, check=True)
        assert found.stdout.split() == [b"set()"]


#: Helpers whose star import binds what no assignment of theirs says.
HIDDEN = {
    "a function": "def f():\n    global K\n    K = 0.5\nf()\n",
    "a class": "class C:\n    global K\n    K = 0.5\n",
    "a function of two": "def f():\n    global K\n    def K(): return 1\nK = 0.5\n",
    "a function called elsewhere": "def f():\n    global K\n    K = 0.5\n",
    "an import": "def f():\n    global K\n    from math import pi as K\nf()\n",
    "another star": "from deeper import *\n",
    "names made up": "def __getattr__(n):\n    return ['K', 'f'] if n == '__all__' else 0.5\n",
}


class TestStars:
    @pytest.mark.parametrize("by", HIDDEN)
    def test_what_a_star_may_bind_is_not_known(self, here: Path, by: str) -> None:
        write(here / "deeper.py", HIDDEN["a function"])
        write(here / "helper.py", HIDDEN[by])
        head = f"{IMPORTS}K = 1\nimport helper\nfrom helper import *\n"
        call = "helper.f()\nfrom helper import *\n" if by == "a function called elsewhere" else ""
        body = ONE.format(name="m", text="").replace("1 / eps", "K / eps")
        write(here / "m.py", head + call + body)
        report = verify(resolve("m.py")[0])
        assert str(report.verdict) == "unsupported" and "not known" in report.reasons[0]


class TestApart:
    def test_files_of_the_same_name(self, here: Path, run: bool) -> None:
        for folder in "ab":
            write(here / folder / "m.py", mechanism_text("same", text=folder))
        texts = [resolve(f"{folder}/m.py", run)[0].function.__doc__ for folder in "ab"]
        assert texts == ["a", "b"]

    def test_helpers_of_the_same_name(self, here: Path, run: bool) -> None:
        for folder in "ab":
            write(here / folder / "helper.py", f"NAME = {folder!r}")
            write(here / folder / "m.py", mechanism_text("same") + "from helper import NAME")
        found = [resolve(f"{folder}/m.py", run)[0].function.__globals__["NAME"] for folder in "ab"]
        assert found == ["a", "b"]
        assert "helper" not in sys.modules

    def test_a_helper_is_no_other_folders_helper(self, here: Path, run: bool) -> None:
        write(here / "a" / "helper.py", "")
        write(here / "a" / "m.py", "import helper\n" + mechanism_text("a"))
        write(here / "b" / "m.py", "import helper\n" + mechanism_text("b"))
        resolve("a/m.py", run)
        if run:
            assert "No module named 'helper'" in fault("b/m.py", run)
        else:
            assert names(resolve("b/m.py", run)) == ["b"]  # it does not use it

    def test_relative_imports_in_a_package(self, here: Path, run: bool) -> None:
        for top in "ab":
            write(here / top / "pack" / "__init__.py", "")
            write(here / top / "pack" / "base.py", f"NAME = {top!r}")
            write(here / top / "pack" / "inner" / "__init__.py", "")
            text = "from ..base import NAME\n" + mechanism_text("m")
            write(here / top / "pack" / "inner" / "m.py", text)
        files = [f"{top}/pack/inner/m.py" for top in "ab"]
        assert [resolve(f, run)[0].function.__globals__["NAME"] for f in files] == ["a", "b"]

    def test_the_path_is_as_before(self, here: Path, run: bool) -> None:
        before = list(sys.path)
        write(here / "m.py", mechanism_text("a"))
        resolve("m.py", run)
        write(here / "bad.py", "1 / 0")
        fault("bad.py", run)
        assert sys.path == before

    def test_no_bytecode_is_left_or_used(self, here: Path, run: bool) -> None:
        path = write(here / "m.py", mechanism_text("a", text="old"))
        assert resolve("m.py", run)[0].function.__doc__ == "old"
        write(path, mechanism_text("a", text="new"))  # of the same size, at the same time
        assert resolve("m.py", run)[0].function.__doc__ == "new"
        assert not (here / "__pycache__").exists()

    def test_annotations_as_strings_and_data_classes(self, here: Path, run: bool) -> None:
        head = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        data = "@dataclass\nclass Some:\n    x: int\n    'text'\n"
        write(here / "m.py", head + data + mechanism_text("a"))
        assert names(resolve("m.py", run)) == ["a"]

    def test_a_package_whose_name_is_taken(self, here: Path, run: bool) -> None:
        write(here / "pytest" / "__init__.py", "")
        write(here / "pytest" / "m.py", mechanism_text("a"))
        if run:
            assert "rename the folder" in fault("pytest/m.py", run)
        else:
            assert names(resolve("pytest/m.py", run)) == ["a"]
        assert sys.modules["pytest"] is pytest


class TestNotFound:
    def test_file(self, here: Path, run: bool) -> None:
        assert fault("nosuch.py", run) == f"{here / 'nosuch.py'}: no such file"
        assert fault("nosuch.py::m", run) == f"{here / 'nosuch.py'}: no such file"
        assert fault("no/such", run) == "no/such: no such file"
        write(here / "noisy.py", mechanism_text("a"))
        wrong = here / "nosy.py"
        assert fault("nosy.py", run) == f"{wrong}: no such file; did you mean 'noisy.py'?"

    def test_folder(self, here: Path, run: bool) -> None:
        (here / "some").mkdir()
        assert (
            fault("some", run)
            == "some: is a folder; want one of its files (verify takes folders, too)"
        )
        (here / "odd.py").mkdir()
        assert "is a folder" in fault("odd.py", run)

    @pytest.mark.parametrize(
        "target", ["nosuch_module", "nosuch.module", "shiftproof.nosuch", "a b"]
    )
    def test_module(self, here: Path, target: str, run: bool) -> None:
        assert f"is called '{target}'" in fault(target, run)
        assert "did you mean 'asymmetric_sparse_vector'?" in fault("asymetric_sparse_vector", run)

    def test_name_in_a_file(self, here: Path, run: bool) -> None:
        write(here / "m.py", mechanism_text("noisy_count", "other"))
        near = fault("m.py::noisy_cuont", run)
        assert near == "m.py: no mechanism is called 'noisy_cuont'; did you mean 'noisy_count'?"
        assert fault("m.py::xyz", run).endswith("want one of noisy_count, other")
        assert "no mechanism is called 'DP'" in fault("m.py::DP", run)

    def test_no_mechanism(self, here: Path, run: bool) -> None:
        write(here / "m.py", "x = 1")
        hint = "" if run else " (where running code makes it, use --import)"
        assert fault("m.py", run) == f"m.py: holds no mechanism; @mechanism(…) makes one{hint}"

    @pytest.mark.parametrize("target", ["m.py::", "::m", "::"])
    def test_half_a_target(self, here: Path, target: str, run: bool) -> None:
        assert "want file.py::name" in fault(target, run)


class TestBroken:
    """The user's own error when a file is executed, at the user's line, and no traceback."""

    @pytest.mark.parametrize(
        ("content", "line", "message"),
        [
            ("x = (\n", 1, "SyntaxError: '(' was never closed"),
            ("def f():\nreturn\n", 2, "IndentationError: expected an indented block"),
            ("import os\n\nx = 1 / 0\n", 3, "ZeroDivisionError: division by zero"),
            ("import nosuch_module\n", 1, "ModuleNotFoundError: No module named"),
            ("from . import x\n", 1, "ImportError: attempted relative import"),
            ("from shiftproof import nosuch\n", 1, "ImportError: cannot import name 'nosuch'"),
            ("import sys\nsys.exit(2)\n", 2, "SystemExit: 2"),
            ("assert False\n", 1, "AssertionError"),
            ("import json\njson.loads('{')\n", 2, "JSONDecodeError: Expecting"),
        ],
    )
    def test_at_its_line(self, here: Path, content: str, line: int, message: str) -> None:
        path = write(here / "m.py", content)
        lines = fault("m.py", run=True).splitlines()
        assert lines[0].startswith(f"{path}:{line}:")
        assert f": cannot be imported: {message}" in lines[0]
        assert lines[1].strip() == content.splitlines()[line - 1].strip()
        assert set(lines[2].strip()) == {"^"}

    @pytest.mark.parametrize("content", [b"x = 1\0", b"x = '\xff'", b"\x93NUMPY\x01\x00"])
    def test_no_text(self, here: Path, content: bytes) -> None:
        write(here / "m.py", content)
        assert "m.py" in fault("m.py", run=True)
        assert "cannot be imported" in fault("m.py", run=True)

    def test_in_a_module(self, here: Path) -> None:
        write(here / "pack" / "__init__.py", "")
        path = write(here / "pack" / "own.py", "\n1 / 0\n")
        for target in ("pack.own", "pack/own.py", "pack"):
            assert fault(target, run=True).startswith(
                f"{path}:2:1: cannot be imported: ZeroDivisionError"
            )

    def test_in_the_package_around(self, here: Path) -> None:
        write(here / "pack" / "__init__.py", "1 / 0")
        write(here / "pack" / "own.py", mechanism_text("a"))
        for target in ("pack.own", "pack/own.py"):
            assert "cannot be imported: ZeroDivisionError" in fault(target, run=True)

    def test_in_a_file_beside(self, here: Path) -> None:
        path = write(here / "helper.py", "x = (\n")
        write(here / "m.py", "import helper\n")
        assert fault("m.py", run=True).startswith(f"{path}:1:5: cannot be imported: SyntaxError")

    def test_a_declaration_without_place_gets_its_line(self, here: Path) -> None:
        path = write(
            here / "m.py", "from shiftproof import mechanism\n@mechanism(3)\ndef m(): ...\n"
        )
        assert fault("m.py", run=True).startswith(
            f"{path}:2:2: mechanism: got 3; a privacy definition"
        )

    def test_a_declaration_with_place_keeps_it(self, here: Path) -> None:
        text = IMPORTS + "@mechanism(DP())\ndef m(x, eps: Epsilon) -> float:\n    return x\n"
        path = write(here / "m.py", text)
        assert fault("m.py", run=True).startswith(
            f"{path}:2:1: m: the annotation of 'x' does not say"
        )

    def test_unsupported_passes_through(self, here: Path) -> None:
        text = "from shiftproof import Unsupported\nraise Unsupported('this', None, 'that')\n"
        write(here / "m.py", text)
        with pytest.raises(Unsupported, match="this"):
            resolve("m.py", run=True)

    def test_an_interrupt_passes_through(self, here: Path) -> None:
        write(here / "m.py", "raise KeyboardInterrupt")
        with pytest.raises(KeyboardInterrupt):
            resolve("m.py", run=True)


class TestBrokenWhereItIsRead:
    """What would surely fail is an error of the same words, though nothing is executed."""

    @pytest.mark.parametrize(
        ("content", "line", "message"),
        [
            ("x = (\n", 1, "SyntaxError: '(' was never closed"),
            ("def f():\nreturn\n", 2, "IndentationError: expected an indented block"),
            ("import os\n\nx = 1 / 0\n", 3, "ZeroDivisionError: division by zero"),
            ("from . import x\n", 1, "ImportError: attempted relative import"),
            ("from shiftproof import nosuch\n", 1, "ImportError: cannot import name 'nosuch'"),
            ("@nosuch\ndef f(): ...\n", 1, "NameError: name 'nosuch' is not defined"),
        ],
    )
    def test_at_its_line(self, here: Path, content: str, line: int, message: str) -> None:
        path = write(here / "m.py", content)
        lines = fault("m.py").splitlines()
        assert lines[0].startswith(f"{path}:{line}:")
        assert f": cannot be imported: {message}" in lines[0]
        assert lines[1].strip() == content.splitlines()[line - 1].strip()
        assert set(lines[2].strip()) == {"^"}

    @pytest.mark.parametrize("content", [b"x = 1\0", b"x = '\xff'", b"\x93NUMPY\x01\x00"])
    def test_no_text(self, here: Path, content: bytes) -> None:
        write(here / "m.py", content)
        assert "m.py" in fault("m.py")
        assert "cannot be imported" in fault("m.py")

    def test_in_the_package_around(self, here: Path) -> None:
        path = write(here / "pack" / "__init__.py", "1 / 0")
        write(here / "pack" / "own.py", mechanism_text("a"))
        for target in ("pack.own", "pack/own.py", "pack"):
            assert fault(target).startswith(f"{path}:1:1: cannot be imported: ZeroDivisionError")

    def test_in_a_file_beside(self, here: Path) -> None:
        path = write(here / "helper.py", "x = (\n")
        write(here / "m.py", "import helper\n")
        assert fault("m.py").startswith(f"{path}:1:5: cannot be imported: SyntaxError")

    def test_a_name_that_only_running_would_tell(self, here: Path) -> None:
        path = write(here / "m.py", mechanism_text("a") + "made = (lambda: a)()\n")
        with pytest.raises(Unsupported, match="--import") as caught:
            resolve("m.py::made")
        assert str(caught.value).startswith(f"{path}:8:8: unsupported")
        assert names(resolve("m.py::made", run=True)) == ["a"]

    def test_a_declaration_that_is_wrong(self, here: Path) -> None:
        head = "from shiftproof import mechanism\n"
        path = write(here / "m.py", head + "@mechanism(3)\ndef m(): ...\n")
        (unread,) = resolve("m.py")
        with pytest.raises(BadInput) as caught:
            _ = unread.program
        assert str(caught.value).startswith(f"{path}:2:2: mechanism: got 3; a privacy definition")


class TestTexts:
    """A text that stands in no file is read as a file is."""

    def test_its_mechanisms(self) -> None:
        text = mechanism_text("first", "second")
        assert names(resolve_text(text)) == ["first", "second"]
        assert names(resolve_text(text, "second")) == ["second"]
        (only,) = resolve_text(text, "first")
        assert (only.location.file, only.location.line) == (NO_FILE, 3)

    def test_what_it_leaves_out(self) -> None:
        inside = "class A:" + mechanism_text("inner").removeprefix(IMPORTS).replace("\n", "\n    ")
        assert names(resolve_text(IMPORTS + inside)) == ["A.inner"]

    def test_what_is_not_known(self) -> None:
        with pytest.raises(Unsupported, match="'m' is not known without executing"):
            resolve_text("import random\nm = random.random()\n", "m")

    @pytest.mark.parametrize(
        ("text", "message"),
        [("x = 1", "holds no mechanism"), ("x = (", f"{NO_FILE}:1:5: .*was never closed")],
    )
    def test_what_is_none(self, text: str, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            resolve_text(text)

    def test_it_imports_nothing_from_beside(self, here: Path) -> None:
        write(here / "beside.py", "SCALE = 2\n")
        text = IMPORTS + "from beside import SCALE\n" + ONE.format(name="m", text="")
        (found,) = resolve_text(text.replace("1 / eps", "SCALE / eps"))
        with pytest.raises(Unsupported, match="beside"):
            found.program
