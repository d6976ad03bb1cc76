"""The real function of a mechanism that was imported, and the process in which texts run.

``1 / 3`` and ``0.1`` are floats where Python runs; here they are the exact numbers that they
stand for, so that a comparison of equal numbers goes the way that was proved.
"""

from __future__ import annotations

import atexit
import copy
import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

from ...dsl.language.readings import namespace_of
from ...dsl.language.runtime import Tape, drawing_from
from ...dsl.mechanism import Mechanism
from ..proving.loops.isolated import isolated

#: The library's own functions are not rewritten.
_OWN = f"{__name__.partition('.')[0]}.dsl."


@dataclass(frozen=True, slots=True)
class Live:
    """One run of a function: its inputs, the noise, and what it is to release."""

    inputs: Mapping[str, Any]
    draws: Sequence[Any]
    wanted: Sequence[Any]


def executed(mechanism: Mechanism[..., Any]) -> bool:
    """Whether the function was imported, and not only read."""
    return namespace_of(mechanism.function) is None


def disagreement(mechanism: Mechanism[..., Any], runs: Sequence[Live]) -> str:
    """The first run that releases something else, in words; empty if there is none.

    Runs are made in a child process, whose end, whatever it is, is no disagreement.
    """
    return isolated(lambda: _disagreement(mechanism, runs), "")


def _disagreement(mechanism: Mechanism[..., Any], runs: Sequence[Live]) -> str:
    twin = _exact(mechanism, {})
    for run in runs:
        tape = Tape([_whole(v) for v in run.draws])
        try:
            with drawing_from(tape):
                found = twin.run({n: _whole(v) for n, v in run.inputs.items()})
        except Exception as error:  # whatever the function does
            return f"the imported function raises {type(error).__name__}: {error}"
        if not tape.used_up:
            found = (*found, "noise left over")
        if len(found) != len(run.wanted) or not all(map(_same, found, run.wanted)):
            shown = ", ".join(map(str, found))
            wanted = ", ".join(map(str, run.wanted))
            return f"the imported function releases ({shown}), the language ({wanted})"
    return ""


def _same(left: object, right: object) -> bool:
    """Of numbers that are no ints, up to rounding: ``1 / 3`` is a float when it is compiled.

    What a fraction is divided by downwards gives an int, where that of a float is a float.
    """
    if (isinstance(left, float | Fraction) or type(left) is int) and isinstance(
        right, float | Fraction
    ):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)
    plain = [int(v) if isinstance(v, Whole) else v for v in (left, right)]
    return type(plain[0]) is type(plain[1]) and plain[0] == plain[1]


class Whole(int):
    """An int whose quotients are exact."""

    def __truediv__(self, other: Any) -> Any:
        return Fraction(self) / other

    def __rtruediv__(self, other: Any) -> Any:
        return Fraction(other) / int(self)


def _kept(plain: Callable[..., int]) -> Callable[..., Any]:
    """An operation of ints whose result is exact again."""

    def operation(*numbers: Any) -> Any:
        found = plain(*numbers)
        return Whole(found) if type(found) is int else found

    return operation


for _name in ("add", "sub", "mul", "floordiv", "mod", "radd", "rsub", "rmul", "rfloordiv", "rmod",
              "neg", "pos", "abs"):  # fmt: skip
    setattr(Whole, f"__{_name}__", _kept(getattr(int, f"__{_name}__")))


def _whole(value: Any) -> Any:
    """A value with its ints made exact."""
    if isinstance(value, tuple):
        return tuple(map(_whole, value))
    if isinstance(value, float):
        return Fraction(repr(value))
    return Whole(value) if type(value) is int else value


def _exact(found: Any, known: dict[int, Any]) -> Any:
    """A mechanism, a function of the user's, or a constant, with exact numbers."""
    if isinstance(found, float):
        return Fraction(repr(found)) if math.isfinite(found) else found
    if id(found) in known:
        return known[id(found)]
    if isinstance(found, Mechanism):
        twin = known[id(found)] = copy.copy(found)
        twin.function = _exact(found.function, known)
        return twin
    if isinstance(found, FunctionType) and not found.__module__.startswith(_OWN):
        return _exact_function(found, known)
    return found


def _exact_function(found: FunctionType, known: dict[int, Any]) -> FunctionType:
    """The same function with its constants, and all that it finds by name, made exact."""
    names = dict(found.__globals__)
    cells = tuple(CellType() for _ in found.__closure__ or ())
    code = _exact_code(found.__code__)
    twin = FunctionType(code, names, found.__name__, found.__defaults__, cells)
    known[id(found)] = twin
    for name in _names(found.__code__) & names.keys():
        names[name] = _exact(names[name], known)
    for cell, new in zip(found.__closure__ or (), cells, strict=True):
        new.cell_contents = _exact(cell.cell_contents, known)
    return twin


def _exact_code(code: CodeType) -> CodeType:
    """Code whose constants are exact, those of functions inside it, too."""
    made = [_exact_code(c) if isinstance(c, CodeType) else _whole(c) for c in code.co_consts]
    return code.replace(co_consts=tuple(made))


def _names(code: CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*inner)


# The other process: started once, asked over pipes, given no more than a text and numbers.

#: The folder that the worker is a package of; nothing else of the library can be imported there.
_FOLDER = Path(__file__).resolve().parent
_PROGRAM = f"import sys; sys.path.insert(0, {str(_FOLDER)!r}); import worker.main as m; m.main()"


class Gone(Exception):
    """The other process does not answer."""


def packed(value: Any) -> Any:
    """A value as JSON has it: ``["q", n, d]`` is a fraction, ``["t", …]`` a tuple."""
    if isinstance(value, Fraction):
        return ["q", value.numerator, value.denominator]
    if isinstance(value, tuple | list):
        return ["t", *map(packed, value)]
    if isinstance(value, Mapping):
        return {name: packed(v) for name, v in value.items()}
    return value


class Process:
    """A worker process; it ends with its input, so with this process at the latest."""

    def __init__(self) -> None:
        keeps = ("SYSTEMROOT",) if sys.platform == "win32" else ()
        self._lock = threading.Lock()
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-E", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in keeps if name in os.environ},
            cwd=os.sep,
            start_new_session=True,
            encoding="utf-8",
        )

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request.

        Raises:
            Gone: there is none, or it is more than the process does.
        """
        assert self._child.stdin is not None and self._child.stdout is not None
        try:
            with self._lock:
                self._child.stdin.write(json.dumps(request) + "\n")
                self._child.stdin.flush()
                line = self._child.stdout.readline()
            answer = json.loads(line)
        except (OSError, ValueError):
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise Gone("the process that runs it ended")
        if "beyond" in answer:
            raise Gone(answer["beyond"])
        return answer

    @property
    def ended(self) -> bool:
        """Whether it is gone."""
        return self._child.poll() is not None

    def close(self) -> None:
        """End it."""
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        self._child.kill()
        self._child.wait()


_started: dict[int, Process] = {}
_starting = threading.Lock()


def worker() -> Process:
    """The worker of this process; the first call starts it, and does not wait for it.

    Raises:
        Gone: it cannot be started.
    """
    own = os.getpid()  # that of a parent is not asked from here
    with _starting:
        if own not in _started or _started[own].ended:
            try:
                _started[own] = Process()
            except OSError as error:
                raise Gone(str(error)) from None
            atexit.register(ended, own)
        return _started[own]


def ended(own: int) -> None:
    """End the worker that a process has started, where this is that process."""
    if own == os.getpid() and own in _started:
        _started.pop(own).close()
