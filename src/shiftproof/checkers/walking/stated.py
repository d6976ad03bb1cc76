"""The laws that a certificate has to state, because the kernel has no row for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ...dsl.noise import Distribution
from ...dsl.noise.own import TAKEN
from ...dsl.relations.program import Program


class StatedLaw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a distribution states of its law, as the kernel takes it on trust.

    Attributes:
        parameters: their names.
        lattice: ``reals`` or ``integers``.
        exists: for which parameters there is such a law.
        support: where its density is positive, of a value ``x``.
        cost: of a shift ``d``, the amount and the rate; their product is in nats.
    """

    parameters: tuple[str, ...]
    lattice: str
    exists: str
    support: str
    cost: tuple[str, str]

    @classmethod
    def of(cls, kind: type[Distribution]) -> StatedLaw:
        """What a kind of noise states."""
        low, high = kind.ends
        inside = [f"x >= {low}"] * bool(low) + [f"x <= {high}"] * bool(high)
        support = " and ".join(inside) or "True"
        return cls(kind.parameters, kind.lattice, kind.exists, support, kind.cost)


def stated_laws(program: Program) -> dict[str, StatedLaw]:
    """The laws of a program that no table of the kernel has, by their names."""
    return {name: StatedLaw.of(kind) for name, kind in _unknown(program).items()}


def laws_for_the_guard(program: Program) -> dict[str, dict[str, Any]]:
    """The same for the process of the guard, which compares densities and knows no cost."""
    return {
        name: {
            "parameters_named": kind.parameters,
            "lattice": kind.lattice,
            "existing": kind.exists,
            "inside": StatedLaw.of(kind).support,
            "log_density": kind.log_density,
            "spread": kind.spread,
        }
        for name, kind in _unknown(program).items()
    }


def _unknown(program: Program) -> dict[str, type[Distribution]]:
    kinds = {node.step.distribution for node in program.flow.sites}
    found = {kind.__name__: kind for kind in kinds if not kind.tabled}
    return dict(sorted(found.items()))


def stated_in_words(program: Program) -> Iterator[str]:
    """What is assumed of these laws, for people."""
    for name, kind in _unknown(program).items():
        law = StatedLaw.of(kind)
        support = f"the {law.lattice}" if law.support == "True" else law.support
        amount, rate = law.cost
        said = f"support {support}, cost of a shift d at most {amount} * ({rate})"
        called = f"the law of {name}({', '.join(law.parameters)}) is"
        if kind in TAKEN:
            yield (
                f"{called} the author's own: {said}; that its draws, independent "
                f"of all else, have the density exp({kind.log_density}), up to a constant, is "
                "assumed; its cost is checked"
            )
        else:
            yield f"{called} as it is stated: {said}"
