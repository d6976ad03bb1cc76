"""From paths to rows: uniform draws are solved for, or counted, and what is left is a sum.

before:  1 - p, draw(1) in 1..k: draw(1)
after:   (1 - p)/k where 1 <= released(1) <= k
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ...dsl.errors import Unsupported
from ...dsl.formulas import (
    Formula,
    Sign,
    Truth,
    above,
    at_least,
    equal,
)
from ...dsl.substitution import Substitution, symbols_of
from ...dsl.terms import Linear, Symbol, inverted, number, term
from ...dsl.values import Mark, Num, Value
from ..kernel.sums_claims import Released, outcome
from .paths import Draw, Literals, Path, Possible


@dataclass(frozen=True, slots=True)
class Row:
    """One way to an outcome: with this probability, where the conditions hold."""

    output: tuple[Released, ...]
    when: Literals
    probability: Linear

    @property
    def key(self) -> str:
        """What rows of the same outcome share."""
        return "; ".join(f"{kind} {what}" for kind, what in self.output)


@dataclass(slots=True)
class _Sum:
    """A path whose draws are being eliminated."""

    when: list[Formula]
    probability: Linear
    draws: list[Draw] = field(default_factory=list)


def rows_of(paths: Sequence[Path], possible: Possible, *, exact: bool = False) -> list[Row]:
    """The rows of all paths, in their order.

    Public numbers that are written differently make different outcomes; which they are may be the
    same number, and a bound that holds of each of the two holds of both together.

    Args:
        paths: all paths.
        possible: whether conditions can hold together.
        exact: whether more is claimed of an outcome than a bound, so that outcomes that may be
            the same number must be one.

    Raises:
        Unsupported: a draw is used in a way that is not summed.
    """
    labelled = _labelled(paths, _is_constant if exact else _is_public)
    found = []
    for path in paths:
        shape = tuple(map(_tag, path.output))
        output: list[Released] = []
        equations: list[Formula] = []
        for k, value in enumerate(path.output):
            kind, what = _tag(value)
            if isinstance(value, Num) and not labelled[shape][k]:
                symbol = outcome(k + 1, value.kind)
                equations.append(equal(value.term, term(symbol)))
                output.append((kind, term(symbol)))
            else:
                output.append((kind, value.term if isinstance(value, Num) else what))
        total = path.probability
        for draw in path.draws:
            total = total / (draw.high - draw.low + number(1))
        start = _Sum([*equations, *path.when], total, list(path.draws))
        for one in _eliminated(start):
            when = _kept(one.when)
            if when is not None and possible(when):
                found.append(Row(tuple(output), when, one.probability))
    return found


def _tag(value: Value) -> Released:
    """What tells outcomes apart besides the values of numbers."""
    if isinstance(value, Num):
        return str(value.kind), None
    if isinstance(value, Mark):
        return "mark", value.value
    assert isinstance(value, Truth)
    return "bool", value.value


def _labelled(
    paths: Sequence[Path], known: Callable[[Linear], bool]
) -> dict[tuple[Released, ...], list[bool]]:
    """Of each shape of outcomes, the places where all paths release known numbers."""
    found: dict[tuple[Released, ...], list[bool]] = {}
    for path in paths:
        public = [not isinstance(v, Num) or known(v.term) for v in path.output]
        shape = tuple(map(_tag, path.output))
        before = found.get(shape, [True] * len(public))
        found[shape] = [a and b for a, b in zip(before, public, strict=True)]
    return found


def _is_constant(subject: Linear) -> bool:
    return subject.is_constant


def _is_public(subject: Linear) -> bool:
    return subject.fixed and not any(s.private for s in symbols_of(subject))


def _kept(when: Sequence[Formula]) -> Literals | None:
    """The conditions without those that hold anyway; ``None`` if one is false."""
    kept: dict[str, Formula] = {}
    for f in when:
        if isinstance(f, Truth):
            if not f.value:
                return None
        else:
            kept[f.key] = f
    return tuple(kept.values())


def _eliminated(start: _Sum) -> Iterator[_Sum]:
    for draw in start.draws:
        for f in start.when:
            solution = _solution(f, draw.symbol) if _is_equation(f) else None
            if solution is not None:
                yield from _eliminated(_put(start, draw, solution))
                return
    if start.draws:
        for one in _counted(start, start.draws[0]):
            yield from _eliminated(one)
        return
    yield start


def _is_equation(f: Formula) -> bool:
    return isinstance(f, Sign) and f.relation == "=="


def _put(start: _Sum, draw: Draw, solution: Linear) -> _Sum:
    into = Substitution({draw.symbol.key: solution})
    return _Sum(
        [into.formula(f) for f in start.when],
        start.probability,
        [d for d in start.draws if d is not draw],
    )


def _occurs(f: Formula | Linear, symbol: Symbol) -> bool:
    return any(s == symbol for s in symbols_of(f))


def _parted(f: Formula, symbol: Symbol) -> tuple[int | None, Linear]:
    """A sign as ``side * (symbol + rest)``, side 1 or -1; ``None`` if it is not of that form."""
    assert isinstance(f, Sign)
    factor = dict(f.subject.parts).get(symbol)
    if factor is None:
        return None, f.subject
    rest = f.subject.scaled(inverted(factor)) - term(symbol)
    if _occurs(rest, symbol):
        return None, rest
    return (1 if factor > 0 else -1), rest


def _solution(f: Formula, symbol: Symbol) -> Linear | None:
    """What an equation says that an integral symbol is."""
    side, rest = _parted(f, symbol)
    return -rest if side is not None and rest.integral else None


def _counted(start: _Sum, draw: Draw) -> Iterator[_Sum]:
    """How many integers meet the conditions on a draw: from the largest bound to the smallest."""
    lows, highs = [], []
    others = []
    for f in start.when:
        if not _occurs(f, draw.symbol):
            others.append(f)
            continue
        side, rest = _parted(f, draw.symbol)
        if side is None or not rest.integral or not isinstance(f, Sign) or f.relation == "==":
            raise Unsupported(f"the condition {f} on a draw, in a sum", None, "compare it simply")
        step = number(1 if f.relation == ">" else 0)
        if side > 0:
            lows.append(-rest + step)
        else:
            highs.append(-rest - step)
    lows, highs = list(dict.fromkeys(lows)), list(dict.fromkeys(highs))
    left = [d for d in start.draws if d is not draw]
    for i, low in enumerate(lows):
        for j, high in enumerate(highs):
            count = high - low + number(1)
            if not count.fixed:
                raise Unsupported("a draw that limits another one, in a sum", None, "draw once")
            most = [above(low, b) if k < i else at_least(low, b) for k, b in enumerate(lows)]
            least = [above(b, high) if k < j else at_least(b, high) for k, b in enumerate(highs)]
            when = [*others, *most, *least, at_least(high, low)]
            yield _Sum(when, start.probability * count, left)
