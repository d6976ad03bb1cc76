"""Pairs of neighbours for a mechanism of the language, and what exact likelihoods say of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from ....dsl.errors import BadInput, LimitReached
from ....dsl.mechanism import Mechanism
from ....dsl.relations.program import Program
from ....dsl.simulation.simulate import block_size
from ....dsl.terms.linear import number
from ....dsl.terms.pretty import pretty
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import exact
from ...exact.numbers import Base, Number
from ...exact.outcomes import Atom, Outcome
from ...exact.ties import OnBoundary
from ...refuting import EFFORT
from ...refuting.columns import lengths
from ...refuting.divergences.excess import delta_of
from ...refuting.inputs import Inputs, Instance, accepted, plain_inputs
from ...refuting.judge import budget, budget_of, counts
from ...refuting.relation import Relation
from ...refuting.search import hunt
from ...refuting.shrink import Candidate, shrunk
from ...refuting.starting.seeds import EPSILONS, Seeds, amounts_for, epsilons
from ...strategies.answers import shaped
from ..betting import Pair
from ..edges import accepted_inputs
from ..evidence.pure import NEVER, divergence
from ..result import Claim, Protected, Unit
from ..scoring.scores import Score, scores_of
from .boxes import LanguageBox

#: How many pairs are audited at most, of each of two sources.
PAIRS = 12
#: How many other public inputs are tried, and on how many pairs each.
SETTINGS, OF_EACH = 12, 2
#: How long sequences are in the patterns of the literature.
LENGTH = 5
#: How many runs on each input tell which outputs are protected, and the key of their noise.
RUNS, KEY = 2_000, 0x70726F74


@dataclass(frozen=True, slots=True)
class Subject:
    """What is audited: a mechanism at some public inputs, and ordered pairs of neighbours.

    ``unit``: of what the claim is a multiple where each pair has an ε of
    its own.  ``owed``: the outputs of which it is a claim, if not of all.
    """

    box: LanguageBox
    pairs: tuple[Pair, ...]
    claim: Claim
    public: Mapping[str, Any]
    unit: Unit = ""
    owed: Protected | None = None


def subject_of(
    mechanism: Mechanism[..., Any], given: Mapping[str, Any], *, exact: bool = True
) -> Subject:
    """Pairs on which to audit a mechanism.

    Args:
        mechanism: what ``@mechanism`` made.
        given: public inputs that stay as they are; the others are those of the pair that a
            search by exact likelihoods thinks worst, or the first ones that fit.
        exact: whether that search is made.

    Raises:
        BadInput: a given input is none of the mechanism's, or of the wrong kind.
        Unsupported: the mechanism is outside the language.
    """
    program = mechanism.program
    program.check_frozen()
    unit = program.privacy.pair_budget
    base, fixed = accepted(program, given)
    best = _worst(program, fixed, base) if exact else None
    claim = None if best is None else _claim(program, best.instance)
    if best is not None and claim is not None and not claim.is_tiny(1):
        instance = best.instance
    else:
        best = None
        instance, claim = _first(program, base or "e", fixed)
    length = lengths(program, instance)
    seeds = Seeds(program)
    found: list[Pair] = []
    if best is not None:
        found.append(_pair(mechanism, program, "of the search", instance, scores_of(best.outcome)))
    others: list[Iterator[tuple[str, Instance]]] = [
        _alike(seeds, instance, length or 1),
        _corners(program, seeds.relation, instance, length),
    ]
    if best is None and program.privacy.output_claim is None:
        # Nothing is known that would choose public inputs, so the runs do: each pair has its own.
        others.append(_of_other_publics(program, seeds, instance, fixed, length or 1))
    for name, other in itertools.chain.from_iterable(others):
        # One claim is audited; a budget may read lengths, and public inputs.
        if _claim(program, other) == claim:
            found.append(_pair(mechanism, program, name, other))
    distinct = {repr((p.left, p.right)): p for p in reversed(found)}
    chosen = tuple(p for p in reversed(distinct.values()) if not claim.is_tiny(p.scale))
    if not chosen:
        raise BadInput(
            f"{program.name}: what all pairs owe is below {claim.least:g}; give public inputs"
        )
    shown = _public_of(program, chosen[0].left)
    sizes = (block_size(program.inlined.flow, pair.left) for pair in chosen)
    box = LanguageBox(program.inlined.flow, min(sizes))
    owed = _protected(program, instance, box, chosen)
    return Subject(box, chosen, claim, shown, unit, owed)


def _alike(seeds: Seeds, first: Instance, length: int) -> Iterator[tuple[str, Instance]]:
    """Other pairs at the same public inputs."""
    pairs = seeds.pairs(first.base, first.public, length)
    for k, other in enumerate(itertools.islice(pairs, PAIRS)):
        yield f"grid {k + 1}", other


def _of_other_publics(
    program: Program, seeds: Seeds, first: Instance, fixed: Inputs, length: int
) -> Iterator[tuple[str, Instance]]:
    """Pairs with other public inputs than the first one's, and the same privacy parameters."""
    amounts = {name: first.public[name] for name in program.epsilons()}
    settings = (
        setting | amounts
        for setting in seeds.publics(length, fixed)
        if setting | amounts != first.public
    )
    for public in itertools.islice(settings, SETTINGS):
        own = (f"{n} = {public[n]}" for n in public if public[n] != first.public[n])
        name = ", ".join(own)
        for other in itertools.islice(seeds.pairs(first.base, public, length), OF_EACH):
            yield name, other


def _worst(program: Program, fixed: Inputs, base: Base | None) -> Candidate | None:
    """What exact likelihoods think worst; of a broken claim the form that runs show soonest."""
    best = hunt(program, fixed, base, EFFORT).best
    if best is None or not best.likelihoods.broken:
        return best
    try:
        small = shrunk(program, best, fixed)
    except (OnBoundary, LimitReached):
        return best
    return small if _seen_in_a_run(small) >= _seen_in_a_run(best) else best


def _seen_in_a_run(candidate: Candidate) -> float:
    """The evidence that a pair of runs gives, expected; 0 for a density."""
    if candidate.outcome.reals:
        return 0.0
    found = candidate.likelihoods
    p, q, claim = (_float(v) for v in (found.left, found.right, found.budget))
    return float(divergence(min(p, 1 - NEVER), max(q, NEVER), claim))


def subject_on(
    mechanism: Mechanism[..., Any], given_pairs: Sequence[Pair], given: Mapping[str, Any]
) -> Subject:
    """The subject on pairs that the user gives; inputs are mappings by name.

    Raises:
        BadInput: an input cannot be the mechanism's, public inputs differ, or a pair has no ε.
        Unsupported: the mechanism is outside the language.
    """
    program = mechanism.program
    unit = program.privacy.pair_budget
    given = _as_numbers(program, given)
    found = []
    for pair in given_pairs:
        sides = []
        for side in (pair.left, pair.right):
            if not isinstance(side, Mapping):
                raise BadInput(
                    f"pairs: got the input {side!r:.80}; a mapping with values for "
                    f"{', '.join(program.inputs)} is needed"
                )
            sides.append(accepted_inputs(mechanism, {**given, **side}))
        found.append(Pair(pair.name, sides[0], sides[1]))
    public = _public_of(program, found[0].left)
    for pair in found:
        if any(_public_of(program, side) != public for side in (pair.left, pair.right)):
            raise BadInput(
                f"pairs: public inputs must be the same everywhere: got {public} and others"
            )
    _, fixed = accepted(program, public)
    instances = [_instance(fixed, pair) for pair in found]
    claim, *others = (_claim(program, one) for one in instances)
    if claim is None:
        given_delta = pretty(program.delta)
        raise BadInput(f"{program.name}: its δ, {given_delta}, is not in [0, 1) for {public}")
    if any(other != claim for other in others):
        raise BadInput(
            f"pairs: {program.name} claims {pretty(program.budget)}, which is not the same on all "
            "pairs; want sequences of one length, or several audits"
        )
    if unit:
        scales = (_scale(program, one) for one in instances)
        found = [replace(pair, scale=s) for pair, s in zip(found, scales, strict=True)]
    for pair in found:
        if claim.is_tiny(pair.scale):
            raise BadInput(f"pairs: what {pair.name} owes is not 0, but less than {claim.least:g}")
    box = LanguageBox(program.inlined.flow, block_size(program.inlined.flow, found[0].left))
    owed = _protected(program, Instance("e", fixed, {}, {}), box, found)
    return Subject(box, tuple(found), claim, public, unit, owed)


def _protected(
    program: Program, instance: Instance, box: LanguageBox, chosen: Sequence[Pair]
) -> Protected | None:
    """The outputs of which a bound is owed; ``None`` if it is owed of all.

    Raises:
        BadInput: none of those that come is protected.
    """
    if program.privacy.output_claim is None:
        return None
    sides = {repr(side): side for pair in chosen for side in (pair.left, pair.right)}
    # Other keys than those of an audit: what is chosen here must not depend on its runs.
    samples = (box.on(side)(RUNS, (KEY, k)) for k, side in enumerate(sides.values()))
    owed = Protected.among(
        samples, lambda value: counts(program, instance, Outcome((Atom(value),), "end"))
    )
    if not len(owed):
        raise BadInput(f"{program.name}: of {RUNS} runs on each input no output was protected")
    return owed


def _claim(program: Program, instance: Instance) -> Claim | None:
    """What is claimed of a pair: 1, as a multiple, where pairs have budgets of their own.

    ``None`` if its δ is none at these inputs.
    """
    given = {**instance.left, **instance.public}
    own = program.privacy.pair_budget == "budget"
    amount = 1.0 if own else _float(budget(program, instance.base, given))
    delta = _float(delta_of(program, instance))
    return Claim(amount, delta, program.privacy.zcdp) if 0 <= delta < 1 else None


def _scale(program: Program, instance: Instance) -> float:
    """What a pair owes, as a multiple of the claim.

    Raises:
        BadInput: it is not defined, or negative.
    """
    if not program.privacy.pair_budget:
        return 1.0
    if program.privacy.pair_budget == "distance":
        program = replace(program, budget=number(1))
    sides = f"D = {dict(instance.left)} and D' = {dict(instance.right)}"
    try:
        found = _float(budget_of(program, instance))
    except LimitReached as error:
        raise BadInput(f"{program.privacy}: no ε is known for {sides}: {error}") from None
    if not found >= 0:
        raise BadInput(f"{program.privacy}: the ε for {sides} is negative, which nothing keeps")
    return found


def _instance(public: Inputs, pair: Pair) -> Instance:
    """A pair of inputs as they would be searched."""
    left, right = (
        {n: _in_fractions(v) for n, v in side.items() if n not in public}
        for side in (pair.left, pair.right)
    )
    return Instance("e", public, left, right)


def _in_fractions(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_in_fractions, value))
    return value if isinstance(value, int) else exact(value)


def _as_numbers(program: Program, given: Mapping[str, Any]) -> dict[str, Any]:
    """Public inputs as a run takes them: an ε may be a text such as "2 ln 2"."""
    base, found = accepted(program, given)
    unit = math.log(2) if base == "2" else 1.0
    amounts = {n: float(found[n]) * unit for n in program.epsilons() if n in found}  # type: ignore[arg-type]
    return {**given, **amounts}


def _public_of(program: Program, inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in inputs.items() if program.inputs[n].public}


def _first(program: Program, base: Base, fixed: Inputs) -> tuple[Instance, Claim]:
    """Some pair that is admitted, of which something is claimed: that of the first public inputs.

    Raises:
        BadInput: none was found.
    """
    seeds = Seeds(program)
    arrays = any(kind.array for kind in program.inputs.values())
    own = {len(v) for v in fixed.values() if isinstance(v, tuple)}
    amounts_tried = amounts_for(program) if base == "2" else EPSILONS
    for amounts in epsilons(program, amounts_tried):
        chosen = {n: fixed.get(n, e) for n, e in amounts.items()}
        for n in own or ((LENGTH, 4, 3, 2, 1) if arrays else (1,)):
            for public in seeds.publics(n, fixed):
                for instance in seeds.pairs(base, public | chosen, n):
                    if claim := _claim(program, instance):
                        return instance, claim
    raise BadInput(
        f"{program.name}: no neighbours within the preconditions were found; give public inputs"
    )


def _corners(
    program: Program, relation: Relation, instance: Instance, own: int | None
) -> Iterator[tuple[str, Instance]]:
    """The patterns of the literature, at the public inputs of an instance.

    They are longer than the instance, unless the claim depends on the length.
    """
    kinds = relation.private
    fixed = {len(v) for v in instance.public.values() if isinstance(v, tuple)}
    length = min(fixed, default=LENGTH)
    read = itertools.chain(symbols_of(program.budget), symbols_of(program.delta))
    if own is not None and any(symbol.key.startswith("len(") for symbol in read):
        length = own
    public = {n: v for n, v in _plain(program, instance).items() if n in instance.public}
    patterns = shaped(kinds, program.privacy, dict.fromkeys(kinds, length), public)
    for pattern in patterns[:PAIRS]:
        left, right = (
            {n: _exact(v) for n, v in side.items()} for side in (pattern.left, pattern.right)
        )
        other = instance.with_sides(left, right)
        if relation.admits(other):
            yield pattern.name, other


def _exact(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_exact, value))
    return value if isinstance(value, int) else Fraction(value)


def _pair(
    mechanism: Mechanism[..., Any],
    program: Program,
    name: str,
    instance: Instance,
    scores: tuple[Score, ...] = (),
) -> Pair:
    left, right = (
        accepted_inputs(mechanism, _plain(program, instance, side))
        for side in (instance.left, instance.right)
    )
    return Pair(name, left, right, scores, _scale(program, instance))


def _plain(
    program: Program, instance: Instance, private: Inputs | None = None
) -> dict[str, object]:
    """The inputs of a run; ε as a float, since a fraction of sixty digits makes noise slow."""
    side = instance.left if private is None else private
    found = plain_inputs(program, instance.base, instance.public, side)
    amounts = {n: float(found[n]) for n in program.epsilons()}  # type: ignore[arg-type]
    return found | amounts


def _float(amount: Number) -> float:
    if isinstance(amount, fmpq):
        return int(amount.p) / int(amount.q)
    return float(arb(amount).mid())
