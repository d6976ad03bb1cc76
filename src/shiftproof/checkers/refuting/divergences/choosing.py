"""What judges pairs of inputs, by what a program claims."""

from __future__ import annotations

from ....dsl.relations.program import Program
from ..judge import Judge
from .excess import DeltaJudge
from .judge import RhoJudge


def judge_of(program: Program, effort: int) -> Judge:
    """The judge of claims of ε, with a δ, or of ρ."""
    if program.privacy.delta is not None:
        return DeltaJudge(program, effort)
    return (RhoJudge if program.privacy.zcdp else Judge)(program, effort)
