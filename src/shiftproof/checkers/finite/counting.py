"""Proofs by counting: all runs on all inputs, one size after the other, as the kernel counts them.

What the kernel counts is the proof.  Where it does not agree, it is told here on which pair of
inputs, and at which parameters the claim may be wrong.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from ...dsl.errors import ShiftproofError
from ...dsl.normalise import core_text, in_the_file
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program
from ..kernel.arithmetic import Condition, Wrong, start_work
from ..kernel.enumeration.concrete import Raises
from ..kernel.enumeration.counting import Broken, Count, Counting, comparisons
from ..kernel.enumeration.quotients import MayRaise, Quotient
from ..kernel.enumeration.sizes import choices
from ..kernel.paired.powers import Registry
from ..proving.attempts import Failure, Proof
from ..refuting.inputs import Instance
from ..trees.confirming import Confirming, finder
from ..walking.certificate import EnumeratedSizes, EnumerationPart
from .ratios import Ratio, outcome_text, ratio_of, table_of, value_at

#: Up to which size everything is looked at, and with how much of the kernel's work in all.
LARGEST, WORK = 8, 20_000_000
#: Tables of laws with more rows are left out.
MOST_ROWS = 64
#: The values of ε that are tried for a counterexample, in multiples of ln 2, those of other
#: parameters, and how many points there may be.
EPSILONS = tuple(map(Fraction, ("1", "2", "1/2", "4", "1/4", "8", "16", "1/16")))
OTHERS = tuple(Fraction(k, 10) for k in (5, 1, 9, 3, 7, 10, 20, 0, -10))
POINTS = 2_000
#: By how much a comparison must fail, so that it is not by rounding.
MARGIN = 1e-9

Point = Mapping[str, Fraction]


@dataclass
class _Done:
    """What was counted up to the largest size of which all was: settings, and trees asked for."""

    largest: int | None = None
    settings: list[EnumeratedSizes] = field(default_factory=list)
    trees: int = 0


def counted(program: Program) -> Proof | Failure:
    """Prove a claim by counting, one size after the other, as far as the kernel's work goes."""
    program = program.inlined
    trees: list[str] = []
    find = finder()

    def ask(unknowns: Registry, question: Sequence[Condition]) -> str:
        trees.append(find(unknowns, question))
        return trees[-1]

    try:
        if program.privacy.functions:
            program.check_frozen()
        core = core_text(program, bodies=True)
        kernel = Confirming(core)
        start_work(WORK)
        counting = Counting(kernel.mechanism, kernel.kinds, kernel.cases[:-1], ask)
    except (Wrong, ShiftproofError, RecursionError) as error:
        return _declined(str(error))
    limits, done, why = counting.limits, _Done(), ""
    least = max((low for low, _ in limits.values()), default=0)
    for largest in range(least, LARGEST + 1) if limits else (0,):
        here: list[EnumeratedSizes] = []
        at: dict[str, int] = {}
        try:
            for at in choices(limits, largest):
                if max(at.values(), default=largest) == largest:  # others were counted before
                    found, _ = counting.at(at)
                    here += [] if found is None else [_setting(counting.last, found)]
        except Broken as error:
            return _broken(program, counting.last, error.about)
        except Wrong as error:
            why = in_the_file(str(error), program, bodies=True) + _at(at)
            if isinstance(error, Raises | MayRaise) and str(error).startswith("line "):
                return Failure("enumeration", (f"a run may raise: {why}",))
            break
        done = _Done(largest, done.settings + here, len(trees))
        if counting.is_complete(largest):
            break
    if done.largest is None:
        return _declined(why or "no sizes are small enough to count")
    if not any(one.pairs and one.comparisons for one in done.settings):
        return _declined(why or "no two inputs are neighbours, so there is nothing to compare")
    complete = counting.is_complete(done.largest)
    if not complete and done.largest < 1:
        return _declined(f"only size 0 was counted: {why}")
    del trees[done.trees :]
    while trees and trees[-1] == "-":
        trees.pop()
    part = EnumerationPart(done.largest, complete, tuple(done.settings), tuple(trees))
    # That these are all the sizes, the kernel has to say; the count may have used its work up.
    start_work()
    counting.check(msgspec.json.decode(msgspec.json.encode(part)))
    open_ = (n for n, (_, high) in limits.items() if high is None or high > done.largest)
    return Proof(
        enumeration=part,
        counted=core,
        method="enumeration",
        sizes="all" if complete else f"{', '.join(open_)} up to {done.largest}",
        least=program.budget,
        reasons=(f"larger sizes were not counted: {why}",) if why else (),
    )


def _declined(why: str) -> Failure:
    return Failure("enumeration", (why,), declined=True)


def _at(sizes: Mapping[str, int]) -> str:
    shown = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    return f" (at {shown})" if shown else ""


def _setting(count: Count, found: Mapping[str, int]) -> EnumeratedSizes:
    """What a certificate says of a choice of sizes."""
    beside = {  # the kernel compares each input with itself, too
        factor: [others & ~(1 << i) for i, others in enumerate(near)]
        for factor, near in count.near.items()
    }
    different = comparisons(count.owed, count.laws, beside, count.numbers.zero)
    return EnumeratedSizes(count.sizes, **found, comparisons=len(different), laws=_rows(count))


def _rows(count: Count) -> tuple[str, ...]:
    """The laws as a table, if it is short."""
    if sum(map(len, count.laws)) > MOST_ROWS:
        return ()
    unit = count.counting.unit
    return tuple(
        row
        for one, law in zip(count.inputs, count.laws, strict=True)
        for row in sorted(
            f"{_inputs_text(one) or 'always'}: {_shown(count, z)} with probability "
            f"{ratio_of(p, unit)}"
            for z, p in law.items()
            if p is not count.numbers.zero
        )
    )


def _inputs_text(inputs: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in inputs.items())


def _shown(count: Count, outcome: Sequence[Any]) -> str:
    return ", ".join(outcome_text(outcome, count.counting.unit)) or "nothing"


# Where a comparison fails: of which inputs, and at which parameters by the most.


@dataclass(frozen=True)
class _Pair:
    """Two inputs and an outcome: its probabilities, and the factor that is allowed."""

    left: Mapping[str, Any]
    right: Mapping[str, Any]
    outcome: str
    p: Ratio
    q: Ratio
    factor: Ratio


def _broken(program: Program, count: Count, about: Sequence[Any]) -> Failure:
    """Of the numbers that are compared, or of an outcome that is not protected."""
    if len(about) > 1:
        pair = _exceeded(count, *about)
        why = f"{pair.p} is not shown to be at most {pair.factor} times {pair.q}"
    else:
        pair = _telling(count, *about)
        many = sum(about[0] in law for law in count.laws) > 1
        said = "has several sources" if many else "its source is sensitive"
        why = f"the output {pair.outcome} is not protected and {said}"
    reason = (
        f"{_inputs_text(pair.left)} gives {pair.outcome} with probability {pair.p}, "
        f"{_inputs_text(pair.right)} with {pair.q}: {why}{_at(count.sizes)}"
    )
    point = _worst(program, count, pair)
    starts = () if point is None else (_instance(program, count.sizes, pair, point),)
    return Failure("enumeration", (reason,), starts)


def _pair(count: Count, i: int, j: int, outcome: Sequence[Any], *numbers: Quotient) -> _Pair:
    ratios = (ratio_of(n, count.counting.unit) for n in numbers)
    return _Pair(count.inputs[i], count.inputs[j], _shown(count, outcome), *ratios)


def _exceeded(count: Count, p: Quotient, q: Quotient, factor: Quotient) -> _Pair:
    """The first pair of inputs with an outcome of these probabilities."""
    zero, unit = count.numbers.zero, count.counting.unit
    return next(
        _pair(count, i, j, outcome, p, q, factor)
        for i, law in enumerate(count.laws)
        for outcome in sorted(law, key=lambda z: outcome_text(z, unit))
        if law[outcome] is p
        for j, other in enumerate(count.laws)
        if count.near[factor][i] >> j & 1 and other.get(outcome, zero) is q
    )


def _telling(count: Count, outcome: tuple[Any, ...]) -> _Pair:
    """Two inputs that an outcome tells apart."""
    zero = count.numbers.zero
    given = [law.get(outcome, zero) for law in count.laws]
    i = next(i for i, p in enumerate(given) if p is not zero)
    j = next((j for j, p in enumerate(given) if p is not given[i]), i)
    return _pair(count, i, j, outcome, given[i], given[j], count.numbers.one)


def _instance(program: Program, sizes: Mapping[str, int], found: _Pair, point: Point) -> Instance:
    public: dict[str, Any] = {}
    for name, kind in program.inputs.items():
        if not kind.public:
            continue
        if kind.whole:
            public[name] = sizes[name]
        elif kind.array:
            public[name] = tuple(point[f"{name}[{i}]"] for i in range(sizes[f"len({name})"]))
        else:
            public[name] = point[name]
    return Instance("2", public, found.left, found.right)


def _worst(program: Program, count: Count, found: _Pair) -> Point | None:
    """The real parameters at which a comparison fails by the most, of those tried."""
    unit, numbers = count.counting.unit, count.numbers
    facts = [(relation, table_of(p, unit)) for relation, p in numbers.facts]
    facts += [(">", table_of(((((name,), 1),)), unit)) for name in sorted(numbers.positive)]
    best: tuple[tuple[bool, float], Point] | None = None
    for point in itertools.islice(_points(program, count.sizes), POINTS):
        values = {
            name: float(v) * (math.log(2) if _is_epsilon(program, name) else 1)
            for name, v in point.items()
        }
        try:
            margin = _margin([(r, value_at(p, values)) for r, p in facts], values, found)
        except (ArithmeticError, ValueError):
            continue
        if margin is not None and margin[1] > MARGIN and (best is None or margin > best[0]):
            best = margin, point
    return None if best is None else best[1]


def _is_epsilon(program: Program, name: str) -> bool:
    return isinstance(program.inputs.get(name), EpsilonInput)


def _points(program: Program, sizes: Mapping[str, int]) -> Iterator[dict[str, Fraction]]:
    """Values of the real parameters, an ε in multiples of ln 2."""
    names: list[str] = []
    for name, kind in program.inputs.items():
        if kind.public and not kind.whole:
            length = sizes[f"len({name})"] if kind.array else 0
            names += [f"{name}[{i}]" for i in range(length)] if kind.array else [name]
    tried: list[tuple[Fraction, ...]] = [
        EPSILONS if _is_epsilon(program, name) else OTHERS for name in names
    ]
    for values in itertools.product(*tried):
        yield dict(zip(names, values, strict=True))


def _margin(
    facts: Sequence[tuple[str, float]], values: Mapping[str, float], found: _Pair
) -> tuple[bool, float] | None:
    """By how much the logarithms differ; ``None`` where the preconditions do not hold.

    First whether the point is well inside: at an end rounding decides.
    """
    for relation, known in facts:
        size = -abs(known) if relation == "=" else known
        if size < -1e-12 or (relation == ">" and known <= 0):
            return None
    inside = all(relation != "=" and known > MARGIN for relation, known in facts)
    p, q, factor = (ratio.at(values) for ratio in (found.p, found.q, found.factor))
    if p <= 0:
        return None
    if q <= 0:
        return inside, math.inf
    return inside, math.log(p) - math.log(q) - math.log(factor)
