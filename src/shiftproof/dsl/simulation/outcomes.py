"""What many runs released, packed: the releases of one run after those of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..showing import Shown
from .group import Labels

#: What a release is: a number, whose value stands beside it, a truth value, or an atom.
FLOAT, INT, FALSE, TRUE, FIRST_ATOM = 1, 2, 3, 4, 5

Released = bool | int | float | str | None


class Ending(IntEnum):
    """How a run ended."""

    END = 0
    #: It raised an exception, which the language does not allow.
    RAISED = 1
    #: It never ends, or took more steps than are followed.
    UNFINISHED = 2


@dataclass(frozen=True, eq=False)
class Outcomes(Shown):
    """The outcomes of n runs, as a sequence of tuples of what each of them released.

    Behind the sequence are arrays for whoever needs speed:

    Attributes:
        lengths: shape (n,); how many values each run released.
        codes: what was released, all runs one after another: 1 a float, 2 an int, 3 ``False``,
            4 ``True``, from 5 on ``atoms[code - 5]``.
        payload: the numbers at the same places, 64 bits each: ints as they are, floats by their
            bits (``payload.view(float)``); ``None`` if no number was released.
        endings: shape (n,); how each run ended, an :class:`Ending`.
        wrong: shape (n,); whether an ``ensure`` did not hold; ``None`` if there is none.
        atoms: ``None`` and the strings that are released.
    """

    lengths: NDArray[np.int64]
    codes: NDArray[np.uint8]
    payload: NDArray[np.int64] | None
    endings: NDArray[np.uint8]
    wrong: NDArray[np.bool_] | None
    atoms: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, at: int) -> tuple[Released, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> Outcomes: ...
    def __getitem__(self, at: int | slice) -> tuple[Released, ...] | Outcomes:
        """One outcome, or the outcomes of consecutive runs."""
        if isinstance(at, slice):
            return self._part(at)
        run = range(len(self))[at]
        return tuple(self._released(k) for k in range(self.starts[run], self._end(run)))

    def __iter__(self) -> Iterator[tuple[Released, ...]]:
        return (self[run] for run in range(len(self)))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Shape (n,); where the releases of each run begin in ``codes``."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def nbytes(self) -> int:
        """How much memory the arrays take, in bytes."""
        arrays = (self.lengths, self.codes, self.payload, self.endings, self.wrong)
        return sum(a.nbytes for a in arrays if a is not None)

    def counts(self) -> list[tuple[tuple[Released, ...], int]]:
        """The different outcomes and how often each came, the most frequent first.

        1, 1.0 and True are different here.  Runs that raised or did not end count with what
        they released before.
        """
        if not len(self):
            return []
        some, times = self._labels().groups()
        order = np.argsort(-times, kind="stable")
        return [(self[int(some[k])], int(times[k])) for k in order]

    def _labels(self) -> Labels:
        """Equal outcomes get equal labels; at least one run."""
        labels = Labels(len(self))
        labels.tell_apart(self.lengths)
        for position in range(int(self.lengths.max())):
            at = np.flatnonzero(self.lengths > position)
            places = self.starts.take(at) + position
            for released in (self.codes, self.payload):
                if released is not None:
                    values = np.zeros(len(self), released.dtype)
                    values[at] = released.take(places)
                    labels.tell_apart(values)
        return labels

    @staticmethod
    def joined(parts: Sequence[Outcomes]) -> Outcomes:
        """Outcomes of one mechanism, one after another; at least one part."""
        payloads: list[NDArray[np.int64] | None] = [p.payload for p in parts]
        wrongs = [p.wrong for p in parts]
        return Outcomes(
            np.concatenate([p.lengths for p in parts]),
            np.concatenate([p.codes for p in parts]),
            _filled([(a, len(p.codes)) for a, p in zip(payloads, parts, strict=True)], np.int64),
            np.concatenate([p.endings for p in parts]),
            _filled([(a, len(p)) for a, p in zip(wrongs, parts, strict=True)], np.bool_),
            parts[0].atoms,
        )

    def _part(self, at: slice) -> Outcomes:
        begin, end, step = at.indices(len(self))
        if step != 1:
            raise ValueError(f"got the step {step}; consecutive runs are needed")
        end = max(begin, end)
        low = int(self.lengths[:begin].sum())
        high = low + int(self.lengths[begin:end].sum())
        payload = None if self.payload is None else self.payload[low:high]
        wrong = None if self.wrong is None else self.wrong[begin:end]
        return Outcomes(
            self.lengths[begin:end], self.codes[low:high], payload,
            self.endings[begin:end], wrong, self.atoms,
        )  # fmt: skip

    def _end(self, run: int) -> int:
        return int(self.starts[run] + self.lengths[run])

    def _released(self, k: int) -> Released:
        code = int(self.codes[k])
        if code >= FIRST_ATOM:
            return self.atoms[code - FIRST_ATOM]
        if code in (FALSE, TRUE):
            return code == TRUE
        assert self.payload is not None
        bits = self.payload[k : k + 1]
        return int(bits[0]) if code == INT else float(bits.view(np.float64)[0])


def _filled(arrays: Sequence[tuple[Any, int]], kind: Any) -> Any:
    """Arrays one after another, zeros for those that are not there; ``None`` if none is."""
    if all(a is None for a, _ in arrays):
        return None
    return np.concatenate([np.zeros(size, kind) if a is None else a for a, size in arrays])
