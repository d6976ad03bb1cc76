"""Concrete pairs of inputs, and ε as a multiple of ln 2 or as a rational number."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ...dsl.errors import BadInput, LimitReached
from ...dsl.privacy.inputs import DataSet, EpsilonInput, InputKind
from ...dsl.relations.program import Program
from ...dsl.terms.linear import Rational
from ...dsl.terms.values import exact
from ..exact.affine import Value
from ..exact.numbers import Base, Unit
from ..exact.parameters import Parameters
from ..exact.powers import LN2

# ε as people write it: a number, or a multiple of ln 2.

_MULTIPLE_OF_LN2 = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?(?:/\d+)?)\s*\*?\s*)?ln\s*\(?2\)?\s*(?:/\s*(\d+))?\s*"
)


def parsed(name: str, value: Any) -> tuple[Base, Fraction]:
    """An ε as a base and an amount: ``"2 ln 2"`` is 2 in base 2, ``0.5`` is 1/2 in base e.

    Raises:
        BadInput: it is no positive number, and no multiple of ln 2.
    """
    base: Base = "e"
    if isinstance(value, str):
        found = _MULTIPLE_OF_LN2.fullmatch(value)
        if found:
            base = "2"
            amount = Fraction(found[1] or 1) / int(found[2] or 1)
        else:
            try:
                amount = Fraction(value)
            except (ValueError, ZeroDivisionError):
                raise _no_epsilon(name, value) from None
    elif isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise BadInput(f"{name}: got {value!r}; a finite number is needed")
        amount = exact(value)
    else:
        raise _no_epsilon(name, value)
    if amount <= 0:
        raise BadInput(f"{name}: got {value!r}; it must be positive")
    return base, amount


def _no_epsilon(name: str, value: Any) -> BadInput:
    return BadInput(
        f"{name}: got {value!r}; want a number in nats, as 0.5 or '1/2', or a multiple of ln 2, as "
        "'2 ln 2' or '1/2 ln 2' (of ln 2 only: for another logarithm give the number, as 1.0986)"
    )


def written(base: Base, amount: Fraction) -> str:
    """An ε as text that :func:`parsed` reads back."""
    if base == "e":
        return str(amount)
    return "ln 2" if amount == 1 else f"{amount} ln 2"


def accepted(program: Program, given: Mapping[str, Any]) -> tuple[Base | None, dict[str, Input]]:
    """Public inputs that a user fixes, checked; and the base of ε, if an ε is among them.

    Raises:
        BadInput: a name is no public input, a value is not of its kind, or one ε is rational
            and another one a multiple of ln 2.
    """
    base: Base | None = None
    found: dict[str, Input] = {}
    for name, value in given.items():
        kind = program.inputs.get(name)
        if kind is None or not kind.public:
            publics = ", ".join(n for n, k in program.inputs.items() if k.public) or "none"
            raise BadInput(f"{program.name}: '{name}' is no public input; there are {publics}")
        if name in program.epsilons():
            own, amount = parsed(name, value)
            if base not in (None, own):
                raise BadInput(f"{name}: multiples of ln 2 and other numbers cannot be mixed")
            base, found[name] = own, amount
            continue
        found[name] = as_kind(kind, kind.accept(name, value))
    return base, found


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
    given = {**public, **private}
    found: dict[str, Value] = {n: as_kind(kind, given[n]) for n, kind in program.inputs.items()}
    if base == "2":
        found |= {n: LN2 * Fraction(cast(Rational, given[n])) for n in program.epsilons()}
    return found


def as_kind(kind: InputKind, value: Any) -> Any:
    """A value of an input as Python has it: ints, and fractions for floats; also in sequences."""
    if isinstance(kind, DataSet):
        return tuple(tuple(map(int, record)) for record in value)
    number: Callable[[Any], int | Fraction] = int if kind.whole else exact
    return tuple(map(number, value)) if kind.array else number(value)


def plain_inputs(
    program: Program, base: Base, public: Inputs, private: Inputs
) -> dict[str, object]:
    """The inputs of one run as a call takes them; an irrational ε is rounded to 60 digits."""
    found: dict[str, object] = {**public, **private}
    if base == "2":
        found |= {n: Fraction(cast(Rational, public[n])) * _LN2 for n in program.epsilons()}
    return found


def preconditions_hold(program: Program, base: Base, public: Inputs, private: Inputs) -> bool:
    """Whether the preconditions hold where ε is what it is: at ln 2, and not right beside it.

    ``False`` as well where that cannot be told.
    """
    known: Inputs = {**public, **private}
    known = {n: known[n] for n, k in program.inputs.items() if not isinstance(k, EpsilonInput)}
    parameters = Parameters(program, base, public)
    try:
        return all(map(parameters.holds, program.stated(known)))
    except LimitReached:
        return False


#: ln 2 = Σ 1 / (k 2^k); 220 terms leave less than 10^-60.
_LN2 = sum((Fraction(1, k << k) for k in range(1, 220)), start=Fraction(0))
