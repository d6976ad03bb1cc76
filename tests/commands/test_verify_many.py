"""``verify`` of folders and of many mechanisms: none costs another one its verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shiftproof.commands.cli import main
from shiftproof.dsl.errors import BadInput
from shiftproof.workspace import verifying
from shiftproof.workspace.folders import python_files, with_files

IMPORTS = "from shiftproof import *\n"
GOOD = """
@mechanism(DP())
def {name}(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise
"""
CONSTANT = "@mechanism(DP())\ndef {}({}, eps: Epsilon{}) -> float:\n    return 1.0\n"
WRONG = {
    "annotated": CONSTANT.format("annotated", "f: Cout", ""),
    "kindless": CONSTANT.format("kindless", "f: str", ""),
    "given": CONSTANT.format("given", "f: Count", ", k: int = 3"),
    "unknown": GOOD.format(name="unknown").replace("f + noise", "f + nose"),
    "misspelt": GOOD.format(name="misspelt").replace("Laplace", "Laplce"),
}


def run(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Any]]:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "--json", *map(str, arguments)])
    return int(ended.value.code or 0), json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_one_costs_itself_only(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.py"
    text = IMPORTS + GOOD.format(name="before") + WRONG[name] + GOOD.format(name="after")
    file.write_text(text)
    status, found = run(file, capsys=capsys)
    assert status == 3
    verdicts = {report["mechanism"]: report["verdict"] for report in found}
    assert verdicts == {"before": "proved", name: "unsupported", "after": "proved"}
    (reason,) = next(r["reasons"] for r in found if r["mechanism"] == name)
    line = text[: text.index(f"def {name}(")].count("\n") + 1
    assert any(f"some.py:{line + k}:" in reason for k in (-1, 0, 1, 2)), reason


def test_a_file_that_cannot_be_read_costs_itself_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fine.py").write_text(IMPORTS + GOOD.format(name="fine"))
    (tmp_path / "open.py").write_text(IMPORTS + GOOD.format(name="open").replace("(1 / eps)", "(1"))
    status, found = run(tmp_path / "open.py", tmp_path / "fine.py", capsys=capsys)
    assert status == 3
    assert [(r["mechanism"], r["verdict"]) for r in found] == [
        ("open.py", "unsupported"), ("fine", "proved"),
    ]  # fmt: skip
    assert "open.py:5:" in found[0]["reasons"][0] and "SyntaxError" in found[0]["reasons"][0]
    assert main_fails("verify", tmp_path / "open.py") == 3


def main_fails(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, arguments)))
    return int(ended.value.code or 0)


def folder(place: Path) -> Path:
    """A repository with what is to be found in it, and what is not."""
    files = {
        "a.py": IMPORTS + GOOD.format(name="a"),
        "plain.py": "x = 1\n",
        "deep/er/b.py": IMPORTS + GOOD.format(name="b"),
        "deep/out.py": IMPORTS + GOOD.format(name="out"),
        "deep/in.py": IMPORTS + GOOD.format(name="in_"),
        "built/c.py": IMPORTS + GOOD.format(name="c"),
        ".hidden/d.py": IMPORTS + GOOD.format(name="d"),
        "env/pyvenv.cfg": "",
        "env/e.py": IMPORTS + GOOD.format(name="e"),
        ".gitignore": "built/\nout.py\nin.py\n",
        "deep/.gitignore": "!in.py\n",
        "notes.txt": "@mechanism",
    }
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    (place / ".git").mkdir()
    return place


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    place = folder(tmp_path)
    found = [file.relative_to(place).as_posix() for file in python_files(place)]
    assert found == ["a.py", "deep/er/b.py", "deep/in.py", "plain.py"]
    inside = [file.relative_to(place).as_posix() for file in python_files(place / "deep")]
    assert inside == ["deep/er/b.py", "deep/in.py"]  # the rules around it count
    assert [Path(file).name for file in with_files([str(place)])] == ["a.py", "b.py", "in.py"]


def test_a_folder_without_mechanisms(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1\n")
    with pytest.raises(BadInput, match="no file in this folder makes a mechanism"):
        with_files([str(tmp_path)])


def test_processes_find_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder(tmp_path)
    (place / "more.py").write_text(IMPORTS + GOOD.format(name="more") + WRONG["annotated"])

    def answers(*arguments: object) -> tuple[int, list[Any]]:
        status, found = run(place, *arguments, capsys=capsys)
        return status, [
            {k: v for k, v in r.items() if k not in ("seconds", "phases")} for r in found
        ]

    one = answers("-j", "1")
    assert [r["mechanism"] for r in one[1]] == ["a", "b", "in_", "more", "annotated"]
    assert answers("-j", "2") == one


def test_certificates_that_would_share_a_file_are_told_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("one", "two"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "same.py").write_text(IMPORTS + GOOD.format(name="same"))
    assert main_fails("verify", tmp_path, "--certificates", tmp_path / "kept") == 3
    assert "two mechanisms would share this file" in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()


def test_what_is_executed_stays_in_this_process(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text(IMPORTS + GOOD.format(name="some"))
    assert main_fails("verify", "--import", "-j", "2", file) == 3
    wanted = verifying.Wanted((str(file),), execute=True)
    assert verifying.processes_for(wanted.mechanisms() * 100, wanted) == 1
