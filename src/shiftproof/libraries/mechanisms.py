"""The mechanisms of a file of readings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..dsl.errors import BadInput, Location, Unsupported
from ..dsl.mechanism import Mechanism
from ..dsl.static import Named, UnreadMechanism, read_path, read_text
from ..dsl.static import Reading as Held
from .reading import Reading, readings_of

if TYPE_CHECKING:
    from .text import Written

#: How files of readings end; and what stands between one and what is in it.
SUFFIX, BETWEEN = ".toml", "::"


def chosen(file: Path, library: str = "", function: str = "") -> list[Reading]:
    """Readings of a file, all or those of one function.

    Args:
        file: of TOML.
        library: the file of the library, in place of that which the readings name.
        function: ``function`` or ``Class.method``, or the name of a mechanism.

    Raises:
        BadInput: there is none.
    """
    found = list(readings_of(file))
    if function:
        named = [r for r in found if function == r.called]
        found = named or [r for r in found if function == r.function]
        if not found:
            known = ", ".join(sorted({r.called for r in readings_of(file)}))
            raise BadInput(f"{file}: no reading is of {function!r}; there are {known}")
    if library:
        place = str(Path(library).resolve()) if library.endswith(".py") else library
        moved = (f"{place}{BETWEEN}{reading.function}" for reading in found)
        found = [msgspec.structs.replace(r, source=s) for r, s in zip(found, moved, strict=True)]
    return found


def mechanism_of(reading: Reading, file: Path) -> tuple[Written, Mechanism[..., Any]]:
    """A function of a library as a mechanism of the language.

    Raises:
        BadInput: there is no such function, or the reading is wrong.
        Unsupported: something in the function is not read.
    """
    from .whole import written

    found = written(reading, file.parent)
    place = f"{file}{BETWEEN}{reading.called}"
    (named,) = read_text(found.text, place)
    mechanism = named[1]
    mechanism.library = found.module.sha256
    try:
        _ = mechanism.program
    except Unsupported as error:
        at = found.line_of(0 if error.location is None else error.location.line)
        raise Unsupported(error.message, at, error.advice, error.outlook) from None
    return found, mechanism


def held_in(file: Path, library: str = "", function: str = "") -> Held:
    """The mechanisms that a file of readings gives; one that cannot be read says why.

    Args: as for :func:`chosen`.

    Raises:
        BadInput: the file is no file of readings.
    """
    held: list[Named] = []
    for reading in chosen(file, library, function):
        try:
            held.append((reading.called, mechanism_of(reading, file)[1]))
        except (BadInput, Unsupported) as error:
            if error.location is None and isinstance(error, BadInput):
                raise
            where = error.location or Location(str(file), 1, 1)
            held.append((reading.called, UnreadMechanism.at(reading.called, where, error)))
    return Held(held, {})


def read_any(path: Path) -> Held:
    """What a file holds: of Python, or of readings.

    Raises:
        BadInput: it cannot be read.
    """
    file, _, name = str(path).partition(SUFFIX + BETWEEN)
    if name:
        return held_in(Path(file + SUFFIX), function=name)
    return held_in(path) if path.suffix == SUFFIX else read_path(path)
