"""From what a user types to mechanisms: a file, ``file.py::name``, a module.

Files are read and nothing in them is executed, unless the user asks for that.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path

from ..dsl.errors import BadInput, Unsupported, did_you_mean
from ..dsl.mechanism import made_meanwhile
from ..dsl.static import (
    LeftOut,
    Reading,
    UnreadMechanism,
    left_out_of_made,
    read_module,
    read_path,
    read_source,
    text_of,
)
from ..libraries.mechanisms import BETWEEN, SUFFIX, held_in
from .importing import AnyMechanism, Named, import_file, import_module, import_package

__all__ = [
    "AnyMechanism", "gallery", "one_mechanism", "resolve", "resolve_text", "resolved", "the_only",
]  # fmt: skip

_GALLERY = f"{__name__.partition('.')[0]}.mechanisms"


def gallery(run: bool = False) -> list[AnyMechanism]:
    """Every mechanism of the gallery, module by module; ``run``: able to run."""
    return _distinct(import_package(_GALLERY) if run else _gallery().held)


def resolved(targets: Sequence[str], run: bool = False) -> list[AnyMechanism]:
    """The mechanisms that several targets name.

    A file that cannot be read, beside others, counts as one mechanism without a program, which
    says why: it costs itself only.

    Raises:
        BadInput: there is nothing of a name.
    """
    found: list[AnyMechanism] = []
    for target in targets:
        try:
            found += resolve(target, run)
        except (BadInput, Unsupported) as error:
            if error.location is None or len(targets) == 1:
                raise
            file = Path(error.location.file).name
            found.append(UnreadMechanism.at(file, error.location, error))
    return found


def resolve(target: str, run: bool = False) -> list[AnyMechanism]:
    """The mechanisms that ``target`` names, in their order, each once; at least one.

    Of a file or module as a whole also what it makes and no name of it holds: as mechanisms
    without a program, at the end, so that nothing is passed over.

    Args:
        target: a file, ``file.py::name``, a dotted module (of a package: all its modules),
            ``module::name``, or the name of a mechanism of the gallery.  Of a library:
            ``readings.toml``, ``readings.toml::name``, or
            ``readings.toml::library.py::Class.method``.
        run: whether to execute the file or module.  Otherwise it is read, as is what it
            imports from its package or from next to it, and its mechanisms cannot run.

    Raises:
        BadInput: there is no such thing, executing it fails, or it holds no mechanism.
        Unsupported: a mechanism in it cannot be declared, or only executing it would tell
            what ``name`` is.
    """
    place, separator, name = target.rpartition("::")
    if separator and not (place and name):
        raise BadInput(f"{target!r}: want file.py::name or module::name")
    found = _executed(place or target) if run else _read(place or target, name)
    hint = "" if run else " (where running code makes it, use --import)"
    return _wanted(found, place or target, name if separator else "", hint)


#: How messages call a text that stands in no file.
NO_FILE = "<source>"


def resolve_text(text: str, name: str = "") -> list[AnyMechanism]:
    """The mechanisms of a text that stands in no file, as :func:`resolve` of a file.

    It is read and not executed; it imports nothing that would stand next to it.

    Args:
        text: the text of a Python file.
        name: of which mechanism; by default of all.

    Raises:
        BadInput: it is no Python, or holds no mechanism, or none of that name.
        Unsupported: only executing it would tell what ``name`` is.
    """
    return _wanted(read_source(text, NO_FILE), NO_FILE, name)


def _wanted(found: Reading, place: str, name: str, hint: str = "") -> list[AnyMechanism]:
    """What is wanted of what a place holds: the mechanism of a name, or without one all of it."""
    if name in found.unreadable:
        raise found.unreadable[name].error(name)
    left_out = [] if name else found.left_out()
    if not (found.held or left_out):
        raise BadInput(f"{place}: holds no mechanism; @mechanism(…) makes one{hint}")
    if not name or SUFFIX + BETWEEN in place:
        return [*_distinct(found.held), *left_out]
    return _distinct(_only(found.held, name, f"{place}: no mechanism is called"))


def one_mechanism(target: str, run: bool = False) -> AnyMechanism:
    """The one mechanism that a target names.

    Args:
        target: ``file.py::name``, ``module::name``, a name of the gallery, or a file or module
            that holds a single mechanism.
        run: whether to execute the file or module; a mechanism that is only read cannot run.

    Raises:
        BadInput: there is none, or there are several.
    """
    return the_only(resolve(target, run), target, "with '::'")


def the_only(found: list[AnyMechanism], place: str, how: str) -> AnyMechanism:
    """The one mechanism among those of a place; what no name holds counts if there is no other.

    Args:
        found: at least one.
        place: what holds them, for the message.
        how: how to choose one, for the message.

    Raises:
        BadInput: there are several.
    """
    found = [m for m in found if not isinstance(m, LeftOut)] or found
    if len(found) > 1:
        names = ", ".join(mechanism.function.__name__ for mechanism in found)
        raise BadInput(f"{place}: holds several mechanisms; choose one {how} ({names})")
    return found[0]


def _read(place: str, name: str = "") -> Reading:
    """What a place holds, without executing it."""
    reading, between, library = place.partition(f"{SUFFIX}{BETWEEN}")
    if between:
        return held_in(Path(reading + SUFFIX), library, name)
    path = Path(place)
    if path.suffix == SUFFIX:
        return held_in(path)
    if path.is_file() or path.suffix == ".py":
        return read_path(path)
    if _is_dotted(place):
        if f"{place}.".startswith(f"{_GALLERY}."):
            whole = _gallery()
            inside = [
                n for n in whole.held if f"{n[1].function.__module__}.".startswith(f"{place}.")
            ]
            if inside:
                return Reading(inside, {})
        found = read_module(place, Path.cwd())
        if found is not None:
            return found
    _check_place(path, place)
    return Reading(_alone_in_gallery(place) or _of_gallery(_gallery().held, place), {})


def _alone_in_gallery(name: str) -> list[Named]:
    """The mechanism of this name, of which only its own file is read."""
    folder = Path(__file__).parent.parent / _GALLERY.rpartition(".")[2]
    for file in sorted(folder.glob("*.py")):
        if f"\ndef {name}(" in file.read_text(encoding="utf-8"):
            found = read_module(f"{_GALLERY}.{file.stem}", Path.cwd())
            return [] if found is None else [one for one in found.held if one[0] == name]
    return []


def _executed(place: str) -> Reading:
    """What a place holds after it was executed."""
    if SUFFIX in (Path(place).suffix, f".{place.partition(BETWEEN)[0].rpartition('.')[2]}"):
        raise BadInput(f"{place}: libraries are read and not executed; leave out --import")
    path = Path(place)
    with made_meanwhile() as made:
        if path.is_file() or path.suffix == ".py":
            held = import_file(path)
            file = os.path.abspath(path)
            own = [m for m in made if m.location.file == file]
            return Reading(held, {}, partial(_never_held, own, held))
        found = import_module(place) if _is_dotted(place) else None
    if found is not None:
        own = [m for m in made if _stands_in(place, m)]
        return Reading(found, {}, partial(_never_held, own, found))
    _check_place(path, place)
    return Reading(_of_gallery(import_package(_GALLERY), place), {})


def _never_held(made: Sequence[AnyMechanism], held: Sequence[Named]) -> list[LeftOut]:
    """What was made while files were executed, and no name holds."""
    kept = {id(mechanism) for _, mechanism in held}
    lost = [mechanism for mechanism in made if id(mechanism) not in kept]
    files = dict.fromkeys(mechanism.location.file for mechanism in lost)
    return [
        one
        for file in files
        for one in left_out_of_made(text_of(file), [m for m in lost if m.location.file == file])
    ]


def _is_dotted(place: str) -> bool:
    return all(part.isidentifier() for part in place.split("."))


def _stands_in(module: str, mechanism: AnyMechanism) -> bool:
    return f"{mechanism.function.__module__}.".startswith(f"{module}.")


def _check_place(path: Path, place: str) -> None:
    if path.is_dir():
        raise BadInput(f"{place}: is a folder; want one of its files (verify takes folders, too)")
    if path.name != place:
        raise BadInput(f"{place}: no such file")


def _of_gallery(held: Sequence[Named], name: str) -> list[Named]:
    lacking = "no file, module or mechanism of the gallery is called"
    return _only(held, name, lacking, "shiftproof list shows the gallery")


@cache
def _gallery() -> Reading:
    found = read_module(_GALLERY, Path.cwd())
    assert found is not None, "the gallery is part of the package"
    return found


def _only(held: Sequence[Named], name: str, lacking: str, otherwise: str = "") -> list[Named]:
    """Those that have the name.

    The error for none says what is ``lacking``, and what is near, or ``otherwise`` what there is.
    """
    chosen = [(known, mechanism) for known, mechanism in held if known == name]
    if chosen:
        return chosen
    names = list(dict.fromkeys(known for known, _ in held))
    otherwise = otherwise or f"want one of {', '.join(names)}"
    raise BadInput(f"{lacking} {name!r}; {did_you_mean(name, names, otherwise)}")


def _distinct(held: Iterable[Named]) -> list[AnyMechanism]:
    return list({id(mechanism): mechanism for _, mechanism in held}.values())
