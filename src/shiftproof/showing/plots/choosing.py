"""Which run of an alignment is drawn: the one that is asked for, or one that shows its cost."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...alignments.examples import Example, Examples
from ...checkers.refuting.refute import instance_of
from ...checkers.refuting.relation import Relation
from ...checkers.verdicts import Report
from ...checkers.verify import verify
from ...checkers.walking.certificate import Certificate
from ...checkers.walking.common import common_facts
from ...checkers.walking.runs.noise import shifts_of
from ...dsl.errors import BadInput, LimitReached
from ...dsl.language.syntax import Expression
from ...dsl.normalise import read_normalised
from ...dsl.relations.cases import ONE_SIDED, Case
from ...dsl.relations.program import Program
from ...dsl.terms.values import exact
from ...workspace.importing import AnyMechanism
from .aligned_run import AlignedRun, aligned_run
from .densities import Draw

#: How many pairs of each case are looked at for one that shows the cost.
_PAIRS = 40


@dataclass(frozen=True, slots=True)
class Aligned:
    """A program, and what aligns its noise in each case of the neighbour relation."""

    program: Program
    cases: tuple[tuple[Case, Mapping[int, Expression]], ...]


def alignment_of(subject: AnyMechanism | Report) -> Aligned:
    """The alignment that proves a mechanism.

    Raises:
        BadInput: it is not proved, or without an alignment, or draws no noise of its own.
    """
    if not isinstance(subject, Report) and not hasattr(subject, "program"):
        raise BadInput(f"got {type(subject).__name__}; want a mechanism or the report of verify")
    report = subject if isinstance(subject, Report) else verify(subject, effort=0)
    found = report.certificate
    if report.method != "alignment" or not isinstance(found, Certificate):
        how = f"{report.verdict} by {report.method}" if report.method else str(report.verdict)
        raise BadInput(f"{report.mechanism}: {how}; there is no alignment to draw")
    program = read_normalised(found.text).program
    if not program.flow.sites:
        raise BadInput(f"{report.mechanism}: it draws no noise of its own; draw what it calls")
    if found.sums_draws:
        raise BadInput(f"{report.mechanism}: some of its noise is summed, and not shifted")
    parts = {part.case: part for part in found.parts if part.case != ONE_SIDED}
    cases = [(c, shifts_of(program, parts[c.name])) for c in program.cases if c.name in parts]
    return Aligned(program, tuple(cases))


def chosen_run(
    aligned: Aligned,
    inputs: Mapping[str, Any],
    other: Mapping[str, Any],
    noise: Sequence[Draw],
    seed: int,
) -> AlignedRun:
    """The run on D and D', or where they are left open, one that costs as much as can be.

    Args:
        aligned: what is run.
        inputs: of D; public ones alone leave D and D' open.
        other: the private ones of D'; those that are left out are as in D.
        noise: the first draws; further ones come from their laws.
        seed: of these.

    Raises:
        BadInput: there are no such inputs, D and D' are no neighbours, or the noise is not as
            the run needs it.
    """
    program = aligned.program
    given, changed = _accepted(program, inputs), _accepted(program, other)
    private = {name for name, kind in program.inputs.items() if not kind.public}
    if public := sorted(changed.keys() - private):
        raise BadInput(f"other: {public[0]} is public, and the same on D and on D′")
    if changed or given.keys() & private:
        return _run_on(aligned, _pair(program, given, changed), noise, seed)
    best: AlignedRun | None = None
    for case, shifts in aligned.cases:
        for k, example in enumerate(_examples(program, case, given)):
            try:
                run = aligned_run(program, example, shifts, noise, seed + k)
            except (BadInput, LimitReached):
                if noise:
                    continue  # this run has not so many draws, or others
                raise
            if run.ended and not run.failed and (best is None or _telling(run) > _telling(best)):
                best = run
    if best is None:
        raise BadInput(
            f"{program.name}: no pair of neighbours was found for these parameters and this "
            "noise; give the private inputs of D and of D′, too"
        )
    return best


def _telling(run: AlignedRun) -> tuple[float, bool, int]:
    """What costs more of the budget is better, then near thresholds, then what draws less noise."""
    share = round(run.cost / run.budget, 6) if run.budget else 0.0
    return share, not run.example.far, -len(run.draws)


def _examples(program: Program, case: Case, given: Mapping[str, Any]) -> Iterator[Example]:
    """Neighbours with the given public inputs."""
    found = Examples(program, case, common_facts(program, case))
    for example in itertools.islice(found, _PAIRS):
        fitted = Example({**example.left, **given}, {**example.right, **given}, example.far)
        if fitted.left != fitted.right and (not given or _problem(program, fitted) is None):
            yield fitted


def _run_on(aligned: Aligned, pair: Example, noise: Sequence[Draw], seed: int) -> AlignedRun:
    """The run of the case whose alignment keeps all conditions there; the cheapest of several."""
    program = aligned.program
    problem = _problem(program, pair)
    if problem is not None:
        raise BadInput(problem)
    runs = [aligned_run(program, pair, shifts, noise, seed) for _, shifts in aligned.cases]
    fitting = [run for run in runs if run.ended and not run.failed]
    if not fitting:
        why = "; ".join(runs[0].failed) or "the run came to no end"
        raise BadInput(f"{program.name}: the alignment does not fit these inputs: {why}")
    return min(fitting, key=lambda run: run.cost)


def _problem(program: Program, pair: Example) -> str | None:
    """Why these are no neighbours within the preconditions; ``None`` if they are."""
    try:
        for side in (pair.left, pair.right):
            program.check_preconditions(side)
    except BadInput as error:
        return error.message
    if Relation(program).witnesses(instance_of(program, pair, "e")) is None:
        return f"{program.name}: D′ is no neighbour of D under {program.privacy}"
    return None


def _pair(program: Program, given: Mapping[str, Any], changed: Mapping[str, Any]) -> Example:
    missing = [name for name in program.inputs if name not in given]
    if missing:
        raise BadInput(
            f"{program.name}: {', '.join(missing)} missing on D; where a private input is given, "
            "all inputs are needed"
        )
    if not changed:
        raise BadInput(f"{program.name}: D′ is missing; give the private inputs that differ there")
    return Example(given, {**given, **changed})


def _accepted(program: Program, values: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as exact numbers.

    Raises:
        BadInput: there is no such input, or it is of another kind.
    """
    found = {}
    for name, value in values.items():
        if name not in program.inputs:
            wanted = ", ".join(program.inputs)
            raise BadInput(f"{program.name}: no input is called {name!r}; want one of {wanted}")
        kind = program.inputs[name]
        taken = kind.accept(name, value)
        found[name] = _exact(taken if not isinstance(taken, Iterator) else tuple(taken))
    return found


def _exact(value: Any) -> Any:
    return tuple(map(_exact, value)) if isinstance(value, tuple) else exact(value)
