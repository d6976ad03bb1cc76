"""Values for a mechanism's public parameters, from ``--set name=value`` on the command line.

A value is an integer (``3``), a float (``0.5``, ``1e-3``), a fraction (``1/3``, kept exact),
``true`` or ``false``, or a list of numbers (``1,2,3``; ``1,`` is a list of one).
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TypeAlias

from .dsl.errors import BadInput
from .near import did_you_mean

Number: TypeAlias = int | float | Fraction
Setting: TypeAlias = Number | bool | tuple[Number, ...]

_BOOLEANS = {"true": True, "false": False}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FRACTION = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_settings(items: Sequence[str], known: Collection[str]) -> dict[str, Setting]:
    """The values that ``items``, each ``name=value``, give to some of the ``known`` names.

    Blanks around names, values and the numbers of a list do not matter, nor does
    the case of ``true`` and ``false``.  The result keeps the order of ``items``.

    Raises:
        BadInput: an item has no ``=`` or no name, names something unknown or what an
            earlier item has set, or its value is not of the forms above.
    """
    settings: dict[str, Setting] = {}
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise _bad(item, "no '=': want name=value")
        if not name:
            raise _bad(item, "no name before '=': want name=value")
        if name not in known:
            raise _bad(item, f"unknown name {reprlib.repr(name)}{_hint(name, known)}")
        if name in settings:
            raise _bad(item, f"{name!r} is set already")
        settings[name] = _setting(item, value)
    return settings


def _bad(item: str, message: str) -> BadInput:
    return BadInput(f"--set {reprlib.repr(item)}: {message}")


def _hint(name: str, known: Collection[str]) -> str:
    """What may be set instead of the unknown ``name``: the nearest name, or else all."""
    everything = f"want one of {', '.join(sorted(known))}" if known else "there is nothing to set"
    return f": {did_you_mean(name, known, everything)}"


def _setting(item: str, value: str) -> Setting:
    if value.lower() in _BOOLEANS:
        return _BOOLEANS[value.lower()]
    if "," in value:
        return tuple(_number(item, part.strip()) for part in value.removesuffix(",").split(","))
    return _number(item, value)


def _number(item: str, text: str) -> Number:
    """The finite number that ``text``, a part of ``item``, spells."""
    try:
        number = _spelled(text)
        if math.isfinite(number):
            return number
    except (ValueError, OverflowError, ZeroDivisionError):
        pass
    got = f"{reprlib.repr(text)} is no finite number" if text else "a value is missing"
    raise _bad(item, f"{got}: want a number (3, 0.5, 1e-3, 1/3), a list (1,2,3), true or false")


def _spelled(text: str) -> Number:
    """The number that ``text`` spells, perhaps beyond the floats; ValueError if it is none."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if fraction := _FRACTION.fullmatch(text):
        return Fraction(int(fraction[1]), int(fraction[2]))
    if _FLOAT.fullmatch(text):
        return float(text)
    raise ValueError
