"""``shiftproof new``: what it writes is proved, tested and clean at once; nothing is replaced."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import shiftproof
from shiftproof import verify
from shiftproof.commands.cli import main
from shiftproof.commands.new import MODELS
from shiftproof.workspace.targets import one_mechanism

SOURCE = str(Path(shiftproof.__file__).parents[1])
RUFF = shutil.which("ruff", path=Path(sys.executable).parent)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["new", *arguments])


@pytest.mark.parametrize("model", [[], *(["--model", model] for model in MODELS)])
def test_it_is_proved_as_it_is(here: Path, model: list[str]) -> None:
    result = new("visits", *model)
    assert result.exit_code == 0, result.stderr
    assert (model or ["", "adp"])[1].upper() in verify(one_mechanism("visits.py")).claim
    assert sorted(os.listdir(here)) == ["test_visits.py", "visits.py"]
    report = verify(one_mechanism("visits.py"))
    assert str(report.verdict) == "proved"
    assert report.mechanism == "visits"
    assert report.epsilon_upper == "eps"


def test_what_it_says_to_do_works(here: Path) -> None:
    """Each call that it prints is made, but pytest, which the next test runs."""
    calls = [line.split("  ")[1] for line in new("visits").output.splitlines()[2:]]
    ours = [call.split()[1:] for call in calls if call.startswith("shiftproof ")]
    results = [CliRunner().invoke(main, arguments) for arguments in ours]
    assert [result.exit_code for result in results] == [0, 0, 0, 0]
    assert "1 valid; all valid" in results[-1].output
    assert os.listdir(here / "proofs") == ["visits.visits.json"]


def test_on_a_terminal_it_asks(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True)
    result = CliRunner().invoke(main, ["new", "visits"], input="ldp\n")
    assert result.exit_code == 0 and "local: each user answers" in result.stderr
    assert verify(one_mechanism("visits.py")).claim.startswith("LDP")


@pytest.mark.parametrize("model", MODELS)
def test_the_tests_of_all_models_pass(here: Path, model: str) -> None:
    new("visits", "--model", model)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=here, env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 passed" in done.stdout


def test_its_test_passes_and_can_fail(here: Path) -> None:
    new("visits")
    new("broken")
    text = (here / "broken.py").read_text()
    (here / "broken.py").write_text(text.replace("Exponential(1 / eps)", "Exponential(0.5 / eps)"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=here, env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "FAILED test_broken.py::test_it_is_private" in done.stdout
    assert "1 failed, 3 passed" in done.stdout


def test_its_test_passes_below_another_project(here: Path) -> None:
    """Where the settings of pytest keep the folder off the path of imports."""
    (here / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = ["--import-mode=importlib"]\n'
    )
    (here / "below").mkdir()
    os.chdir(here / "below")
    new("visits")
    done = subprocess.run(
        [Path(sys.executable).with_name("pytest"), "-q", "-p", "no:cacheprovider",
         "-p", "no:xdist", "test_visits.py"],
        env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 passed" in done.stdout


@pytest.mark.skipif(RUFF is None, reason="ruff is not installed")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["visits", "a", "a_long_name_of_a_mechanism"])
def test_ruff_finds_nothing(here: Path, name: str, model: str) -> None:
    new(name, "--model", model)
    (here / "ruff.toml").write_text('[lint]\nextend-select = ["E", "W", "I", "UP", "B"]\n')
    for check in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        done = subprocess.run([str(RUFF), *check, "."], cwd=here, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("there", ["visits.py", "test_visits.py"])
def test_nothing_is_replaced(here: Path, there: str) -> None:
    (here / there).write_text("mine")
    result = new("visits")
    assert result.exit_code == 3
    assert result.stderr.startswith(f"Error: {there}: is there already")
    assert os.listdir(here) == [there]
    assert (here / there).read_text() == "mine"


def test_a_link_to_nothing_is_not_followed(here: Path) -> None:
    (here / "visits.py").symlink_to("elsewhere.py")
    assert new("visits").exit_code == 3
    assert os.listdir(here) == ["visits.py"]


def test_both_or_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shiftproof.workspace import files

    def only_the_first(file: Path, text: bytes) -> None:
        if file.name.startswith("test_"):
            raise shiftproof.BadInput(f"{file}: cannot be written: the disk is full")
        file.write_bytes(text)

    monkeypatch.setattr(files, "write_whole", only_the_first)
    result = new("visits")
    assert result.exit_code == 3
    assert "the disk is full" in result.stderr
    assert os.listdir(here) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "want a name in Python"),
        ("2d", "want a name in Python"),
        ("a-b", "want a name in Python"),
        ("a/b", "want a name in Python"),
        ("../b", "want a name in Python"),
        ("b.py", "want a name in Python"),
        ("größe", "want a name in Python"),
        ("class", "want a name in Python"),
        ("__init__", "want a name in Python"),
        ("conftest", "pytest would take"),
        ("test_visits", "pytest would take"),
        ("testing", "pytest would take"),
        ("random", "there is a module"),
        ("numpy", "there is a module"),
        ("shiftproof", "there is a module"),
        ("max", "Python has a function"),
        ("eps", "the mechanism uses"),
        ("f", "the mechanism uses"),
        ("Counts", "the mechanism uses"),
    ],
)
def test_names_that_do_not_do(here: Path, name: str, message: str) -> None:
    result = new(name)
    assert result.exit_code == 3
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert os.listdir(here) == []
