"""Numbers at which a shift costs more than a law states, shown with balls and never with floats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from ...terms.formulas import TRUE
from ...terms.linear import DivisionByZero, number
from ...terms.values import exact
from ..texts import condition_of, term_of, value_of
from .deciding import WORDS, Law

if TYPE_CHECKING:
    from flint import arb

#: How many values of the parameters are tried, and the bits of balls.
SETTINGS, PRECISION = 6, 128
#: How far out a density is looked at, as a power of two.
FAR = 60
_PARAMETERS = [Fraction(text) for text in ["1", "1/2", "3", "2", "1/10", "10", "-1"]]
_PLACES = [Fraction(text) for text in ["0", "1/2", "1", "99/100", "3", "20", "40"]]


def too_small(law: Law, first: Mapping[str, Fraction]) -> str:
    """At which parameters, draw and shift a cost is too small, if any are found.

    Args:
        law: what is stated; its amount is linear in ``d`` and ``abs(d)``.
        first: values of parameters, ``x`` and ``d`` to try before others.
    """
    import flint

    with flint.ctx.workprec(PRECISION):
        for given, ends in islice(_settings(law, first), SETTINGS):
            names = {name: _ball(value) for name, value in given.items()}
            rate = _value(law.cost[1], names)
            still, up, down = (
                rate * _value(law.cost[0], {**names, "d": _ball(Fraction(d))}) for d in (0, 1, -1)
            )
            logs = {
                at: _value(law.log_density, {**names, "x": _ball(at)})
                for at in _places(law, given, ends, first)
            }
            for (x, here), (y, there) in product(logs.items(), repeat=2):
                cost = still + _ball(abs(y - x)) * ((up if y > x else down) - still)
                if here - there > cost:
                    at = ", ".join(f"{name} = {value}" for name, value in given.items())
                    return (
                        f"at {at}, x = {x} and d = {y - x}, log g(x) - log g(x + d) is "
                        f"{float(here - there):.6g}, which is {float(here - there - cost):.3g} more"
                    )
    return ""


def spreads(law: Law) -> str:
    """Towards where a density is not seen to fall faster than 1 / x; empty if it is.

    What does not fall so is no density: with a flat one on all reals each shift would be free.
    """
    import flint

    with flint.ctx.workprec(PRECISION):
        settings = list(islice(_settings(law, {}), SETTINGS))
        if not settings and not all(law.ends):
            return "an open end, as no parameters are found for which it exists"
        for given, ends in settings:
            names = {name: _ball(value) for name, value in given.items()}
            for end, sign in zip(ends, (-1, 1), strict=True):
                near, far = (
                    _value(law.log_density, {**names, "x": _ball(Fraction(sign * 2**k))})
                    for k in (FAR, FAR + 1)
                )
                if end is None and not far + flint.arb(2).log() < near:
                    return "infinity" if sign > 0 else "minus infinity"
    return ""


def _places(
    law: Law,
    given: Mapping[str, Fraction],
    ends: Sequence[Fraction | None],
    first: Mapping[str, Fraction],
) -> list[Fraction]:
    """Draws in the support, each once."""
    scales = {Fraction(1): 0, **dict.fromkeys(map(abs, given.values()))}
    places = [sign * scale * at for at in _PLACES for scale in scales for sign in (1, -1)]
    one = first.get("x", Fraction(0))
    places = [one, one + first.get("d", 0), *(end for end in ends if end is not None), *places]
    low, high = ends
    return [
        at
        for at in dict.fromkeys(places)
        if (law.lattice == "reals" or at.denominator == 1)
        and (low is None or at >= low)
        and (high is None or at <= high)
    ]


def _settings(
    law: Law, first: Mapping[str, Fraction]
) -> Iterator[tuple[dict[str, Fraction], list[Fraction | None]]]:
    """Parameters for which there is such a law, with the ends of its support."""
    names = law.parameters
    tried = [
        dict(zip(names, v, strict=True))
        for v in islice(product(_PARAMETERS, repeat=len(names)), 2_000)
    ]
    if first.keys() >= {*names}:
        tried.insert(0, {name: first[name] for name in names})
    for given in tried:
        numbers = {name: number(value) for name, value in given.items()}
        with suppress(DivisionByZero):
            if condition_of(law.exists, numbers) == TRUE:
                ends = (term_of(end, numbers).constant if end else None for end in law.ends)
                yield given, [end if end is None else Fraction(end) for end in ends]


def _value(text: str, given: Mapping[str, arb]) -> arb:
    from flint import arb

    functions = {name: getattr(arb, name, abs) for name in WORDS}
    found: arb = value_of(text, given, lambda value: _ball(exact(value)), functions)
    return found


def _ball(value: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))
