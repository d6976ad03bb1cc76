"""A fault of shiftproof itself in one mechanism costs that one its verdict, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof import Verdict, assert_private, verify
from shiftproof.checkers import bound as bounding
from shiftproof.checkers import verdicts
from shiftproof.checkers import verify as pipeline
from shiftproof.checkers.proving import aligned
from shiftproof.checkers.refuting import refute as refuting
from shiftproof.commands.cli import main
from shiftproof.commands.common import counterexamples as searching
from shiftproof.dsl import errors as faults
from shiftproof.dsl.relations.program import Program
from shiftproof.workspace.targets import resolve

SAID = "a fault of shiftproof itself: KeyError: 'planted' ("
BODY = """
@mechanism(DP())
def {}(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({} / eps))
    return x + noise
"""
TEXT = "from shiftproof import *\n" + BODY.format("first", 1) + BODY.format("faulty", 1)
TEXT += BODY.format("wrong", "0.5") + BODY.format("last", 1)


def planted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a fault where it comes upon the program called ``faulty``."""

    def instead(*arguments: Any, **named: Any) -> Any:
        for value in (*arguments, *named.values()):
            program = value if isinstance(value, Program) else getattr(value, "program", None)
            if getattr(program, "name", "") == "faulty":
                raise KeyError("planted")
        return function(*arguments, **named)

    return instead


@pytest.fixture(autouse=True)
def a_fault_is_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for users; other tests fail."""
    monkeypatch.setattr(pipeline, "faulty", verdicts.faulty)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(TEXT)
    return tmp_path / "own.py"


def call(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, arguments)


#: In which room, and under which name, each step of the pipeline is called.
STEPS = [
    (pipeline, "claim_text"), (pipeline, "_judged"), (aligned, "findings_of"),
    (pipeline, "_answers"), (pipeline, "certified"), (pipeline, "nothing_compared"),
]  # fmt: skip


class TestVerify:
    @pytest.mark.parametrize(("room", "step"), STEPS, ids=[step for _, step in STEPS])
    @pytest.mark.parametrize("options", [(), ("--import",), ("--cache", "kept")], ids=" ".join)
    def test_others_keep_their_verdicts(
        self,
        file: Path,
        monkeypatch: pytest.MonkeyPatch,
        room: object,
        step: str,
        options: tuple[str, ...],
    ) -> None:
        monkeypatch.setattr(room, step, planted(getattr(room, step)))
        result = call("verify", "own.py", "--json", *options)
        assert result.exit_code == 3
        found = {entry["mechanism"]: entry for entry in json.loads(result.stdout)}
        verdicts = {name: entry["verdict"] for name, entry in found.items()}
        assert verdicts == {
            "first": "proved", "faulty": "unknown", "wrong": "refuted", "last": "proved",
        }  # fmt: skip
        (reason,) = found["faulty"]["reasons"]
        assert reason.startswith(SAID) and "Traceback" not in reason and "\n" not in reason
        assert found["faulty"]["fault"] and not found["first"]["fault"]

    def test_refuting(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file.write_text(TEXT.replace("def wrong", "def other").replace("def faulty", "def wrong"))
        file.write_text(file.read_text().replace("def other", "def faulty"))
        monkeypatch.setattr(refuting, "refutation", planted(refuting.refutation))
        found = json.loads(call("verify", "own.py", "--json").stdout)
        assert [e["verdict"] for e in found] == ["proved", "proved", "unknown", "proved"]

    @pytest.mark.parametrize("step", ["normalised", "_report", "_entry"])
    def test_in_the_cache(self, file: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
        from shiftproof.workspace import cache

        call("verify", "own.py", "--cache", "kept")

        def fault(*arguments: object) -> None:
            raise KeyError("planted")

        monkeypatch.setattr(cache, step, fault)
        result = call("verify", "own.py", "--cache", "kept", "--json")
        verdicts = [entry["verdict"] for entry in json.loads(result.stdout)]
        assert verdicts == ["proved", "proved", "refuted", "proved"]

    @pytest.mark.parametrize("form", ["table", "sarif", "junit", "github", "markdown"])
    def test_formats(self, file: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
        monkeypatch.setattr(pipeline, "_judged", planted(pipeline._judged))
        result = call("verify", "own.py", "--format", form)
        assert result.exit_code == 3
        assert "a fault of shiftproof itself" in result.stdout.replace("\\", "")
        if form == "sarif":
            (log,) = json.loads(result.stdout)["runs"]
            rules = [found["ruleId"] for found in log["results"]]
            assert rules == ["fault", "refuted"]

    def test_of_the_function(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pipeline, "_judged", planted(pipeline._judged))
        reports = [verify(mechanism) for mechanism in resolve("own.py")]
        assert [report.fault for report in reports] == [False, True, False, False]
        assert reports[1].verdict is Verdict.UNKNOWN and not reports[1].as_expected
        with pytest.raises(AssertionError, match="a fault of shiftproof itself"):
            assert_private(resolve("own.py::faulty")[0])

    def test_no_bad_example_falls_by_a_fault(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file.write_text(TEXT.replace("DP())\ndef faulty", 'DP(), expect="refuted")\ndef faulty'))
        monkeypatch.setattr(pipeline, "_judged", planted(pipeline._judged))
        assert call("verify", "own.py::faulty").exit_code == 3

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(7)])
    def test_what_ends_the_program_ends_it(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
    ) -> None:
        def end(*arguments: object) -> None:
            raise error

        monkeypatch.setattr(pipeline, "_judged", end)
        with pytest.raises(type(error)):
            verify(resolve("own.py::first")[0])


class TestOtherCommands:
    def test_refute(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "refutation", planted(searching.refutation))
        result = call("refute", "own.py", "--effort", "200")
        assert result.exit_code == 3
        assert "wrong: refuted" in result.stdout and "last: " in result.stdout
        assert f"Error: faulty: unknown: {SAID}" in result.stderr

    def test_bound(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bounding, "proved_budget", planted(bounding.proved_budget))
        result = call("bound", "own.py", "--effort", "200", "--json")
        assert result.exit_code == 3
        names = [entry["mechanism"] for entry in json.loads(result.stdout)]
        assert names == ["first", "wrong", "last"]
        assert f"Error: faulty: unknown: {SAID}" in result.stderr

    def test_explain(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A fault of the proof is explained; one of the explanation leaves out one account."""
        from shiftproof.showing.explaining import explain

        with monkeypatch.context() as patch:
            patch.setattr(pipeline, "_judged", planted(pipeline._judged))
            result = call("explain", "own.py")
            assert result.exit_code == 3 and SAID in result.stdout.replace("\\", "")
            assert all(name in result.stdout for name in ("first", "faulty", "wrong", "last"))
        monkeypatch.setattr(explain, "notation_of", planted(explain.notation_of))
        result = call("explain", "own.py")
        assert result.exit_code == 3 and f"faulty: unknown: {SAID}" in result.stderr
        assert all(name in result.stdout for name in ("first", "wrong", "last"))

    @pytest.mark.parametrize("step", ["_check_proof", "texts_of_called", "structure"])
    def test_check(self, file: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
        from shiftproof.checkers import recheck

        call("verify", "own.py", "--certificates", "kept")
        whole = getattr(recheck, step)

        def fault(*arguments: Any) -> Any:
            if "faulty" in str(getattr(arguments[0], "name", arguments[0])):
                raise KeyError("planted")
            return whole(*arguments)

        monkeypatch.setattr(recheck, step, fault)
        result = call("check", "kept", "--json")
        assert result.exit_code == 3
        found = {Path(entry["certificate"]).name: entry for entry in json.loads(result.stdout)}
        standings = {name: entry["standing"] for name, entry in found.items()}
        assert standings.pop("own.faulty.json") == "unreadable"
        assert set(standings.values()) == {"valid"} and len(standings) == 3
        assert found["own.faulty.json"]["reasons"][0].startswith(SAID)


class TestText:
    def test_says_where(self) -> None:
        try:
            Program.location(None, None)  # type: ignore[arg-type]
        except AttributeError as error:
            said = faults.fault_text(error)
        assert "AttributeError: 'NoneType' object has no attribute" in said
        assert "(dsl/relations/program.py, line " in said and ", in location)" in said

    def test_is_one_short_line(self) -> None:
        said = faults.fault_text(ValueError("a\nb" + "c" * 1000))
        assert "\n" not in said and len(said) < 400 and "place unknown" in said
