"""What a run computes with: Python's values, exact fractions and ratios for floats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .ratios import Ratio

#: One value of a run.
Plain = bool | str | None | int | Fraction | Ratio
Value = Plain | tuple[Plain, ...]
#: The variables of a run, by number.
Variables = list[Value]
Meaning = Callable[[Variables], Value]
