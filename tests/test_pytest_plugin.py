"""The pytest plugin: what it collects, what a failure shows, and that it costs nothing unused."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import shiftproof
from tests.sampling import every

pytest_plugins = ["pytester"]

HEAD = """
from shiftproof import DP, Count, Epsilon, Laplace, Nat, Public, align, ensure, mechanism, sample
"""
BODY = """
@mechanism(DP())
def {name}(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale} / eps))
    return x + noise
"""
STRANGE = """
@mechanism(DP())
def strange(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return eval("x") + noise
"""
WITH_ASSERT = """
@mechanism(DP())
def asserting(x: Count, c: Public[Nat], eps: Epsilon) -> float:
    assert c >= 1
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
WITNESS = [
    "  at eps = ln 2",
    "  D: x = *",
    "  D′: x = *",
    "  outcome: *",
    "  density / ln 2: *",
    "  ratio 4 > e^ε = 2; log ratio 1.38629436112 nats, claimed 0.69314718056",
]
#: Loaded by its entry point where shiftproof is installed.
INSTALLED = bool(entry_points(group="pytest11", name="shiftproof"))
PLUGIN = [] if INSTALLED else ["-p", "shiftproof.pytest_plugin"]


def fine(name: str = "fine") -> str:
    return BODY.format(name=name, scale=1)


def weak(name: str = "weak") -> str:
    return BODY.format(name=name, scale=0.5)


def known(name: str = "known") -> str:
    return weak(name).replace("DP()", 'DP(), expect="refuted"')


@pytest.fixture
def here(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of its own, with shiftproof on the path."""
    monkeypatch.setenv("PYTHONPATH", str(Path(shiftproof.__file__).parents[1]))
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    pytester.path.joinpath("own.py").write_text(HEAD + fine() + weak() + known() + STRANGE)
    pytester.path.joinpath("test_else.py").write_text("def test_else():\n    pass\n")
    return pytester


def run(here: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Pytest in a process of its own: numpy cannot be loaded twice in one."""
    return here.runpytest_subprocess(*PLUGIN, *arguments)


def outcomes(result: pytest.RunResult) -> dict[str, int]:
    found: dict[str, int] = result.parseoutcomes()
    return {name: found[name] for name in ("passed", "failed", "errors") if name in found}


class TestCollected:
    def test_every_mechanism_is_a_test(self, here: pytest.Pytester) -> None:
        result = run(here, "-v", "--shiftproof", "own.py", "-p", "no:randomly")
        result.stdout.fnmatch_lines(
            [
                "test_else.py::test_else PASSED*",
                "own.py::fine PASSED*",
                "own.py::weak FAILED*",
                "own.py::known PASSED*",
                "own.py::strange FAILED*",
            ]
        )
        assert outcomes(result) == {"passed": 3, "failed": 2}
        assert result.ret == 1

    def test_a_failure_is_the_message_and_nothing_else(self, here: pytest.Pytester) -> None:
        result = run(here, "--shiftproof", "own.py", "own.py::weak")
        text = result.stdout.str()
        result.stdout.fnmatch_lines(
            ["*_ weak _*", "weak: refuted", "  at: own.py:9", "  claim: DP with*", *WITNESS[:2]]
        )
        result.stdout.fnmatch_lines([*WITNESS, "FAILED own.py::weak - weak: refuted"])
        assert "runtest" not in text and "Error" not in text
        assert outcomes(result) == {"failed": 1}

    def test_an_unsupported_one_fails(self, here: pytest.Pytester) -> None:
        result = run(here, "--shiftproof", "own.py", "-k", "strange")
        result.stdout.fnmatch_lines(
            ["strange: unsupported", "  own.py:22:12: unsupported*a call of 'eval'*", "*^^^^*"]
        )
        result.stdout.fnmatch_lines(["FAILED own.py::strange - strange: unsupported"])
        assert outcomes(result) == {"failed": 1}

    @pytest.mark.parametrize(
        "selection", every(2, [["-k", "fine or known"], ["own.py::known", "own.py::fine"]])
    )
    def test_selection(self, here: pytest.Pytester, selection: list[str]) -> None:
        result = run(here, "--shiftproof", "own.py", *selection)
        assert outcomes(result) == {"passed": 2}

    def test_the_last_failed(self, here: pytest.Pytester) -> None:
        run(here, "--shiftproof", "own.py")
        result = run(here, "--shiftproof", "own.py", "--lf", "-v")
        result.stdout.fnmatch_lines(["own.py::weak FAILED*", "own.py::strange FAILED*"])
        assert outcomes(result) == {"failed": 2}

    def test_distributed(self, here: pytest.Pytester) -> None:
        pytest.importorskip("xdist")
        result = run(here, "-n", "2", "--shiftproof", "own.py")
        assert outcomes(result) == {"passed": 3, "failed": 2}
        result.stdout.fnmatch_lines([*WITNESS])
        chosen = run(here, "-n", "2", "--shiftproof", "own.py", "own.py::weak")
        assert outcomes(chosen) == {"failed": 1}

    def test_twice_named_is_once_tested(self, here: pytest.Pytester) -> None:
        result = run(here, "--shiftproof", "own.py", "--shiftproof", "own.py::fine", "-k", "fine")
        assert outcomes(result) == {"passed": 1}

    def test_a_package(self, here: pytest.Pytester) -> None:
        here.path.joinpath("pack").mkdir()
        here.path.joinpath("pack/__init__.py").touch()
        here.path.joinpath("pack/one.py").write_text(HEAD + fine("one"))
        here.path.joinpath("pack/two.py").write_text(HEAD + fine("two"))
        result = run(here, "-v", "--shiftproof", "pack")
        result.stdout.fnmatch_lines(["pack/one.py::one PASSED*", "pack/two.py::two PASSED*"])

    def test_files_are_executed_only_if_that_is_asked_for(self, here: pytest.Pytester) -> None:
        here.path.joinpath("own.py").write_text(HEAD + fine() + "\nprint('it ran')\n")
        read = run(here, "-s", "--shiftproof", "own.py", "-k", "fine")
        assert outcomes(read) == {"passed": 1}
        assert "it ran" not in read.stdout.str()
        imported = run(here, "-s", "--shiftproof", "own.py", "--shiftproof-import", "-k", "fine")
        assert outcomes(imported) == {"passed": 1}
        assert "it ran" in imported.stdout.str()

    def test_of_a_folder(self, here: pytest.Pytester) -> None:
        folder = here.path / "some"
        folder.mkdir()
        for name in ("one", "two"):
            folder.joinpath(f"{name}.py").write_text(HEAD + fine(name))
        folder.joinpath("other.py").write_text("x = 1\n")
        result = run(here, "-v", "--shiftproof", "some")
        result.stdout.fnmatch_lines(["some/one.py::one PASSED*", "some/two.py::two PASSED*"])
        (here.path / "none").mkdir()
        result = run(here, "--shiftproof", "none")
        result.stderr.fnmatch_lines(["ERROR: none: no file in this folder makes a mechanism*"])

    def test_of_the_gallery(self, here: pytest.Pytester) -> None:
        result = run(here, "-v", "--shiftproof", "shiftproof.mechanisms.asymmetric_sparse_vector")
        result.stdout.fnmatch_lines(
            ["*asymmetric_sparse_vector.py::asymmetric_sparse_vector PASSED*"]
        )

    def test_what_cannot_be_read_is_an_error_of_collection(self, here: pytest.Pytester) -> None:
        here.path.joinpath("broken.py").write_text("x = (\n")
        for target, said in (
            ("nosuch.py", "nosuch.py: no such file"),
            ("broken.py", "*SyntaxError*"),
        ):
            result = run(here, "--shiftproof", target)
            result.stdout.fnmatch_lines([f"*ERROR collecting {target}*", said, f"ERROR {target}*"])
            assert result.ret == pytest.ExitCode.INTERRUPTED
            assert "Traceback" not in result.stdout.str()


class TestConfigured:
    @pytest.fixture
    def here(self, here: pytest.Pytester) -> pytest.Pytester:
        here.path.joinpath("tests").mkdir()
        here.path.joinpath("test_else.py").rename(here.path / "tests" / "test_else.py")
        here.makeini(
            "[pytest]\ntestpaths = tests\nshiftproof =\n    own.py::fine\n    own.py::known\n"
        )
        return here

    def test_in_a_whole_run(self, here: pytest.Pytester) -> None:
        assert outcomes(run(here)) == {"passed": 3}

    def test_in_a_whole_distributed_run(self, here: pytest.Pytester) -> None:
        pytest.importorskip("xdist")
        assert outcomes(run(here, "-n", "2")) == {"passed": 3}

    @pytest.mark.parametrize(
        ("arguments", "passed"),
        every(
            7,
            [
                (["tests/test_else.py::test_else"], 1),
                (["own.py::known", "tests"], 2),
                (["tests"], 1),
                (["."], 3),
                (["own.py"], 2),
                (["own.py::known"], 1),
                (["tests", "-n", "2"], 1),
            ],
        ),
    )
    def test_where_a_part_is_asked_for(
        self, here: pytest.Pytester, arguments: list[str], passed: int
    ) -> None:
        if "-n" in arguments:
            pytest.importorskip("xdist")
        assert outcomes(run(here, *arguments)) == {"passed": passed}

    def test_names_are_from_where_the_configuration_stands(
        self, here: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(here.path / "tests")
        result = here.run(sys.executable, "-m", "pytest", *PLUGIN, "-v", "..")
        result.stdout.fnmatch_lines(["*own.py::known PASSED*"])
        assert outcomes(result) == {"passed": 3}


class TestAssertion:
    def test_passes_and_fails(self, here: pytest.Pytester) -> None:
        here.makepyfile(
            test_own="""
            from own import fine, known, strange, weak
            from shiftproof import assert_private

            def test_fine():
                assert_private(fine, replays=3)

            def test_known():
                assert_private(known)

            def test_weak():
                assert_private(weak)

            def test_strange():
                assert_private(strange)
            """
        )
        result = run(here, "test_own.py")
        assert outcomes(result) == {"passed": 2, "failed": 2}
        result.stdout.fnmatch_lines(
            [
                "    def test_weak():",
                ">       assert_private(weak)",
                "E       AssertionError: weak: refuted",
                "E         at: own.py:9",
                *(f"E       {line}" for line in WITNESS),
                "test_own.py:11: AssertionError",
                "E       AssertionError: strange: unsupported",
                "E         own.py:22:12: unsupported*",
            ]
        )
        text = result.stdout.str()
        assert "unmet" not in text and "workspace/assertions.py" not in text

    def test_asserts_that_pytest_rewrites_are_explained(self, here: pytest.Pytester) -> None:
        test = "\ndef test_it():\n    shiftproof.assert_private(asserting)\n"
        here.makepyfile(test_own="import shiftproof\n" + HEAD + WITH_ASSERT + test)
        result = run(here, "test_own.py")
        result.stdout.fnmatch_lines(["*PYTEST_DONT_REWRITE*"])
        assert outcomes(result) == {"failed": 1}
        head = '"""PYTEST_DONT_REWRITE"""\nimport shiftproof\n'
        here.makepyfile(test_own=head + HEAD + WITH_ASSERT + test)
        assert outcomes(run(here, "test_own.py")) == {"passed": 1}

    def test_the_gallery_is_as_it_is_written(self, here: pytest.Pytester) -> None:
        here.makepyfile(
            test_own="""
            import shiftproof
            from shiftproof.mechanisms.asymmetric_sparse_vector import asymmetric_sparse_vector

            def test_it():
                shiftproof.assert_private(asymmetric_sparse_vector)
            """
        )
        assert outcomes(run(here, "test_own.py")) == {"passed": 1}

    def test_of_something_else(self) -> None:
        with pytest.raises(shiftproof.BadInput, match="got 3; a mechanism is needed"):
            shiftproof.assert_private(3)  # type: ignore[arg-type]


HEAVY = ("z3", "numpy", "sympy", "scipy", "rich", "msgspec", "flint", "shiftproof.checkers")


def test_pytest_loads_nothing_heavy(here: pytest.Pytester) -> None:
    script = (
        "import sys, pytest\n"
        f"status = pytest.main({[*PLUGIN, '-q', '-p', 'no:xdist', 'test_else.py']})\n"
        "assert status == 0 and 'shiftproof.pytest_plugin' in sys.modules\n"
        f"print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ast.literal_eval(done.stderr.splitlines()[-1]) == []


def test_collecting_needs_no_solver(here: pytest.Pytester) -> None:
    script = (
        "import sys, pytest\n"
        f"status = pytest.main({[*PLUGIN, '-q', '--co', '--shiftproof', 'own.py::fine']})\n"
        "print([m for m in ('z3', 'shiftproof.checkers') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "own.py::fine" in done.stdout
    assert ast.literal_eval(done.stderr.splitlines()[-1]) == []
