"""Proofs without an alignment: probabilities summed up, or all inputs enumerated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checkers.walking.certificate import EnumeratedSizes, EnumerationPart
from ...checkers.walking.sums.rows import Cell, Row, SumsPart
from ...dsl.relations.program import Program
from ...dsl.terms.pretty import pretty
from ..words import Block, Code, Display, Entry, Items, Maths, Words, listed, paragraph, plural, say
from .claim import case_words, short_budget
from .notation import Notation, is_sum

#: How many characters of LaTeX a probability may have before it gets a name.
_LONG = 30
#: How many comparisons, and how many laws, are written out.
MOST_CELLS, MOST_LAWS = 12, 12


def sums_blocks(program: Program, part: SumsPart, notation: Notation) -> Iterator[Block]:
    """Every way to every outcome, and the comparisons of their probabilities."""
    yield paragraph(
        "The noise takes finitely many values, so no alignment is needed: the probability of each "
        "outcome is a sum, and the sums are compared. A run on an input comes to its outcomes in "
        "these ways:"
    )
    shown = [notation.of(row.probability) for row in part.rows]
    if any(len(formula.latex) > _LONG for formula in shown):  # a name for each, then
        named = [Maths(f"P_{{{k}}}", f"P{k}") for k in range(1, len(shown) + 1)]
        equal = [
            Maths(f"{n.latex} = {p.latex}", p.plain) for n, p in zip(named, shown, strict=True)
        ]
    else:
        named = equal = shown
    yield Items(tuple(
        Entry(_row(row, equal[k], notation), f"({k + 1})") for k, row in enumerate(part.rows)
    ))  # fmt: skip
    protected = "protected " if program.privacy.output_claim else ""
    budgets = {} if protected else {case.name: case.budget for case in program.cases}
    for case in part.cases:
        own = budgets.get(case.case)
        allowed = short_budget(program, notation) if own is None else notation.of(pretty(own)).latex
        where = f" where {case_words(case.case, own)}," if case.case else ""
        if not case.cells:
            yield paragraph(f"There are no neighbours{where.rstrip(',')}.")
            continue
        yield paragraph(
            "The probability of an outcome is the sum over the ways that are open. Take any "
            f"neighbours{where} and any {protected}outcome. Which ways are open on {{d}} and "
            f"which on {{e}} is one of {plural(len(case.cells), 'combination')}. In each of them "
            "this holds, for all parameters that meet the preconditions:"
        )
        compared = dict.fromkeys(_comparison(cell, named, allowed) for cell in case.cells)
        for formula in list(compared)[:MOST_CELLS]:
            yield Display(formula)
        if len(compared) > MOST_CELLS:
            yield paragraph(f"and {len(compared) - MOST_CELLS} more of the kind.")
    yield paragraph(
        f"What holds of every {protected}outcome holds of every set of them, by adding up."
    )
    if protected:
        yield paragraph(
            "That any other outcome comes from one value alone, which is not sensitive, was put to "
            "a solver as well, for each way and each two ways."
        )


def enumeration_blocks(
    program: Program, part: EnumerationPart, notation: Notation
) -> Iterator[Block]:
    """For which sizes everything was enumerated, and what was compared."""
    yield paragraph(
        "The noise and the private inputs take finitely many values, so for given sizes there are "
        "finitely many runs. All of them were followed, for all privacy parameters at once; the "
        "probabilities of every outcome were added up and compared for all ordered pairs of "
        "neighbours:"
    )
    yield Items(tuple(Entry(_sizes(setting, notation)) for setting in part.settings))
    yield paragraph(
        "Each comparison asks whether {claim}, as polynomials in powers of {t}, for all values "
        "of the parameters.",
        claim=Maths(
            rf"\Pr[M(D) = o] \leq e^{{{short_budget(program, notation)}}} \thinspace "
            r"\Pr[M(D') = o]",
            "Pr[M(D) = o] <= exp(budget) Pr[M(D') = o]",
        ),
        t=Maths("e", "e"),
    )
    telling = _telling(part)
    if telling is not None:
        at = say(", with {sizes}", sizes=_at(telling, notation)) if telling.sizes else ()
        yield paragraph("For example{at}, the outcomes have these laws:", at=at)
        yield Items(tuple(Entry(_law(law, notation)) for law in telling.laws[:MOST_LAWS]))
    if part.complete:
        sizes = any(setting.sizes for setting in part.settings)
        yield paragraph(
            "The preconditions allow no other sizes: the proof is complete."
            if sizes
            else "There are no sizes to choose: the proof is complete."
        )
    else:
        yield paragraph(
            f"Beyond the size {part.largest} nothing is proved: the proof is bounded by it."
        )


def _row(row: Row, probability: Maths, notation: Notation) -> Words:
    when = listed(notation.of(text) for text in row.when)
    return say(
        "it releases {out} with probability {p}" + (", if {when}" if row.when else "") + ".",
        out=_output(row, notation),
        p=probability,
        when=when,
    )


def _output(row: Row, notation: Notation) -> Words:
    shown = [notation.of(text.removeprefix("float(").removesuffix(")") if text.startswith("float(")
                         else text) for text in row.output]  # fmt: skip
    return listed(shown) if shown else ("no value",)


def _comparison(cell: Cell, probabilities: Sequence[Maths], allowed: str) -> Maths:
    here, there = (
        _total([probabilities[k - 1].latex for k in rows]) for rows in (cell.here, cell.there)
    )
    power = f"e^{{{allowed}}}"
    right = rf"{power} \left( {there} \right)" if is_sum(there) else rf"{power} \cdot {there}"
    return Maths(rf"{here} \leq {right}", f"rows {cell.here} <= exp(budget) rows {cell.there}")


def _total(members: Sequence[str]) -> str:
    """A sum; what begins with a minus stands in brackets."""
    shown = [rf"\left( {t} \right)" if t.startswith("-") else t for t in members]
    return " + ".join(shown) or "0"


def _sizes(setting: EnumeratedSizes, notation: Notation) -> Words:
    return say(
        ("{at}: " if setting.sizes else "")
        + f"{plural(setting.inputs, 'input')}, {plural(setting.outcomes, 'outcome')}, "
        + f"{plural(setting.pairs, 'ordered pair')} of neighbours, "
        + f"{plural(setting.comparisons, 'different comparison')}.",
        at=_at(setting, notation),
    )


def _at(setting: EnumeratedSizes, notation: Notation) -> Words:
    return listed(notation.of(f"{name} == {value}") for name, value in setting.sizes.items())


def _telling(part: EnumerationPart) -> EnumeratedSizes | None:
    """The largest setting whose laws are few enough to be read."""
    few = [s for s in part.settings if 0 < len(s.laws) <= MOST_LAWS]
    return max(few, key=lambda s: len(s.laws), default=None)


def _law(law: str, notation: Notation) -> Words:
    left, _, probability = law.partition(" with probability ")
    inputs, _, outcome = left.partition(": ")
    return say(
        "{inputs}: {outcome} with probability {p}",
        inputs=Code(inputs),
        outcome=Code(outcome or "nothing"),
        p=notation.of(probability),
    )
