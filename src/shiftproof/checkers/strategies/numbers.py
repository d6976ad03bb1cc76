"""Numbers that are simple first: small integers, then floats of the same size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from typing import Any, TypeVar

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.privacy.inputs import InputKind, Queries, Value
from ...dsl.terms.values import exact

KindT = TypeVar("KindT", bound=InputKind)

#: Whether one place changes, all of them alike, or each in its own way; the simplest first.
STYLES = ("alone", "alike", "any")


def floats(largest: int) -> st.SearchStrategy[float]:
    """Floats of at most this size, whole ones often."""
    whole = st.integers(-largest, largest).map(float)
    return whole | st.floats(-largest, largest, allow_subnormal=False)


@st.composite
def several(draw: st.DrawFn, each: st.SearchStrategy[Any], length: int) -> tuple[Any, ...]:
    """A number for each place, often the same one: ties and thresholds matter."""
    if not length:
        return ()
    first = draw(each)
    if draw(st.booleans()):
        return (first, *(draw(each) for _ in range(length - 1)))
    return (first,) * length


@st.composite
def declared(
    draw: st.DrawFn, kind: Queries, most: Fraction, length: int, largest: int, back: bool = False
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Answers that move by at most ``most`` each, as their kind declares, or in reverse.

    The differences are those of the floats themselves, with no rounding beyond ``most``.
    """
    whole = kind.whole
    left = draw(several(st.integers(-largest, largest) if whole else floats(largest), length))
    if not length:
        return (), ()
    forth = {"decreasing": (1,), "increasing": (-1,), "both": (1, -1)}[kind.direction]
    signs = tuple(-sign for sign in forth) if back else forth
    sure = draw(st.integers(0, length - 1))
    style = "alone" if kind.differing == "one" else draw(st.sampled_from(STYLES))
    # Where all move together, each of several does by its part.
    most = most / length if kind.norm and style != "alone" else most
    moves = st.builds(
        lambda sign, share: sign * (Fraction(int(share * most)) if whole else share * most),
        st.sampled_from(signs),
        st.just(Fraction(1)) | st.floats(0, 1, allow_subnormal=False).map(Fraction),
    )
    if style == "any":
        falls = [draw(moves) for _ in range(length)]
    else:
        fall = draw(moves)
        falls = [fall if style == "alike" or i == sure else Fraction(0) for i in range(length)]
    return left, tuple(map(moved, left, falls))


def moved(answer: float, fall: Fraction) -> float:
    """The float nearest to ``answer − fall`` that is no further away; of an int an int."""
    if isinstance(answer, int):
        return int(answer - fall)
    found = float(Fraction(answer) - fall)
    while abs(Fraction(answer) - Fraction(found)) > abs(fall):
        found = nextafter(found, answer)
    return found


def bound_of(kind: Queries, public: Any) -> Fraction:
    """By how much each answer moves at most, as a float's decimals or its binary digits say.

    Raises:
        BadInput: the public number that it names is negative.
    """
    given = kind.sensitivity
    value = public[given] if isinstance(given, str) else given
    if value < 0:
        raise BadInput(f"{given}: got {value!r}; a sensitivity is a number >= 0")
    return min(exact(value), Fraction(value))


def resolved(kind: KindT, public: Mapping[str, Any]) -> KindT:
    """The kind with numbers for bounds that are names of public inputs.

    Raises:
        BadInput: they are in the wrong order.
    """
    if not isinstance(kind, Value) or kind.constant:
        return kind
    low, high = (public[b] if isinstance(b, str) else b for b in (kind.low, kind.high))
    return replace(kind, low=low, high=high)


def ends(kind: Value) -> tuple[Any, Any]:
    """The least and the greatest value, as integers or floats; in this order, if there are some.

    The bounds are numbers.
    """
    assert not isinstance(kind.low, str) and not isinstance(kind.high, str)
    if kind.whole:
        return ceil(kind.low), floor(kind.high)
    bottom, top = float(kind.low), float(kind.high)
    if bottom < kind.low:
        bottom = nextafter(bottom, inf)
    if top > kind.high:
        top = nextafter(top, -inf)
    return bottom, top


def between(kind: Value) -> st.SearchStrategy[Any]:
    """Numbers in a range; the ends, where a user's value counts most, come often."""
    low, high = ends(kind)
    corners = st.sampled_from((low, high))
    if kind.whole:
        return st.integers(low, high) | corners
    return corners | st.floats(low, high, allow_subnormal=False)
