"""Neighbouring inputs for the page: small ones, in the owed direction, within the preconditions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from ...alignments.alignment import Alignment
from ...alignments.examples import Example, Examples, Numbers
from ...alignments.search import failures
from ...checkers.refuting.inputs import Instance
from ...checkers.refuting.relation import Relation
from ...checkers.refuting.seeds import pairs, publics
from ...checkers.strategies.checking import named_by
from ...checkers.system import global_facts
from ...dsl.errors import ShiftproofError
from ...dsl.inputs import EpsilonInput
from ...dsl.privacy import Related
from ...dsl.program import Program
from ...dsl.relations import Case
from ...dsl.rules import rule_of
from ...dsl.syntax import Expression

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
    facts = global_facts(program, case)
    for _, recording in failures(program, case, facts, Alignment(shifts, "found")):
        example = recording.example
        if Relation(program).admits(_instance(program, example)):
            yield Neighbours(case.name, example.left, example.right, recording.draws)
            return


def neighbours_of_any_case(program: Program) -> list[Neighbours]:
    """The same for proofs that know no cases, under definitions that may have none."""
    relation = Relation(program)
    base = dict.fromkeys(program.epsilons(), Fraction(1))
    groups: list[list[Neighbours]] = []
    for length in LENGTHS if any(k.array for k in program.inputs.values()) else (1,):
        for public in itertools.islice(publics(program, length, {}), SETTINGS):
            found = pairs(program, relation, "e", {**public, **base}, length)
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
        named.update(rule_of(function).parameters)
    budgets = not isinstance(program.privacy, Related)
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
        supply = Examples(program, case, global_facts(program, case))
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
    left, right = (
        {n: _as_kind(v, program.inputs[n].whole) for n, v in side.items()}
        for side in (example.left, example.right)
    )
    public = {n: v for n, v in left.items() if program.inputs[n].public}
    private = [
        {n: v for n, v in side.items() if not program.inputs[n].public} for side in (left, right)
    ]
    return Instance("e", public, *private)


def _as_kind(value: Any, whole: bool) -> Any:
    """Ints where the input holds ints, or records of them."""
    if isinstance(value, tuple):
        return tuple(_as_kind(v, whole or isinstance(v, tuple)) for v in value)
    return int(value) if whole else value


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
