"""``likelihood``: how likely an outcome is on given inputs; and a saved counterexample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from ...dsl.errors import BadInput
from ...dsl.relations.program import Program
from ...dsl.showing import Shown
from ...dsl.terms.values import exact
from ..exact.numbers import Base, Enclosure, Number, Unit, is_zero, refined
from ..exact.outcomes import Atom, Measure, Outcome, Real, Slot, Tied
from ..exact.paths import Explorer, Finished
from ..exact.powers import Mixed
from ..exact.ties import OnBoundary
from .comparison import Comparison, Interval, attains
from .inputs import (
    Input,
    Inputs,
    accepted,
    as_kind,
    plain_inputs,
    preconditions_hold,
    run_inputs,
    written,
)
from .moves import shapes
from .ratios import Ratio, hint, ratio_of

if TYPE_CHECKING:
    from ...dsl.mechanism import Mechanism


@dataclass(frozen=True, slots=True)
class Likelihood(Shown):
    """How likely an outcome is.

    Attributes:
        value: the probability, or the density by the released real numbers; an enclosure with
            rational ends, exact where they are the same.
        reals: of how many released real numbers it is a density; 0 for a probability.
    """

    value: Enclosure
    reals: int


def likelihood(
    mechanism: Mechanism[..., Any], outcome: Sequence[Any], /, **inputs: Any
) -> Likelihood:
    """The exact probability of an outcome, or its density where real numbers are released.

    Args:
        mechanism: what ``@mechanism`` made.
        outcome: everything that one run releases, in order: truth values, ``None``, strings,
            ints, and floats or fractions (a float stands for the decimal that is printed).
        inputs: all inputs of the run by name; an ε in nats, or as ``"2 ln 2"``.

    Returns:
        An enclosure that holds the true value, of relative width below 1e-9.  A released
        number counts as an atom where a run releases this very number with positive
        probability, and as a point of a density elsewhere.

    Raises:
        BadInput: an input is missing or not of its kind; or the density jumps at this outcome.
        LimitReached: the integral is outside of what is computed exactly; the message names
            the limit.
        Unsupported: the mechanism is outside the language.
    """
    program = mechanism.program
    program.check_frozen()
    public = {n: v for n, v in inputs.items() if n in program.inputs and program.inputs[n].public}
    base, fixed = accepted(program, public)
    private = {n: _accepted(program, n, v) for n, v in inputs.items() if n not in public}
    if missing := [n for n in program.inputs if n not in inputs]:
        raise BadInput(f"{program.name}: values are missing for {', '.join(missing)}")
    base = base or "e"
    program.check_preconditions(plain_inputs(program, base, fixed, private))
    if not preconditions_hold(program, base, fixed, private):
        raise BadInput(f"{program.name}: a precondition does not hold at this multiple of ln 2")
    if isinstance(outcome, str | bytes) or not isinstance(outcome, Sequence):
        raise BadInput(f"{program.name}: got the outcome {outcome!r}; a sequence is needed")
    for value in outcome:
        plain = value is None or isinstance(value, bool | int | float | Fraction | str)
        if not plain or (isinstance(value, float) and not math.isfinite(value)):
            raise BadInput(
                f"{program.name}: got {value!r} in the outcome; finite numbers, Booleans, strings "
                "and None can be released"
            )
    try:
        return _computed(program, Unit(base), fixed, private, tuple(outcome))
    except Mixed:
        raise BadInput(
            f"{program.name}: an ε that is a multiple of ln 2 does not do here; give a number"
        ) from None
    except OnBoundary:
        raise BadInput(
            f"{program.name}: the density jumps at this outcome; ask right beside it"
        ) from None


def _computed(
    program: Program, unit: Unit, public: Inputs, private: Inputs, outcome: tuple[Any, ...]
) -> Likelihood:
    inputs = run_inputs(program, unit.base, public, private)
    wanted = [... if isinstance(v, float | Fraction) else v for v in outcome]
    paths = Explorer(program.inlined.flow).finished(inputs, wanted)
    fitting = [o for shape in shapes(paths, ()) if (o := _fit(shape.slots, outcome, shape.ending))]
    # Of several readings of a number, the one of the most atoms is the one that has the mass.
    for chosen in sorted(fitting, key=lambda o: o.reals):
        value = refined(partial(_density, unit, paths, chosen))
        if not is_zero(value):
            return Likelihood(Enclosure.of(value), chosen.reals)
    return Likelihood(Enclosure(Fraction(0), Fraction(0)), 0)


def _density(unit: Unit, paths: Sequence[Finished], outcome: Outcome) -> Number:
    """The likelihood by plain positions; the measure has them in multiples of 1 / unit."""
    found = Measure(unit).of(paths, outcome)
    return found * unit.nats(1) ** outcome.reals if outcome.reals else found


def _fit(slots: Sequence[Any], values: tuple[Any, ...], ending: str) -> Outcome | None:
    """An outcome of a shape with these values, if they can be of that shape."""
    if len(slots) != len(values) or ending != "end":
        return None
    found: list[Slot] = []
    for slot, value in zip(slots, values, strict=True):
        number = isinstance(value, float | Fraction) and not isinstance(value, bool)
        plain = exact(value) if number else value
        if slot is Real:
            if not number:
                return None
            found.append(Real(cast(Fraction, plain)))
        elif isinstance(slot, Tied):
            at = slot.constant + sum(
                (f * exact(values[j]) for j, f in slot.parts), start=Fraction(0)
            )
            if not number or plain != at:
                return None
            found.append(slot)
        elif slot is int or slot is Fraction:
            if type(plain) is not slot:
                return None
            found.append(Atom(plain))
        else:
            if type(slot.value) is not type(plain) or slot.value != plain:
                return None
            found.append(slot)
    return Outcome(tuple(found))


def _accepted(program: Program, name: str, value: Any) -> Input:
    kind = program.inputs.get(name)
    if kind is None:
        raise BadInput(f"{program.name}: there is no input '{name}'")
    found: Input = as_kind(kind, kind.accept(name, value))
    return found


# A comparison for people.


def describe(comparison: Comparison) -> str:
    """A comparison as a text of several lines: inputs, outcome, likelihoods, ratio."""
    return "\n".join([f"{comparison.mechanism}: {comparison.claim}", *in_words(comparison)])


def in_words(comparison: Comparison) -> list[str]:
    """The comparison in a few lines: inputs, outcome, both likelihoods, their ratio."""
    missed = hint(comparison)
    return [*_in_words(comparison), *([f"hint: {missed}"] if missed else [])]


def _in_words(c: Comparison) -> list[str]:
    fixed = [f"{n} = {v}" for n, v in c.epsilon.items()]
    fixed += [f"{n} = {shown(v)}" for n, v in c.public.items()]
    lines = [f"at {', '.join(fixed)}"] if fixed else []
    for prime, side in (("", c.left), ("′", c.right)):
        lines.append(f"D{prime}: " + ", ".join(f"{n} = {shown(v)}" for n, v in side.items()))
    lines += _records(c)
    if c.order:
        return [*lines, *_divergent(c)]
    if c.delta is not None:
        return [*lines, *_exceeding(c)]
    released = ", ".join(map(str, c.outcome)) or "nothing"
    then = ", then an exception" if c.ending == "error" else ""
    if c.infinite and not then:
        then = ", then the end"  # that it ends may be what is impossible on D'
    lines.append(f"outcome: {released}{then}")
    lines.append(f"{c.measure}: {_number(c.on_left)} on D, {_number(c.on_right)} on D′")
    if c.log_ratio is None:
        infinite = "ratio: infinite (possible on D, impossible on D′)"
        lines.append(infinite if c.infinite else "ratio: 0 (impossible on D)")
        return lines
    nats = f"log ratio {c.log_ratio} nats"
    whose = " for this pair" if c.of_pair else ""
    lines.append(f"ratio {against(c)}; {nats}, claimed {c.budget}{whose}")
    return lines


def epsilons_in_words(program: Program, base: Base, public: Inputs) -> str:
    """Every ε and what it is."""
    amounts = {n: Fraction(cast(Any, public[n])) for n in program.epsilons()}
    return ", ".join(f"{n} = {written(base, amount)}" for n, amount in amounts.items())


def inputs_in_words(program: Program, base: Base, public: Inputs, private: Inputs) -> str:
    """All inputs of one run."""
    amounts = epsilons_in_words(program, base, public)
    both = {**public, **private}
    plain = [f"{n} = {shown(both[n])}" for n in program.inputs if n not in program.epsilons()]
    return ", ".join([*plain, *([amounts] if amounts else [])])


def lower_bound_text(comparison: Comparison) -> str:
    """The log ratio in nats, or the ρ that a divergence takes, or that it is infinite."""
    return "infinite" if comparison.infinite else str(comparison.least_rho or comparison.log_ratio)


_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _exceeding(c: Comparison) -> list[str]:
    """An event with its probabilities, beside what ε and δ allow."""
    return [
        f"event: one of {'; '.join(c.event)}",
        f"likely: {c.on_left} on D, {c.on_right} on D′",
        f"so: δ ≥ {c.log_ratio} there, at ε = {c.budget}; claimed is δ = {c.delta}",
    ]


def _divergent(c: Comparison) -> list[str]:
    """The divergence beside α ρ, and how large ρ has to be."""
    whole, least = "/" not in c.order, c.least_rho
    name = f"D{c.order.translate(_LOWERED) if whole else f'_({c.order})'}(M(D) ‖ M(D′))"
    seen = [] if c.cuts is None else [f"seen: {cells_in_words(c.cuts)}"]
    if c.log_ratio is None or least is None:
        infinite = f"divergence: {name} = ∞ (something is possible on D, and impossible on D′)"
        return [*seen, infinite, "so: no ρ holds there"]
    claimed = "ρ" if c.order == "1" else f"{c.order}{'' if whole else ' '}ρ"
    is_ = "≥" if seen else "=" if c.log_ratio.enclosure.exact else "≈"
    beside = " >" if c.breaks else " ≤" if is_ != "≥" else ";"
    return [
        *seen,
        f"divergence: {name} {is_} {c.log_ratio}{beside} {claimed} = {c.budget}",
        f"so: ρ ≥ {least} there",
    ]


def cells_in_words(cuts: Sequence[str]) -> str:
    """What of the outputs counts."""
    if not cuts:
        return "everything but the values of noisy numbers"
    if len(cuts) == 1:
        return f"everything, but of noisy numbers only whether they are at least {cuts[0]}"
    return f"everything, but of noisy numbers only between which of {', '.join(cuts)} they lie"


def against(c: Comparison) -> Ratio:
    """The ratio of a comparison against what its claim allows; it must not be infinite."""
    sides = (side.enclosure for side in (c.on_left, c.on_right, c.budget))
    return ratio_of(*sides, breaks=c.breaks, attains=attains(c))


def _number(interval: Interval) -> str:
    enclosure = interval.enclosure
    return f"{'' if enclosure.exact else '≈ '}{interval}"


def _records(c: Comparison) -> list[str]:
    found = []
    if "others" in c.records:
        others, before, after = (c.records[k] for k in ("others", "before", "after"))
        change = f"{_record(before)} → {_record(after)}"
        found.append(f"one record: {change}; besides {_counted(others)}")
    for name, came in c.records.items():
        if name.startswith("arrivals"):
            found.append(
                f"{name}: {_at(came['before'])} → {_at(came['after'])}; besides at "
                f"{', '.join(map(str, came['others'])) or 'no time'}"
            )
    return found


def _record(record: list[int] | None) -> str:
    return "none" if record is None else f"({', '.join(map(str, record))})"


def _at(time: int | None) -> str:
    return "absent" if time is None else f"at {time}"


def _counted(records: list[list[int]]) -> str:
    if not records:
        return "no other record"
    kinds = {tuple(r): records.count(r) for r in records}
    return ", ".join(f"{k} × {_record(list(r))}" for r, k in kinds.items())


def shown(value: Any) -> str:
    """An input as Python would write it, its fractions plain."""
    if isinstance(value, list | tuple):
        inner = ", ".join(map(shown, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)
