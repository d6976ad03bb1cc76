"""How commands answer: mechanism by mechanism, what goes wrong with one costs that one only."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import click

from ...dsl.errors import BadInput, ShiftproofError, Unsupported, fault_text
from ...showing.report import progress
from ...workspace.interrupts import interruptible

if TYPE_CHECKING:
    from ...showing.account import Answers
    from ...workspace.importing import AnyMechanism
    from .options import Output

# How commands that answer mechanism by mechanism print their answers, and save them.


def give(answers: Answers, form: str, outputs: Sequence[Output] = ()) -> int:
    """Print the answers and save them.

    Args:
        answers: those of a command.
        form: the format that is printed; if a file gets it, the table is printed instead.
        outputs: the files.

    Returns:
        The exit status that they amount to.

    Raises:
        BadInput: a file cannot be written.
    """
    from ...showing.formats import rendered
    from ...workspace.files import write_whole

    for chosen, file in outputs:
        text = rendered(answers, chosen or form)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))
    saved = any(chosen is None for chosen, _ in outputs)
    print_answer(rendered(answers, "table" if saved else form, printed=True))
    return answers.status


# Mechanisms one after the other: what goes wrong with one costs that one its answer only.

T = TypeVar("T")


def chosen(targets: Sequence[str], execute: bool) -> list[AnyMechanism]:
    """The mechanisms that targets name; what users' files print is no part of the answer.

    Raises:
        BadInput: there is nothing of that name.
    """
    from ...workspace.targets import resolved

    with redirect_stdout(sys.stderr):
        return resolved(targets, execute)


def the_one(target: str, execute: bool) -> AnyMechanism:
    """The one mechanism that a target names.

    Raises:
        BadInput: there is none, or there are several.
    """
    from ...workspace.targets import one_mechanism

    with redirect_stdout(sys.stderr):
        return one_mechanism(target, execute)


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """The answers that there are, in order; ``failed`` if there is none for some mechanism."""

    found: list[T]
    failed: bool


def _say(message: str) -> None:
    from ...showing.printable import shortened

    click.echo(f"Error: {shortened(message)}", err=True)


def one_by_one(
    mechanisms: Sequence[AnyMechanism],
    answer: Callable[[AnyMechanism], T],
    say: Callable[[str], None] = _say,
) -> Answered[T]:
    """Ask for each mechanism; a message says for which there is no answer.

    Such are those outside the language, and those on which shiftproof itself fails.

    Args:
        mechanisms: those that are asked for.
        answer: what is asked.
        say: where messages go, by default to standard error.

    Raises:
        ShiftproofError: any other, since it is about more than one mechanism.
    """
    found: list[T] = []
    failed = False
    with redirect_stdout(sys.stderr), progress(len(mechanisms)) as show:
        for k, mechanism in enumerate(mechanisms):
            show(k, mechanism.function.__name__)
            try:
                with interruptible():
                    found.append(answer(mechanism))
            except Unsupported as error:
                failed = True
                say(str(error))
            except ShiftproofError:
                raise
            except Exception as error:
                failed = True
                say(f"{mechanism.function.__name__}: unknown: {fault_text(error)}")
    return Answered(found, failed)


# Examples below the ``--help`` of a command.


def examples(*calls: str) -> str:
    """An epilog that shows calls, each as what is typed after ``shiftproof``."""
    lines = "\n".join(f"  shiftproof {call}" for call in calls)
    return f"\b\n{'Examples' if len(calls) > 1 else 'Example'}:\n{lines}"


# An option that is given twice, of which a command would silently take the last.


def check_given_once(command: click.Command, context: click.Context, given: list[str]) -> None:
    """Make sure that no option with a value stands twice, unless it may.

    Args:
        command: what is called; of a group, its own command is looked at as well.
        context: that of the group which holds the command.
        given: what was typed after the command's name.

    Raises:
        UsageError: an option does.
    """
    inner = click.Context(command, context, info_name=command.name, resilient_parsing=True)
    try:
        _, rest, order = command.make_parser(inner).parse_args(list(given))
    except click.UsageError:
        return  # the command itself says so, with its own usage
    times = Counter(id(parameter) for parameter in order)
    for parameter in order:
        once = isinstance(parameter, click.Option) and not (
            parameter.multiple or parameter.count or parameter.is_flag
        )
        if once and times[id(parameter)] > 1:
            raise click.UsageError(f"{parameter.opts[-1]} is given more than once", inner)
    if isinstance(command, click.Group) and rest:
        nested = command.get_command(inner, rest[0])
        if nested is not None:
            check_given_once(nested, inner, rest[1:])


#: The exit status where the input is bad, or something in it is not answered.
BAD_INPUT = 3


#: The exit status of what Ctrl-C has ended.
INTERRUPTED = 130


def print_found(as_json: bool, plain: Callable[[], object], text: Callable[[], str]) -> None:
    """Print what was found: as JSON, or for people."""
    from ...showing.report import json_text

    print_answer(json_text(plain()) if as_json else text())


def print_answer(text: str) -> None:
    """Print the answer; a reader that has seen enough of it (``| head``) is no error.

    Raises:
        BadInput: standard output takes no more, since a disk is full, say.
    """
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise BadInput(f"the answer cannot be printed: {error.strerror}") from None
