"""What the page lets the reader move, and what stands beside the lines of the program."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from ....alignments.alignment import Alignment
from ....alignments.examples import Example, Examples, Numbers
from ....checkers.proving.search import failures
from ....checkers.refuting.inputs import Instance
from ....checkers.refuting.refute import instance_of
from ....checkers.refuting.relation import Relation
from ....checkers.refuting.starting.seeds import Seeds
from ....checkers.strategies.checking import named_by
from ....checkers.verdicts import Report
from ....checkers.walking.certificate import Certificate, Part
from ....checkers.walking.common import common_facts
from ....checkers.walking.runs.noise import shift_of
from ....dsl.errors import ShiftproofError
from ....dsl.language.flow import CallNode
from ....dsl.language.syntax import Expression
from ....dsl.privacy.inputs import EpsilonInput
from ....dsl.relations.cases import ONE_SIDED, Case
from ....dsl.relations.pairs import allowed, as_rule
from ....dsl.relations.program import Program
from ...words import Code, Maths, Words, say
from ..claim import case_words
from ..conditions import obligations, owed_words
from ..noises import Noise, noises, notation_of
from ..notation import Notation
from ..shifting import of_gaps, of_sum, shift_texts, shift_words
from .programs import budget_function, expression, programs_of
from .terms import quoted

# Neighbouring inputs for the page: small ones, in the owed direction, within the preconditions.

#: How many examples are looked at for each case of the relation, and how many are shown.
LOOKED_AT, SHOWN = 100, 6
#: The same for proofs without cases: how long sequences are, and how many public inputs are tried.
LENGTHS, SETTINGS = (3, 2, 1), 12


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two neighbours of one case of a relation; ``noise`` is what to begin with, if any."""

    case: str
    left: Mapping[str, Numbers]
    right: Mapping[str, Numbers]
    noise: Sequence[Fraction | int | bool] = ()


def neighbours(program: Program, cases: Sequence[Case]) -> list[Neighbours]:
    """Some true neighbours of each case, the plainest and most telling ones first."""
    return [pair for case in cases for pair in _of_case(program, case)]


def failing(program: Program, case: Case, shifts: Mapping[int, Expression]) -> Iterator[Neighbours]:
    """A pair and noise on which an alignment fails, if one is found."""
    facts = common_facts(program, case)
    for _, recording in failures(program, case, facts, Alignment(shifts, "found")):
        example = recording.example
        if Relation(program).admits(_instance(program, example)):
            yield Neighbours(case.name, example.left, example.right, recording.draws)
            return


def neighbours_of_any_case(program: Program) -> list[Neighbours]:
    """The same for proofs that know no cases, under definitions that may have none."""
    seeds = Seeds(program)
    base = dict.fromkeys(program.epsilons(), Fraction(1))
    groups: list[list[Neighbours]] = []
    for length in LENGTHS if any(k.array for k in program.inputs.values()) else (1,):
        for public in itertools.islice(seeds.publics(length, {}), SETTINGS):
            found = seeds.pairs("e", {**public, **base}, length)
            groups.append([_neighbours(i) for i in itertools.islice(found, SHOWN)])
    rounds = itertools.zip_longest(*(group for group in groups if group))
    mixed = (pair for row in rounds for pair in row if pair is not None)
    return list(itertools.islice(mixed, 2 * SHOWN))


def _neighbours(instance: Instance) -> Neighbours:
    left, right = ({**instance.public, **side} for side in (instance.left, instance.right))
    return Neighbours("", cast(Any, left), cast(Any, right))


def free_inputs(program: Program) -> list[str]:
    """Public numbers of which neither the relation nor a range speaks: they may be changed.

    Of an ε only a rule of the author's own could make it depend on who is a neighbour.
    """
    named = {n for kind in program.inputs.values() for n in named_by(kind)}
    for function in program.privacy.functions:
        named.update(as_rule(function).parameters)
    budgets = program.privacy.input_rule is None
    return [
        name
        for name, kind in program.inputs.items()
        if kind.public
        and not kind.array
        and (name not in named or (budgets and isinstance(kind, EpsilonInput)))
    ]


def _of_case(program: Program, case: Case) -> Iterator[Neighbours]:
    relation = Relation(program)
    found: dict[str, Example] = {}
    try:
        supply = Examples(program, case, common_facts(program, case))
        for example in itertools.islice(supply, LOOKED_AT):
            example = _with_plain_epsilon(program, example)
            if relation.admits(_instance(program, example)):
                found.setdefault(_key(program, example), example)
    except ShiftproofError:
        return  # there are none that this page could show
    ranked = sorted(found.values(), key=lambda e: _rank(program, e))
    for example in _mixed(program, ranked)[:SHOWN]:
        yield Neighbours(case.name, example.left, example.right)


def _mixed(program: Program, ranked: Sequence[Example]) -> list[Example]:
    """The same with other public inputs in turn, as far as the reader cannot change them."""
    free = free_inputs(program)
    fixed = [n for n, k in program.inputs.items() if k.public and n not in free and not k.array]
    groups: dict[str, list[Example]] = {}
    for example in ranked:
        groups.setdefault(str([example.left[n] for n in fixed]), []).append(example)
    rounds = itertools.zip_longest(*groups.values())
    return [example for row in rounds for example in row if example is not None]


def _with_plain_epsilon(program: Program, example: Example) -> Example:
    """The same with ε = 1, if the preconditions allow that."""
    plain = dict.fromkeys(program.epsilons(), Fraction(1))
    left, right = ({**side, **plain} for side in (example.left, example.right))
    try:
        program.check_preconditions(left)
        program.check_preconditions(right)
    except ShiftproofError:
        return example
    return Example(left, right)


def _instance(program: Program, example: Example) -> Instance:
    return replace(instance_of(program, example), base="e")


def _key(program: Program, example: Example) -> str:
    """What two examples that look alike share."""
    free = free_inputs(program)
    names = [n for n, k in program.inputs.items() if n not in free and not (k.public and k.array)]
    return str([(example.left[n], example.right[n]) for n in names])


def _rank(program: Program, example: Example) -> tuple[int, int, int]:
    """Two to four elements, many of which differ; small numbers; then the order of finding."""
    lengths = [len(v) for v in example.left.values() if isinstance(v, tuple)]
    odd_length = sum(abs(n - 3) if n < 2 or n > 4 else 0 for n in lengths)
    changed = sum(
        sum(a != b for a, b in zip(cast(Any, one), cast(Any, two), strict=False))
        for one, two in ((example.left[n], example.right[n]) for n in example.left)
        if isinstance(one, tuple)
    )
    size = sum(
        sum(abs(x) for x in v if isinstance(x, Fraction)) if isinstance(v, tuple) else abs(v)
        for v in example.left.values()
    )
    return odd_length, -changed, int(size)


# What the page lets the reader move: a program in JavaScript, its neighbours and its alignment.

#: For each case of the relation the shifts, site by site.
Shifts = Mapping[str, Sequence[Expression]]


def play_of(report: Report, program: Program) -> str:
    """An object of JavaScript with everything that moves; empty if nothing can be moved."""
    certificate = report.certificate
    if program.privacy.is_relaxed:
        return ""  # runs show likelihoods; the claim is about their moments, or gives some up
    summed = isinstance(certificate, Certificate) and _sums(certificate, program)
    shifts = {} if summed else _shifts(report, program)
    if not (summed or shifts):
        return ""
    cases = [] if summed else [case for case in program.cases if case.name in shifts]
    found = neighbours_of_any_case(program) if summed else neighbours(program, cases)
    if not isinstance(certificate, Certificate):
        found = [*_failing(program, cases, shifts), *found]
    pairs = _pairs(program, found)
    if not pairs:
        return ""
    moved = ",\n".join(
        f"{quoted(name)}: [{', '.join(f'(s, o) => {expression(e)}' for e in found)}]"
        for name, found in shifts.items()
    )
    return (
        "{"
        f'mode: "{"laws" if summed else "runs"}", '
        f"proved: {str(isinstance(certificate, Certificate)).lower()}, "
        f"covers: {_covers(program)},\n"
        f"programs: {programs_of(program, _free(program, certificate))},\n"
        f"shifts: {{{moved}}},\n"
        f"pairs: [{','.join(pairs)}]"
        "}"
    )


def _failing(program: Program, cases: Sequence[Case], shifts: Shifts) -> Iterator[Neighbours]:
    """Where the best attempt fails, case by case."""
    for case in cases:
        with suppress(ShiftproofError):
            yield from failing(program, case, dict(enumerate(shifts[case.name])))


def _sums(certificate: Certificate, program: Program) -> bool:
    finite = all(node.step.distribution.is_finite() for node in program.flow.sites)
    drawn = certificate.sums_draws and finite
    return certificate.is_summed or certificate.enumeration is not None or drawn


def _shifts(report: Report, program: Program) -> Shifts:
    """Those of the proof; without one, those of the best attempt."""
    certificate = report.certificate
    try:
        if isinstance(certificate, Certificate):
            parts = [part for part in certificate.parts if part.case != ONE_SIDED]
            texts = {p.case: shift_texts(program, p) for p in parts}
            together = (of_gaps, of_sum)
            if any(of(text) is not None for t in texts.values() for text in t for of in together):
                return {}  # of several draws at once
            return {name: tuple(map(shift_of, found)) for name, found in texts.items()}
        if len(report.alignment) == len(program.flow.sites) and report.alignment:
            if any(of_gaps(text) or of_sum(text) is not None for text in report.alignment.values()):
                return {}
            tried = tuple(map(shift_of, report.alignment.values()))
            return {case.name: tried for case in program.cases}
    except ShiftproofError:
        pass  # a shift that only the source can say
    return {}


def _free(program: Program, certificate: object) -> list[str]:
    """The inputs that may be changed: beyond a bounded proof's sizes nothing is claimed."""
    found = free_inputs(program)
    counted = certificate.enumeration if isinstance(certificate, Certificate) else None
    if counted is None or counted.complete:
        return found
    return [name for name in found if not program.inputs[name].whole]


def _pairs(program: Program, neighbouring: Sequence[Neighbours]) -> list[str]:
    found = []
    for pair in neighbouring:
        try:
            budget = allowed(program.privacy, program.inputs, program.budget, pair.left, pair.right)
        except ShiftproofError:
            continue  # its budget is not told by these values alone
        found.append(_pair(pair, budget_function(budget)))
    return found


def _pair(pair: Neighbours, budget: str) -> str:
    left, right = (_values(side) for side in (pair.left, pair.right))
    noise = ", ".join(str(d).lower() if isinstance(d, bool) else quoted(str(d)) for d in pair.noise)
    return (
        f"\n{{case: {quoted(pair.case)}, left: {left}, right: {right}, budget: {budget}, "
        f"noise: [{noise}]}}"
    )


def _values(side: Mapping[str, Numbers]) -> str:
    return f"new Map([{', '.join(f'[{quoted(n)}, {_value(v)}]' for n, v in side.items())}])"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return quoted(str(value))


def _covers(program: Program) -> str:
    """Whether a claim is about an output: under some definitions not about all of them."""
    claim = program.privacy.output_claim
    if claim is None:
        return "null"
    rule = as_rule(claim.protected)
    return f"(s, y) => {expression(rule.condition, {rule.parameters[0]: 'y'})}"


# What stands beside the lines of the program: the noise, its shift and price, what is owed.

#: Sentences by the line of the program that they are about.
Notes = Mapping[int, list[Words]]


def notes_of(report: Report, program: Program) -> Notes:
    """The notes of a proof by alignment; of any other program the laws of its noise."""
    notation = notation_of(program)
    found: dict[int, list[Words]] = {}
    drawn = noises(program, notation)
    for noise in drawn:
        found.setdefault(noise.line, []).append(_law(noise))
    certificate = report.certificate
    parts = certificate.parts if isinstance(certificate, Certificate) else ()
    own = [part for part in parts if part.case != ONE_SIDED and part.cells is None]
    for part in own:
        where = f"Where {case_words(part.case)}: it " if len(own) > 1 else "It "
        for noise, text in zip(drawn, shift_texts(program, part), strict=True):
            words = _shift(noise, text, where, notation)
            if words not in found[noise.line]:
                found[noise.line].append(words)
    if own:
        _add_calls(program, found)
    for line, words in _owed(program, own).items():
        found.setdefault(line, []).append(words)
    return found


def _law(noise: Noise) -> Words:
    return say("{x} is drawn from {law}.", x=Maths(noise.symbol, noise.name), law=noise.law)


def _shift(noise: Noise, text: str, where: str, notation: Notation) -> Words:
    moved = shift_words(text, noise.shift, notation, flipped=noise.flipped)
    if text.strip() in ("0", "False") or of_gaps(text) or of_sum(text) is not None:
        return (where, *moved, ".")
    return (where, *moved, "; that costs ", noise.price, f"{noise.unit}.")


def _add_calls(program: Program, found: dict[int, list[Words]]) -> None:
    for node in program.flow.nodes:
        if isinstance(node, CallNode):
            words = say(
                "Its own proof aligns the noise of {name}, at the price that it claims.",
                name=Code(node.step.callee.name),
            )
            found.setdefault(node.step.span.line, []).append(words)


def _owed(program: Program, parts: Sequence[Part]) -> Mapping[int, Words]:
    """What is owed at each line, the invariants of a loop by that name."""
    found: dict[int, dict[str, None]] = {}
    for part in parts:
        case = next(case for case in program.cases if case.name == part.case)
        for obligation in obligations(program, case, part):
            here = found.setdefault(obligation.span.line, {})
            loop = obligation.condition == "loop invariant"
            here["the invariants of this loop hold" if loop else owed_words(obligation)] = None
    return {line: ("Owed: ", "; ".join(said), ".") for line, said in found.items() if line}
