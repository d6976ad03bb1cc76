"""``shiftproof doctor``: it finds what is missing, and says all that is there."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof import __version__
from shiftproof.checkers.walking import solvers
from shiftproof.commands import doctor as health
from shiftproof.commands.cli import main
from shiftproof.commands.doctor import EXTRAS, NEEDED, Finding, findings, standing
from tests.places import ROOT

FOR_DEVELOPERS = ("test", "dev", "docs")
PROJECT = ROOT / "pyproject.toml"


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *arguments])


@pytest.mark.skipif(not PROJECT.exists(), reason="the packages hold no pyproject.toml")
def test_what_is_needed_is_what_the_project_says() -> None:
    project = tomllib.loads(PROJECT.read_text())["project"]
    assert set(NEEDED) == set(project["dependencies"])
    wanted = {k: set(v) for k, v in project["optional-dependencies"].items()}
    assert {name: set(packages) for name, (_, packages) in EXTRAS.items()} == {
        name: packages for name, packages in wanted.items() if name not in FOR_DEVELOPERS
    }
    assert project["requires-python"] == ">=" + ".".join(map(str, health._LEAST_PYTHON))


def test_here_all_is_well() -> None:
    result = doctor()
    assert result.exit_code == 0, result.output
    assert result.output.endswith("\nAll needed is there.\n")
    for name in ("Python", "shiftproof", "z3-solver", "z3", "plot", "proofs", "gallery"):
        assert re.search(rf"^  \w+ +{name} ", result.output, re.MULTILINE), name
    assert re.search(rf"ok +shiftproof +{re.escape(__version__)} ", result.output)


def test_json() -> None:
    told = json.loads(doctor("--json").stdout)
    assert told["ok"] is True
    assert {finding["part"] for finding in told["findings"]} == {
        "Python", "packages", "solver", "extras", "rooms", "certificates",
    }  # fmt: skip
    for finding in told["findings"]:
        assert set(finding) == {"part", "name", "state", "version", "note", "needed"}


def found(part: str, name: str) -> Finding:
    (only,) = [it for it in findings() if (it.part, it.name) == (part, name)]
    return only


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str | None]], None]:
    """Says of packages that they are installed in other versions, or not at all."""
    real = importlib.metadata.version

    def pretend(others: dict[str, str | None]) -> None:
        def version(name: str) -> str:
            told = others[name] if name in others else real(name)
            if told is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return told

        monkeypatch.setattr(importlib.metadata, "version", version)

    return pretend


class TestPackages:
    @pytest.mark.parametrize(
        ("requirement", "version", "state"),
        [
            ("numpy>=2.0", "2.0.0", "ok"),
            ("numpy>=2.0", "1.26.4", "too old"),
            ("numpy>=2.0", "10.0rc1", "ok"),
            ("scipy>=1.13", "1.9", "too old"),
            ("scikit-learn<1.6", "1.5.2", "ok"),
            ("scikit-learn<1.6", "1.6.0", "too new"),
            ("numpy>=2.0", "unknown", "too old"),
        ],
    )
    def test_standing(
        self,
        versions: Callable[[dict[str, str | None]], None],
        requirement: str,
        version: str,
        state: str,
    ) -> None:
        name = re.split("[<>]", requirement)[0]
        versions({name: version})
        assert standing(requirement) == (name, state, version)

    def test_missing_and_old(self, versions: Callable[[dict[str, str | None]], None]) -> None:
        versions({"rich": None, "scipy": "1.2", "matplotlib": None})
        result = doctor()
        assert result.exit_code == 1
        assert re.search(r"missing  rich  .*pip install 'rich>=13.7'", result.output)
        assert re.search(r"too old  scipy  .*1\.2 .*want scipy>=1.13", result.output)
        assert re.search(r"missing  plot  .*pip install 'shiftproof\[plot\]'", result.output)
        assert result.output.endswith("\nNot as it should be: rich, scipy\n")
        told = json.loads(doctor("--json").stdout)
        assert told["ok"] is False

    def test_an_extra_may_be_missing(
        self, versions: Callable[[dict[str, str | None]], None]
    ) -> None:
        versions({"distributed": None})
        assert found("extras", "cluster").state == "missing"
        assert doctor().exit_code == 0

    def test_one_that_does_not_load(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "flint", None)
        finding = found("packages", "python-flint")
        assert (finding.state, finding.hurts) == ("broken", True)
        assert finding.note.startswith("does not load: ")


class TestSolver:
    @pytest.mark.parametrize("answer", ["sat", "unsat", "unknown"])
    def test_one_that_answers_wrongly(self, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
        monkeypatch.setattr(solvers.Session, "check", lambda self: answer)
        finding = found("solver", "z3")
        assert (finding.state, finding.hurts) == ("broken", True)
        assert f"answers {answer} and {answer}" in finding.note
        assert doctor().exit_code == 1

    def test_one_that_is_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "z3", None)
        finding = found("solver", "z3")
        assert (finding.state, finding.hurts) == ("missing", True)
        assert "\n" not in finding.note


class TestRooms:
    @pytest.fixture
    def house(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A package whose rooms are whole."""
        for room in health.ROOMS:
            (tmp_path / room).mkdir()
            (tmp_path / room / "__init__.py").touch()
        monkeypatch.setattr(health, "_HERE", tmp_path)
        return tmp_path

    def test_whole(self, house: Path) -> None:
        assert {it.state for it in findings() if it.part == "rooms"} == {"ok"}

    @pytest.mark.parametrize(
        ("fault", "state", "note"),
        [
            (lambda room: None, "missing", "no such folder"),
            (lambda room: room.symlink_to("nowhere"), "missing", "no such folder"),
            (lambda room: room.touch(), "missing", "no such folder"),
            (lambda room: room.mkdir(), "missing", "no such folder"),
        ],
    )
    def test_faults(
        self, house: Path, fault: Callable[[Path], None], state: str, note: str
    ) -> None:
        (house / "dsl" / "__init__.py").unlink()
        (house / "dsl").rmdir()
        fault(house / "dsl")
        finding = found("rooms", "dsl")
        assert (finding.state, finding.hurts) == (state, True)
        assert note in finding.note

    def test_a_file_that_was_installed_is_gone(
        self, house: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Installed(importlib.metadata.PackagePath):
            def locate(self) -> Path:
                return house.parent.joinpath(*self.parts)

        whole = Installed(f"{house.name}/dsl/__init__.py")
        gone = Installed(f"{house.name}/dsl/terms.py")
        monkeypatch.setattr(importlib.metadata, "files", lambda name: [whole, gone])
        assert found("rooms", "dsl").note == f"gone: {gone}; install shiftproof again"
        assert found("rooms", "proofs").state == "ok"

    def test_no_certificates(self, house: Path) -> None:
        finding = found("certificates", "gallery")
        assert (finding.state, finding.hurts) == ("missing", True)
        assert finding.note.startswith("0 of ")
        (house / "proofs" / "laplace.laplace.json").touch()
        finding = found("certificates", "gallery")
        assert (finding.state, finding.hurts) == ("missing", False)
        assert finding.note.startswith("1 of ")
