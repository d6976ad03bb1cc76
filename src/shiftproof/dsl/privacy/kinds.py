"""What all kinds of inputs have: whether public, of which numbers, and how a value is taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, ClassVar

from ..errors import BadInput

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class InputKind:
    """What one parameter accepts: a number or a sequence of them, ints or floats, from where on."""

    public: ClassVar[bool] = False
    array: ClassVar[bool] = False
    whole: ClassVar[bool] = False
    minimum: ClassVar[int | None] = None
    positive: ClassVar[bool] = False
    below: ClassVar[int | None] = None

    @property
    def named(self) -> dict[str, tuple[str, int]]:
        """The public numbers that it names: what they are there, and the least they may be."""
        return {}

    def accept(self, name: str, value: Any) -> Number | tuple[Number, ...]:
        """The value as Python numbers: ints, finite floats, or exact fractions as given.

        Raises:
            BadInput: wrong type, NaN or infinite, out of its range.
        """
        if not self.array:
            return self._number(name, value)
        if hasattr(value, "tolist") and hasattr(value, "ndim"):
            if value.ndim != 1:
                raise BadInput(f"{name}: got an array of {value.ndim} dimensions; one is needed")
            value = value.tolist()
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise BadInput(f"{name}: got {shown_value(value)}; a sequence of numbers is needed")
        return tuple(self._number(f"{name}[{i}]", v) for i, v in enumerate(value))

    def _number(self, name: str, value: Any) -> Number:
        wanted = "an int" if self.whole else "a finite number"
        if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
            value = value.item()  # a numpy scalar as the Python number it stands for
        if isinstance(value, bool) or not isinstance(value, Integral if self.whole else Real):
            raise BadInput(f"{name}: got {shown_value(value)}; {wanted} is needed")
        exact = _plain(value, self.whole)
        if exact is None:
            raise BadInput(f"{name}: got {shown_value(value)}; {wanted} is needed")
        if self.minimum is not None and exact < self.minimum:
            raise BadInput(f"{name}: got {shown_value(value)}; it must be at least {self.minimum}")
        if self.positive and exact <= 0:
            raise BadInput(f"{name}: got {shown_value(value)}; it must be positive")
        if self.below is not None and exact >= self.below:
            raise BadInput(f"{name}: got {shown_value(value)}; it must be below {self.below}")
        return exact


def _plain(value: Any, whole: bool) -> Number | None:
    """The value as an int, an exact fraction or a finite float, if it is one."""
    if whole:
        return int(value)
    if isinstance(value, Fraction):
        return value
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def shown_value(value: object) -> str:
    """A value with its type, for a message."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
