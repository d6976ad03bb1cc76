"""Whether an audit of a box can say anything: a few runs, before many."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput
from ...dsl.simulation.outcomes import Ending
from .boxes import Box, Draw, Key
from .packing import brief, packed
from .sample import FLOAT, TEXT, Sample

#: How many runs are made on each input, and from how many on equal blocks are no accident.
RUNS, TELLING = 256, 64
#: How many blocks must be equal.
BLOCKS = 4


def checked(box: Box, inputs: Sequence[Any], key_seed: int) -> list[str]:
    """What a user should know about a box before it is audited, a sentence each.

    Raises:
        BadInput: an audit would be pointless: all runs raise, or they are not independent.
    """
    name = str(getattr(box, "name", "the mechanism"))
    seeded = bool(getattr(box, "seeded", True))
    # What takes no seed is never sent anywhere; its own generator goes on from block to block.
    on = _as_sent(box) if seeded else box.on
    looks = []
    for k, data in enumerate(inputs):
        before, key = _kept(data), (key_seed, k, 0)
        looks.append(_Look(data, key, on(data)(min(box.block, RUNS), key)))
        if before is not None and _changed(before, data):
            raise BadInput(
                f"{name}: changes its input, which is now {brief(data)}, so later runs are on "
                "another one; let it make a copy"
            )
    if looks and all(look.raising.all() for look in looks):
        why = _failure(box, looks[0]) or f"{name}: raises {looks[0].exception}"
        raise BadInput(f"{why}; so does every run on every input")
    notes = []
    if varied := [look for look in looks if not look.constant]:
        if len(varied[0].sample) >= TELLING and _same_noise(on, varied[0]):
            raise BadInput(
                f"{name}: draws the same noise in every batch of runs, so its runs are not "
                "independent; make all of its noise from a parameter 'rng' or 'seed'"
            )
        if not seeded:
            notes.append(f"{name} takes neither rng nor seed: the audit cannot be repeated.")
        elif not _same(varied[0].sample, varied[0].again(on, varied[0].key)):
            notes.append(f"{name} ignores its rng or seed: its runs cannot be repeated.")
    return [*notes, *_seen(looks)]


@dataclass(frozen=True, eq=False)
class _Look:
    """Some runs on one input."""

    data: Any
    key: Key
    sample: Sample

    def again(self, on: Callable[[Any], Draw], key: Key) -> Sample:
        """As many other runs."""
        return on(self.data)(len(self.sample), key)

    @property
    def raising(self) -> NDArray[np.bool_]:
        """Which runs raise."""
        return np.asarray(self.sample.endings == Ending.RAISED)

    @property
    def nan(self) -> NDArray[np.bool_]:
        """In which runs there is NaN."""
        with np.errstate(invalid="ignore"):
            numbers = np.ascontiguousarray(self.sample.bits).view(np.float64)
        return np.asarray((np.isnan(numbers) & (self.sample.kinds == FLOAT)).any(axis=1))

    @property
    def constant(self) -> bool:
        """Whether all outputs are the same."""
        s = self.sample
        return all((a == a[:1]).all() for a in (s.kinds, s.bits, s.lengths, s.endings))

    @property
    def exception(self) -> str:
        """What the first run that raises raises."""
        run, s = int(np.argmax(self.raising)), self.sample
        known = s.lengths[run] == 1 and s.kinds[run, 0] == TEXT
        return s.texts.get(int(s.bits[run, 0]), "an exception") if known else "an exception"


def _seen(looks: Sequence[_Look]) -> Iterator[str]:
    """What stands out in the runs themselves."""
    if some := [look for look in looks if look.constant and not look.raising.all()]:
        yield (
            f"The output was the same in all {len(some[0].sample)} runs {_where(some, 'all')}: it "
            "does not depend on noise there, or hardly."
        )
    if some := [look for look in looks if look.nan.any()]:
        yield f"NaN in {some[0].nan.sum()} of {len(some[0].sample)} runs {_where(some, 'some')}."
    if some := [look for look in looks if look.raising.any()]:
        count = f"{some[0].raising.sum()} of {len(some[0].sample)} runs {_where(some, 'some')}"
        yield f"{count} raised {some[0].exception}, which counts as an output."


def _where(looks: Sequence[_Look], how_many: str) -> str:
    more = len(looks) - 1
    others = f" (and {how_many} on {more} other input{'s' if more > 1 else ''})" if more else ""
    return f"on {brief(looks[0].data)}{others}"


def _same_noise(on: Callable[[Any], Draw], look: _Look) -> bool:
    keys = ((*look.key[:-1], block) for block in range(1, BLOCKS))
    return all(_same(look.sample, look.again(on, key)) for key in keys)


def _same(one: Sample, other: Sample) -> bool:
    pairs = ((one.kinds, other.kinds), (one.bits, other.bits), (one.lengths, other.lengths))
    return all(np.array_equal(a, b) for a, b in (*pairs, (one.endings, other.endings)))


def _failure(box: Box, look: _Look) -> str:
    """What a run says when it raises, if the box can tell."""
    tell: Callable[[Any, Key], str] | None = getattr(box, "failure", None)
    return tell(look.data, look.key) if tell is not None else ""


def _as_sent(box: Box) -> Callable[[Any], Draw]:
    """The box on an input as a worker has it: what it remembers, every worker remembers."""
    kept = _kept(box)
    return box.on if kept is None else lambda data: pickle.loads(kept).on(data)


def _kept(value: Any) -> bytes | None:
    """A value as it is now, if it can be had back."""
    try:
        kept = pickle.dumps(value)
        pickle.loads(kept)
    except Exception:
        return None
    return kept


def _changed(before: bytes, data: Any) -> bool:
    """Whether data is no more what it was, and surely so: another pickle may mean nothing."""
    try:
        if pickle.dumps(data) == before:
            return False
        return not _same(packed([pickle.loads(before)]), packed([data]))
    except Exception:
        return False
