"""What is checked of a text: runs against their recordings, aligned runs, and probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .noise import Beyond, Draw, Noise, Number, Stopped
from .text import Code
from .words import Tape, Trace, Words

#: By how much rounded logarithms and probabilities may be off.
MARGIN = Fraction(1, 10**9)
#: Of how many releases the probabilities are compared.
RELEASES = 6
#: How unlikely a run may be that is followed, one try after the other, and how many runs there
#: may be before none is tried.
THRESHOLDS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-12)
FEW_RUNS = 60
#: How many runs one law may take.
MOST_RUNS = 300
#: The orders of which Rényi divergences are looked at.
ORDERS = (1.1, 1.5, 2.0, 4.0, 16.0)
#: The claims under which D is a neighbour of D′ where D′ is one of D.
BOTH_WAYS = ("DP", "LDP", "Blowfish")
#: How many members of a sequence are shown.
SHOWN = 12

Released = tuple[Any, ...]


@dataclass(slots=True)
class Case:
    """A recorded run on D, and the aligned one on D'.

    Attributes:
        left, right: the inputs, public ones included.
        draws, moved: the noise of both.
        laws: the distributions that the language draws from, by name and parameters.
        released: what it releases in both runs.
        ended: whether the run came to an end.
        heads: after how many draws an endless loop begins a round.
        budget: ε of the pair, or ρ.
        calls: what the mechanisms that are called return, in turn (``None`` where it is
            released), or ``None`` for calls that run.
        shown: ``ε``, which is then the budget, where ρ is claimed; ``ρ``, where δ is; else what
            is claimed.
    """

    left: dict[str, Any]
    right: dict[str, Any]
    draws: list[Draw]
    moved: list[Draw]
    laws: list[tuple[str, tuple[Number, ...]]]
    released: list[Any]
    ended: bool
    heads: list[int]
    budget: Number
    calls: list[list[Any] | None] | None = None
    shown: str = ""


def same(left: Any, right: Any, *, rounded: bool) -> bool:
    """Whether two released values, or parameters, are the same, their types included."""
    if type(left) is not type(right):
        return False
    if rounded and isinstance(left, Fraction):
        return bool(abs(left - right) <= MARGIN * (1 + abs(left)))
    return bool(left == right)


def all_same(left: Sequence[Any], right: Sequence[Any], *, rounded: bool) -> bool:
    """The same for sequences."""
    return len(left) == len(right) and all(
        same(a, b, rounded=rounded) for a, b in zip(left, right, strict=True)
    )


def broken(
    words: Words, code: Code, case: Case, claims: set[int], *, rounded: bool
) -> Iterator[str]:
    """What a recorded pair of runs disagrees about; the first thing says it all.

    The claims of answers that turn out wrong are added to ``claims``.
    """
    # One more would show; a run that was broken off is followed as far as it was recorded.
    releases = len(case.released) + 1 if case.ended else max(1, len(case.released))
    first = words.run(code, case.left, Tape(case.draws), releases, case.calls)
    second = words.run(code, case.right, Tape(case.moved), releases, case.calls)
    claims |= first.wrong | second.wrong
    if case.shown != "ε":
        yield from _another_budget(code, case.left, case.budget)
    yield from _as_recorded(first, case, rounded=rounded)
    if second.raised:
        yield f"the run on D' raises {second.raised}"
    laws, moved_laws = ([(n.name, n.parameters) for n, _ in t.drawn] for t in (first, second))
    if laws != moved_laws:
        yield f"the runs draw from {shown(laws)} on D and from {shown(moved_laws)} on D'"
    called, moved_called = (
        [(c.name, *c.public.items()) for c in t.called] for t in (first, second)
    )
    if called != moved_called:
        yield f"the runs call {shown(called)} on D and {shown(moved_called)} on D'"
    if first.ended != second.ended or not all_same(
        first.released, second.released, rounded=rounded
    ):
        yield f"the runs release {_told(first)} on D and {_told(second)} on D'"
    for noise, value in second.drawn:
        if not noise.has(value):
            yield f"the aligned noise {value} is not in the support of {noise}"
    zcdp = case.shown == "ρ" or (code.zcdp and case.shown != "ε")
    most = _rho(case, code) if case.shown == "ρ" else case.budget
    yield from _too_dear(first, second, case, most, rounded=rounded, zcdp=zcdp)


def _as_recorded(trace: Trace, case: Case, *, rounded: bool) -> Iterator[str]:
    """(a): the Python text does what the language says."""
    if trace.raised:
        yield f"the run on D raises {trace.raised}"
    laws = [(n.name, tuple(map(Fraction, n.parameters))) for n, _ in trace.drawn]
    wanted = case.laws if case.ended else case.laws[: len(laws)]
    equal = len(laws) == len(wanted) and all(
        one[0] == two[0] and all_same(one[1], two[1], rounded=rounded)
        for one, two in zip(laws, wanted, strict=True)
    )
    if not equal:
        yield f"Python draws from {shown(laws)}, the language from {shown(wanted)}"
    for noise, value in trace.drawn:
        if not noise.has(value):
            yield f"the language drew {value}, which is not in the support of {noise}"
    if trace.ended != case.ended or not all_same(trace.released, case.released, rounded=rounded):
        said = f"{shown(case.released)}{'' if case.ended else ', …'}"
        yield f"Python releases {_told(trace)}, the language {said}"


def _rho(case: Case, code: Code) -> Fraction:
    """The largest ρ from which the claimed ε and δ follow, rounded up."""
    tail = math.log(1 / (code.given_up(case.left) or 1))
    root = math.sqrt(case.budget + tail) - math.sqrt(tail)
    return Fraction(root * root) + MARGIN


def _too_dear(
    first: Trace, second: Trace, case: Case, most: Number, *, rounded: bool, zcdp: bool
) -> Iterator[str]:
    """The likelihood of the noise falls by no more than the budget allows; or so for ρ."""
    gains = [
        (noise.rho if zcdp else noise.gain)(value, moved)
        for (noise, value), (_, moved) in zip(first.drawn, second.drawn, strict=True)
    ]
    rounded = rounded or any(noise.lattice is bool for noise, _ in first.drawn)
    most = most + (MARGIN if rounded else 0)
    calls = _calls_cost(first, second, zcdp)
    if calls is None:
        return
    for count in [len(gains)] if case.ended else case.heads:
        total = sum(gains[:count], calls if case.ended else Fraction(0))
        if total > most:
            yield f"the alignment costs {shown(total)}, and the budget is {shown(most)}"
            return


def _calls_cost(first: Trace, second: Trace, zcdp: bool) -> Fraction | None:
    """What the calls cost whose private arguments differ; ``None`` if that is not one number.

    Where ρ is claimed, a call of what claims ε costs ε² / 2 if its definition is one both ways.
    """
    total = Fraction(0)
    for one, two in zip(first.called, second.called, strict=True):
        if one.private != two.private:
            own = one.code.epsilon({**one.private, **one.public})
            if own is None:
                return None
            squared = zcdp and not one.code.zcdp and one.code.claim[0] in BOTH_WAYS
            total += own * own / 2 if squared else own
    return total


def _another_budget(code: Code, given: dict[str, Any], budget: Number) -> Iterator[str]:
    """The budget is the one that Python makes of the claim."""
    own = code.epsilon(given)
    if own is not None and not same(own, Fraction(budget), rounded=True):
        yield f"the budget is {shown(own)} as Python reads it, and {shown(budget)} as it is proved"


class _Branches:
    """Hands out one value after the other, so that all likely runs are gone through."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._options: list[Iterator[tuple[Draw, float]]] = []
        self._chosen: list[tuple[Draw, float]] = []
        self._at = 0
        self.probability = 1.0

    def draw(self, noise: Noise) -> Draw:
        if self._at == len(self._chosen):
            options = noise.weights()
            self._options.append(options)
            self._chosen.append(self._next(options, self.probability))
        value, share = self._chosen[self._at]
        self._at += 1
        self.probability *= share
        return value

    def _next(self, options: Iterator[tuple[Draw, float]], before: float) -> tuple[Draw, float]:
        found = next(options, None)
        if found is None or found[1] * before < self._threshold:
            raise Stopped
        return found

    def again(self) -> bool:
        """Go on to the next run; whether there is one."""
        self._at, self.probability = 0, 1.0
        while self._options:
            before = math.prod(share for _, share in self._chosen[: len(self._options) - 1])
            del self._chosen[len(self._options) - 1 :]
            try:
                self._chosen.append(self._next(self._options[-1], before))
                return True
            except Stopped:
                self._options.pop()
        return False


@dataclass(slots=True)
class Law:
    """The probabilities of outcomes, from below, and how much is missing in all."""

    known: dict[Released, float] = field(default_factory=dict)
    missing: float = 1.0
    raised: str = ""


def law(words: Words, code: Code, given: dict[str, Any]) -> Law:
    """What a mechanism releases on one input, as far as few runs tell."""
    found = Law()
    spent = 0
    for threshold in THRESHOLDS:
        runs, found = _law(words, code, given, threshold, MOST_RUNS - spent)
        spent += runs
        if runs > FEW_RUNS or found.missing < 1e-12:
            break
    return found


def _law(
    words: Words, code: Code, given: dict[str, Any], threshold: float, most: int
) -> tuple[int, Law]:
    branches = _Branches(threshold)
    parts: dict[Released, list[float]] = {}
    runs, raised = 0, ""
    while runs < most:
        runs += 1
        trace = words.run(code, given, branches, RELEASES)
        raised = raised or trace.raised
        if trace.ended or len(trace.released) == RELEASES:
            outcome = tuple((type(v).__name__, v) for v in trace.released)
            parts.setdefault(outcome, []).append(branches.probability)
        if not branches.again():
            break
    known = {outcome: math.fsum(shares) for outcome, shares in parts.items()}
    return runs, Law(known, max(0.0, 1 - math.fsum(known.values())) + 1e-12, raised)


@dataclass(slots=True)
class Pair:
    """Two neighbours and their budget."""

    left: dict[str, Any]
    right: dict[str, Any]
    budget: Number


def unlike(
    words: Words, code: Code, pair: Pair, laws: dict[str, Law], public: Mapping[str, Any]
) -> Iterator[str]:
    """(c): no outcome is likelier on D than the budget allows."""
    yield from _another_budget(code, pair.left, pair.budget)
    one, two = (_known(words, code, side, laws) for side in (pair.left, pair.right))
    for name, found in (("D", one), ("D'", two)):
        if found.raised:
            yield f"a run on {name} raises {found.raised}"
    kind, functions = code.claim
    limited = kind == "UtilityOptimizedLDP"
    if code.zcdp:
        yield from _divergent(one, two, pair)
        return
    factor = math.exp(pair.budget) * (1 + float(MARGIN))
    if delta := code.given_up(pair.left):
        yield from _above_delta(one, two, factor, delta)
        return
    for outcome, p in one.known.items():
        q = two.known.get(outcome, 0.0)
        said = shown([v for _, v in outcome])
        if limited and not _protected(functions, outcome, public):
            own = _own(pair.left, public)
            sensitive = functions[0](own, **_named(functions[0], public))
            if q or sensitive:
                yield f"{said} is not protected, but does not come from one value alone"
        elif p > factor * (q + two.missing):
            yield (
                f"{said} has probability {p:.6g} on D and at most {q + two.missing:.6g} on D', "
                f"and the budget is {shown(pair.budget)}"
            )


def _above_delta(one: Law, two: Law, factor: float, delta: Fraction) -> Iterator[str]:
    """Outcomes that together are likelier on D than the budget and δ allow."""
    found = math.fsum(
        max(0.0, p - factor * (two.known.get(outcome, 0.0) + two.missing))
        for outcome, p in one.known.items()
    )
    if found > delta + float(MARGIN):
        yield f"a δ of at least {found:.6g} is needed, and {shown(delta)} is claimed"


def _divergent(one: Law, two: Law, pair: Pair) -> Iterator[str]:
    """A Rényi divergence that is larger than ρ allows, seen on the outcomes that are known.

    Of an outcome as likely on D' as what is missing there lets it be, each part of it is less.
    """
    for order in ORDERS:
        found = math.fsum(
            p**order * (two.known.get(outcome, 0.0) + two.missing) ** (1 - order)
            for outcome, p in one.known.items()
        )
        if math.log(max(found, 1e-300)) > order * (order - 1) * pair.budget + float(MARGIN):
            yield (
                f"the Rényi divergence of order {order} is at least "
                f"{math.log(found) / (order - 1):.6g}, and ρ is {shown(pair.budget)}"
            )
            return


def _known(words: Words, code: Code, given: dict[str, Any], laws: dict[str, Law]) -> Law:
    key = repr(given)
    if key not in laws:
        laws[key] = law(words, code, given)
    return laws[key]


def _protected(functions: Sequence[Any], outcome: Released, public: Mapping[str, Any]) -> bool:
    """Whether the definition protects an outcome; it speaks of single numbers."""
    if len(outcome) != 1:
        raise Beyond("outcomes that are no single number")
    return bool(functions[1](outcome[0][1], **_named(functions[1], public)))


def _named(function: Any, public: Mapping[str, Any]) -> dict[str, Any]:
    names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    return {name: public[name] for name in names}


def _own(given: Mapping[str, Any], public: Mapping[str, Any]) -> Any:
    """The one private value."""
    private = [value for name, value in given.items() if name not in public]
    if len(private) != 1:
        raise Beyond("several private values")
    return private[0]


def shown(value: Any) -> str:
    """A value for a message."""
    if isinstance(value, str):
        return repr(value) if not value.isidentifier() else value
    if isinstance(value, tuple | list):
        inner = ", ".join([*map(shown, value[:SHOWN]), *(["…"] if len(value) > SHOWN else [])])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, Fraction) and value.denominator > 10**6:
        return f"{float(value):.6g}"
    if isinstance(value, Fraction) and value.denominator == 1:
        return f"{value}.0"
    return str(value)


def _told(trace: Trace) -> str:
    return shown(trace.released) + ("" if trace.ended else ", …")
