"""Which sizes there are: public integers, and lengths of sequences, as the preconditions say."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..arithmetic import Number, Wrong, spend
from ..claim.policies import Kind

#: The largest size that a certificate may speak of.
LARGEST_SIZE = 64

#: The least and the largest value of a size, as far as they are known.
Limits = dict[str, tuple[int, int | None]]


def limits_of(kinds: Mapping[str, Kind], told: Sequence[ast.expr]) -> Limits:
    """The sizes, and between which bounds they are."""
    lows: dict[str, int | None] = {}
    for name, kind in kinds.items():
        if kind.attributes or (kind.public and kind.array and kind.whole):
            raise Wrong(f"{name} does not take finitely many values")
        if kind.array or (kind.public and kind.whole):
            lows[f"len({name})" if kind.array else name] = None
    highs = dict(lows)
    # What is found on the way is true, wherever this ends.
    for _ in range(LARGEST_SIZE):
        before = dict(lows), dict(highs)
        for e in told:
            if isinstance(e, ast.Compare) and len(e.ops) == 1:
                op, right = type(e.ops[0]), e.comparators[0]
                _narrow(ast.unparse(e.left), op, right, lows, highs)
                _narrow(ast.unparse(right), _TURNED.get(op, op), e.left, lows, highs)
        if before == (lows, highs):
            break
    found = {name: (low, highs[name]) for name, low in lows.items() if low is not None}
    if len(found) < len(lows):
        raise Wrong("a size has no least value")
    return found


_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE,
}  # fmt: skip


def _narrow(
    name: str,
    op: type[ast.cmpop],
    other: ast.expr,
    lows: dict[str, int | None],
    highs: dict[str, int | None],
) -> None:
    """What ``name op other`` says of a size."""
    if name not in lows:
        return
    least: Number | None
    most: Number | None
    sign = 1
    if isinstance(other, ast.UnaryOp) and isinstance(other.op, ast.USub):
        sign, other = -1, other.operand
    match other:
        case ast.Constant(value=int() | float() as value) if (
            type(value) is not bool and value - value == 0
        ):
            least = most = sign * Fraction(repr(value))
        case _ if sign < 0:
            return
        case _:
            text = ast.unparse(other)
            least, most = lows.get(text), highs.get(text)
    if least is not None and op in (ast.Gt, ast.GtE, ast.Eq):
        low = math.floor(least) + 1 if op is ast.Gt else math.ceil(least)
        known = lows[name]
        lows[name] = low if known is None else max(low, known)
    if most is not None and op in (ast.Lt, ast.LtE, ast.Eq):
        high = math.ceil(most) - 1 if op is ast.Lt else math.floor(most)
        known = highs[name]
        highs[name] = high if known is None else min(high, known)


def choices(limits: Limits, largest: int) -> list[dict[str, int]]:
    """All choices of sizes up to the largest one: by the largest one in each of them."""
    spans = [
        range(low, (largest if high is None else min(high, largest)) + 1)
        for low, high in limits.values()
    ]
    spend(1_000 * math.prod(map(len, spans)))
    found = [dict(zip(limits, values, strict=True)) for values in itertools.product(*spans)]
    return sorted(found, key=lambda sizes: (max(sizes.values(), default=0), list(sizes.values())))
