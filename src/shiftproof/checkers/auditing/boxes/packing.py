"""Outputs as Python has them, packed: one value a run."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import chain
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....dsl.errors import BadInput
from ....dsl.simulation.outcomes import Ending
from ..samples import (
    DOUBLE,
    FALSE,
    FLOAT,
    INT,
    NONE,
    OPEN,
    PLACES,
    TEXT,
    TRUE,
    Sample,
    digits_of,
    text_hash,
)

Token: TypeAlias = tuple[int, int]

#: How many texts are kept to be shown, and how much of each.
TEXTS, SHOWN = 1000, 200

#: An integer of so many bits is written in decimals; Python may refuse to for longer ones.
_DECIMAL_BITS = 2000
_WANTED = (
    "an output is made of numbers, truth values, texts, bytes, None, members of an Enum, lists, "
    "tuples, arrays, sets, dicts and dataclasses; return one of these"
)
#: How numpy holds exactly what values of a type are; those of other types go one by one.
_COLUMNS: Mapping[type[Any], type[np.generic]] = {
    bool: np.bool_,
    np.bool_: np.bool_,
    float: np.float64,
    np.float64: np.float64,
    np.float32: np.float32,
    np.float16: np.float16,
    int: np.int64,
    np.int64: np.int64,
    np.int32: np.int64,
}


@dataclass(frozen=True, slots=True)
class Raised:
    """The output of a run that raised an exception of this type; its message does not count."""

    kind: str


def packed(outputs: Sequence[Any] | NDArray[Any]) -> Sample:
    """One output a run.

    The elements of a list, tuple, array or set are places of their own, and so are those of
    nested ones after their length.  A set is a list sorted by ``repr``; a dict is its size and
    its items, sorted by ``repr`` of the keys; a complex number is a list of two, a dataclass one
    of its name and its fields.

    Raises:
        BadInput: an output is nothing that can be told apart from others.
    """
    if isinstance(outputs, np.ndarray):
        if (found := _of_array(outputs)) is not None:
            return found
        outputs = [*outputs]
    if (found := _at_once(outputs)) is not None:
        return found
    tokens = _Tokens()
    try:
        rows = [tokens.of_run(output) for output in outputs]
    except RecursionError:
        raise BadInput(f"an output is nested too deeply, or holds itself; {_WANTED}") from None
    endings = [Ending.RAISED if isinstance(o, Raised) else Ending.END for o in outputs]
    return Sample.of_tokens(rows, endings, tokens.texts, tokens.digits)


def brief(value: Any) -> str:
    """A value for a message: its ``repr`` on one line, cut."""
    try:
        text = " ".join(_BRIEF.repr(value).split())
    except Exception:  # an integer of too many digits, for one
        return f"something of type {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


_BRIEF = reprlib.Repr()
_BRIEF.maxother = _BRIEF.maxstring = 60
_BRIEF.maxdict = 8


def _at_once(outputs: Sequence[Any]) -> Sample | None:
    """Outputs that are alike, without a look at each; ``None`` if they are not."""
    kinds = {*map(type, outputs)}
    if kinds == {np.ndarray}:
        if len({(o.shape, o.dtype) for o in outputs}) == 1 and outputs[0].ndim == 1:
            return _of_array(np.stack(outputs))
    elif kinds and kinds <= {list, tuple}:
        if len({*map(len, outputs)}) == 1 and len(outputs[0]):
            whole = _column(outputs, {*map(type, chain.from_iterable(outputs))})
            if whole is not None:
                return Sample.of_array(whole)
            return _beside([_column(c, {*map(type, c)}) for c in zip(*outputs, strict=True)])
    elif kinds:
        column = _column(outputs, kinds)
        return None if column is None else Sample.of_array(column)
    return None


def _beside(columns: Sequence[NDArray[Any] | None]) -> Sample | None:
    """The columns of a table, one row a run, if there are all of them."""
    found = [column for column in columns if column is not None]
    if len(found) < len(columns):
        return None
    parts = [Sample.of_array(column) for column in found[:PLACES]]
    return Sample(
        np.hstack([part.kinds for part in parts]),
        np.hstack([part.bits for part in parts]),
        np.full(len(found[0]), len(found)),
        parts[0].endings,
        digits=min(part.digits for part in parts),
    )


def _column(values: Sequence[Any], types: set[type[Any]]) -> NDArray[Any] | None:
    """Values, or rows of values, of these types as numpy has them, if it keeps all their bits."""
    kinds = {_COLUMNS.get(one) for one in types}
    if len(kinds) != 1 or (kind := kinds.pop()) is None:
        return None
    try:
        return np.array(values, kind)
    except OverflowError:
        return None


def _of_array(array: NDArray[Any]) -> Sample | None:
    """One row a run, if numpy tells them apart as lists would be."""
    if array.ndim not in (1, 2) or array.dtype.kind not in "biuf" or not len(array):
        return None
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        return None
    return None if np.ma.is_masked(array) else Sample.of_array(np.asarray(array))


class _Tokens:
    """Makes tokens of values, and keeps the texts among them."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.digits = DOUBLE

    def of_run(self, output: Any) -> list[Token]:
        """All the tokens of one output."""
        if isinstance(output, Raised):
            return [self._text(output.kind)]
        if isinstance(output, np.ndarray) and output.ndim == 0:
            output = _scalar(output)
        if (elements := _elements(output)) is not None:
            return [*chain.from_iterable(map(self._of, elements))]
        return [*self._of(output)]

    def _of(self, value: Any) -> Iterator[Token]:
        if (simple := _SIMPLE.get(type(value))) is not None:
            yield simple(value)
        elif isinstance(value, str | bytes | bytearray):
            yield self._text(value if isinstance(value, str) else bytes(value))
        elif isinstance(value, bool | np.bool_):
            yield (TRUE if value else FALSE), 0
        elif isinstance(value, int | np.integer):
            yield self._integer(int(value))
        elif isinstance(value, float | np.floating):
            self._came(value)
            yield _float(float(value))
        elif isinstance(value, Fraction):
            parts = (value.numerator, value.denominator)[: 1 if value.denominator == 1 else 2]
            yield self._text("/".join(map(_digits, parts)))
        elif isinstance(value, Decimal):
            yield self._text(str(value))
        elif isinstance(value, complex | np.complexfloating):
            self._came(value)
            yield from ((OPEN, 2), _float(float(value.real)), _float(float(value.imag)))
        elif isinstance(value, Enum):
            yield self._text(str(value))
        elif isinstance(value, Mapping):
            yield OPEN, ~len(value)
            for key in sorted(value, key=_name):
                yield from self._of(key)
                yield from self._of(value[key])
        elif isinstance(value, np.ndarray) and value.ndim == 0:
            yield from self._of(_scalar(value))
        elif (elements := _elements(value)) is not None:
            yield OPEN, len(elements)
            yield from chain.from_iterable(map(self._of, elements))
        else:
            raise BadInput(
                f"an output is, or holds, {brief(value)} of type {type(value).__name__}; {_WANTED}"
            )

    def _came(self, value: Any) -> None:
        if isinstance(value, np.generic):
            self.digits = min(self.digits, digits_of(value.dtype))

    def _integer(self, value: int) -> Token:
        if -(2**63) <= value < 2**63:
            return INT, value
        return self._text(_digits(value))

    def _text(self, text: str | bytes) -> Token:
        code = text_hash(text)
        if code not in self.texts and len(self.texts) < TEXTS:
            shown = text if isinstance(text, str) else repr(text[:SHOWN])
            self.texts[code] = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        return TEXT, code


def _elements(value: Any) -> Sequence[Any] | None:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, set | frozenset):
        return sorted(value, key=_name)
    if is_dataclass(value) and not isinstance(value, type | Raised):
        return [type(value).__name__, *(getattr(value, field.name) for field in fields(value))]
    return [*value] if isinstance(value, np.ndarray) else None


def _scalar(array: NDArray[Any]) -> Any:
    """The only element of an array, in its type; one that is masked is ``None``."""
    return array.tolist() if isinstance(array, np.ma.MaskedArray) else array[()]


def _name(value: Any) -> str:
    """A text to sort by: ``repr``, but that of a set is another one in each process."""
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_name, value)))}}}"
    return f"({', '.join(map(_name, value))})" if type(value) is tuple else repr(value)


def _digits(value: int) -> str:
    return str(value) if value.bit_length() <= _DECIMAL_BITS else hex(value)


def _float(value: float) -> Token:
    return FLOAT, int(_INT.unpack(_DOUBLE.pack(value))[0])


_INT, _DOUBLE = Struct("=q"), Struct("=d")

#: What comes most often.
_SIMPLE: Mapping[type[Any], Callable[[Any], Token]] = {
    bool: lambda value: (TRUE if value else FALSE, 0),
    float: _float,
    np.float64: _float,
    type(None): lambda value: (NONE, 0),
}
