"""What can be audited: anything that gives outputs on an input."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....dsl.errors import BadInput
from ....dsl.language.flow import Flow
from ....dsl.privacy.definitions import ADP
from ....dsl.privacy.inputs import Queries, Query
from ....dsl.privacy.policies import Policy
from ....dsl.simulation.machine import Machine
from ....dsl.simulation.outcomes import Ending
from ....dsl.simulation.simulate import KeyedNoise
from ...strategies.answers import CornerPattern, corner_patterns
from ..samples import FLOAT, TEXT, Sample
from .independence import clustering, dependence
from .packing import brief, packed

#: What tells a block of runs apart from all others of an audit.
Key: TypeAlias = tuple[int, ...]
#: Gives so many runs, with noise that is theirs alone.
Draw: TypeAlias = Callable[[int, Key], Sample]


class Box(Protocol):
    """A mechanism, of which nothing needs to be known; it is sent to workers."""

    @property
    def block(self) -> int:
        """How many runs are made at once."""
        ...

    def on(self, data: Any) -> Draw:
        """The mechanism on one input."""
        ...


@dataclass(frozen=True, slots=True)
class LanguageBox:
    """A mechanism of the language, simulated."""

    flow: Flow
    block: int = 2**16

    def on(self, data: Mapping[str, Any]) -> Draw:
        """The mechanism on all its inputs by name."""
        machine = Machine(self.flow, data)

        def draw(size: int, key: Key) -> Sample:
            return Sample.of_outcomes(machine.run(size, KeyedNoise(*key)))

        return draw


# Whether an audit of a box can say anything: a few runs, before many.

#: How many runs are made on each input, at once or one by one, and from how many on equal blocks
#: are no accident.
BATCH, RUNS, TELLING = 4096, 256, 64
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
        runs = min(box.block, BATCH if getattr(box, "batch", "") else RUNS)
        looks.append(_Look(data, key, on(data)(runs, key)))
        if before is not None and _changed(before, data):
            raise BadInput(
                f"{name}: changes its input, which is now {brief(data)}, so later runs are on "
                "another one; let it make a copy"
            )
    if looks and all(look.raising.all() for look in looks):
        tell: Callable[[Any, Key], str] = getattr(box, "failure", lambda data, key: "")
        why = tell(looks[0].data, looks[0].key) or f"{name}: raises {looks[0].exception}"
        raise BadInput(f"{why}; so does every run on every input")
    for look in looks:
        more = BLOCKS - 1 if getattr(box, "batch", "") else 1
        if why := dependence(look.sample) or look.shared(on) or look.clustered(on, more):
            raise BadInput(
                f"{name}: its runs are not independent on {brief(look.data)}: {why}; draw noise "
                "of its own for each run"
            )
    notes = []
    if batch := str(getattr(box, "batch", "")):
        notes.append(f"{name} makes many runs at a time: its parameter {batch!r} says how many.")
    if varied := [look for look in looks if not look.constant]:
        if len(varied[0].sample) >= TELLING and _same_noise(on, varied[0]):
            raise BadInput(
                f"{name}: draws the same noise in every batch of runs, so its runs are not "
                "independent; make all of its noise from a parameter 'rng' or 'seed'"
            )
        if not seeded:
            notes.append(f"{name} takes neither rng nor seed: the audit cannot be repeated.")
        elif not _same(varied[0].sample, varied[0].again(on, varied[0].key)):
            notes.append(
                f"{name} does not give the same runs for the same rng or seed, so they cannot be "
                "repeated: it has other noise, or keeps something. If that is noise, its runs are "
                "not independent, and nothing that is said of them holds."
            )
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

    def shared(self, on: Callable[[Any], Draw]) -> str:
        """What shows that all runs of a block have the same noise; nothing if nothing does."""
        if not self.constant or len(self.sample) < TELLING:
            return ""
        key = (*self.key[:-1], 1)
        other = self.again(on, key)
        if _same(self.sample, other) or not _Look(self.data, key, other).constant:
            return ""
        shown = f"{self.sample.shown(0)} in one, {other.shown(0)} in another"
        return f"all {len(self.sample)} of a block are equal, and blocks differ ({shown})"

    def clustered(self, on: Callable[[Any], Draw], more: int) -> str:
        """What shows that runs of a block share noise, though they differ."""
        if self.constant or len(self.sample) < TELLING:
            return ""
        keys = ((*self.key[:-1], BLOCKS + k) for k in range(more))
        return clustering([self.sample, *(self.again(on, key) for key in keys)])

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


# Relations by name: how answers may differ between neighbours, and the pairs that show it.

_FORM = re.compile(r"(number|all|one)(-falling|-rising)?(?::([0-9]{1,4}))?")
#: Pairs are ordered: what falls from D to D' is not said to rise from D' to D.
_ONE_WAY = ADP(Policy({1}))
#: The largest sensitivity: inputs a few times as large are still numbers.
LARGEST = 1e100
_DIRECTIONS: dict[str | None, Any] = {
    None: "both", "-falling": "decreasing", "-rising": "increasing",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """How answers differ between neighbours.

    Attributes:
        length: how many there are.
        single: whether it is one answer, not a list.
        one: whether one of them may differ, not all.
        direction: ``both``, ``decreasing`` or ``increasing``.
    """

    length: int
    single: bool
    one: bool
    direction: Any

    @property
    def signs(self) -> tuple[int, ...]:
        """Where to an answer may move at its furthest, or stay."""
        return {"decreasing": (-1, 0), "increasing": (0, 1)}.get(self.direction, (-1, 0, 1))


def relation_of(text: str, sensitivity: float) -> Relation:
    """A relation by its name, as :func:`pairs_of_relation` has it.

    Raises:
        BadInput: it is no such relation, or the sensitivity is not positive.
    """
    if not isinstance(text, str):
        raise BadInput(f"relation: got {text!r:.80}; a text such as 'all:5' is needed")
    if not 0 < sensitivity <= LARGEST:
        raise BadInput(f"sensitivity: got {sensitivity!r}; want above 0 and at most {LARGEST:g}")
    found = _FORM.fullmatch(text)
    if not found or (found[1] == "number") != (found[3] is None) or found[3] == "0":
        raise BadInput(
            f"relation {text!r}: no such relation; want number, all:N or one:N (N answers, up to "
            "9999), each with -falling or -rising if answers move one way: all-falling:5"
        )
    single = found[1] == "number"
    return Relation(int(found[3] or 1), single, found[1] == "one", _DIRECTIONS[found[2]])


def pairs_of_relation(text: str, sensitivity: float = 1.0) -> tuple[CornerPattern, ...]:
    """The corner patterns of a relation between answers, as ordered pairs.

    Args:
        text: ``number`` (one answer), ``all:N`` (N answers, each may move), or ``one:N`` (N
            answers of which one may move); with ``-falling`` no answer is larger on D', with
            ``-rising`` none is smaller: ``all-falling:5``.
        sensitivity: by how much an answer moves at most.

    Raises:
        BadInput: it is no such relation, or the sensitivity is not positive.

    Source: the patterns of StatDP (CCS 2018) and DP-Sniper (S&P 2021).
    """
    known = relation_of(text, sensitivity)
    if known.single:
        single = Query(sensitivity=sensitivity, direction=known.direction)
        return corner_patterns(single, _ONE_WAY, 1)
    differing: Any = "one" if known.one else "all"
    several = Queries(sensitivity=sensitivity, direction=known.direction, differing=differing)
    return corner_patterns(several, _ONE_WAY, known.length)
