"""Lists on the command line: numbers between commas."""

from __future__ import annotations

import math

import click


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
