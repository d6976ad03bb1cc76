"""A refuted claim of ρ, wherever a counterexample is shown."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof import bound, explain, one_mechanism, verify
from shiftproof.commands.assistants.answers import Subject, refuted
from shiftproof.commands.cli import main

SOURCE = """from math import sqrt

from shiftproof import ZCDP, Count, Exponential, Gaussian, Rho, mechanism, sample


@mechanism(ZCDP())
def halved(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / sqrt(4 * rho)))
    return x + noise


@mechanism(ZCDP())
def clipped(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / sqrt(6 * rho)))
    return max(0.0, x + noise)


@mechanism(ZCDP())
def one_sided(x: Count, rho: Rho) -> float:
    noise = sample(Exponential(1 / rho))
    return x - noise
"""
FOUND = "D₂(M(D) ‖ M(D′)) = 4 > 2ρ = 2"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.py"
    path.write_text(SOURCE)
    return path


def call(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, list(map(str, arguments)))


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github", "markdown", "json"])
def test_every_format_has_the_divergence(file: Path, form: str) -> None:
    result = call("verify", "own.py::halved", "--format", form)
    assert result.exit_code == 1
    if form == "json":
        (report,) = json.loads(result.stdout)
        assert (report["verdict"], report["epsilon_lower"]) == ("refuted", "2")
        assert report["refutation"]["order"] == "2"
    else:
        assert FOUND in result.stdout.replace("&gt;", ">")


def test_saved_recomputed_and_written_as_a_test(file: Path) -> None:
    options = ("--save", "found.json", "--write-test", "test_own.py")
    result = call("refute", "own.py::halved", *options)
    assert result.exit_code == 1 and FOUND in result.stdout
    saved = json.loads(Path("found.json").read_text())
    assert (saved["version"], saved["order"], saved["measure"]) == (1, "2", "divergence")
    again = call("recompute", "found.json")
    assert again.exit_code == 1 and "still refuted" in again.stdout and FOUND in again.stdout
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_own.py"]
    assert subprocess.run(run, capture_output=True, check=False).returncode == 1
    file.write_text(SOURCE.replace("4 * rho", "2 * rho"))
    gone = call("recompute", "found.json")
    assert gone.exit_code == 0 and "D₂(M(D) ‖ M(D′)) = 2 ≤ 2ρ = 2" in gone.stdout
    assert subprocess.run(run, capture_output=True, check=False).returncode == 0


def test_certified_and_checked_again(file: Path) -> None:
    call("verify", "own.py::halved", "--certificates", "kept")
    assert call("check", "kept").exit_code == 0
    (kept,) = Path("kept").glob("*.json")
    text = kept.read_text()
    assert '"log_ratio"' in text
    found = json.loads(text)
    found["counterexample"]["log_ratio"] = {"low": "5", "high": "5"}
    kept.write_text(json.dumps(found))
    assert call("check", "kept").exit_code == 1


def test_explained(file: Path) -> None:
    account = explain(verify(one_mechanism("own.py::halved")))
    text = account.as_markdown()
    assert r"D_{2}(M(D) \parallel M(D')) = 4 \gt 2 \thinspace \rho = 2" in text
    assert r"So no $\rho$ below $2$ holds here." in text
    assert "the divergence is exact" in text and "an outcome" not in text
    assert r"D_{2}(M(D) \parallel M(D')) = 4 > 2 \thinspace \rho = 2" in account.as_latex()
    page = account.as_html()
    assert "the ρ that this pair takes" in page and "the ρ that is claimed" in page


def test_cells_and_infinite_divergences_explained(file: Path) -> None:
    text = explain(verify(one_mechanism("own.py::clipped"))).as_markdown()
    assert "no function makes a divergence larger" in text
    assert r"(M(D) \parallel M(D')) \geq 2." in text
    account = explain(verify(one_mechanism("own.py::one_sided")))
    text = account.as_markdown()
    assert r"(M(D) \parallel M(D')) = \infty" in text and "which no budget allows" in text
    assert "the ρ that this pair takes" not in account.as_html()


def test_assistants_are_told(file: Path) -> None:
    answer = refuted(Subject(source="", path="own.py", name="halved"), (), 500)
    assert FOUND in answer and "ρ ≥ 2 there" in answer


def test_brackets_are_of_rho(file: Path) -> None:
    bracket = bound(one_mechanism("own.py::halved"))
    assert (bracket.letter, bracket.upper, bracket.tight) == ("ρ", "2*rho", True)
    shown = call("bound", "own.py::halved").stdout
    assert "ρ ≤ 2*rho, proved" in shown and "100 % of the proved ρ there" in shown
    assert "no smaller ρ holds" in shown and "ε" not in shown
