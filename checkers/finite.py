"""Programs whose noise is finite: the two proofs that need no alignment.

Where different noise leads to the same outcome, no shift of the noise may do (Mangat's response
has none).  Then the probabilities themselves are compared: summed with everything symbolic, or
enumerated size by size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..alignments.examples import Example, Numbers
from ..dsl.flow import HeadNode
from ..dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ..dsl.program import Program
from .enumerating.prove import enumerated
from .kernel.enumeration_table import EnumerationPart
from .kernel.sums_table import SumsPart
from .refuting.inputs import Instance
from .refuting.refute import instance_of
from .summing.prove import summed
from .verdicts import Verdict

#: Noise with finitely many values.
FINITE = (Bernoulli, Categorical, DiscreteUniform)


@dataclass(frozen=True, slots=True)
class Finite:
    """What came of comparing probabilities.

    ``declined``: it is not for such programs.  ``starts`` are pairs of inputs on which the claim
    may be wrong.
    """

    verdict: Verdict
    declined: bool = False
    sizes: str = ""
    reasons: tuple[str, ...] = ()
    starts: tuple[Instance, ...] = ()
    sums: SumsPart | None = None
    enumeration: EnumerationPart | None = None


def is_finite(program: Program) -> bool:
    """Whether all noise is finite, and its author has not said how it is aligned."""
    sites = program.flow.sites
    return (
        bool(sites)
        and not program.calls
        and all(
            issubclass(node.step.distribution, FINITE) and node.step.shift is None for node in sites
        )
    )


def has_loops(program: Program) -> bool:
    """Whether the program has a loop."""
    return any(isinstance(node, HeadNode) for node in program.flow.nodes)


def by_sums(program: Program) -> Finite:
    """Sum the probabilities of every outcome, for all inputs and parameters at once."""
    found = summed(program)
    verdict = Verdict.PROVED if found.outcome == "proved" else Verdict.UNKNOWN
    return Finite(
        verdict,
        found.outcome == "declined",
        "all" if found.outcome == "proved" else "",
        found.reasons,
        tuple(
            replace(instance_of(program, Example(_exact(left), _exact(right))), base="e")
            for left, right in found.starts
        ),
        sums=found.table if verdict is Verdict.PROVED else None,
    )


def by_enumeration(program: Program) -> Finite:
    """Compute the laws of the outcome on every input, size by size."""
    found = enumerated(program)
    verdicts = {"proved": Verdict.PROVED, "bounded": Verdict.BOUNDED}
    return Finite(
        verdicts.get(found.outcome, Verdict.UNKNOWN),
        found.outcome == "declined",
        {"proved": "all", "bounded": found.sizes}.get(found.outcome, ""),
        found.reasons,
        found.starts,
        enumeration=found.part if found.outcome in verdicts else None,
    )


def _exact(side: Mapping[str, Fraction | int]) -> dict[str, Numbers]:
    return {name: Fraction(value) for name, value in side.items()}
