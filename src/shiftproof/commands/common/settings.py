"""Values for a mechanism's inputs, from ``--set name=value`` on the command line.

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

import click

from ...dsl.errors import BadInput, did_you_mean

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


# Lists on the command line: numbers between commas.


def numbers(context: click.Context, option: click.Parameter, text: str) -> tuple[float, ...]:
    """Finite numbers, at least one: 0.5 or .5,1,2."""
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or not all(map(math.isfinite, found)):
        raise click.BadParameter(f"{text!r}: want numbers between commas, as in .5,1,2")
    return found


def whole_numbers(context: click.Context, option: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers from 0 on, at least one: 100 or 10,50,100."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise click.BadParameter(f"{text!r}: want whole numbers between commas, as in 10,50,100")
    return tuple(map(int, parts))


_NUMBER = re.compile(r"([0-9][0-9_]*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,2}))?")


def samples_of(context: click.Context, option: click.Parameter, text: str | None) -> int:
    """How many runs, at least 1: 1000, 10_000_000 or 1e6."""
    if text is None:
        # Newer versions of click call this before they ask whether an option is there.
        raise click.MissingParameter(ctx=context, param=option)
    found = _NUMBER.fullmatch(text)
    if found:
        whole, decimals, power = found[1], found[2] or "", int(found[3] or 0)
        digits = whole.replace("_", "") + decimals.ljust(power, "0")[:power]
        if not decimals[power:].strip("0") and int(digits) >= 1:
            return int(digits)
    raise click.BadParameter(
        f"{text!r}: want a whole number from 1 on, as in 1000, 1e6 or 10_000_000"
    )


# What a command is given, and what needs it.


def check_named(places: Sequence[object], whole: bool, wanted: str) -> None:
    """Refuse to do nothing: a pattern that no file matches must not look like success.

    Args:
        places: what is named on the command line.
        whole: whether the gallery is meant, too.
        wanted: what else to name, for the message.

    Raises:
        click.UsageError: nothing is named, not even the gallery.
    """
    if not places and not whole:
        raise click.UsageError(f"nothing is named: want {wanted}, or --gallery")
