"""Utility-optimised LDP: which outputs are protected, and what is owed of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...dsl.formulas import FALSE, TRUE
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.rules import rule_of
from ...dsl.terms import number
from ...dsl.values import NumberKind
from .inputs import Inputs
from .ratios import Declined, Ratio
from .sizes import Sizes
from .values import Plain

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Utility:
    """The columns of protected outputs; or a pair of inputs and an output that break the rest."""

    protected: list[int]
    why: str = ""
    where: tuple[int, int, int] = (0, 0, 0)


def utility_of(
    program: Program,
    sizes: Sizes,
    inputs: Inputs,
    released: Sequence[tuple[Plain, ...]],
    table: NDArray[Any],
) -> Utility:
    """Sort outputs; each that is not protected comes from one value, which is not sensitive."""
    privacy = program.privacy
    assert isinstance(privacy, UtilityOptimizedLDP)
    if len(inputs.columns) != 1 or not all(isinstance(one[0], int) for one in inputs.all):
        raise Declined("utility-optimised LDP of more than one private number")
    sensitive = [_said(program, sizes, privacy.sensitive, one[0]) for one in inputs.all]
    protected = []
    for c, values in enumerate(released):
        if len(values) != 1:
            raise Declined("utility-optimised LDP of more than one output")
        if _said(program, sizes, privacy.protected, values[0]):
            protected.append(c)
            continue
        sources = [int(i) for i in table[:, c].nonzero()[0]]
        if len(sources) > 1:
            why = "an output that is not protected comes from several values"
            return Utility([], why, (sources[0], sources[1], c))
        if sensitive[sources[0]]:
            why = "an output that is not protected comes from a sensitive value"
            other = next((i for i in range(len(sensitive)) if i != sources[0]), sources[0])
            return Utility([], why, (sources[0], other, c))
    return Utility(protected)


def _said(program: Program, sizes: Sizes, function: Callable[..., Any], value: object) -> bool:
    """What one of the definition's functions says of a value."""
    rule = rule_of(function)
    if not isinstance(value, int | float) and not hasattr(value, "numerator"):
        raise Declined(f"'{function.__name__}' of an output that is no number")
    if isinstance(value, bool | Ratio):
        raise Declined(f"'{function.__name__}' of an output that is no plain number")
    first, *more = rule.parameters
    if not set(more) <= set(sizes):
        raise Declined(f"'{function.__name__}' depends on more than public integers")
    values = {first: number(value), **{n: number(sizes[n]) for n in more}}  # type: ignore[arg-type]
    kinds: dict[str, NumberKind] = dict.fromkeys(more, "int")
    kinds[first] = "int" if type(value) is int else "float"
    found = rule.facts(values, values, kinds)
    if any(fact not in (TRUE, FALSE) for fact in found):
        raise Declined(f"'{function.__name__}' is not decided by the value alone")
    if FALSE in found[:-1]:
        raise Declined(f"'{function.__name__}' is not defined for {value}")
    return found[-1] == TRUE
