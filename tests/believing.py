"""What the static reading of a file believes, beside what importing the file really gives."""

from __future__ import annotations

import builtins
import importlib
import math
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from shiftproof.dsl import mechanism, noise
from shiftproof.dsl.errors import ShiftproofError
from shiftproof.dsl.language import runtime
from shiftproof.dsl.language.declaration import same_code
from shiftproof.dsl.language.readings import ReadModule, Unreadable
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.dsl.privacy import definitions as privacy
from shiftproof.dsl.privacy import inputs, policies
from shiftproof.dsl.static import UnreadMechanism
from shiftproof.dsl.static.places import place_of
from shiftproof.dsl.static.reader import Reader

_BUILTIN = ("abs", "enumerate", "int", "len", "max", "min", "range", "round", "zip")
_FORK = multiprocessing.get_context("fork")
#: What the words of the language mean; no file may change it unnoticed.
_WORDS: tuple[Any, ...] = (
    builtins, math, runtime, noise, policies, privacy, inputs, mechanism,
    *(kind for kind in vars(noise).values() if isinstance(kind, type)), Mechanism,
)  # fmt: skip


def believed(path: Path) -> dict[str, object] | None:
    """Everything that is known of a file after it was read; ``None`` if it is refused."""
    root, name = place_of(path)
    reader = Reader(root)
    try:
        module = reader.imported(name) if "." in name else reader.file(path)
        reader.held([module])
    except ShiftproofError:
        return None
    known = {n: v for n, v in module.__names__.items() if not _is_unread(v) and n[:2] != "__"}
    unbound = {n: getattr(builtins, n) for n in _BUILTIN if n not in module.__names__}
    # Where nothing is known, no mechanism is read that could use them.
    return known | (unbound if any(isinstance(v, Mechanism) for v in known.values()) else {})


def wrongly_believed(path: Path, known: dict[str, object] | None) -> list[str]:
    """What importing the file in a process of its own shows to be another way.

    Raises:
        RuntimeError: importing it fails.
    """
    return _elsewhere(_differences, path, known)


def imported(path: Path, names: Iterable[str]) -> dict[str, str]:
    """What names of a file are after it was imported, as text."""
    return _elsewhere(_named, path, names)


def _elsewhere(ask: Callable[..., Any], *given: object) -> Any:
    ours, theirs = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_answer, args=(theirs, ask, given))
    process.start()
    theirs.close()
    try:
        found = ours.recv()
    except EOFError:
        found = RuntimeError("it died, or never ended")
    process.join()
    if isinstance(found, Exception):
        raise RuntimeError(str(found))
    return found


def _answer(pipe: Any, ask: Callable[..., Any], given: tuple[object, ...]) -> None:
    send, leave = pipe.send, os._exit
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    try:
        found = ask(*given)
    except BaseException as error:
        found = RuntimeError(f"{type(error).__name__}: {error}")
    send(found)
    leave(0)


def _named(path: Path, names: Iterable[str]) -> dict[str, str]:
    module = _import(path)
    return {name: repr(vars(module).get(name)) for name in names}


def _differences(path: Path, known: dict[str, object] | None) -> list[str]:
    before = [(word, dict(vars(word))) for word in _WORDS]
    module = _import(path)
    if known is None:
        return []
    real = dict.fromkeys(known, "(not bound)") | vars(builtins) | vars(module)
    found = [
        f"{name}: {value!r} is believed; it is {real[name]!r}"
        for name, value in known.items()
        if not _same(value, real[name])
    ]
    for word, names in before if known else ():
        changed = {n for n in names if vars(word).get(n) is not names[n]}
        found += [f"{word.__name__}.{name} is another" for name in changed]
    return found


def _import(path: Path) -> ModuleType:
    root, name = place_of(path)
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    return importlib.import_module(name)


def _is_unread(value: object) -> bool:
    return isinstance(value, Unreadable | UnreadMechanism)


def _same(read: object, real: object) -> bool:
    if isinstance(read, ReadModule) and isinstance(real, ModuleType):
        known = {n: v for n, v in read.__names__.items() if not _is_unread(v) and n[:2] != "__"}
        # Modules import each other.
        return all(
            isinstance(v, ModuleType) or (n in vars(real) and _same(v, vars(real)[n]))
            for n, v in known.items()
        )
    if type(read) is not type(real):
        return False
    if isinstance(read, FunctionType) and isinstance(real, FunctionType):
        return read is real or same_code(read.__code__, real.__code__)
    if isinstance(read, Mechanism) and isinstance(real, Mechanism):
        claims = str(read.privacy) == str(real.privacy) and read.expect == real.expect
        return claims and list(read.inputs) == list(real.inputs) and _same(
            read.function, real.function
        )  # fmt: skip
    if isinstance(read, list | tuple) and isinstance(real, list | tuple):
        return len(read) == len(real) and all(map(_same, read, real))
    if isinstance(read, int | float | str | None):
        return repr(read) == repr(real)
    return read is real or read == real
