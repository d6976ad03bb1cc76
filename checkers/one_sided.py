"""One-sided claims: what a mechanism says is true, for every input and every noise.

The claim is about one run.  It is checked as a paired run in which D' is D and nothing is
shifted: what the run knows then, it knows of D alone.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from ..alignments.alignment import Alignment, no_shift
from ..alignments.examples import Example, Examples, shown
from ..alignments.obligations import Condition
from ..alignments.search import Recording, record
from ..dsl.errors import LimitReached
from ..dsl.flow import EnsureNode, ReleaseNode
from ..dsl.formulas import FALSE
from ..dsl.moves import Move
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.syntax import Span
from ..dsl.terms import number
from ..dsl.unparse import unparse
from .exact.affine import Mixed, NotAffine
from .exact.numbers import BASES, Enclosure
from .horn import Query
from .prove import Proof, settle_loops
from .refuting.judge import probability_of_wrong
from .refuting.refute import instance_of
from .refuting.text import epsilons_in_words
from .solver import Solver
from .system import SystemBuilder, global_facts
from .verdicts import OneSided, Outcome

#: How many recorded runs look for one that breaks a claim.
RECORDINGS = 80


def one_sided_claims(program: Program) -> tuple[tuple[OneSided, ...], tuple[Proof, ...]]:
    """Every one-sided claim of a program, decided; and the proofs of those that are proved.

    Raises:
        Unsupported: a construct has no meaning for the proof.
        LimitReached: there are too many paths.
    """
    claims = [node for node in program.flow.nodes if isinstance(node, EnsureNode)]
    if not claims:
        return (), ()
    private = {name: kind for name, kind in program.inputs.items() if not kind.public}
    same = Case("", program.inputs, {n: Move(number(0), number(0)) for n in private})
    still = Alignment(
        {n.site: no_shift(n.step.distribution.lattice) for n in program.flow.sites}, "found"
    )
    broken = _witnesses(program, same, still)
    proved = _proved(program, same, still, {n.span for n in claims} - broken.keys())
    found = []
    for node in sorted(claims, key=lambda n: (n.span.line, n.span.column)):
        outcome: Outcome = "broken" if node.span in broken else "unknown"
        outcome = "proved" if node.span in proved else outcome
        witness, probability = broken.get(node.span, ("", ""))
        found.append(OneSided(_text(program, node), outcome, witness, probability))
    return tuple(found), tuple(proved.values())


def _proved(program: Program, same: Case, still: Alignment, wanted: set[Span]) -> dict[Span, Proof]:
    """The claims, by place, that are proved, each with its proof."""
    solver = Solver()
    system = SystemBuilder(program, same, still, solver, one_sided=True).build()
    found: dict[Span, Proof] = {}
    for span in wanted:
        owed = [
            o
            for o in system.owed
            if o.obligation.reason.condition is Condition.ONE_SIDED
            and o.obligation.reason.span == span
        ]
        queries = [
            Query(o.source, o.obligation.facts, o.obligation.claim, o.obligation.reason)
            for o in owed
            if not solver.follows(o.obligation.facts, o.obligation.claim)
        ]
        if any(q.source is None for q in queries):
            continue
        answer, _, known = settle_loops(system, queries, {}, solver)
        if answer == "unreachable" and known is not None:
            found[span] = Proof(system, known, {})
    return found


def _witnesses(program: Program, same: Case, still: Alignment) -> dict[Span, tuple[str, str]]:
    """Claims, by place, that a recorded run breaks: the run, and how likely a wrong answer is.

    A run on which an answer is wrong may have probability zero (noise that is exactly 0); of
    several runs the first one with a positive probability is taken.
    """
    facts = global_facts(program, same)
    found: dict[Span, tuple[str, str]] = {}
    examples = itertools.islice(Examples(program, same, facts, seed=5), RECORDINGS)
    for seed, example in enumerate(examples):
        recording = record(program, example, still.shifts, (), seed, one_sided=True)
        for claim, reason in recording.owed if recording is not None else ():
            if reason.condition is not Condition.ONE_SIDED or claim != FALSE:
                continue
            assert recording is not None
            if found.get(reason.span, ("", "0"))[1] == "0":
                likely = _probability(program, example, reason.span)
                if likely != "0" or reason.span not in found:
                    found[reason.span] = (_shown(recording), likely)
    return found


def _probability(program: Program, example: Example, wrong: Span) -> str:
    """How likely a claim is wrong on the inputs of an example; empty if it is not computed."""
    instance = instance_of(program, example)
    for base in BASES:
        try:
            likely = probability_of_wrong(program, replace(instance, base=base), wrong)
        except Mixed:
            continue
        except (LimitReached, NotAffine):
            return ""
        amounts = epsilons_in_words(program, base, instance.public)
        exact = Enclosure.of(likely)
        return f"{exact}{amounts and f' at {amounts}'}" if exact.high else "0"
    return ""


def _shown(recording: Recording) -> str:
    inputs = ", ".join(f"{name} = {shown(v)}" for name, v in recording.example.left.items())
    return f"{inputs}; noise {', '.join(map(str, recording.draws)) or 'none'}"


def _text(program: Program, node: EnsureNode) -> str:
    k = node.after
    while not isinstance(release := program.flow.nodes[k], ReleaseNode):
        assert isinstance(release, EnsureNode), release
        k = release.after
    said = ", ".join(map(unparse, release.values))
    return f"whenever line {release.span.line} says {said}: {unparse(node.claim)}"
