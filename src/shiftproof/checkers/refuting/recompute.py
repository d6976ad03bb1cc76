"""A saved counterexample, computed again: nothing of the search is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dsl.errors import BadInput
from ...dsl.relations.program import Program
from ..exact.ties import OnBoundary
from .comparison import Comparison, candidate_of, compared

if TYPE_CHECKING:
    from ...dsl.mechanism import Mechanism


def recompute(comparison: Comparison, mechanism: Mechanism[..., Any]) -> Comparison:
    """A saved comparison with its likelihoods computed anew, for the mechanism as it is now.

    Raises:
        BadInput: the mechanism's inputs are others now, or the pair is no pair of neighbours.
        LimitReached: a likelihood cannot be computed.
    """
    program = mechanism.program
    program.check_frozen()
    return recomputed(comparison, program)


def recomputed(comparison: Comparison, program: Program) -> Comparison:
    """The same for a program.

    Raises:
        BadInput, LimitReached: as :func:`recompute`.
    """
    instance, outcome = candidate_of(program, comparison)
    try:
        return compared(program, instance, outcome, comparison.target)
    except OnBoundary:
        raise BadInput(f"{program.name}: a density jumps at the saved outcome now") from None
