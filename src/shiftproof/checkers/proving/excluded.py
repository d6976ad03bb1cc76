"""Releases to which only inputs lead that are declared not to exist: checks of what is declared.

before:  def noisy(f: Count, n: Public[Nat], eps: Epsilon):
             if n < 0:
                 return None
after:   nobody can call it with such an n; that no run releases None is no flaw of a proof

Kinds and preconditions of public inputs say it, and not the tests alone: what contradicts itself
(``if T > 5 and T < 3``) is a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dsl.language.dataflow import successors
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import BranchNode, HeadNode, ReleaseNode
from ...dsl.language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Comparison,
    Connective,
    Constant,
    Expression,
    Length,
    Name,
    Negation,
    Span,
    parts_of,
)
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, negation
from ..walking.common import Nobody
from ..walking.runs.run import Run, Side
from ..walking.runs.state import Ledger, State
from .loops.system import Solver

#: How many places, each with what is known there, are looked at.
MOST_PLACES = 2_000


def excluded(program: Program, facts: Sequence[Formula], solver: Solver) -> set[Span]:
    """The places of releases that no declared input leads to."""
    nodes, declared = program.flow.nodes, [fact for fact in facts if fact.fixed]
    waiting: list[tuple[int, tuple[Formula, ...]]] = [(program.flow.start, ())]
    seen: set[tuple[int, frozenset[str]]] = set()
    reached: set[Span] = set()
    while waiting:
        k, path = waiting.pop()
        place = k, frozenset(fact.key for fact in path)
        if place in seen:
            continue
        seen.add(place)
        if len(seen) > MOST_PLACES:
            return set()
        node = nodes[k]
        if isinstance(node, ReleaseNode):
            reached.add(node.span)
        ways = [(way, path) for way in successors(node)]
        if isinstance(node, BranchNode | HeadNode) and _is_public(program, node.test):
            test = _condition(program, node.test)
            yes, no = (
                (node.yes, node.no) if isinstance(node, BranchNode) else (node.body, node.exit)
            )
            ways = [(yes, (*path, test)), (no, (*path, negation(test)))]
        for way, known in ways:
            against = len(known) > len(path) and not solver.consistent_parameters(
                [*declared, *known]
            )
            if not (against and solver.consistent_parameters(known)):
                waiting.append((way, known))
    return {n.span for n in nodes if isinstance(n, ReleaseNode)} - reached


_PLAIN = (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Comparison,
    Connective,
    Constant,
    Length,
    Name,
    Negation,
)


def _is_public(program: Program, test: Expression) -> bool:
    """Whether a test is about public scalar inputs and lengths alone."""
    inputs, parts = program.inputs, parts_of(test)
    scalars = {part.name for part in parts if isinstance(part, Name)}
    lengths = {part.array for part in parts if isinstance(part, Length)}
    return (
        all(isinstance(part, _PLAIN) for part in parts)
        and lengths <= inputs.keys()
        and all(name in inputs and inputs[name].public for name in scalars)
    )


def _condition(program: Program, test: Expression) -> Formula:
    state = State(program.flow.start)
    run = Run(program, program.same, {}, (), Ledger(), Nobody())
    return Evaluator(Side(run, state, "left")).condition(test)
