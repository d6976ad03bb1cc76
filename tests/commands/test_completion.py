"""``shiftproof completion``, and the examples of every ``--help``."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main
from shiftproof.commands.common.options import complete_target
from tests.commands.test_laziness import command, loaded

SHELLS = ("bash", "zsh", "fish")


def script_of(shell: str) -> str:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_shiftproof(shell: str) -> None:
    script = script_of(shell)
    assert f"_SHIFTPROOF_COMPLETE={shell}_complete" in script
    assert "%(" not in script


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_can_read_it(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    (tmp_path / "script").write_text(script_of(shell))
    done = subprocess.run([program, "-n", str(tmp_path / "script")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_shell() -> None:
    result = CliRunner().invoke(main, ["completion", "tcsh"])
    assert result.exit_code == 3
    assert "'tcsh' is not one of" in result.stderr


def completed(words: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash is told to offer for the last of the words."""
    monkeypatch.setenv("_SHIFTPROOF_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    return CliRunner().invoke(main, []).stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("shiftproof comp", ["plain,completion"]),
        ("shiftproof list --ref", ["plain,--refuted"]),
        ("shiftproof experiment mon", ["plain,monitor"]),
        ("shiftproof completion z", ["plain,zsh"]),
        ("shiftproof verify numeric_", ["plain,numeric_sparse_vector"]),
        ("shiftproof simulate staircase_", ["plain,staircase_narrow"]),
        ("shiftproof run numeric_", ["plain,numeric_sparse_vector"]),
        ("shiftproof audit numeric_", ["plain,numeric_sparse_vector"]),
        ("shiftproof refute numeric_", ["plain,numeric_sparse_vector"]),
        ("shiftproof bound numeric_", ["plain,numeric_sparse_vector"]),
        ("shiftproof verify own", ["file,own"]),
    ],
)
def test_what_tab_offers(words: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(words, monkeypatch) == offered


def test_of_nothing_the_shell_offers_its_files() -> None:
    context = click.Context(main)
    (only,) = complete_target(context, click.Argument(["target"]), "")
    assert (only.value, only.type) == ("", "file")


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, found in group.commands.items():
        here = f"{path} {name}".strip()
        yield here, found
        if isinstance(found, click.Group):
            yield from commands(found, here)


COMMANDS = dict(commands(main))


def examples_of(found: click.Command) -> list[str]:
    title, _, lines = (found.epilog or "").removeprefix("\b\n").partition("\n")
    assert title in ("Example:", "Examples:")
    return lines.splitlines()


def test_every_line_fits() -> None:
    for found in (main, *COMMANDS.values()):
        for line in examples_of(found):
            assert line.startswith("  shiftproof ")
            assert len(line) <= 100


@pytest.mark.parametrize("path", COMMANDS)
def test_examples_are_calls_of_it(path: str) -> None:
    for line in examples_of(COMMANDS[path]):
        call = line.partition(" > ")[0].strip().removeprefix("shiftproof ")
        assert call == path or call.startswith(f"{path} ")
        parsed(call)


def test_examples_of_the_program_are_calls() -> None:
    for line in examples_of(main):
        parsed(line.strip().removeprefix("shiftproof "))


def parsed(call: str) -> None:
    """Parse a call as the command line would, and run nothing."""
    found: click.Command = main
    words = shlex.split(call)
    while isinstance(found, click.Group):
        found = found.commands[words.pop(0)]
    context = click.Context(found)
    values, rest, _ = found.make_parser(context).parse_args(words)
    assert rest == []
    for parameter in found.params:
        if parameter.name in values and not isinstance(values[parameter.name], bool):
            value = values[parameter.name]
            if value is not None and value != () and "UNSET" not in repr(value):
                parameter.process_value(context, value)


@pytest.mark.parametrize("name", ["new", "list", "doctor", "completion"])
def test_help_loads_nothing_heavy(name: str) -> None:
    assert loaded(command(name, "--help")) == set()


def test_completing_loads_nothing_heavy() -> None:
    asked = {
        "_SHIFTPROOF_COMPLETE": "bash_complete",
        "COMP_WORDS": "shiftproof ver",
        "COMP_CWORD": "1",
    }
    code = f"import os\nos.environ.update({asked})\n" + command()
    assert loaded(code) == set()
    assert "_SHIFTPROOF_COMPLETE" not in os.environ
