"""What would help where a claim is not proved: lines to paste, each tried before it is told.

A mechanism may lack a precondition that its author takes for granted, or draw its noise before it
has computed what the noise hides.  Advice is what such a change made a proof of, kernel included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ...dsl.errors import ShiftproofError
from ...dsl.language.flow import build_flow, expressions_of
from ...dsl.language.statements import Sample, Statement, While
from ...dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    Length,
    Name,
    names_in,
    parts_of,
)
from ...dsl.language.unparse import unparse
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.allowance import allowed
from .aligned import by_alignment
from .attempts import Proof
from .budgets.tighten import accepted

#: The work for one try.
TRY_WORK = 4_000_000
#: How many preconditions are tried together.
MOST_ASSERTS = 10


def advice(program: Program) -> tuple[str, ...]:
    """What to change for a proof, in words; nothing where no change was found."""
    later = _drawn_later(program)
    if later is not None and _is_proved(later[0]):
        return (later[1],)
    asserts = list(_asserts(program))[:MOST_ASSERTS]
    if not asserts or not _is_proved(_under(program, asserts)):
        return ()
    for one in list(asserts):
        fewer = [e for e in asserts if e is not one]
        if len(asserts) > 1 and _is_proved(_under(program, fewer)):
            asserts = fewer
    line = " and ".join(map(unparse, asserts))
    return (f"proved with this line at the beginning: assert {line}",)


def _is_proved(program: Program) -> bool:
    try:
        with allowed(TRY_WORK, "a try"):
            found = by_alignment(program)
        return isinstance(found, Proof) and found.complete and accepted(program, found.parts)
    except ShiftproofError:
        return False


# Preconditions that mechanisms need, and that are easy to forget.


def _under(program: Program, asserts: Sequence[Expression]) -> Program:
    return replace(program, preconditions=(*program.preconditions, *asserts))


def _asserts(program: Program) -> Iterator[Expression]:
    """Candidates over public inputs, those that say most first."""
    arrays = [name for name, kind in program.inputs.items() if kind.array]
    scalars = {
        name: kind
        for name, kind in program.inputs.items()
        if kind.public and not kind.array and not isinstance(kind, EpsilonInput)
    }
    parts = [part for e in _expressions(program) for part in parts_of(e)]
    whole = [name for name, kind in scalars.items() if kind.whole and _is_read(name, parts)]
    for name in whole:
        for array in arrays:
            yield _compared("<", Name(NOWHERE, name), Length(NOWHERE, array))
            yield _compared("<=", Name(NOWHERE, name), Length(NOWHERE, array))
    divided = [e for part in parts if (e := _divisor(part)) is not None]
    scales = [e for n in program.flow.sites for e in n.step.arguments]
    within = [part for e in (*divided, *scales) for part in parts_of(e)]
    for part in within:  # of 1 - theta and hi - lo, which is to be above zero
        if isinstance(part, Arithmetic) and part.operator == "-":
            less, most = part.right, part.left
            if isinstance(most, Name):
                plain = most.name in scalars
            else:
                plain = isinstance(most, Constant) and most.value > 0
            if isinstance(less, Name) and less.name in scalars and plain:
                yield _compared("<", less, most)
    for name, kind in scalars.items():
        if not kind.whole and _is_read(name, within):
            yield _compared(">", Name(NOWHERE, name), _number(0))
    for name in whole:
        yield _compared(">=", Name(NOWHERE, name), _number(1))
    for array in arrays:
        yield _compared(">=", Length(NOWHERE, array), _number(1))


def _expressions(program: Program) -> Iterator[Expression]:
    return (e for node in program.flow.nodes for e in expressions_of(node))


def _divisor(part: Expression) -> Expression | None:
    if isinstance(part, Arithmetic) and part.operator in ("/", "//", "%"):
        return part.right
    return None


def _is_read(name: str, parts: Sequence[Expression]) -> bool:
    return any(isinstance(part, Name) and part.name == name for part in parts)


def _compared(operator: str, left: Expression, right: Expression) -> Expression:
    return Comparison(NOWHERE, operator, left, right)


def _number(value: int) -> Expression:
    return Constant(NOWHERE, Fraction(value), "int")


# A shift may speak of what is known where the noise is drawn, and of nothing that comes later.


def _drawn_later(program: Program) -> tuple[Program, str] | None:
    """The program with each draw right before the statement that reads it, and what was moved."""
    body, moved = list(program.body), []
    for draw in [s for s in program.body if isinstance(s, Sample)]:
        at = body.index(draw)
        later = (k for k in range(at + 1, len(body)) if draw.target in _read_in(body[k]))
        first = next(later, at)
        if isinstance(loop := body[first], While) and loop.step:
            first -= 1  # the start of its counter belongs to it
        if any(not isinstance(s, Sample) for s in body[at + 1 : first]):
            place = body[first].span.line
            body.insert(first, draw)
            del body[at]
            moved.append(f"draw '{draw.target}' (line {draw.span.line}) right before line {place}")
    if not moved:
        return None
    flow = build_flow(tuple(body), program.body[-1].span)
    said = "proved if the noise is drawn after what it hides is computed: " + "; ".join(moved)
    return replace(program, body=tuple(body), flow=flow), said


def _read_in(statement: Statement) -> frozenset[str]:
    nodes = build_flow((statement,), statement.span).nodes
    return frozenset().union(*(names_in(e) for node in nodes for e in expressions_of(node)))
