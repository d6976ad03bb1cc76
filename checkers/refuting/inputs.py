"""Concrete pairs of inputs, and ε as a multiple of ln 2 or as a rational number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ...dsl.errors import LimitReached
from ...dsl.inputs import EpsilonInput
from ...dsl.program import Program
from ...dsl.terms import Rational
from ..exact.affine import Scaled
from ..exact.meaning import Value
from ..exact.numbers import Base, Unit
from ..exact.parameters import Parameters

#: A number, a sequence of numbers, or a sequence of records.
Input: TypeAlias = int | Fraction | tuple[int | Fraction, ...] | tuple[tuple[int, ...], ...]
Inputs: TypeAlias = Mapping[str, Input]


@dataclass(frozen=True, slots=True)
class Instance:
    """Two inputs with the same public parts; ``public`` holds ε in units of ln 2 or of 1."""

    base: Base
    public: Inputs
    left: Inputs
    right: Inputs

    @property
    def unit(self) -> Unit:
        """The unit of rates."""
        return Unit(self.base)

    @property
    def key(self) -> str:
        """A text that equal instances share."""
        return f"{self.base}{self.public}{self.left}{self.right}"

    def with_sides(self, left: Inputs, right: Inputs) -> Instance:
        """The same public inputs with other private ones."""
        return replace(self, left=left, right=right)


def run_inputs(program: Program, base: Base, public: Inputs, private: Inputs) -> dict[str, Value]:
    """The inputs of one run as the explorer takes them."""
    found: dict[str, Value] = {}
    for name, kind in program.inputs.items():
        value = public[name] if kind.public else private[name]
        if isinstance(kind, EpsilonInput):
            amount = Fraction(value)  # type: ignore[arg-type]
            found[name] = Scaled(amount, 1) if base == "2" else amount
        elif kind.array:
            found[name] = tuple(as_kind(v, kind.whole) for v in cast(Any, value))
        elif isinstance(value, tuple):
            found[name] = value
        else:
            found[name] = as_kind(value, kind.whole)
    return found


def as_kind(value: Rational, whole: bool) -> int | Fraction:
    """A number as Python has it: an int, or a fraction for a float."""
    return int(value) if whole else Fraction(value)


def plain_inputs(
    program: Program, base: Base, public: Inputs, private: Inputs
) -> dict[str, object]:
    """The inputs of one run as a call takes them; an irrational ε is rounded to 60 digits."""
    found: dict[str, object] = {}
    for name, kind in program.inputs.items():
        value = public[name] if kind.public else private[name]
        if isinstance(kind, EpsilonInput) and base == "2":
            value = Fraction(value) * _LN2  # type: ignore[arg-type]
        found[name] = value
    return found


def preconditions_hold(program: Program, base: Base, public: Inputs, private: Inputs) -> bool:
    """Whether the preconditions hold where ε is what it is: at ln 2, and not right beside it.

    ``False`` as well where that cannot be told.
    """
    known = {
        name: public[name] if kind.public else private[name]
        for name, kind in program.inputs.items()
        if not isinstance(kind, EpsilonInput)
    }
    parameters = Parameters(program, base, public)
    try:
        return all(map(parameters.holds, program.stated(known)))
    except LimitReached:
        return False


def _ln2() -> Fraction:
    # ln 2 = Σ 1 / (k 2^k); 220 terms leave less than 10^-60.
    return sum((Fraction(1, k << k) for k in range(1, 220)), start=Fraction(0))


_LN2 = _ln2()
