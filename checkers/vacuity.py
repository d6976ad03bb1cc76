"""Doubts about a proof: is it about something?

Every output and the end must be reachable.  The witnesses are recordings, runs on
concrete inputs and noise; where they miss an output, the solver looks for a path.
Whether runs agree with the proof, the guard asks (:mod:`.guarding`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from ..alignments.alignment import Alignment
from ..alignments.examples import Examples
from ..alignments.search import Recording, record
from ..dsl.flow import CallNode, ReleaseNode, successors
from ..dsl.formulas import Formula
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.syntax import Span
from .solver import Solver
from .unrolled import unroll

#: How many rounds of loops the solver follows to an output that no recording reached.
ROUNDS = 3
#: How many runs under the alignment of the proof are witnesses, besides those of the search.
OWN_RECORDINGS = 3


def vacuous(
    program: Program,
    case: Case,
    alignment: Alignment,
    facts: Sequence[Formula],
    seen: Iterable[Recording],
    solver: Solver,
) -> tuple[str, ...]:
    """What keeps a proof from meaning anything; nothing if it is about something.

    ``seen`` are recordings of the search; their runs on D are witnesses too.
    """
    own = _recordings(program, case, alignment, facts)
    recordings = [r for r in (*own, *seen) if r.end is not None]
    missing = _outputs(program) - {span for r in recordings for span in r.visited}
    ended = bool(recordings)
    if missing or not ended:
        found = unroll(program, case, alignment, facts, solver, ROUNDS)
        missing -= found.visited
        ended = ended or bool(found.ends)
    problems = [
        f"{program.location(span)}: no run was found that releases this"
        for span in sorted(missing, key=_place)
    ]
    if not ended:
        problems.append("no run was found that comes to an end")
    costs = [r.cost.constant for r in recordings if r.cost is not None and r.cost.is_constant]
    if costs and max(costs) < 0:
        problems.append(
            "alarm: every recorded run has a negative cost; the proof would claim too much"
        )
    return tuple(problems)


def _recordings(
    program: Program, case: Case, alignment: Alignment, facts: Sequence[Formula]
) -> Iterator[Recording]:
    examples = itertools.islice(Examples(program, case, facts, seed=3), OWN_RECORDINGS)
    for seed, example in enumerate(examples):
        recording = record(program, example, alignment.shifts, (), seed)
        if recording is not None:
            yield recording


def _outputs(program: Program) -> set[Span]:
    """Every place of a release that the flow graph leads to."""
    flow = program.flow
    seen: set[int] = set()
    stack = [flow.start]
    while stack:
        k = stack.pop()
        if k not in seen:
            seen.add(k)
            stack.extend(successors(flow.nodes[k]))
    found = [flow.nodes[k] for k in seen]
    called = (n.step for n in found if isinstance(n, CallNode))
    released_there = {step.span for step in called if step.targets is None}
    return released_there | {node.span for node in found if isinstance(node, ReleaseNode)}


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column
