"""What is read before it is known whether, or how often, a run comes to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..versions import Stale

if TYPE_CHECKING:
    from ..run import Run
    from .frame import Frame


@contextmanager
def rehearsed(run: Run) -> Iterator[set[str]]:
    """What is read meanwhile is read again later, perhaps never: it must change nothing.

    Yields:
        what it reads of that which may change, at the end.

    Raises:
        Stale: it changes something, or may leave the function.
    """
    writer = run.writer
    kept = set(writer.reserved), set(writer.imports), writer.drawn, run.left, len(run.taken)
    with (
        writer.versions.rehearsed() as read,
        run.apart(),
        run.another_round(),
        writer.aside(),
    ):
        try:
            yield read
            if run.left != kept[3]:
                raise Stale("an exception")
        finally:
            writer.reserved, writer.imports, writer.drawn, run.left, taken = kept
            del run.taken[taken:]


@contextmanager
def idle(frame: Frame, node: ast.AST) -> Iterator[None]:
    """What is read meanwhile may not be reached in a run: it changes nothing."""
    run = frame.run
    left = run.left
    try:
        with run.writer.versions.unchanged(), run.apart():
            yield
            if run.left != left:
                raise Stale("the end of the run")
    except Stale as error:
        raise frame.module.refuse(
            node, f"what may not be reached changes {error.args[0]!r}", "write an 'if'"
        ) from None
