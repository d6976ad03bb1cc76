"""What several commands take is one thing: one name, one kind of value, one help."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click
import pytest

from shiftproof.commands.cli import main

#: Options of one name that are about something else: answers in all formats, an account, a picture;
#: the values of ε of an experiment, and short for ``--set eps=E``.
OTHERS = {"--output", "--format", "--eps"}
#: Where commands differ in how much they do by default, or in whether they begin anew each time.
OWN_DEFAULTS = {"--effort", "--runs", "--samples", "--seed", "--values"}


def commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    for own, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{name}{own} ")
        else:
            yield f"{name}{own}", command


def occurrences() -> dict[str, list[tuple[str, click.Option]]]:
    found: dict[str, list[tuple[str, click.Option]]] = defaultdict(list)
    for name, command in commands(main):
        for option in command.params:
            if isinstance(option, click.Option):
                found[option.opts[0]].append((name, option))
    return {name: several for name, several in found.items() if len(several) > 1}


@pytest.mark.parametrize("name", sorted(occurrences()))
def test_an_option_of_several_commands_is_one_option(name: str) -> None:
    said = {(o.help, o.metavar, str(o.type), o.is_flag, o.multiple) for _, o in occurrences()[name]}
    assert len(said) == 1 or name in OTHERS, [command for command, _ in occurrences()[name]]
    defaults = {str(o.default) for _, o in occurrences()[name]}
    assert len(defaults) == 1 or name in OTHERS | OWN_DEFAULTS


def test_a_target_is_completed_by_every_command() -> None:
    arguments = [a for _, c in commands(main) for a in c.params if isinstance(a, click.Argument)]
    named = [a for a in arguments if a.name in ("target", "targets", "mechanism")]
    assert len(named) > 6
    assert all(a._custom_shell_complete is not None for a in named)
