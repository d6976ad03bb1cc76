"""``shiftproof read``, and other commands about functions of libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof import Verdict, one_mechanism, verify
from shiftproof.commands.cli import main

LIBRARY = """
import random


def coin(x, p):
    if random.random() < p:
        return x
    return 1 - x


def painted(x):
    return open("wall").write(x)
"""
READING = """
[[mechanism]]
source = "coins.py::coin"
privacy = "LDP()"
[mechanism.inputs]
x = "Annotated[int, IntegerValue(0, 1)]"
eps = "Epsilon"
[mechanism.given]
p = "exp(eps) / (1 + exp(eps))"
"""
UNREAD = """
[[mechanism]]
source = "coins.py::painted"
privacy = "LDP()"
[mechanism.inputs]
x = "Annotated[int, IntegerValue(0, 1)]"
eps = "Epsilon"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coins.py").write_text(LIBRARY)
    Path("coins.toml").write_text(READING)
    Path("both.toml").write_text(READING + UNREAD)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.parametrize(
    "target",
    [("coins.toml",), ("coins.toml::coin",), ("coins.py::coin", "--reading", "coins.toml")],
)
def test_it_prints_the_mechanism_beside_the_source(target: tuple[str, ...]) -> None:
    result = run("read", *target)
    assert result.exit_code == 0, result.output
    assert "def coin(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon):" in result.stdout
    assert "5  def coin(x, p):" in result.stdout
    assert "6  if random.random() < p:" in result.stdout


def test_what_is_not_read_costs_itself_only() -> None:
    result = run("read", "both.toml")
    assert result.exit_code == 3
    assert "def coin" in result.stdout
    assert "painted: not read" in result.stderr and "coins.py:12:12" in result.stderr
    verdicts = run("verify", "both.toml", "--json")
    assert verdicts.exit_code == 3
    found = {one["mechanism"]: one["verdict"] for one in json.loads(verdicts.stdout)}
    assert found == {"coin": "proved", "painted": "unsupported"}


def test_the_written_file_is_a_mechanism() -> None:
    assert run("read", "coins.toml", "--write", "read.py").exit_code == 0
    assert verify(one_mechanism("read.py::coin")).verdict is Verdict.PROVED
    assert one_mechanism("read.py", run=True)(x=1, eps=20.0) == (1,)
    assert run("read", "both.toml", "--write", "no.py").exit_code == 3
    assert not Path("no.py").exists()


@pytest.mark.parametrize("command", ["verify", "refute", "bound"])
def test_commands_take_the_same_target(command: str) -> None:
    whole = run(command, "coins.toml")
    single = run(command, "coins.py::coin", "--reading", "coins.toml")
    assert whole.exit_code == single.exit_code == 0, whole.output + single.output
    assert "coin" in single.stdout


def test_a_new_version_of_the_library_makes_certificates_obsolete() -> None:
    assert run("verify", "coins.toml", "--certificates", "proofs").exit_code == 0
    assert run("check", "proofs").exit_code == 0
    Path("coins.py").write_text(LIBRARY + "# another version\n")
    result = run("check", "proofs")
    assert result.exit_code == 2
    assert "obsolete" in result.stdout and "another one than when" in result.stdout
    certificate: dict[str, Any] = json.loads(next(Path("proofs").glob("*.json")).read_text())
    assert len(certificate["library"]) == 64


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["read", "coins.py::coin"], READING, "want --reading TOML"),
        (["read", "coins.toml::nobody"], READING, "no reading is of 'nobody'; there are coin"),
        (["read", "none.toml"], READING, "none.toml: no such file"),
        (["read", "coins.toml"], "[[mechanism", "is no TOML"),
        (["read", "coins.toml"], "[[mechanism]]\nsource = 'a::b'", "missing required field"),
        (["read", "coins.toml"], READING.replace("::coin", ""), "want FILE.py::function"),
        (["read", "coins.toml"], READING + READING, "two mechanisms are called 'coin'"),
        (["verify", "coins.py", "--reading", "coins.toml"], READING, "want FILE.py::function"),
        (["verify", "coins.toml", "--import"], READING, "leave out --import"),
    ],
)
def test_bad_input_is_one_clear_error(arguments: list[str], text: str, message: str) -> None:
    Path("coins.toml").write_text(text)
    result = run(*arguments)
    assert result.exit_code == 3, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
