"""A refuted claim: two inputs, an outcome, both likelihoods, and what they say of the claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ...checkers.refuting.comparison import Comparison
from ...checkers.refuting.likelihood import against, cells_in_words, shown
from ...checkers.refuting.ratios import rounded, rounded_apart
from ..words import Block, Code, Display, Entry, Items, Maths, Words, listed, paragraph, plural, say
from .notation import Notation


def refuted_blocks(found: Comparison, allowed: str, notation: Notation) -> Iterator[Block]:
    """The counterexample, from its inputs to the ratio."""
    fixed = [*found.epsilon.items(), *((n, shown(v)) for n, v in found.public.items())]
    if fixed:
        yield paragraph("Take {fixed}.", fixed=listed(_equation(n, v, notation) for n, v in fixed))
    yield paragraph("These two inputs are neighbours, in the direction that is owed:")
    sides = []
    for symbol, side in (("D", found.left), ("D'", found.right)):
        values = listed(_equation(n, shown(v), notation) for n, v in side.items())
        sides.append(Entry(say("{d}: {v}", d=Maths(symbol, symbol), v=values)))
    yield Items(tuple(sides))
    yield from _records(found)
    if found.order:
        yield from _divergence(found, allowed)
        return
    if found.delta is not None:
        yield from _excess(found, allowed)
        return
    yield from _outcome(found)
    yield from _likelihoods(found, allowed)


def conclusion(found: Comparison) -> Words:
    """What the numbers say."""
    if found.order:
        exact = found.log_ratio is None or found.log_ratio.enclosure.exact
        return say(
            "That is more than the claim allows, so the claim is false as it stands. Nothing was "
            "sampled: the divergence is {known}.",
            known="exact" if exact else "enclosed between rationals, and above for certain",
        )
    return say(
        "That is more than the claim allows, so the claim is false as it stands. Nothing was "
        "sampled: {numbers}.",
        numbers="both numbers are exact"
        if found.on_left.enclosure.exact and found.on_right.enclosure.exact
        else "both numbers are enclosed between rationals, and the ratio is above for certain",
    )


def _equation(name: str, value: str, notation: Notation) -> Words:
    """A value as a formula if it is a number, else as the program writes it."""
    simple = value.replace(" ln 2", "").replace("ln 2", "1")
    try:
        Fraction(simple)
    except ValueError:
        return say("{n} = {v}", n=notation.name(name), v=Code(value))
    latex = re.sub(r"\d+/\d+", lambda m: _fraction(Fraction(m[0])), value)
    latex = latex.replace("ln 2", r"\ln 2")
    return (Maths(f"{notation.name(name).latex} = {latex}", f"{name} = {value}"),)


def _records(found: Comparison) -> Iterator[Block]:
    if "others" in found.records:
        others = found.records["others"]
        before, after = (found.records[k] for k in ("before", "after"))
        change = "One record is {before} in {d} and {after} in {e}"
        if before is None:
            change = "{e} has one record more: {after}"
        if after is None:
            change = "{d} has one record more: {before}"
        yield paragraph(
            "Real records stand behind these answers. " + change + "; "
            + (f"{plural(len(others), 'other record')}, the same in both."
               if others else "there is no other record."),
            before=Code(_record(before)), after=Code(_record(after)),
        )  # fmt: skip
    for name, came in found.records.items():
        if name.startswith("arrivals"):
            yield paragraph(
                "Behind {name} stands one visitor, who comes " + _time(came["before"]) + " in {d} "
                "and " + _time(came["after"]) + " in {e}.",
                name=Code(name.removeprefix("arrivals of ")),
            )


def _time(time: Any) -> str:
    return "at no time" if time is None else f"at time {time}"


def _record(record: Any) -> str:
    return "none" if record is None else shown(record)


def _outcome(found: Comparison) -> Iterator[Block]:
    released = ", ".join(map(str, found.outcome))
    then = ""
    if found.ending == "error":
        then = ", and then fails with an exception"
    elif found.infinite:
        then = ", and then ends"
    if not released:
        yield paragraph(f"Look at the outcome in which nothing is released{then}.")
        return
    yield paragraph("Look at the outcome that releases {o}" + then + ".", o=Code(released))


def _likelihoods(found: Comparison, allowed: str) -> Iterator[Block]:
    density = found.measure.startswith("density")
    noun = "density" if density else "probability"
    yield paragraph(
        f"Its {noun} is summed over every path of the program that releases it"
        + (", each an exact integral over the noise" if density else "")
        + (", in units of {unit}." if " / " in found.measure else "."),
        unit=Maths(found.measure.rpartition(" / ")[2].replace("ln", r"\ln"), found.measure),
    )
    symbol = "p" if density else r"\Pr"
    one, two = found.on_left.enclosure, found.on_right.enclosure
    left, right = (_relation(side.low, side.exact) for side in (one, two))
    yield Display(Maths(
        rf"{symbol}[M(D) = o] {left}, \quad {symbol}[M(D') = o] {right}",
        f"{found.on_left} on D, {found.on_right} on D′",
    ))  # fmt: skip
    if found.log_ratio is None:
        yield paragraph(
            "It is possible on {d} and impossible on {e}: the ratio is infinite, and no budget "
            "allows that."
        )
        return
    said = against(found)
    ratio, most = (
        ("= " if exact else r"\approx ") + _number(text)
        for text, exact in ((said.ratio, said.ratio_exact), (said.allowed, said.allowed_exact))
    )
    whose = " for this pair" if found.of_pair else ""
    yield paragraph(f"Their ratio, against what the claim allows{whose}, is")
    yield Display(Maths(
        rf"\frac{{{symbol}[M(D) = o]}}{{{symbol}[M(D') = o]}} {ratio} {said.relation} "
        rf"e^{{{allowed}}} {most}",
        f"ratio {said}",
    ))  # fmt: skip
    in_nats = (found.log_ratio.enclosure.low, found.budget.enclosure.low)
    ours, claimed = (Maths(_number(t), t) for t in rounded_apart(*in_nats))
    yield paragraph(
        "The log ratio is about {ours} nats, where about {claimed} is claimed.",
        ours=ours,
        claimed=claimed,
    )


def _excess(found: Comparison, allowed: str) -> Iterator[Block]:
    """An event that is likelier on D than ε and δ allow."""
    assert found.delta is not None and found.log_ratio is not None
    yield paragraph("Look at the event {s} that the output is one of these:", s=Maths("S", "S"))
    yield Items(tuple(Entry((Code(part),)) for part in found.event))
    one, two = found.on_left.enclosure, found.on_right.enclosure
    left, right = (_relation(side.low, side.exact) for side in (one, two))
    yield Display(Maths(
        rf"\Pr[M(D) \in S] {left}, \quad \Pr[M(D') \in S] {right}",
        f"{found.on_left} on D, {found.on_right} on D′",
    ))  # fmt: skip
    needed, claimed = found.log_ratio.enclosure, found.delta.enclosure
    texts = rounded_apart(needed.low, claimed.low)
    ours, most = (
        _relation(side.low, side.exact, text)
        for side, text in zip((needed, claimed), texts, strict=True)
    )
    yield paragraph("What ε does not allow of it is more than δ:")
    yield Display(Maths(
        rf"\Pr[M(D) \in S] - e^{{{allowed}}} \thinspace \Pr[M(D') \in S] {ours} > \delta {most}",
        f"needed {found.log_ratio}, claimed {found.delta}",
    ))  # fmt: skip


def _divergence(found: Comparison, allowed: str) -> Iterator[Block]:
    """The divergence of all outcomes, beside α ρ, and the ρ that it takes."""
    whole, least = "/" not in found.order, found.least_rho
    order = found.order if whole else _fraction(Fraction(found.order))
    if found.cuts is not None:
        yield paragraph(
            "Look at " + cells_in_words(found.cuts) + ": that is a function of what is released, "
            "and no function makes a divergence larger."
        )
    more = "" if found.cuts is not None else ": the sum of what the shifts of its noise give"
    limit = (
        " That is the limit of the orders above 1, the Kullback–Leibler divergence."
        if found.order == "1" else ""
    )  # fmt: skip
    yield paragraph(
        "What is compared is the Rényi divergence of order {a} of the outputs on {d} from those "
        "on {e}" + more + "." + limit,
        a=Maths(order, found.order),
    )
    name = rf"D_{{{order}}}(M(D) \parallel M(D'))"
    if found.log_ratio is None or least is None:
        yield Display(Maths(rf"{name} = \infty", f"divergence of order {found.order}: infinite"))
        yield paragraph(
            "Something is possible on {d} and impossible on {e}, which no budget allows."
        )
        return
    value, most = found.log_ratio.enclosure, found.budget.enclosure
    ours, claimed = (
        _relation(side.low, side.exact, text)
        for side, text in zip((value, most), rounded_apart(value.low, most.low), strict=True)
    )
    if found.cuts is not None:
        ours = rf"\geq {ours.partition(' ')[2]}"
    factor = "" if found.order == "1" else rf"{order} \thinspace "
    yield Display(Maths(
        rf"{name} {ours} > {factor}{allowed} {claimed}", f"divergence {value}, claimed {most}"
    ))  # fmt: skip
    yield paragraph(
        "So no {rho} below {r} holds here.",
        rho=Maths(r"\rho", "ρ"),
        r=Maths(_relation(least.low, least.exact).partition(" ")[2], str(least)),
    )


def _number(text: str) -> str:
    """A fraction as one, and ``1.5e-400`` as a product with a power of ten."""
    if "/" in text:
        return _fraction(Fraction(text))
    base, e, power = text.partition("e")
    return base + (rf" \cdot 10^{{{power}}}" if e else "")


def _relation(value: Fraction, exact: bool, text: str = "") -> str:
    """What something is: exactly, if that is a number of few digits; else about."""
    if exact and len(str(value)) < 40:
        return f"= {_fraction(value)}"
    return rf"\approx {_number(text or rounded(value))}"


def _fraction(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
