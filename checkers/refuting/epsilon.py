"""ε as people write it: a number, or a multiple of ln 2."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.program import Program
from ...dsl.values import exact
from ..exact.numbers import Base
from .inputs import Input

_LN2 = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:/\d+)?)\s*\*?\s*)?ln\s*\(?2\)?\s*(?:/\s*(\d+))?\s*")


def parsed(name: str, value: Any) -> tuple[Base, Fraction]:
    """An ε as a base and an amount: ``"2 ln 2"`` is 2 in base 2, ``0.5`` is 1/2 in base e.

    Raises:
        BadInput: it is no positive number, and no multiple of ln 2.
    """
    base: Base = "e"
    if isinstance(value, str):
        found = _LN2.fullmatch(value)
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
        plain = kind.accept(name, value)
        if isinstance(plain, tuple):
            found[name] = tuple(int(v) if kind.whole else exact(v) for v in plain)
        else:
            found[name] = int(plain) if kind.whole else exact(plain)
    return base, found
