"""Proofs of finite noise, which need no alignment: probabilities are summed.

Where different noise leads to the same outcome, no shift of the noise may do (Mangat's response
has none).  Then the probabilities themselves are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from ...alignments.examples import Example, Numbers
from ...dsl.errors import LimitReached
from ...dsl.language.flow import HeadNode
from ...dsl.language.misuse import misuses
from ...dsl.normalise import core_text, in_the_file
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import at_least
from ...dsl.terms.linear import number
from ..kernel.arithmetic import Wrong as Refused
from ..proving.attempts import Failure, Proof
from ..proving.loops.system import Solver
from ..trees.confirming import Confirming
from ..walking.common import common_facts


def is_finite(program: Program) -> bool:
    """Whether all noise is finite, and its author has not said how it is aligned."""
    sites = program.flow.sites
    return (
        bool(sites)
        and not program.calls
        and all(node.step.distribution.is_finite() and node.step.shift is None for node in sites)
    )


def has_loops(program: Program) -> bool:
    """Whether the program has a loop."""
    return any(isinstance(node, HeadNode) for node in program.flow.nodes)


def by_sums(program: Program) -> Proof | Failure:
    """Sum the probabilities of every outcome, for all inputs and parameters at once.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not _is_compared(program) or has_loops(program):
        return Failure("sums", declined=True)
    from .sums import summed

    found = summed(program)
    if found.outcome == "proved":
        try:
            kernel = Confirming(core_text(program))
            parts = tuple(kernel.summed(case.name) for case in kernel.cases[:-1])
        except (Refused, LimitReached) as error:
            said = "a sum is not confirmed by the kernel: "
            return Failure("sums", (in_the_file(str(error), program, said=said),))
        return _complete(program, Proof(parts, method="sums", reasons=found.reasons))
    from ..refuting.refute import instance_of

    starts = (
        instance_of(program, Example(_exact(left), _exact(right)), "e")
        for left, right in found.starts
    )
    return Failure("sums", found.reasons, tuple(starts), declined=found.outcome == "declined")


def by_enumeration(program: Program) -> Proof | Failure:
    """Compute the laws of the outcome on every input, size by size.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not _is_compared(program):
        return Failure("enumeration", declined=True)
    from .counting import counted

    return counted(program)


def _complete(program: Program, proof: Proof) -> Proof:
    return replace(proof, sizes="all", least=program.budget)


def _is_compared(program: Program) -> bool:
    """Whether comparing probabilities is a method for this program.

    Raises:
        Unsupported: a value is used as what it is not.
    """
    if not is_finite(program):
        return False
    for wrong in misuses(program.flow, program.inputs):
        raise program.refuse(wrong.where.span, wrong.message, wrong.advice)
    return not _may_be_negative(program)


def _may_be_negative(program: Program) -> bool:
    """Whether a declared distance may be negative; then no input keeps its budget with itself."""
    if program.privacy.pair_budget != "distance":
        return False
    solver = Solver()
    return not all(
        case.distance is not None
        and solver.follows(common_facts(program, case), at_least(case.distance, number(0)))
        for case in program.cases
    )


def _exact(side: Mapping[str, Fraction | int]) -> dict[str, Numbers]:
    return {name: Fraction(value) for name, value in side.items()}
