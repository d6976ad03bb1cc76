"""Mechanisms one after the other: what goes wrong with one costs that one its answer only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import click

from .dsl.errors import ShiftproofError, Unsupported
from .dsl.faults import fault_text
from .importing import AnyMechanism
from .report import progress
from .terminal import interruptible

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """The answers that there are, in order; ``failed`` if there is none for some mechanism."""

    found: list[T]
    failed: bool


def one_by_one(
    mechanisms: Sequence[AnyMechanism], answer: Callable[[AnyMechanism], T]
) -> Answered[T]:
    """Ask for each mechanism; a message on standard error says for which there is no answer.

    Such are those outside the language, and those on which shiftproof itself fails.

    Raises:
        ShiftproofError: any other, since it is about more than one mechanism.
    """
    found: list[T] = []
    failed = False
    with progress(len(mechanisms)) as show:
        for k, mechanism in enumerate(mechanisms):
            show(k, mechanism.function.__name__)
            try:
                with interruptible():
                    found.append(answer(mechanism))
            except Unsupported as error:
                failed = True
                _say(str(error))
            except ShiftproofError:
                raise
            except Exception as error:
                failed = True
                _say(f"{mechanism.function.__name__}: unknown: {fault_text(error)}")
    return Answered(found, failed)


def _say(message: str) -> None:
    from .formats.names import shortened

    click.echo(f"Error: {shortened(message)}", err=True)
