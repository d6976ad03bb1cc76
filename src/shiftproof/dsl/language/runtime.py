"""What the words of the language do when a mechanism simply runs.

``sample`` draws from the current source: the operating system's randomness unless
:func:`seeded` or :func:`recorded` says otherwise.  ``align`` and ``other`` speak to
the verifier only.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Protocol, TypeVar, cast

from ..errors import BadInput
from ..noise import Distribution, Draw, Uniforms

T = TypeVar("T")
D_co = TypeVar("D_co", bound=Draw, covariant=True)


class Drawn(Protocol[D_co]):
    """A distribution, whose draws are floats, ints or bits."""

    def draw(self, source: Uniforms) -> D_co:
        """One value."""
        ...


class Source(Protocol):
    """Where draws come from."""

    def draw(self, distribution: Distribution) -> Draw:
        """The next draw."""
        ...


class _Random:
    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def draw(self, distribution: Distribution) -> Draw:
        return distribution.draw(self._generator)


class Tape:
    """Hands out recorded draws in order."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        self._draws = deque(draws)

    @property
    def used_up(self) -> bool:
        """Whether every recorded draw was handed out."""
        return not self._draws

    def draw(self, distribution: Distribution) -> Draw:
        """The next recorded draw.

        Raises:
            BadInput: the recording is used up.
        """
        if self._draws:
            return self._draws.popleft()
        raise BadInput(f"the recorded noise is used up at {distribution}")


_source: ContextVar[Source | None] = ContextVar("source", default=None)
_system = _Random(random.SystemRandom())


@contextmanager
def drawing_from(source: Source) -> Iterator[None]:
    """Mechanisms called inside the block draw from this source."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Mechanisms called in the block draw reproducible noise: for tests, never to release."""
    with drawing_from(_Random(random.Random(seed))):
        yield


@contextmanager
def recorded(draws: Iterable[int | float | Fraction | bool]) -> Iterator[None]:
    """Mechanisms called inside the block draw these values, in order."""
    with drawing_from(Tape(draws)):
        yield


def sample(distribution: Drawn[D_co]) -> D_co:
    """Draw fresh noise.  A statement of its own: ``noise = sample(Laplace(1 / eps))``."""
    return cast(D_co, (_source.get() or _system).draw(cast(Distribution, distribution)))


def align(noise: float | bool, shift: float | bool) -> None:
    """State how the noise just drawn moves in the paired run on D'; does nothing when run.

    For a Boolean sample ``shift`` says whether the bit is flipped.
    """


class Prophecy(int):
    """What :func:`outcome` is while the mechanism runs: a number about which nothing is known."""

    def __contains__(self, item: object) -> bool:
        return False


def outcome(which: int = 0) -> Prophecy:
    """A prophecy: the integer that is released, or picked by ``argmax``, next after the draw.

    ``which`` counts further ones.  ``i in outcome()``: the index is among those that
    ``top_k`` picks next.  Only inside ``align``; means nothing when run.
    """
    return Prophecy()


def count(
    predicate: Callable[..., bool], data: Sequence[Sequence[int]], *arguments: int | float
) -> int:
    """How many records meet a condition: ``predicate(record, *arguments)``."""
    return sum(1 for record in data if predicate(record, *arguments))


def argmax(values: Sequence[float]) -> int:
    """The index of the largest value, the first one of equal ones.

    Raises:
        BadInput: there is no value.
    """
    if not len(values):
        raise BadInput("argmax of an empty sequence")
    return max(range(len(values)), key=lambda i: (values[i], -i))


def top_k(values: Sequence[float], k: int) -> tuple[int, ...]:
    """The indices of the k largest values, largest first; of equal values the first comes first.

    Raises:
        BadInput: k is negative, or there are fewer values.
    """
    if not 0 <= k <= len(values):
        raise BadInput(f"top_k: got k = {k} and {len(values)} values; 0 to {len(values)} is needed")
    return tuple(sorted(range(len(values)), key=lambda i: (-values[i], i))[:k])


def ensure(claim: bool) -> None:
    """Claim that what is released next is never wrong; does nothing when run.

    Right before a ``yield`` or ``return``: whenever a run comes here, with any input and any
    noise of its support, the condition holds (``ensure(count < T)`` before ``"safe"``).
    """


def other(value: T) -> T:
    """The value that an expression has in the paired run on D'; itself when run."""
    return value
