"""Shifts under a claim of ρ: known before the draw, and no larger than what is charged for.

The square of a shift d is charged as |d| times a bound on it; which bound is tried here.  It is
how far the answers beside the noise can move, so it is met by the shift that moves as they do.
Where it is known what the squares of all moves add up to, the bound is |d| itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..dsl.language.flow import SampleNode
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Builtin,
    Constant,
    Expression,
    Name,
    Predictable,
    names_in,
)
from ..dsl.privacy.inputs import Value
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from ..dsl.terms.values import exact
from .features import farthest, multiple
from .simplifying import ONE, added, same_text


def bounds_beside(
    program: Program, case: Case, private: Iterable[tuple[Expression, Expression]]
) -> list[Expression]:
    """How far a shift may have to go: as what is beside the noise moves, one by one or together.

    Args:
        program: whose inputs move.
        case: how they do.
        private: the private values beside a draw, with their factors.
    """
    single: list[Expression] = []
    together: list[Expression] = []
    for e, factor in private:
        named = [name for name in names_in(e) if name in case.moves] or [*case.moves]
        own = [multiple(factor, bound) for bound in _farthest(program, case, named)]
        single += (bound for bound in own if not same_text(bound, single))
        together = [added(*together, *own[:1])] if own else together
    return [*single, *(e for e in together if not same_text(e, single))]


def _farthest(program: Program, case: Case, names: Iterable[str]) -> Iterator[Expression]:
    """How far answers can move, and values of users between bounds that have names."""
    for name in names:
        kind = program.inputs[name]
        if isinstance(kind, Value) and not kind.constant:
            ends = (
                Name(NOWHERE, e) if isinstance(e, str) else Constant(NOWHERE, exact(e), "float")
                for e in (kind.high, kind.low)
            )
            yield Arithmetic(NOWHERE, "-", *ends)
        else:
            yield from farthest(program, case, [name])


def foreseen(
    node: SampleNode, shift: Expression, bounds: Sequence[Expression], which: int | None
) -> Expression:
    """The shift of a draw with one of the bounds on its size; of noise that has no ρ as it is.

    ``which``: which of the bounds; ``None`` for the size itself.
    """
    if not node.step.distribution.spread or isinstance(shift, Predictable):
        return shift
    if isinstance(shift, Constant):
        return Predictable(NOWHERE, shift, Constant(NOWHERE, abs(shift.value), shift.kind))
    if which is None:
        return Predictable(NOWHERE, shift, Builtin(NOWHERE, "abs", (shift,)))
    return Predictable(NOWHERE, shift, bounds[min(which, len(bounds) - 1)] if bounds else ONE)


def choices(case: Case, bounds: Iterable[Sequence[Expression]]) -> Iterator[int | None]:
    """Which of their bounds to take, all draws alike; ``None`` where squares add up."""
    if any(move.norm == 2 for move in case.moves.values()):
        yield None
    yield from range(max((len(b) for b in bounds), default=1) or 1)
