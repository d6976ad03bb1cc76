"""What some runs of any mechanism put out, as arrays: one row a run, one token a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from ...dsl.simulation.log import columns
from ...dsl.simulation.outcomes import FIRST_ATOM, Ending, Outcomes

#: What a token is.  Numbers have their 64 bits beside it, texts a hash, nested lists a length, and
#: dicts ``~`` of theirs, which is negative.
ABSENT, FLOAT, INT, FALSE, TRUE, NONE, TEXT, OPEN = range(8)

#: How many places of an output are looked at; of a longer one the length counts as well.
PLACES = 512
#: How many of them are shown of one.
TOLD = 24
#: How many binary digits the floats of a type have.
DOUBLE, SINGLE, HALF = 53, 24, 11


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
        digits: how many binary digits the floats had as they came: the fewest of them all.
    """

    kinds: NDArray[np.uint8]
    bits: NDArray[np.int64]
    lengths: NDArray[np.int64]
    endings: NDArray[np.uint8]
    wrong: NDArray[np.bool_] | None = None
    texts: Mapping[int, str] = field(default_factory=dict)
    digits: int = DOUBLE

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
        digits = digits_of(kept.dtype)
        return Sample(kinds, bits, np.full(n, length), np.zeros(n, np.uint8), digits=digits)

    @staticmethod
    def of_tokens(
        rows: Sequence[Sequence[tuple[int, int]]],
        endings: Sequence[Ending],
        texts: Mapping[int, str],
        digits: int = DOUBLE,
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
        return Sample(kinds, bits, lengths, np.array(endings, np.uint8), None, texts, digits)

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
            min(part.digits for part in parts),
        )  # fmt: skip

    def part(self, begin: int, end: int) -> Sample:
        """Some consecutive runs."""
        return self.of_runs(slice(begin, end))

    def of_runs(self, runs: slice | NDArray[np.intp]) -> Sample:
        """Some of the runs."""
        return Sample(
            self.kinds[runs], self.bits[runs], self.lengths[runs], self.endings[runs],
            None if self.wrong is None else self.wrong[runs], self.texts, self.digits,
        )  # fmt: skip

    def shown(self, run: int) -> str:
        """The output of one run, for people."""
        length = int(self.lengths[run])
        last = min(length, self.places, TOLD)
        shown: list[str] = []
        place = 0
        while place < last:
            value, place = self._value(run, place, last)
            shown.append(value)
        text = ", ".join(shown) + (f", … ({length:,} in all)" if length > last else "")
        if self.endings[run] != Ending.END:
            how = "raises" if self.endings[run] == Ending.RAISED else "does not end"
            return f"{text}, then it {how}" if text else f"it {how}"
        return text if len(shown) == 1 and length == last else f"({text})"

    def _value(self, run: int, place: int, last: int) -> tuple[str, int]:
        """What begins at a place, with all that is in it up to the last one, and where it ends."""
        if self.kinds[run, place] != OPEN:
            return self._token(run, place), place + 1
        size = int(self.bits[run, place])
        wanted = size if size >= 0 else 2 * ~size
        parts: list[str] = []
        place += 1
        while len(parts) < wanted and place < last:
            part, place = self._value(run, place, last)
            parts.append(part)
        more = ["…"] * (len(parts) < wanted)
        if size >= 0:
            return f"[{', '.join(parts + more)}]", place
        pairs = [": ".join(parts[k : k + 2]) for k in range(0, len(parts), 2)]
        return f"{{{', '.join(pairs + more)}}}", place

    def _token(self, run: int, place: int) -> str:
        kind, bits = int(self.kinds[run, place]), self.bits[run, place : place + 1]
        if kind == FLOAT:
            return f"{float(bits.view(np.float64)[0]):.6g}"
        if kind == INT:
            return str(int(bits[0]))
        if kind == TEXT:
            text = self.texts.get(int(bits[0]))
            return "a text" if text is None else repr(text)
        return {FALSE: "False", TRUE: "True", NONE: "None"}[kind]


def digits_of(dtype: np.dtype[np.generic]) -> int:
    """How many binary digits the floats of an array have."""
    return {"e": HALF, "f": SINGLE, "F": SINGLE}.get(dtype.char, DOUBLE)


@lru_cache(100_000)
def text_hash(text: str | bytes) -> int:
    """64 bits that tell texts apart, the same in every process."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else b"\0" + text
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)
