"""What runs put out: packed value by value, sampled block by block, and as arrays."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput
from ...dsl.simulation.log import columns
from ...dsl.simulation.outcomes import FIRST_ATOM, Ending, Outcomes

# What some runs of any mechanism put out, as arrays: one row a run, one token a place.

#: What a token is.  Numbers have their 64 bits beside it, texts a hash, nested lists a length.
ABSENT, FLOAT, INT, FALSE, TRUE, NONE, TEXT, OPEN = range(8)

#: How many places of an output are looked at; of a longer one the length counts as well.
PLACES = 512
#: How many of them are shown of one.
TOLD = 24


@dataclass(frozen=True, eq=False)
class Sample:
    """The outputs of n runs.

    Attributes:
        kinds: shape (n, places); what stands at each place.
        bits: shape (n, places); the bits of floats, ints as they are, hashes of texts.
        lengths: shape (n,); how many places each output really has.
        endings: shape (n,); how each run ended, an :class:`Ending`.
        wrong: shape (n,); whether an ``ensure`` did not hold; ``None`` if there is none.
        texts: what some of the hashes stand for, to show them.
    """

    kinds: NDArray[np.uint8]
    bits: NDArray[np.int64]
    lengths: NDArray[np.int64]
    endings: NDArray[np.uint8]
    wrong: NDArray[np.bool_] | None = None
    texts: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def places(self) -> int:
        """How many places there are at most."""
        return int(self.kinds.shape[1])

    @staticmethod
    def of_outcomes(outcomes: Outcomes) -> Sample:
        """Runs of a mechanism of the language."""
        n = len(outcomes)
        found = columns(outcomes, PLACES)
        kinds = np.zeros((n, len(found)), np.uint8, order="F")
        bits = np.zeros((n, len(found)), np.int64, order="F")
        for k, column in enumerate(found):
            kinds[:, k] = column.codes
            if column.payload is not None:
                bits[:, k] = column.payload
            if column.code is None or column.code >= FIRST_ATOM:
                for j, atom in enumerate(outcomes.atoms):
                    at = column.codes == FIRST_ATOM + j
                    kinds[at, k] = NONE if atom is None else TEXT
                    bits[at, k] = 0 if atom is None else text_hash(atom)
        texts = {text_hash(atom): atom for atom in outcomes.atoms if atom is not None}
        return Sample(kinds, bits, outcomes.lengths, outcomes.endings, outcomes.wrong, texts)

    @staticmethod
    def of_array(array: NDArray[np.generic]) -> Sample:
        """One row a run: an array of floats, of integers or of truth values."""
        array = array.reshape(len(array), -1)
        n, length = array.shape
        kept = array[:, :PLACES]
        if kept.dtype.kind == "b":
            kinds = np.where(kept, np.uint8(TRUE), np.uint8(FALSE))
            bits = np.zeros(kept.shape, np.int64, order="F")
        elif kept.dtype.kind in "iu":
            kinds = np.full(kept.shape, INT, np.uint8, order="F")
            bits = kept.astype(np.int64, order="F")
        else:
            kinds = np.full(kept.shape, FLOAT, np.uint8, order="F")
            bits = kept.astype(np.float64, order="F").view(np.int64)
        return Sample(kinds, bits, np.full(n, length), np.zeros(n, np.uint8))

    @staticmethod
    def of_tokens(
        rows: Sequence[Sequence[tuple[int, int]]],
        endings: Sequence[Ending],
        texts: Mapping[int, str],
    ) -> Sample:
        """From the tokens of each run, a kind and bits each."""
        n, length = len(rows), max(map(len, rows), default=0)
        places = min(length, PLACES)
        kinds = np.zeros((n, places), np.uint8, order="F")
        bits = np.zeros((n, places), np.int64, order="F")
        for row, tokens in enumerate(rows):
            for k, (kind, value) in enumerate(tokens[:PLACES]):
                kinds[row, k], bits[row, k] = kind, value
        lengths = np.array([*map(len, rows)], np.int64)
        return Sample(kinds, bits, lengths, np.array(endings, np.uint8), None, texts)

    @staticmethod
    def joined(parts: Sequence[Sample]) -> Sample:
        """Samples of one mechanism, one after another; at least one."""
        places = max(part.places for part in parts)
        size = sum(map(len, parts))
        kinds = np.zeros((size, places), np.uint8, order="F")
        bits = np.zeros((size, places), np.int64, order="F")
        begin = 0
        for part in parts:
            kinds[begin : begin + len(part), : part.places] = part.kinds
            bits[begin : begin + len(part), : part.places] = part.bits
            begin += len(part)
        wrong = [p.wrong if p.wrong is not None else np.zeros(len(p), np.bool_) for p in parts]
        return Sample(
            kinds, bits,
            np.concatenate([p.lengths for p in parts]),
            np.concatenate([p.endings for p in parts]),
            None if all(p.wrong is None for p in parts) else np.concatenate(wrong),
            {code: text for part in parts for code, text in part.texts.items()},
        )  # fmt: skip

    def part(self, begin: int, end: int) -> Sample:
        """Some consecutive runs."""
        runs = slice(begin, end)
        return Sample(
            self.kinds[runs], self.bits[runs], self.lengths[runs], self.endings[runs],
            None if self.wrong is None else self.wrong[runs], self.texts,
        )  # fmt: skip

    def shown(self, run: int) -> str:
        """The output of one run, for people."""
        length = int(self.lengths[run])
        shown = [self._token(run, k) for k in range(min(length, self.places, TOLD))]
        text = ", ".join(shown) + (f", … ({length:,} in all)" if length > len(shown) else "")
        if self.endings[run] != Ending.END:
            how = "raises" if self.endings[run] == Ending.RAISED else "does not end"
            return f"{text}, then it {how}" if text else f"it {how}"
        return text if length == 1 else f"({text})"

    def _token(self, run: int, place: int) -> str:
        kind, bits = int(self.kinds[run, place]), self.bits[run, place : place + 1]
        if kind == FLOAT:
            return f"{float(bits.view(np.float64)[0]):.6g}"
        if kind == INT:
            return str(int(bits[0]))
        if kind == TEXT:
            text = self.texts.get(int(bits[0]))
            return "a text" if text is None else repr(text)
        return {FALSE: "False", TRUE: "True", NONE: "None", OPEN: f"[{int(bits[0])}:"}[kind]


@lru_cache(100_000)
def text_hash(text: str | bytes) -> int:
    """64 bits that tell texts apart, the same in every process."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else b"\0" + text
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)


# Outputs as Python has them, packed: one value a run.

Token: TypeAlias = tuple[int, int]

#: How many texts are kept to be shown, and how much of each.
TEXTS, SHOWN = 1000, 200

#: An integer of so many bits is written in decimals; Python may refuse to for longer ones.
_DECIMAL_BITS = 2000
_WANTED = (
    "an output is made of numbers, truth values, texts, None, members of an Enum, lists, tuples, "
    "arrays, sets, dicts and dataclasses; return one of these"
)
#: How numpy holds exactly what values of a type are; those of other types go one by one.
_COLUMNS: Mapping[type[Any], type[np.generic]] = {
    bool: np.bool_,
    np.bool_: np.bool_,
    float: np.float64,
    np.float64: np.float64,
    np.float32: np.float64,
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
    nested ones after their length.  A set is a list sorted by ``repr``; a dict is its length and
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
    return Sample.of_tokens(rows, endings, tokens.texts)


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

    def of_run(self, output: Any) -> list[Token]:
        """All the tokens of one output."""
        if isinstance(output, Raised):
            return [self._text(output.kind)]
        if isinstance(output, np.ndarray) and output.ndim == 0:
            output = output.tolist()
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
            yield _float(float(value))
        elif isinstance(value, Fraction):
            parts = (value.numerator, value.denominator)[: 1 if value.denominator == 1 else 2]
            yield self._text("/".join(map(_digits, parts)))
        elif isinstance(value, Decimal):
            yield self._text(str(value))
        elif isinstance(value, complex | np.complexfloating):
            yield from ((OPEN, 2), _float(float(value.real)), _float(float(value.imag)))
        elif isinstance(value, Enum):
            yield self._text(str(value))
        elif isinstance(value, Mapping):
            yield OPEN, len(value)
            for key in sorted(value, key=_name):
                yield from self._of(key)
                yield from self._of(value[key])
        elif isinstance(value, np.ndarray) and value.ndim == 0:
            yield from self._of(value.tolist())
        elif (elements := _elements(value)) is not None:
            yield OPEN, len(elements)
            yield from chain.from_iterable(map(self._of, elements))
        else:
            raise BadInput(
                f"an output is, or holds, {brief(value)} of type {type(value).__name__}; {_WANTED}"
            )

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
