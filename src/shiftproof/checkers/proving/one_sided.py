"""One-sided claims: what a mechanism says is true, for every input.

The claim is about one run.  It is checked as a paired run in which D' is D and nothing is
shifted: what the run knows then, it knows of D alone.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, TypeVar

from ...alignments.alignment import Alignment, no_shift
from ...alignments.examples import Example, Examples, shown
from ...dsl.errors import BadInput, LimitReached
from ...dsl.language.flow import EnsureNode
from ...dsl.language.syntax import Span
from ...dsl.privacy.policies import Policy
from ...dsl.privacy.policies import neighbours as policy_neighbours
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.allowance import allowed
from ...dsl.terms.formulas import FALSE
from ..exact.affine import NotAffine
from ..exact.numbers import BASES, Enclosure
from ..exact.powers import Mixed
from ..refuting.judge import probability_of_wrong
from ..refuting.likelihood import epsilons_in_words
from ..refuting.refute import instance_of
from ..verdicts import OneSided, OneSidedOutcome
from ..walking.claims import HAS_A_VALUE, claim_of
from ..walking.common import common_facts
from .attempts import Answers
from .loops.system import Solver, SystemBuilder
from .prove import Proof, query_of, settle_loops, settled
from .recordings import Recording, record
from .writing import part_of

#: How many recorded runs look for one that breaks a claim.
RECORDINGS = 80
#: The work for the proofs of all claims, and for runs that break one.
PROOF_WORK = 6_000_000
RUNS_WORK = 4_000_000


def one_sided_claims(program: Program) -> Answers:
    """Every one-sided claim of a program, decided.

    Raises:
        Unsupported: a construct has no meaning for the proof.
    """
    claims = [node for node in program.flow.nodes if isinstance(node, EnsureNode)]
    same = program.same
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
        outcome: OneSidedOutcome = "broken" if node.span in broken else "unknown"
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
        # What is said of an answer that no run gives, as its noise has no scale, is no proof.
        owed = [
            o
            for o in system.owed
            if (o.obligation.condition, o.obligation.span) == ("one-sided claim", span)
            or o.obligation.condition == "preconditions and positivity"
        ]
        queries = [query for o in owed if not settled(query := query_of(o), solver)]
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
    several runs the first one with a positive probability is taken.  Where logarithms or roots were
    rounded, a run says nothing by itself.
    """
    facts = common_facts(program, same)
    found: dict[Span, tuple[str, str]] = {}
    examples = itertools.islice(Examples(program, same, facts, seed=5), RECORDINGS)
    for seed, example in enumerate(examples):
        recording = record(program, example, still.shifts, (), seed, one_sided=True)
        for claim, reason in recording.owed if recording is not None else ():
            if reason.condition != "one-sided claim" or claim != FALSE:
                continue
            assert recording is not None
            if found.get(reason.span, ("", "0"))[1] == "0":
                undefined = reason.detail == HAS_A_VALUE
                likely = "" if undefined else _probability(program, example, reason.span)
                if recording.rounded and not undefined and likely in ("", "0"):
                    continue
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


# The most that any private mechanism can do one-sidedly, exactly, on a finite universe.
#
# A one-sided answer ("safe") is never given on data where it is false.  The theorems bound how
# often it can be given where it is true; here is the least bound there is, for all data at once.

Data = TypeVar("Data", bound=Hashable)


def one_sided_optimum(
    universe: Iterable[Data],
    neighbours: Policy | Callable[[Data], Iterable[Data]],
    query: Callable[[Data], object],
    alpha: Fraction | int,
    delta: Fraction | int = 0,
) -> dict[Data, Fraction]:
    """The largest probability of a one-sided true answer on each data set, over all mechanisms.

    *Two outputs are enough.*  Let S be the outputs that say "true", and p(D) = P[m(D) in S].  To
    say only whether the output is in S is post-processing: as private, as one-sided, with the
    same p.  So p belongs to a mechanism iff, for each neighbour D' of D, both outputs obey:

        p(D) <= e^ε p(D') + δ           and  1 - p(D) <= e^ε (1 - p(D')) + δ,
        p(D) <= a(p(D')), a(x) = x/α + δ  and  p(D') <= b(p(D)), b(x) = α x + 1 - α + α δ,

    with 0 <= p <= 1, and p(D) = 0 where q(D) = 0.

    *One mechanism is best everywhere.*  a and b increase, so if p and p' obey the bounds, their
    pointwise maximum does: there is a greatest p.  To find it, begin with 0 where the answer is
    false and 1 elsewhere, and lower what is too large.  On [0, 1] no bound is below its argument
    (a(x) >= x, and b(x) - x = (1 - α)(1 - x) + α δ >= 0), as no step of a path has a negative
    length.  So the least value that is left is final, as in Dijkstra's algorithm, and each data
    set is looked at once.

    Args:
        universe: every data set that there is; it must hold all neighbours of each.
        neighbours: the data sets of N_P(D), in the direction in which D is the protected one, as a
            function of D, or a policy.  For DP it must be symmetric.
        query: q; what it gives is taken as true or false.
        alpha: e^(-ε), exactly; above 0 and at most 1.
        delta: δ, exactly; from 0 to 1.

    Returns:
        p of the best mechanism, by data set, in the order of ``universe``.

    Raises:
        BadInput: a neighbour is not in the universe, a data set is a list and no tuple, or a
            number is out of its range or not exact.

    Source: Asymmetric Differential Privacy, Definition 13 and Theorems 8 and 9, which bound this.
    """
    a, d = _checked(alpha, delta)
    try:
        space = list(dict.fromkeys(universe))
    except TypeError as error:
        raise BadInput(f"universe: {error}; want data sets as tuples of tuples, or names") from None
    steps = _steps(space, neighbours)
    best = {data: Fraction(1 if query(data) else 0) for data in space}
    order = count()  # data sets of the same value need not be comparable
    waiting = [(value, next(order), data) for data, value in best.items()]
    heapq.heapify(waiting)
    done: set[Data] = set()
    while waiting:
        value, _, data = heapq.heappop(waiting)
        if data in done:
            continue
        done.add(data)
        after, before = steps[data]
        bounds = [(other, a * value + 1 - a + a * d) for other in after]
        bounds += [(other, value / a + d) for other in before]
        for other, bound in bounds:
            if bound < best[other]:
                best[other] = bound
                heapq.heappush(waiting, (bound, next(order), other))
    return best


def _steps(
    space: list[Data], neighbours: Policy | Callable[[Data], Iterable[Data]]
) -> dict[Data, tuple[list[Data], list[Data]]]:
    """The neighbours of each data set, and those whose neighbour it is."""
    relation: Any = neighbours
    if isinstance(neighbours, Policy):
        relation = partial(_of_policy, policy=neighbours)
    elif not callable(neighbours):
        raise BadInput(f"neighbours: got {neighbours!r:.80}; want a Policy, or a function")
    found: dict[Data, tuple[list[Data], list[Data]]] = {data: ([], []) for data in space}
    for data in space:
        for other in relation(data):
            try:
                known = other in found
            except TypeError as error:
                raise BadInput(f"neighbours: {error}; want data sets as tuples of tuples") from None
            if not known:
                raise BadInput(f"universe: {other!r:.80}, a neighbour of {data!r:.80}, is missing")
            found[data][0].append(other)
            found[other][1].append(data)
    return found


def _of_policy(data: Any, policy: Policy) -> Iterable[Any]:
    if not isinstance(data, tuple) or not all(isinstance(record, tuple) for record in data):
        raise BadInput(f"universe: got {data!r:.80}; a policy is for data such as ((1, 0), (0, 0))")
    return policy_neighbours(data, policy)


def _checked(alpha: Any, delta: Any) -> tuple[Fraction, Fraction]:
    for name, value in (("alpha", alpha), ("delta", delta)):
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise BadInput(f"{name}: got {value!r}; a Fraction is needed, as Fraction(1, 3)")
    if not 0 < alpha <= 1:
        raise BadInput(f"alpha: got {alpha}; want e^-eps, above 0 and at most 1")
    if not 0 <= delta <= 1:
        raise BadInput(f"delta: got {delta}; want a number from 0 to 1")
    return Fraction(alpha), Fraction(delta)
