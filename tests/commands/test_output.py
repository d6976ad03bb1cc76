"""``--output``: the answer in a file, at once or not at all, and the table on standard output."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof import BadInput
from shiftproof.commands.cli import main
from shiftproof.workspace.files import writable, write_whole

SOURCE = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def weak(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return x + noise
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(SOURCE)
    return tmp_path


def verify(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, ["verify", *arguments])


def test_a_file_and_the_table(here: Path) -> None:
    result = verify("own.py", "--format", "sarif", "--output", "out.sarif")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "1 refuted; 1 not as expected"
    found = json.loads((here / "out.sarif").read_bytes())
    (only,) = found["runs"][0]["results"]
    assert only["ruleId"] == "refuted"
    assert "ratio 4" in only["message"]["text"]
    assert sorted(os.listdir(here)) == ["out.sarif", "own.py"]


@pytest.mark.parametrize("option", [["--json"], ["--format", "json"]])
def test_json_of_either_spelling(here: Path, option: list[str]) -> None:
    result = verify("own.py", *option, "--output", "out.json")
    assert result.stdout.startswith("mechanism ")
    assert json.loads((here / "out.json").read_bytes())[0]["file"] == "own.py"


def test_text_in_a_file_is_plain(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for form in ("text", "table"):
        verify("own.py", "--format", form, "--output", "out.txt")
        text = (here / "out.txt").read_text()
        assert "\x1b" not in text
        assert text.splitlines()[-1] == "1 refuted; 1 not as expected"


def test_several_formats_of_one_run(here: Path) -> None:
    outputs = ["--output", "sarif=out.sarif", "--output", "markdown=./a=b.md"]
    result = verify("own.py", "--format", "github", *outputs)
    assert result.stdout.startswith("::error file=own.py,")
    assert json.loads((here / "out.sarif").read_bytes())["version"] == "2.1.0"
    assert (here / "a=b.md").read_text().startswith("## shiftproof verify")
    result = verify("own.py", "--format", "junit", *outputs, "--output", "x=y")
    assert result.stdout.startswith("mechanism ")
    assert (here / "x=y").read_text().startswith("<?xml")


@pytest.mark.parametrize("form", ["junit", "github", "markdown", "sarif", "json", "text"])
def test_formats_are_printed(here: Path, form: str) -> None:
    result = verify("own.py", "--format", form)
    assert result.exit_code == 1
    assert "weak" in result.stdout
    assert str(here) not in result.stdout
    if form == "junit":
        ET.fromstring(result.stdout.encode())


@pytest.mark.parametrize(
    "place", ["nosuch/out.json", "own.py/out.json", ".", "sarif=nosuch/x", "json="]
)
def test_no_place_is_told_before_the_work(here: Path, place: str) -> None:
    result = verify("nosuch.py", "--json", "--output", place)
    assert result.exit_code == 3
    assert "cannot be written" in result.stderr
    assert "nosuch.py" not in result.stderr
    assert result.stdout == ""


def test_what_was_there_stays_if_there_is_no_answer(here: Path) -> None:
    (here / "out.json").write_text("before")
    assert verify("nosuch.py", "--json", "--output", "out.json").exit_code == 3
    assert (here / "out.json").read_text() == "before"


class TestFiles:
    def test_a_failure_leaves_nothing(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        (here / "out").write_text("before")
        monkeypatch.setattr("shiftproof.workspace.files.os.replace", full)
        with pytest.raises(BadInput, match=r"out: cannot be written: No space"):
            write_whole(Path("out"), b"after")
        assert (here / "out").read_text() == "before"
        assert sorted(os.listdir(here)) == ["out", "own.py"]

    def test_a_link_stays_one(self, here: Path) -> None:
        (here / "out").symlink_to("target")
        write_whole(Path("out"), b"after")
        assert (here / "target").read_bytes() == b"after"
        assert (here / "out").is_symlink()

    def test_a_folder_that_is_locked_is_told_before_the_work(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        def denied(place: Path, mode: int) -> bool:
            asked.append((Path(place), mode))
            return False

        monkeypatch.setattr(
            "shiftproof.workspace.files.os.access", denied
        )  # root may write anywhere
        with pytest.raises(BadInput, match=r"out: cannot be written: no permission to write to"):
            writable(Path("out"))
        assert asked == [(here.resolve(), os.W_OK | os.X_OK)]

    @pytest.mark.skipif(not Path("/dev/null").exists(), reason="devices of POSIX")
    def test_a_device_stays_one(self) -> None:
        writable(Path("/dev/null"))
        write_whole(Path("/dev/null"), b"after")
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_is_one_message() -> None:
    command = [sys.executable, "-m", "shiftproof", "utility"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3
    assert done.stderr == "Error: the answer cannot be printed: No space left on device\n"
