"""All paths of a program on concrete inputs, with the noise unknown.

A path is what one run does as long as its noise meets a list of linear conditions.  Where a
comparison depends on noise and is not decided yet, the path forks; different paths exclude
each other, so probabilities add up over them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias

from ...dsl.errors import LimitReached
from ...dsl.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    ListNode,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ...dsl.noise import Bernoulli, Uniform
from ...dsl.syntax import Arithmetic, Cell, Expression, MakeList, Pick, Span, Store, children
from ...dsl.terms import Rational, shortest
from .affine import Affine, Mixed, plain
from .laws import Law
from .meaning import Failure, Meaning, Value, at_least, in_units, meaning

#: How many steps one run may take, and how many paths and draws there may be.
STEPS, PATHS, DRAWS = 200_000, 1_000, 1_000

#: How a run ends: as it should, with an exception, in a circle, or at a wrong answer.
Ending = Literal["end", "error", "forever", "wrong"]


class Condition(NamedTuple):
    """A number that depends on noise is at least zero, or above it."""

    subject: Affine
    strict: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """One path to its end; ``place`` is where it raises, or where it is wrong."""

    weight: Fraction
    laws: tuple[Law, ...]
    conditions: tuple[Condition, ...]
    releases: tuple[Value, ...]
    ending: Ending
    place: Span | None = None


class _Fork(Exception):
    """A node cannot be evaluated before the path decides between alternatives."""

    def __init__(self, alternatives: Sequence[tuple[Condition, ...]]) -> None:
        self.alternatives = alternatives


class _Coin(Exception):
    """A node draws a bit: two runs go on, with their probabilities."""

    def __init__(self, p: Fraction) -> None:
        self.p = p


Key: TypeAlias = tuple[frozenset[tuple[int, Rational]], Rational, bool]


def _partial(claim: Expression) -> bool:
    """Whether evaluating a claim may raise, as it does when a mechanism runs."""
    own = isinstance(claim, Cell) or (isinstance(claim, Arithmetic) and claim.operator in "//%")
    return own or any(map(_partial, children(claim)))


@dataclass(slots=True)
class State:
    """A run on its way."""

    node: int
    names: dict[str, Value]
    weight: Fraction = Fraction(1)
    laws: list[Law] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    known: dict[Key, bool] = field(default_factory=dict)
    bounds: list[tuple[Rational | float, Rational | float]] = field(default_factory=list)
    releases: list[Value] = field(default_factory=list)
    records: dict[str, Sequence[int]] = field(default_factory=dict)
    bit: bool | None = None
    heads: dict[int, tuple[object, int]] = field(default_factory=dict)

    def copy(self) -> State:
        """A run that goes on by itself."""
        return State(
            self.node, dict(self.names), self.weight, list(self.laws), list(self.conditions),
            dict(self.known), list(self.bounds), list(self.releases), {}, None,
            dict(self.heads),
        )  # fmt: skip

    def decided(self, condition: Condition) -> bool | None:
        """Whether a condition holds or fails on the whole path, as far as is easily seen."""
        subject, strict = condition
        low, high = self._range(subject)
        real = not self.whole(subject)
        if low > 0 or (low == 0 and (real or not strict)):
            return True
        if high < 0 or (high == 0 and (real or strict)):
            return False
        return self.known.get(_key(subject, strict))

    def assume(self, condition: Condition) -> bool:
        """Add a condition to the path; whether the path may still be possible."""
        seen = self.decided(condition)
        if seen is not None:
            return seen
        subject, strict = condition
        self.conditions.append(condition)
        negative = opposite(subject)
        self.known[_key(subject, False)] = True
        self.known[_key(negative, self.whole(subject))] = False
        if strict:
            self.known[_key(subject, True)] = True
            self.known[_key(negative, False)] = False
        if len(subject.parts) == 1:
            ((draw, factor),) = subject.parts.items()
            cut = shortest(Fraction(-subject.constant) / factor)
            low, high = self.bounds[draw]
            self.bounds[draw] = (max(low, cut), high) if factor > 0 else (low, min(high, cut))
        return True

    def _range(self, subject: Affine) -> tuple[Rational | float, Rational | float]:
        low: Rational | float = subject.constant
        high: Rational | float = subject.constant
        for draw, factor in subject.parts.items():
            one, two = self.bounds[draw] if factor > 0 else self.bounds[draw][::-1]
            low = _sum(low, factor, one, -math.inf)
            high = _sum(high, factor, two, math.inf)
        return low, high

    def whole(self, subject: Affine) -> bool:
        """Whether a number depends on integer draws only."""
        return all(self.laws[d].lattice for d in subject.parts)

    def holds(self, subject: Affine, strict: bool) -> bool:
        """Whether a number is at least zero (or above it); forks where that is open."""
        # A real number is zero with probability zero: there strictness does not matter.
        whole = self.whole(subject)
        condition = Condition(subject, strict and whole)
        found = self.decided(condition)
        if found is None:
            raise _Fork([(condition,), (Condition(opposite(subject), whole and not strict),)])
        return found

    def vanishes(self, subject: Affine) -> bool:
        """Whether a number is zero; a real draw makes that an event of probability zero."""
        if not self.whole(subject):
            return False
        negative = opposite(subject)
        above, below = Condition(subject, False), Condition(negative, False)
        answers = self.decided(above), self.decided(below)
        if False in answers:
            return False
        if answers == (True, True):
            return True
        raise _Fork([
            (above, below), (Condition(subject, True),), (Condition(negative, True),)
        ])  # fmt: skip


def opposite(subject: Affine) -> Affine:
    """The number times -1."""
    return Affine({d: -f for d, f in subject.parts.items()}, -subject.constant, subject.whole)


def _sum(
    so_far: Rational | float, factor: Rational, end: Rational | float, infinite: float
) -> Rational | float:
    """``so_far + factor · end``, without turning exact numbers into floats."""
    if isinstance(so_far, float) or isinstance(end, float):
        return infinite
    return so_far + factor * end


def _key(subject: Affine, strict: bool) -> Key:
    first = next(iter(subject.parts.values()))
    lead = first if first > 0 else -first
    if lead == 1:
        return frozenset(subject.parts.items()), subject.constant, strict
    parts = frozenset((d, shortest(Fraction(f) / lead)) for d, f in subject.parts.items())
    return parts, shortest(Fraction(subject.constant) / lead), strict


@dataclass(slots=True)
class Explorer:
    """Runs one program's flow; ``meanings`` are its expressions, compiled once.

    ``claims``: whether one-sided claims are checked; a run on which one is wrong ends there.
    """

    flow: Flow
    claims: bool = False
    meanings: dict[int, tuple[Meaning, ...]] = field(default_factory=dict)
    #: How many steps were taken in all.
    steps: int = 0

    def finished(
        self, inputs: Mapping[str, Value], outcome: Sequence[object] | None = None
    ) -> list[Finished]:
        """Every path of positive length on these inputs.

        With an outcome only the paths that can come to it: whose plain releases are the same,
        one by one (``...`` in an outcome stands for any number).

        Raises:
            LimitReached: there are too many paths, steps or draws.
        """
        found: list[Finished] = []
        todo = [State(self.flow.start, dict(inputs))]
        most = self.steps + STEPS
        while todo:
            state = todo.pop()
            try:
                while True:
                    self.steps += 1
                    if self.steps > most:
                        raise LimitReached("STEPS", f"a run takes more than {STEPS} steps")
                    ending = self._step(state)
                    if ending is not None:
                        break
                    if outcome is not None and not _agrees(state.releases, outcome):
                        break
            except _Fork as fork:
                for alternative in reversed(fork.alternatives):
                    other = state.copy()
                    possible = True
                    for condition in alternative:
                        possible = other.assume(condition) and possible
                    if possible:
                        todo.append(other)
            except _Coin as coin:
                for bit, p in ((False, 1 - coin.p), (True, coin.p)):
                    other = state.copy()
                    other.bit, other.weight = bit, state.weight * p
                    todo.append(other)
            else:
                if ending is not None:
                    found.append(_closed(state, ending, self._place(state, ending)))
            if len(found) + len(todo) > PATHS:
                raise LimitReached("PATHS", f"a run can take more than {PATHS} paths")
        return found

    def _place(self, state: State, ending: Ending) -> Span | None:
        node = self.flow.nodes[state.node]
        if ending not in ("error", "wrong"):
            return None
        if isinstance(node, BranchNode | HeadNode | EnsureNode | ReleaseNode | EndNode):
            return node.span
        return node.step.span

    def _values(self, state: State) -> list[Value]:
        compiled = self.meanings.get(state.node)
        if compiled is None:
            node = self.flow.nodes[state.node]
            expressions = (
                node.step.arguments if isinstance(node, SampleNode) else expressions_of(node)
            )
            compiled = self.meanings[state.node] = tuple(map(meaning, expressions))
        return [m(state) for m in compiled]

    def _step(self, state: State) -> Ending | None:
        node = self.flow.nodes[state.node]
        try:
            match node:
                case AssignNode(step=step, after=after):
                    state.names.update(zip(step.targets, self._values(state), strict=True))
                    state.node = after
                case BranchNode(yes=yes, no=no):
                    state.node = yes if self._values(state)[0] else no
                case HeadNode(body=body, exit=exit_, counted=counted):
                    if not counted and _circling(state):
                        return "forever"
                    state.node = body if self._values(state)[0] else exit_
                case SampleNode():
                    self._draw(state, node)
                    state.node = node.after
                case ListNode(step=list_step, after=after):
                    self._list(state, list_step)
                    state.node = after
                case ReleaseNode(after=after):
                    state.releases.extend(self._values(state))
                    state.node = after
                case EnsureNode(after=after):
                    asked = self.claims or _partial(node.claim)
                    if asked and not self._values(state)[0] and self.claims:
                        return "wrong"
                    state.node = after
                case EndNode():
                    return "end"
        except Failure:
            return "error"
        return None

    def _draw(self, state: State, node: SampleNode) -> None:
        arguments, family = self._values(state), node.step.distribution
        if family is Bernoulli:
            p = Fraction(plain(arguments[0]))
            if not 0 < p < 1:
                raise Failure
            if state.bit is None:
                raise _Coin(p)
            state.names[node.step.target], state.bit = state.bit, None
            return
        if family is Uniform:
            low, high = map(plain, arguments)
            if low >= high:
                raise Failure
            law = Law(family, (shortest(low), shortest(high)))
        else:
            scale, power = in_units(arguments[0])
            if scale <= 0:
                raise Failure
            law = Law(family, (shortest(1 / Fraction(scale)),), -power)
        if len(state.laws) == DRAWS:
            raise LimitReached("DRAWS", f"a run draws more than {DRAWS} times")
        state.names[node.step.target] = Affine({len(state.laws): 1}, 0, law.lattice)
        state.laws.append(law)
        state.bounds.append(law.support)

    def _list(self, state: State, step: MakeList | Store | Pick) -> None:
        values, names = self._values(state), state.names
        match step:
            case MakeList(target=target, fill=fill):
                length = max(int(plain(values[-1])), 0)
                names[target] = () if fill is None else (values[0],) * length
            case Store(array=array, index=None):
                names[array] = (*_list_of(names, array), values[0])
            case Store(array=array):
                i, cells = plain(values[1]), _list_of(names, array)
                if not 0 <= i < len(cells):
                    raise Failure
                names[array] = (*cells[: int(i)], values[0], *cells[int(i) + 1 :])
            case Pick(target=target, array=array):
                cells = _list_of(names, array)
                k = int(plain(values[0])) if values else 1
                if not 0 <= k <= len(cells) or (not values and not cells):
                    raise Failure
                picked = _picked(state, cells, k)
                names[target] = picked if values else picked[0]


def _list_of(names: Mapping[str, Value], array: str) -> tuple[Value, ...]:
    found = names[array]
    assert isinstance(found, tuple), array
    return found


def _picked(state: State, cells: tuple[Value, ...], k: int) -> tuple[int, ...]:
    """The indices of the k largest values, of equal ones the first; forks over the orders."""
    alternatives = []
    if math.perm(len(cells), k) > PATHS:
        raise LimitReached("PATHS", f"{k} of {len(cells)} values can be picked in too many ways")
    for order in permutations(range(len(cells)), k):
        rest = [j for j in range(len(cells)) if j not in order]
        pairs = [*itertools.pairwise(order), *((order[-1], j) for j in rest if order)]
        needed: list[Condition] = []
        possible = True
        for i, j in pairs:
            probe = _Probe(state)
            settled = at_least(probe, cells[i], cells[j], i > j)  # type: ignore[arg-type]
            if probe.asked is None:
                possible = possible and settled
            elif state.decided(probe.asked) is not True:
                possible = possible and state.decided(probe.asked) is None
                needed.append(probe.asked)
        if possible and not needed:
            return order
        if possible:
            alternatives.append((order, tuple(needed)))
    raise _Fork([needed for _, needed in alternatives])


class _Probe:
    """Stands in for a run, to learn which condition a comparison asks for."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.asked: Condition | None = None

    def holds(self, subject: Affine, strict: bool) -> bool:
        self.asked = Condition(subject, strict and self._state.whole(subject))
        return True


def _circling(state: State) -> bool:
    """Whether a run is where it was before, with no noise in between: it never ends.

    It is compared with how it was at this head at the last visit whose number is a power of
    two (Brent's way to find a circle of any length).
    """
    noise = (len(state.laws), len(state.conditions), state.weight)
    now: object = (noise, len(state.releases), dict(state.names))
    before, visits = state.heads.get(state.node, (None, 0))
    if before == now:
        return True
    visits += 1
    state.heads[state.node] = (now if visits & (visits - 1) == 0 else before, visits)
    return False


def _agrees(releases: Sequence[Value], outcome: Sequence[object]) -> bool:
    """Whether the last release may be the one of the outcome."""
    if not releases:
        return True
    if len(releases) > len(outcome):
        return False
    mine, wanted = releases[-1], outcome[len(releases) - 1]
    if wanted is ... or isinstance(mine, Affine):
        return True
    return type(mine) is type(wanted) and mine == wanted


def _closed(state: State, ending: Ending, place: Span | None) -> Finished:
    if any(isinstance(value, tuple) for value in state.releases):
        raise Mixed("a list is released")
    return Finished(
        state.weight, tuple(state.laws), tuple(state.conditions), tuple(state.releases),
        ending, place,
    )  # fmt: skip
