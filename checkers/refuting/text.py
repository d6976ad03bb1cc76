"""A comparison for people."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from ...dsl.program import Program
from ..exact.numbers import Base, decimal
from .comparison import Comparison, Interval
from .epsilon import written
from .inputs import Inputs


def describe(comparison: Comparison) -> str:
    """A comparison as a text of several lines: inputs, outcome, likelihoods, ratio."""
    return "\n".join([f"{comparison.mechanism}: {comparison.claim}", *in_words(comparison)])


def in_words(comparison: Comparison) -> list[str]:
    """The comparison in a few lines: inputs, outcome, both likelihoods, their ratio."""
    c = comparison
    fixed = [f"{n} = {v}" for n, v in c.epsilon.items()]
    fixed += [f"{n} = {shown(v)}" for n, v in c.public.items()]
    lines = [f"at {', '.join(fixed)}"] if fixed else []
    for prime, side in (("", c.left), ("′", c.right)):
        lines.append(f"D{prime}: " + ", ".join(f"{n} = {shown(v)}" for n, v in side.items()))
    lines += _records(c)
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
    ratio = _ratio(c)
    nats = f"log ratio {c.log_ratio} nats"
    whose = " for this pair" if c.of_pair else ""
    lines.append(f"ratio {ratio}; {nats}, claimed {c.budget}{whose}")
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
    """The log ratio in nats, or that it is infinite."""
    return "infinite" if comparison.infinite else str(comparison.log_ratio)


def _ratio(c: Comparison) -> str:
    left, right = c.on_left.enclosure, c.on_right.enclosure
    if left.exact and right.exact:
        return str(Interval(str(left.low / right.low), str(left.low / right.low)))
    return decimal(left.low / right.low, 10)


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
