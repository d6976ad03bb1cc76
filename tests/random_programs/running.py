"""The Python text of a mechanism, executed: how likely each of its outcomes is.

CPython runs the text itself, with stand-ins for what it imports from ``shiftproof``.  Loops count
their rounds, so that one without end is noticed; nothing else is added to the text.
"""

from __future__ import annotations
import __future__

import ast
import heapq
import inspect
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .laws import ARGUMENTS, End, Exact, Interval, Law, Unknowable, law_of
from .noise import Box, Signal, Sum, Undecided

Outcome = tuple[Any, ...]
#: Runs that draw more often, or go through loops more often, are left out; they count as not seen.
DRAWS, ROUNDS = 14, 400
#: What is less likely is not looked at.
LEAST = 1e-7


class Endless(Signal):
    """A run that is left out."""


class NotAdmitted(Exception):
    """The inputs do not meet the preconditions."""


@dataclass
class Spread:
    """How likely each outcome is at least; what was not looked at, by what was released before."""

    masses: dict[Outcome, float] = field(default_factory=dict)
    unseen: dict[Outcome, float] = field(default_factory=dict)
    runs: int = 0

    def missing(self, outcomes: set[Outcome]) -> float:
        """By how much these outcomes together may be more likely."""
        return sum(
            mass
            for before, mass in self.unseen.items()
            if any(outcome[: len(before)] == before for outcome in outcomes)
        )


@dataclass(frozen=True)
class Cuts:
    """Where released numbers with noise are told apart: integers, and real numbers."""

    whole: tuple[int, ...] = tuple(range(-2, 7))
    real: tuple[Exact, ...] = (-3, -1, 0, Fraction(1, 2), 1, 2, 4)


class Anything:
    """What is declared and has no meaning in a run: policies, kinds of inputs, types."""

    def __call__(self, *_: object, **__: object) -> Any:
        return self

    def __getitem__(self, _: object) -> Any:
        return self


class Source:
    """A module of mechanisms as Python text, executed once; its last function is run."""

    def __init__(self, text: str) -> None:
        self._box: Box | None = None
        self._rounds = 0
        #: Whether a run came to an ``ensure`` whose condition did not hold.
        self.broken = False
        tree = ast.parse(text)
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For | ast.While):
                loop.body.insert(0, ast.parse("_round()").body[0])
        tree = _Preconditions().visit(tree)
        code = compile(
            ast.fix_missing_locations(tree),
            "<random program>",
            "exec",
            flags=__future__.annotations.compiler_flag,
        )
        self.scope: dict[str, Any] = {"__name__": "random_program", "_round": self._round}
        self.scope["__builtins__"] = vars(__import__("builtins")) | {"__import__": self._import}
        exec(code, self.scope)
        self._main = self.scope["m"].function

    def _import(self, name: str, *args: Any) -> Any:
        if name.split(".")[0] != "shiftproof":
            return __import__(name, *args)
        return _Module(
            mechanism=lambda *_, **__: _Callable,
            sample=self._sample,
            count=lambda test, data, *more: sum(bool(test(r, *more)) for r in data),
            argmax=_argmax,
            top_k=_top_k,
            align=lambda *_: None,
            other=lambda value: value,
            outcome=lambda *_: _Outcome(),
            ensure=self._ensure,
            **{kind: _named(kind) for kind in ARGUMENTS},
        )

    def _round(self) -> None:
        self._rounds += 1
        if self._rounds > ROUNDS:
            raise Endless

    def _ensure(self, claim: object) -> None:
        self.broken |= not claim

    def _sample(self, law: Law) -> Any:
        box = self._box
        if not isinstance(law, Law):
            raise Unknowable("a distribution that is not treated here")
        assert box is not None
        index = len(box.laws)
        if index == DRAWS:
            raise Endless
        box.laws.append(law)
        if index == len(box.pieces):
            box.pieces = (*box.pieces, law.support)
        low, high = box.pieces[index]
        if low == high:
            return bool(low) if law.kind == "Bernoulli" else int(low)
        if law.kind in ("Bernoulli", "Categorical"):
            raise Undecided(index, ())
        return Sum(box, {index: 1}, 0, not law.continuous)

    def spread(self, inputs: dict[str, Any], cuts: Cuts, most: int) -> Spread:
        """The distribution of the outcomes on some inputs.

        Args:
            inputs: all of them, by name.
            cuts: where numbers with noise are cut: an outcome says between which of them one lies.
            most: how many runs are made; the heaviest boxes come first.

        Raises:
            NotAdmitted: the inputs do not meet the preconditions.
            Unknowable: the program does what is not treated here.
        """
        found = Spread()
        todo: list[tuple[float, int, tuple[Interval, ...], Outcome]] = [(-1.0, 0, (), ())]
        order = 0
        while todo and found.runs < most:
            weight, _, pieces, _ = heapq.heappop(todo)
            found.runs += 1
            self._box, self._rounds = Box(pieces), 0
            seen: list[Any] = []
            try:
                for value in self._released(inputs):
                    seen.append(_observed(value, cuts))
            except Undecided as decision:
                for part, share in _split(self._box, decision):
                    if share > 0:
                        order += 1
                        heapq.heappush(todo, (weight * share, order, part, tuple(seen)))
            except Endless:
                _add(found.unseen, tuple(seen), -weight)
            else:
                _add(found.masses, tuple(seen), -weight)
            if todo and -todo[0][0] < LEAST:
                break
        for weight, _, _, before in todo:
            _add(found.unseen, before, -weight)
        return found

    def _released(self, inputs: dict[str, Any]) -> Iterator[Any]:
        """What a run releases, one by one; that it raises is the last of it."""
        try:
            result = self._main(**inputs)
            if inspect.isgenerator(result):
                yield from result
            else:
                yield from result if isinstance(result, tuple) else (result,)
        except AssertionError:
            raise NotAdmitted from None
        except Unknowable:
            raise
        except Exception as error:
            yield Raised(f"{type(error).__name__}: {error}")


class _Preconditions(ast.NodeTransformer):
    """A precondition that asks for an element that is not there is not met."""

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        found = ast.parse("try:\n    pass\nexcept Exception:\n    raise AssertionError").body[0]
        assert isinstance(found, ast.Try)
        found.body = [node]
        return found


class _Outcome(int):
    """The next output, in an ``align``: of no account in a run."""

    def __contains__(self, _: object) -> bool:
        return False


@dataclass(frozen=True)
class Raised:
    """That a run ended in an error."""

    error: str


class _Module:
    """What a program imports from: some names have a meaning in a run."""

    def __init__(self, **known: object) -> None:
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class _Callable:
    """A mechanism that another one may call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **named: Any) -> tuple[Any, ...]:
        try:
            result = self.function(*args, **named)
            if inspect.isgenerator(result):
                return tuple(result)
        except AssertionError:
            raise ValueError("a callee's precondition does not hold") from None
        return result if isinstance(result, tuple) else (result,)


def _named(kind: str) -> Callable[..., Law]:
    def made(*given: Any, **named: Any) -> Law:
        return law_of(kind, [*given, *(named[name] for name in ARGUMENTS[kind] if name in named)])

    return made


def _argmax(values: Sequence[Any]) -> int:
    return _top_k(values, 1)[0]


def _top_k(values: Sequence[Any], k: int) -> tuple[int, ...]:
    """The largest first; of equal ones the first."""
    if not 0 <= k <= len(values):
        raise ValueError(f"top_k of {len(values)} values, {k}")
    left, order = list(range(len(values))), list[int]()
    for _ in range(k):
        best = left[0]
        for i in left[1:]:
            if values[i] > values[best]:
                best = i
        left.remove(best)
        order.append(best)
    return tuple(order)


def _split(box: Box, decision: Undecided) -> list[tuple[tuple[Interval, ...], float]]:
    """The parts into which a decision cuts a box, with their shares of its mass."""
    index = decision.draw
    law, (low, high) = box.laws[index], box.pieces[index]
    step = 0 if law.continuous else 1
    cuts = decision.cuts or _values(low, high)
    inside = [cut for cut in cuts if low < cut < high or (step and low < cut == high)]
    ends = zip([low, *inside], [*(cut - step for cut in inside), high], strict=True)
    whole = law.mass((low, high))
    if whole <= 0:
        return [(box.pieces, 1.0)] if not inside else []
    return [
        ((*box.pieces[:index], piece, *box.pieces[index + 1 :]), law.mass(piece) / whole)
        for piece in ends
    ]


def _values(low: End, high: End) -> tuple[int, ...]:
    """Cuts around some integers, so that each is a piece by itself."""
    if math.isinf(low) and math.isinf(high):
        first, last = -4, 4
    elif math.isinf(low):
        first, last = int(high) - 8, int(high)
    elif math.isinf(high):
        first, last = int(low), int(low) + 8
    else:
        first, last = int(low), min(int(high), int(low) + 16)
    return tuple(range(first, last + 2))


def _observed(value: Any, cuts: Cuts) -> tuple[str, Any]:
    """What is seen of a released value; different types are different."""
    if isinstance(value, Raised):
        return "raised", value.error
    if isinstance(value, Sum):
        if not value.continuous and not value.whole:
            raise Undecided(min(value.parts), ())
        places = cuts.real if value.continuous else cuts.whole
        low, high = value.ends()
        first = bisect_right(places, low)
        last = bisect_left(places, high) if value.continuous else bisect_right(places, high)
        if first < last:
            raise value.cut_at(places[first:last])
        # The numbers of a cell but for those that are released exactly, of which there are few.
        return "cell" if value.continuous else "int", first
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value).__name__, value
    if isinstance(value, int):
        return "int", bisect_right(cuts.whole, value)
    return "real", Fraction(value)


def _add(masses: dict[Outcome, float], outcome: Outcome, mass: float) -> None:
    masses[outcome] = masses.get(outcome, 0.0) + mass
