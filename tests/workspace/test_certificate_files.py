"""``verify --certificates``: a certificate is there whole, or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof import verify as prove
from shiftproof.checkers.recheck import Rechecker, Standing
from shiftproof.checkers.walking.certificate import kind_of_certificate
from shiftproof.commands.cli import main
from shiftproof.workspace.files import write_certificates
from tests.checkers.walking.certificates import IMPORTS
from tests.loading import load
from tests.sampling import slow

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
#: At how many moments the command is killed; SHIFTPROOF_FULL=1 takes more.
MOMENTS = 100 if FULL else 12

HEAD = "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
FINE = """
@mechanism(DP())
def {}(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(HEAD + FINE.format("fine") + FINE.format("other_one"))
    return path


def all_whole(folder: Path) -> int:
    found = Rechecker(sources=[]).check_all(sorted(folder.glob("*.json"))[:8])
    assert all(r.standing is Standing.VALID for r in found), found
    return len(found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_killed_while_it_writes(file: Path, tmp_path: Path) -> None:
    """A child writes 400 certificates over and over, until it is killed."""
    folder, written = tmp_path / "proofs", 0
    report = prove(load(file)["fine"])
    reports = [replace(report, mechanism=f"m{k}") for k in range(400)]
    write_certificates(reports[:1], tmp_path / "before")  # loads what children need
    for moment in range(MOMENTS):
        child = os.fork()
        if child == 0:
            while True:
                write_certificates(reports, folder)
        while not folder.exists():  # however slow the machine is
            time.sleep(0.001)
        time.sleep(0.003 + 0.017 * moment)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        written += all_whole(folder) if folder.exists() else 0
        assert all(kind_of_certificate(p.read_bytes()) for p in folder.glob("*.json"))
    assert written


@pytest.mark.parametrize("moment", [k / 10 if k in (2, 8, 12) else slow(k / 10) for k in range(40)])
def test_the_command_killed(file: Path, tmp_path: Path, moment: float) -> None:
    folder = tmp_path / "proofs"
    process = subprocess.Popen(
        [sys.executable, "-m", "shiftproof", "verify", str(file), "--certificates", str(folder)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, **IMPORTS},
    )
    time.sleep(moment)
    process.kill()
    process.wait()
    assert not folder.exists() or all_whole(folder) in (0, 1, 2)


def test_written_anew_over_old_ones(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    for _ in range(2):
        result = verify(file, "--certificates", folder)
        assert result.exit_code == 0, result.output
    assert sorted(p.name for p in folder.iterdir()) == ["own.fine.json", "own.other_one.json"]
    assert all_whole(folder) == 2


def refused(result: Result) -> str:
    assert result.exit_code == 3, result.output
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error")]
    assert len(errors) == 1 and "Traceback" not in result.output
    return errors[0]


def test_a_file_in_place_of_the_folder(file: Path, tmp_path: Path) -> None:
    taken = tmp_path / "proofs"
    taken.write_text("mine")
    assert "proofs" in refused(verify(file, "--certificates", taken))
    assert taken.read_text() == "mine"
    assert "proofs" in refused(verify(file, "--certificates", taken / "deeper"))


def test_a_folder_that_may_not_be_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "proofs"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):  # root may

            def denied(*arguments: object, **more: object) -> tuple[int, str]:
                raise PermissionError(13, "Permission denied")

            monkeypatch.setattr("tempfile.mkstemp", denied)
        said = refused(verify(file, "--certificates", folder))
        assert "cannot be written" in said and "Permission denied" in said
        assert not list(folder.iterdir())
    finally:
        folder.chmod(0o755)


def test_a_full_disk(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there stays, and nothing is left over."""
    folder = tmp_path / "proofs"
    assert verify(file, "--certificates", folder).exit_code == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert "No space left" in refused(verify(file, "--certificates", folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_two_mechanisms_of_one_name(file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    (again / "own.py").write_text(HEAD + FINE.format("fine"))
    folder = tmp_path / "proofs"
    said = refused(verify(file, again / "own.py", "--certificates", folder))
    assert "own.fine.json" in said and "two mechanisms" in said
    assert not folder.exists() or not list(folder.iterdir())


def test_a_folder_where_a_certificate_should_be(file: Path, tmp_path: Path) -> None:
    (tmp_path / "proofs" / "own.fine.json").mkdir(parents=True)
    assert "own.fine.json" in refused(verify(file, "--certificates", tmp_path / "proofs"))


def test_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    folder.mkdir()
    (folder / "own.fine.json").symlink_to(tmp_path / "kept.json")
    assert verify(file, "--certificates", folder).exit_code == 0
    assert (folder / "own.fine.json").is_symlink()
    assert Rechecker().check(tmp_path / "kept.json").standing is not Standing.UNREADABLE
