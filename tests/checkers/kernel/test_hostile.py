"""No file makes a check crash, hang, take much memory, or run anything.

By default every 30th of the hostile files, and all that were once slow; SHIFTPROOF_FULL=1
takes all 1,700 of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof.checkers.recheck import Rechecker, Standing
from shiftproof.commands.cli import main
from tests.checkers.kernel import hostile_runner
from tests.checkers.kernel.hostile import endless_files, hostile_files
from tests.checkers.walking.certificates import IMPORTS, encoded, named, rechecked

#: Limits for one file; what takes so many seconds hangs.
MEGABYTES, CALLS, SECONDS = 200, 60_000_000, 300
SLOW = ("zeros", "deep", "heads", "invariants?", "variables", "squaring", "doubling", "a range")
SLOW += (
    "functions",
    "ifs that",
    "utf-16",
    "byte order",
    "two keys",
    "empty",
    "many outcomes",
    "program: as long",
    "program: a megabyte",
)
FULL = bool(os.environ.get("SHIFTPROOF_FULL"))

#: What may be valid among files whose name ends with a question mark, and why.
RIGHT = {
    "a float too small as rate ?": "a rate of zero, which nothing costs",
    "a decimal as rate ?": "one more rate, which nothing costs",
    **dict.fromkeys(
        (
            "a negative number as line of a head?",
            "a number as line of a head?",
            "a huge number as line of a head?",
        ),
        "nothing rests on the line",
    ),
    "two keys": "JSON readers take the last of two; this one says what the gallery's does",
    "ands as invariant ?": "it says of ε what is known of it",
    "nothing as value ?": "an empty text is the same as none",
    "nothing as other ?": "the same",
    "true as breaks of a counterexample?": "it was true",
    "nothing in it as leans_on?": "it was empty",
    "an empty list as one_sided?": "it was empty",
    "text as source?": "no Python file: nothing is compared",
    "a number as text as source?": "the same",
    "a bound of 10 digits": "the outcome is as likely whatever the upper bound",
    "a bound of 41 digits": "the same",
    "a bound of 4001 digits": "the same",
}


#: What is right; obsolete, because there is no source where these files say that it is.
ACCEPTED = ("valid", "obsolete")


def chosen() -> list[tuple[str, bytes]]:
    found = list(hostile_files())
    assert len(found) > 1_200
    if FULL:
        return found
    return [f for k, f in enumerate(found) if k % 30 == 0 or f[0].startswith(SLOW)]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What a process with limits says of each file, by the file's name."""
    folder = tmp_path_factory.mktemp("hostile")
    files = {}
    for k, (name, data) in enumerate(chosen()):
        path = folder / f"{k}.json"
        path.write_bytes(data)
        files[str(path)] = name
    script = str(hostile_runner.__file__)
    done = subprocess.run(
        [sys.executable, script, str(MEGABYTES), str(SECONDS), *files],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **IMPORTS},
    )
    records = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    assert done.returncode == 0, (files.get(records[-1][0]), done.stderr[-2000:])
    assert not (folder / "executed").exists()
    found = {files[r[0]]: r[1:] for r in records if len(r) > 1}
    assert len(found) == len(set(files.values())) > 60
    return found


def test_each_is_refused(answers: dict[str, list[Any]]) -> None:
    accepted = {name for name, answer in answers.items() if answer[0] in ACCEPTED}
    assert {name for name in accepted if " as source " not in name} <= set(RIGHT)
    for name, (standing, *_, reasons) in answers.items():
        if name not in accepted:
            assert standing in ("invalid", "unreadable") and reasons, (name, standing)
            assert all(reason.strip() for reason in reasons), name


def test_the_kernel_alone_says_what_is_wrong(answers: dict[str, list[Any]]) -> None:
    for name, (_, _, _, kernel, _) in answers.items():
        assert not kernel.startswith("fault: "), (name, kernel)
    said = {name: a[3] for name, a in answers.items()}
    assert all(said[n] for n in said if n.startswith(("cut at", "deep", "tree")))


def test_most_of_them_are_not_even_right_by_accident(answers: dict[str, list[Any]]) -> None:
    assert sum(a[0] in ACCEPTED for a in answers.values()) < len(answers) / 10


def test_none_takes_long(answers: dict[str, list[Any]]) -> None:
    """The longest program that may be takes 17 million calls, and six seconds."""
    name, answer = max(answers.items(), key=lambda a: a[1][1])
    assert answer[1] < CALLS, name


def test_none_takes_much_memory(answers: dict[str, list[Any]]) -> None:
    """The peaks are those of all files so far."""
    (first,) = [name for name, a in answers.items() if a[2] >= MEGABYTES][:1] or [""]
    assert not first, (first, answers[first])


#: Seconds of a processor; the gallery takes two in all.
LONGEST = 4

ALONE = """
import sys, resource
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
from pathlib import Path
from shiftproof.checkers.kernel.check import main
sys.exit(main(sys.argv[1:2]))
"""


@pytest.mark.parametrize(
    ("name", "data"), list(endless_files()), ids=[name for name, _ in endless_files()]
)
def test_no_file_takes_for_ever(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(path), str(LONGEST)],
        capture_output=True,
        text=True,
        env={**os.environ, **IMPORTS},
    )
    assert done.returncode == 1 and ": not proved: " in done.stderr, name


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Path]:
    """A folder with what is no plain file."""
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "fifo.json")
    os.mkfifo(tmp_path / "fifo.py")
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "one.json").symlink_to("two.json")
    (tmp_path / "two.json").symlink_to("one.json")
    (tmp_path / "gone.json").symlink_to("nothing.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "up.json").symlink_to("..")
    (tmp_path / "good.json").write_bytes(encoded(named("laplace")))
    yield tmp_path


@pytest.mark.parametrize(
    "name", ["folder", "fifo", "loop", "one", "gone", "zero", "up", "long" * 100]
)
def test_what_is_no_file_is_unreadable(places: Path, name: str) -> None:
    found = Rechecker().check(places / f"{name}.json")
    assert found.standing is Standing.UNREADABLE and found.reasons


def test_a_file_that_may_not_be_read(places: Path) -> None:
    (places / "good.json").chmod(0)
    if os.access(places / "good.json", os.R_OK):
        pytest.skip("this user may read everything")
    assert Rechecker().check(places / "good.json").standing is Standing.UNREADABLE


def test_a_folder_full_of_them(places: Path) -> None:
    """The good one is found good; the command ends with 3."""
    result = CliRunner().invoke(main, ["check", str(places), "--format", "json"])
    assert result.exit_code == 3, result.output
    found = {Path(r["certificate"]).name: r["standing"] for r in json.loads(result.stdout)}
    assert found.pop("good.json") == "obsolete"  # its source is not here
    assert set(found.values()) == {"unreadable"} and "fifo.json" in found


@pytest.mark.parametrize(
    "source",
    [
        "/etc/passwd", "../../../../../../../../etc/passwd", "/dev/zero", "..", "folder.json",
        "folder.py", "fifo.json", "fifo.py", "zero.py", "nothing.py", "x\x00.py", "a\n.py",
        "~/.profile.py", "\\\\server\\share.py", "C:\\x.py", "file:///x.py", ".py", "/.py",
        "x" * 5_000 + ".py",
    ],
)  # fmt: skip
def test_a_source_that_points_elsewhere(places: Path, source: str) -> None:
    """It is right, and of what it points at nothing is read; at most it is gone."""
    found = rechecked(named("laplace") | {"source": source}, places)
    assert found.standing in (Standing.VALID, Standing.OBSOLETE)
    assert found.line == 0
    if found.standing is Standing.VALID:
        assert found.file == ""


def test_a_source_outside_is_read_as_text_only(places: Path) -> None:
    outside = places.parent / f"{places.name}.py"
    outside.write_text(f"open({str(places / 'executed')!r}, 'w')\nsecret = 'abc'\n(")
    try:
        found = rechecked(named("laplace") | {"source": f"../{outside.name}"}, places)
    finally:
        outside.unlink()
    assert found.standing is Standing.OBSOLETE and not (places / "executed").exists()
    assert not any("abc" in reason for reason in found.reasons)
