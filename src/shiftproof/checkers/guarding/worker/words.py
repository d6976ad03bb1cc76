"""The words of the language as this process runs them, and one run with its trace."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from .noise import Beyond, Draw, Noise, Stopped

if TYPE_CHECKING:
    from .text import Code

#: How much work one request may take: rounds of loops, calls and draws.
ALLOWANCE = 2_000_000
#: How much work one run may take.
LONGEST_RUN = 20_000


class Draws(Protocol):
    """Where the noise of a run comes from."""

    def draw(self, noise: Noise) -> Draw:
        """The next value."""
        ...


class Tape:
    """Recorded values, in order."""

    def __init__(self, values: Sequence[Draw]) -> None:
        self._values = list(reversed(values))

    def draw(self, noise: Noise) -> Draw:
        if not self._values:
            raise Stopped
        return self._values.pop()

    @property
    def left_over(self) -> int:
        """How many values were not asked for."""
        return len(self._values)


@dataclass(slots=True)
class Called:
    """A call of another mechanism: its arguments, as it has them."""

    name: str
    code: Code
    public: dict[str, Any]
    private: dict[str, Any]


@dataclass(slots=True)
class Trace:
    """What a run did: the distributions it drew from, with the values, and what it released."""

    drawn: list[tuple[Noise, Draw]] = field(default_factory=list)
    released: list[Any] = field(default_factory=list)
    called: list[Called] = field(default_factory=list)
    ended: bool = False
    #: The exception that it ended with, and the claims of its answers that were wrong.
    raised: str = ""
    wrong: set[int] = field(default_factory=set)


class Prophecy(int):
    """What is not known when a mechanism runs."""

    def __contains__(self, item: object) -> bool:
        return False


class Words:
    """``sample``, ``argmax`` and the others, for one run at a time."""

    def __init__(self) -> None:
        self.work = 0
        self._source: Draws = Tape(())
        self._trace = Trace()
        self._depth = 0
        self._until = 0
        self._script: list[list[Any] | None] | None = None

    @property
    def table(self) -> dict[str, Callable[..., Any]]:
        """What a text may import to be run; the rest of its imports are parts of claims."""
        return {
            "sample": self.sample,
            "ensure": self.ensure,
            "align": lambda noise, shift: None,
            "other": lambda value: value,
            "outcome": lambda which=0: Prophecy(),
            "count": count,
            "argmax": argmax,
            "top_k": top_k,
        }

    def begin(self) -> None:
        """A new request, with an allowance of its own."""
        self.work, self._until = 0, ALLOWANCE

    def run(
        self,
        code: Code,
        given: dict[str, Any],
        source: Draws,
        releases: int,
        calls: Sequence[list[Any] | None] | None = None,
    ) -> Trace:
        """One run, up to some number of releases; ``calls`` is what is called returns.

        Raises:
            Beyond: it takes too much work.
        """
        self._source, self._trace = source, Trace()
        self._script = None if calls is None else list(reversed(calls))
        self._until = min(self.work + LONGEST_RUN, ALLOWANCE)
        trace = self._trace
        try:
            result = code.function(**code.arguments(given))
            if inspect.isgenerator(result):
                for value in result:
                    trace.released.append(value)
                    if len(trace.released) >= releases:
                        raise Stopped
            else:
                trace.released += result if isinstance(result, tuple) else (result,)
            trace.ended = True
        except Stopped:
            pass
        except (Beyond, RecursionError, MemoryError) as error:
            raise Beyond(str(error) or type(error).__name__) from None
        except Exception as error:
            trace.raised = f"{type(error).__name__}: {error}"
        return trace

    def called(self, name: str, code: Code) -> Callable[..., tuple[Any, ...]]:
        """A mechanism that another one calls: the tuple of what it releases."""

        def call(*values: Any, **named: Any) -> tuple[Any, ...]:
            given = code.arguments({**dict(zip(code.whole, values, strict=False)), **named})
            if self._script is not None:
                return self._scripted(name, code, given)
            self._depth += 1
            try:
                result = code.function(**given)
                if inspect.isgenerator(result) or isinstance(result, tuple):
                    return tuple(result)
                return (result,)
            finally:
                self._depth -= 1

        return call

    def _scripted(self, name: str, code: Code, given: dict[str, Any]) -> tuple[Any, ...]:
        """What the recording says that a call returns; one ``True`` where it is released."""
        code.asserts(**given)
        public = {n: v for n, v in given.items() if n in code.public}
        private = {n: v for n, v in given.items() if n not in code.public}
        self._trace.called.append(Called(name, code, public, private))
        if not self._script:
            raise Stopped
        results = self._script.pop()
        return (True,) if results is None else tuple(results)

    def tick(self) -> None:
        """A piece of work."""
        self.work += 1
        if self.work > ALLOWANCE:
            raise Beyond("too much work")
        if self.work > self._until:
            raise Stopped

    def sample(self, noise: Noise) -> Draw:
        """The next draw; it must be one that the distribution has."""
        self.tick()
        value = self._source.draw(noise)
        self._trace.drawn.append((noise, value))
        return value

    def ensure(self, claim: bool, which: int) -> None:
        """A claim of an answer; those of called mechanisms are their own affair."""
        if not claim and not self._depth:
            self._trace.wrong.add(which)


def count(predicate: Callable[..., bool], data: Sequence[Sequence[int]], *arguments: Any) -> int:
    """How many records meet a condition."""
    found = 0
    for record in data:
        if predicate(record, *arguments):
            found += 1
    return found


def argmax(values: Sequence[Fraction]) -> int:
    """The first index of the largest value."""
    best = 0
    for i in range(1, len(values)):
        if values[i] > values[best]:
            best = i
    if not values:
        raise ValueError("argmax of nothing")
    return best


def top_k(values: Sequence[Fraction], k: int) -> tuple[int, ...]:
    """The indices of the k largest values, largest first; of equal ones the first first."""
    if not 0 <= k <= len(values):
        raise ValueError(f"top_k of {len(values)} values with k = {k}")
    left = list(range(len(values)))
    found = []
    for _ in range(k):
        best = left[0]
        for i in left:
            if values[i] > values[best]:
                best = i
        left.remove(best)
        found.append(best)
    return tuple(found)
