"""Which sizes there are, for counting again: as far as the preconditions say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ....dsl.language.syntax import Comparison, Constant, Expression, Length, Name
from ....dsl.privacy.inputs import (
    EpsilonInput,
    IntegerValue,
    IntegerValues,
    PublicFloat,
    PublicInt,
    PublicVector,
)
from ....dsl.relations.program import Program
from .values import Wrong

#: The largest size that a certificate may speak of.
LARGEST = 64

Sizes = dict[str, int]


def limits_of(program: Program) -> dict[str, tuple[int, int | None]]:
    """The least and the largest value of each size, as far as the preconditions say."""
    lows: dict[str, int | None] = {}
    for name, kind in program.inputs.items():
        match kind:
            case IntegerValues() | PublicVector():
                lows[f"len({name})"] = 0
            case IntegerValue() | EpsilonInput():
                pass
            case PublicInt() if not kind.array:
                lows[name] = kind.minimum
            case PublicFloat() if not kind.array:
                pass
            case _:
                raise Wrong(f"'{name}' does not take finitely many values")
    highs: dict[str, int | None] = dict.fromkeys(lows)
    changed = True
    while changed:
        before = dict(lows), dict(highs)
        for e in program.preconditions:
            if isinstance(e, Comparison):
                _narrow(e.left, e.operator, e.right, lows, highs)
                _narrow(e.right, e.operator.translate(_TURNED), e.left, lows, highs)
        changed = before != (lows, highs) and all(abs(v) <= LARGEST for v in lows.values() if v)
    found = {}
    for name, low in lows.items():
        if low is None:
            raise Wrong(f"'{name}' has no least value")
        found[name] = low, highs[name]
    return found


_TURNED = str.maketrans("<>", "><")


def _narrow(
    left: Expression,
    operator: str,
    right: Expression,
    lows: dict[str, int | None],
    highs: dict[str, int | None],
) -> None:
    """``left operator right``, where the left one is a size."""
    name, other = _named(left), _named(right)
    if name not in lows:
        return
    if isinstance(right, Constant):
        floor = right.value.numerator // right.value.denominator
        whole = right.value.denominator == 1
        least: int | None = floor if whole else floor + 1
        most: int | None = floor
    elif other in lows:
        whole, least, most = True, lows[other], highs[other]
    else:
        return
    if operator in (">", ">=", "==") and least is not None:
        low = least + 1 if operator == ">" and whole else least
        known = lows[name]
        lows[name] = low if known is None else max(low, known)
    if operator in ("<", "<=", "==") and most is not None:
        high = most - 1 if operator == "<" and whole else most
        bound = highs[name]
        highs[name] = high if bound is None else min(high, bound)


def _named(e: Expression) -> str:
    match e:
        case Name(name=name):
            return name
        case Length(array=array):
            return f"len({array})"
    return ""


def choices(limits: Mapping[str, tuple[int, int | None]], largest: int) -> Iterator[Sizes]:
    """All choices of sizes up to the largest one."""
    spans = [
        range(low, (largest if high is None else min(high, largest)) + 1)
        for low, high in limits.values()
    ]
    for values in itertools.product(*spans):
        yield dict(zip(limits, values, strict=True))
