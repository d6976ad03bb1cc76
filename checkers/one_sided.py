"""One-sided claims: what a mechanism says is true, for every input and every noise.

The claim is about one run.  It is checked as a paired run in which D' is D and nothing is
shifted: what the run knows then, it knows of D alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..alignments.alignment import Alignment, no_shift
from ..alignments.examples import Example, Examples, shown
from ..alignments.obligations import Condition
from ..alignments.search import Recording, record
from ..dsl.allowance import allowed
from ..dsl.errors import LimitReached
from ..dsl.flow import EnsureNode
from ..dsl.formulas import FALSE
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.syntax import Span
from .claims import claim_of
from .exact.affine import Mixed, NotAffine
from .exact.numbers import BASES, Enclosure
from .horn import Query
from .kernel.certificate import Part
from .kernel.check import same_case
from .prove import Proof, settle_loops
from .refuting.judge import probability_of_wrong
from .refuting.refute import instance_of
from .refuting.text import epsilons_in_words
from .solver import Solver
from .system import SystemBuilder, global_facts
from .verdicts import OneSided, Outcome
from .writing import part_of

#: How many recorded runs look for one that breaks a claim.
RECORDINGS = 80
#: The work for the proofs of all claims, and for runs that break one.
PROOF_WORK = 6_000_000
RUNS_WORK = 4_000_000


@dataclass(frozen=True, slots=True)
class Answers:
    """The one-sided claims, each decided, and one proof of those that are proved.

    ``limits``: what ended the work on them before its end.
    """

    claims: tuple[OneSided, ...] = ()
    part: Part | None = None
    limits: tuple[str, ...] = ()

    @property
    def proved(self) -> tuple[str, ...]:
        """The claims that are proved."""
        return tuple(c.claim for c in self.claims if c.outcome == "proved")


def one_sided_claims(program: Program) -> Answers:
    """Every one-sided claim of a program, decided.

    Raises:
        Unsupported: a construct has no meaning for the proof.
    """
    claims = [node for node in program.flow.nodes if isinstance(node, EnsureNode)]
    if not claims:
        return Answers()
    same = same_case(program)
    still = _unshifted(program)
    # What breaks a claim is a run that there is: what a callee answers comes of its own noise.
    with allowed(RUNS_WORK, "a search for wrong answers"):
        broken = _witnesses(program.inlined, same, _unshifted(program.inlined))
    proved: dict[Span, Proof] = {}
    limits: tuple[str, ...] = ()
    try:
        with allowed(PROOF_WORK, "the search for a proof of what is said"):
            wanted = {n.span for n in claims} - broken.keys()
            proved.update(_proved(program, same, still, wanted))
    except LimitReached as error:
        limits = (str(error),)
    found = []
    for node in sorted(claims, key=lambda n: _place(n.span)):
        outcome: Outcome = "broken" if node.span in broken else "unknown"
        outcome = "proved" if node.span in proved else outcome
        witness, probability = broken.get(node.span, ("", ""))
        found.append(OneSided(claim_of(program, node), outcome, witness, probability))
    part = part_of(program, same, None, proved.values()) if proved else None
    return Answers(tuple(found), part, limits)


def _unshifted(program: Program) -> Alignment:
    """The alignment that moves nothing."""
    sites = program.flow.sites
    return Alignment({n.site: no_shift(n.step.distribution.lattice) for n in sites}, "found")


def _proved(
    program: Program, same: Case, still: Alignment, wanted: set[Span]
) -> Iterator[tuple[Span, Proof]]:
    """The claims, by place, that are proved, each with its proof."""
    solver = Solver()
    system = SystemBuilder(program, same, still, solver, one_sided=True).build()
    for span in sorted(wanted, key=_place):
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
            yield span, Proof(system, known, {})


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column


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
