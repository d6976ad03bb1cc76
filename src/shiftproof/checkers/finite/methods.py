"""Proofs of finite noise, which need no alignment: probabilities are summed.

Where different noise leads to the same outcome, no shift of the noise may do (Mangat's response
has none).  Then the probabilities themselves are compared.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...alignments.examples import Example, Numbers
from ...dsl.errors import LimitReached, ShiftproofError
from ...dsl.language.flow import HeadNode
from ...dsl.language.misuse import misuses
from ...dsl.language.syntax import Span
from ...dsl.normalise import core_text, in_the_file
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import at_least
from ...dsl.terms.linear import number
from ..kernel.arithmetic import Wrong as Refused
from ..proving.attempts import Failure, Proof
from ..proving.system import Solver
from ..refuting.inputs import Instance
from ..refuting.refute import instance_of
from ..trees.confirming import Confirming
from ..walking.common import common_facts
from ..walking.counting.comparing import Exceeded
from ..walking.counting.counter import (
    Counter,
    EnumeratedSizes,
    EnumerationPart,
    is_complete,
    order_of,
)
from ..walking.counting.numbers import Polynomial, Quotient
from ..walking.counting.sizes import Sizes, choices, limits_of
from ..walking.counting.values import Open, Wrong
from .sums import summed

# Proofs by counting: all runs on all inputs, size by size, as the kernel counts them.

#: Up to which size everything is looked at, and with how many steps in all.
LARGEST, STEPS = 8, 3_000_000
#: The values of ε that are tried for a counterexample, in multiples of ln 2, those of other
#: parameters, and how many points there may be.
EPSILONS = tuple(map(Fraction, ("1", "2", "1/2", "4", "1/4", "8", "16", "1/16")))
OTHERS = tuple(Fraction(k, 10) for k in (5, 1, 9, 3, 7, 10, 20, 0, -10))
POINTS = 2_000
#: By how much a comparison must fail, so that it is not by rounding.
MARGIN = 1e-9

Point = Mapping[str, Fraction]


def counted(program: Program) -> Proof | Failure:
    """Prove a claim by counting, one size after the other, as far as the steps go."""
    program = program.inlined
    try:
        limits = limits_of(program)
        if program.privacy.functions:
            program.check_frozen()
    except (Wrong, ShiftproofError) as error:
        return _declined(str(error))
    counter = Counter(program, [STEPS])
    found: list[EnumeratedSizes] = []
    done: int | None = None
    why = ""
    least = max((low for low, _ in limits.values()), default=0)
    for largest in range(least, LARGEST + 1) if limits else (0,):
        here = []
        for sizes in sorted(choices(limits, largest), key=order_of):
            if max(sizes.values(), default=largest) < largest:
                continue  # counted before
            try:
                here.append(counter.found(sizes))
            except Exceeded as error:
                return _exceeded(program, sizes, error)
            except Open as error:
                where = f"{program.location(error.span)}: " if isinstance(error.span, Span) else ""
                return Failure("enumeration", (f"{where}{error}{_at(sizes)}",))
            except (Wrong, ShiftproofError) as error:
                why = f"{error}{_at(sizes)}"
                break
        if why:
            break
        found += [one for one in here if one is not None]
        done = largest
        if is_complete(limits, largest):
            break
    if done is None:
        return _declined(why or "no sizes are small enough to count")
    if not any(one.pairs and one.comparisons for one in found):
        return _declined(why or "no two inputs are neighbours, so there is nothing to compare")
    complete = is_complete(limits, done)
    if not complete and done < 1:
        return _declined(f"only size 0 was counted: {why}")
    return Proof(
        enumeration=EnumerationPart(done, complete, tuple(found)),
        method="enumeration",
        sizes="all" if complete else f"{_open_sizes(limits, done)} up to {done}",
        least=program.budget,
        reasons=(f"larger sizes were not counted: {why}",) if why else (),
    )


def _declined(why: str) -> Failure:
    return Failure("enumeration", (why,), declined=True)


def _open_sizes(limits: Mapping[str, tuple[int, int | None]], done: int) -> str:
    return ", ".join(n for n, (_, high) in limits.items() if high is None or high > done)


def _at(sizes: Sizes) -> str:
    shown = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    return f" (at {shown})" if shown else ""


def _exceeded(program: Program, sizes: Sizes, found: Exceeded) -> Failure:
    left, right = (
        ", ".join(f"{n} = {v}" for n, v in side.items()) for side in (found.left, found.right)
    )
    reason = (
        f"{left} gives {found.outcome} with probability {found.p.text}, {right} with "
        f"{found.q.text}: {found}{_at(sizes)}"
    )
    point = _worst(program, sizes, found)
    starts = () if point is None else (_instance(program, sizes, found, point),)
    return Failure("enumeration", (reason,), starts)


def _instance(program: Program, sizes: Sizes, found: Exceeded, point: Point) -> Instance:
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


def _worst(program: Program, sizes: Sizes, found: Exceeded) -> Point | None:
    """The real parameters at which a comparison fails by the most, of those tried."""
    best: tuple[tuple[bool, float], Point] | None = None
    for point in itertools.islice(_points(program, sizes), POINTS):
        values = {
            name: float(v) * (math.log(2) if _is_epsilon(program, name) else 1)
            for name, v in point.items()
        }
        margin = _margin(values, found)
        if margin is not None and margin[1] > MARGIN and (best is None or margin > best[0]):
            best = margin, point
    return None if best is None else best[1]


def _is_epsilon(program: Program, name: str) -> bool:
    return isinstance(program.inputs.get(name), EpsilonInput)


def _points(program: Program, sizes: Sizes) -> Iterator[dict[str, Fraction]]:
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


def _margin(values: Mapping[str, float], found: Exceeded) -> tuple[bool, float] | None:
    """By how much the logarithms differ; ``None`` where the preconditions do not hold.

    First whether the point is well inside: at an end rounding decides.
    """
    try:
        inside = True
        for fact, strict in found.facts:
            known = _value(fact, values)
            if known < -1e-12 or (strict and known <= 0):
                return None
            inside = inside and known > MARGIN
        p, q, factor = (_ratio(number, values) for number in (found.p, found.q, found.factor))
        if p <= 0:
            return None
        if q <= 0:
            return inside, math.inf
        return inside, math.log(p) - math.log(q) - math.log(factor)
    except (ArithmeticError, ValueError):
        return None


def _ratio(number: Quotient, values: Mapping[str, float]) -> float:
    return _value(number.top, values) / _value(number.bottom, values)


def _value(polynomial: Polynomial, values: Mapping[str, float]) -> float:
    total = 0.0
    for (plain, powers), k in polynomial.items():
        power = sum(float(share) * _exponent(name, values) for name, share in powers)
        total += float(k) * math.prod(values[n] ** e for n, e in plain) * math.exp(power)
    return total


def _exponent(name: str, values: Mapping[str, float]) -> float:
    """What stands in an exponent: 1, or a product of powers of parameters."""
    if name == "1":
        return 1.0
    factors = (part.partition("**") for part in re.split(r"(?<!\*)\*(?!\*)", name))
    return math.prod(values[base] ** int(power or 1) for base, _, power in factors)


# Programs whose noise is finite: the two proofs that need no alignment.
#
# Where different noise leads to the same outcome, no shift of the noise may do (Mangat's response
# has none).  Then the probabilities themselves are compared: summed with everything symbolic, or
# enumerated size by size.


def is_finite(program: Program) -> bool:
    """Whether all noise is finite, and its author has not said how it is aligned."""
    sites = program.flow.sites
    return (
        bool(sites)
        and not program.calls
        and all(node.step.distribution.is_finite() and node.step.shift is None for node in sites)
    )


def has_loops(program: Program) -> bool:
    """Whether the program has a loop."""
    return any(isinstance(node, HeadNode) for node in program.flow.nodes)


def by_sums(program: Program) -> Proof | Failure:
    """Sum the probabilities of every outcome, for all inputs and parameters at once.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not _is_compared(program) or has_loops(program):
        return Failure("sums", declined=True)
    found = summed(program)
    if found.outcome == "proved":
        try:
            kernel = Confirming(core_text(program))
            parts = tuple(kernel.summed(case.name) for case in kernel.cases[:-1])
        except (Refused, LimitReached) as error:
            said = "a sum is not confirmed by the kernel: "
            return Failure("sums", (in_the_file(str(error), program, said=said),))
        return _complete(program, Proof(parts, method="sums", reasons=found.reasons))
    starts = (
        instance_of(program, Example(_exact(left), _exact(right)), "e")
        for left, right in found.starts
    )
    return Failure("sums", found.reasons, tuple(starts), declined=found.outcome == "declined")


def by_enumeration(program: Program) -> Proof | Failure:
    """Compute the laws of the outcome on every input, size by size.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not _is_compared(program):
        return Failure("enumeration", declined=True)
    return counted(program)


def _complete(program: Program, proof: Proof) -> Proof:
    return replace(proof, sizes="all", least=program.budget)


def _is_compared(program: Program) -> bool:
    """Whether comparing probabilities is a method for this program.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not is_finite(program):
        return False
    for wrong in misuses(program.flow, program.inputs):
        raise program.refuse(wrong.where.span, wrong.message, wrong.advice)
    return not _may_be_negative(program)


def _may_be_negative(program: Program) -> bool:
    """Whether a declared distance may be negative; then no input keeps its budget with itself."""
    if program.privacy.pair_budget != "distance":
        return False
    solver = Solver()
    return not all(
        case.distance is not None
        and solver.follows(common_facts(program, case), at_least(case.distance, number(0)))
        for case in program.cases
    )


def _exact(side: Mapping[str, Fraction | int]) -> dict[str, Numbers]:
    return {name: Fraction(value) for name, value in side.items()}
