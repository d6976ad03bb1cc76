"""From what a user types to what is audited, and to the pairs on which."""

from __future__ import annotations

import inspect
import json
import shlex
from functools import cached_property
from pathlib import Path
from typing import Any

from ..checkers.auditing.boxes.callables import CallableBox
from ..checkers.auditing.boxes.commands import CommandBox
from ..checkers.auditing.boxes.spaces import RecordSpace
from ..dsl.errors import BadInput
from ..dsl.mechanism import Mechanism
from .files import read_whole
from .importing import import_object
from .targets import one_mechanism


class FileFunction:
    """A function by its place, so that workers can import it themselves.

    Args:
        place: a file or a dotted module.
        name: the function's name there.
    """

    def __init__(self, place: str, name: str) -> None:
        self.place, self.__name__ = place, name

    @cached_property
    def _function(self) -> Any:
        return import_object(self.place, self.__name__)

    @property
    def __wrapped__(self) -> Any:
        """The function: its signature is this one's."""
        return self._function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self._function(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return FileFunction, (self.place, self.__name__)


def target_of(
    target: str | None, command: str | None, execute: bool, batch: str | None = None
) -> Any:
    """What is audited: a mechanism, a function, or a box for a command.

    Args:
        target: a mechanism or a function, by its place.
        command: or how a program is called.
        execute: whether files may be run.
        batch: the parameter by which a function is told how many outputs are wanted.

    Raises:
        BadInput: there is no such thing, or it is both or neither of the two.
    """
    if (target is None) == (command is None):
        raise BadInput("want either TARGET or --command")
    if batch is not None and (command is not None or not execute):
        raise BadInput("--batch: only a function that is run (--import) has such a parameter")
    if command is not None:
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise BadInput(f"--command {command!r}: {error}") from None
        return CommandBox(words)
    assert target is not None
    place, separator, name = target.rpartition("::")
    if not (separator and execute):
        try:
            return one_mechanism(target, execute)
        except BadInput as error:
            if not separator or getattr(error, "location", None):
                raise
            hint = "; a function that is no mechanism is audited with --import, which runs the file"
            raise BadInput(f"{error}{hint}") from None
    found = import_object(place, name)
    if isinstance(found, Mechanism):
        if batch is not None:
            raise BadInput(f"--batch: {target} is a mechanism of the language, which has none")
        return found
    if not callable(found) or inspect.isclass(found):
        raise BadInput(f"{target}: is no function: got {type(found).__name__}")
    function = FileFunction(place, name)
    return function if batch is None else CallableBox(function, batched=batch)


def pairs_of_file(file: Path) -> list[tuple[Any, ...]]:
    """Ordered pairs from a JSON file: a list of [D, D'] or of {"left": D, "right": D'}.

    Lists become tuples; an object may have a ``name``, too.

    Raises:
        BadInput: the file cannot be read, or holds no pairs.
    """
    found = read_whole(file, json.loads)
    if not isinstance(found, list) or not found:
        raise BadInput(f"{file}: want a JSON list of pairs, as in [[[1, 0], [0, 0]]]")
    return [_pair(file, k, entry) for k, entry in enumerate(found)]


def space_of_file(file: Path) -> RecordSpace:
    """A space of data sets from a JSON file: an object with the arguments of a RecordSpace.

    A column is ``{"from": LOW, "to": HIGH}``, or a list of the values that it may have.

    Raises:
        BadInput: the file cannot be read, or describes none.
    """
    found = read_whole(file, json.loads)
    if not (isinstance(found, dict) and isinstance(found.get("columns"), dict)):
        raise BadInput(
            f'{file}: want a JSON object such as {{"columns": {{"age": {{"from": 0, "to": 120}}}}, '
            '"rows": [0, 20]}}'
        )
    unknown = found.keys() - {"columns", "rows", "change", "form"}
    if unknown:
        raise BadInput(f"{file}: {min(unknown)!r} is none of columns, rows, change and form")
    given: dict[str, Any] = found
    given["columns"] = {
        name: (column["from"], column["to"]) if _is_range(column) else column
        for name, column in found["columns"].items()
    }
    if isinstance(given.get("rows"), list):
        given["rows"] = tuple(given["rows"])
    try:
        return RecordSpace(**given)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None


def _is_range(column: Any) -> bool:
    return isinstance(column, dict) and column.keys() == {"from", "to"}


def _pair(file: Path, k: int, entry: Any) -> tuple[Any, ...]:
    if isinstance(entry, list) and len(entry) == 2:
        return tuple(map(_frozen, entry))
    if isinstance(entry, dict) and {"left", "right"} <= set(entry) <= {"left", "right", "name"}:
        name = str(entry.get("name", f"pair {k + 1}"))
        return name, _frozen(entry["left"]), _frozen(entry["right"])
    shown = json.dumps(entry)[:80]
    raise BadInput(f'{file}: pair {k + 1} is {shown}; want [D, D\'] or {{"left": D, "right": D\'}}')


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {name: _frozen(v) for name, v in value.items()}
    return value
