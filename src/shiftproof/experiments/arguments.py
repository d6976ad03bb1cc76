"""What an experiment is asked for, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..dsl.errors import BadInput


def several(name: str, given: Any) -> tuple[Any, ...]:
    """One or more values, whatever they are.

    Raises:
        BadInput: it is a single value, or there is none.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"{name}: got {given!r:.80}; want a list")
    found = tuple(given)
    if not found:
        raise BadInput(f"{name}: got none; want at least one")
    return found


def is_number(value: Any) -> bool:
    """Whether it is a real number, of Python or of numpy; nan and infinity are."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def whole(name: str, value: Any, least: int, most: int | None = None, why: str = "") -> int:
    """A whole number in a range.

    Raises:
        BadInput: it is none; ``why`` says where ``most`` comes from.
    """
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not fits or value < least or (most is not None and value > most):
        limit = "" if most is None else f" to {most:,}{f', {why}' if why else ''}"
        raise BadInput(f"{name}: got {value!r}; want a whole number from {least}{limit or ' on'}")
    return int(value)
