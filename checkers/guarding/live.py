"""The real function of a mechanism that was imported: the same runs, in a child process.

``1 / 3`` and ``0.1`` are floats where Python runs; here they are the exact numbers that they
stand for, so that a comparison of equal numbers goes the way that was proved.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import CellType, CodeType, FunctionType
from typing import Any

from ...dsl.mechanism import Mechanism
from ...dsl.readings import namespace_of
from ...dsl.runtime import Tape, drawing_from
from ..isolated import isolated

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
    """Of numbers that are no ints, up to rounding: ``1 / 3`` is a float when it is compiled."""
    if isinstance(left, float | Fraction) and isinstance(right, float | Fraction):
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
