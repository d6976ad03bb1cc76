"""Short loops between constants are written out, and short tables become variables.

    before:  w = [1, 2]; total = 0; for i in range(2): total += w[i] * f[i]
    after:   w@0, w@1 = 1, 2; total = 0; total += w@0 * f[0]; total += w@1 * f[1]

What stands at a place is then known, and what is added up is a sum.  A loop that draws or releases
stays one: its noise is one sample, with one shift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from ..language.statements import Assign, If, MakeList, Pick, Statement, Store
from ..language.syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Constant,
    Expression,
    Length,
    Name,
    Span,
    Whole,
    children,
    held,
    parts_of,
    rebuilt,
)

#: A loop has at most so many rounds, and statements in all of them; a list so many elements.
ROUNDS, STATEMENTS, ELEMENTS = 8, 64, 16


def written_out(
    span: Span, target: str, rounds: range, body: Sequence[Statement]
) -> tuple[Statement, ...]:
    """The rounds of a loop over a range, one after the other; nothing where it stays a loop."""
    if not 1 <= len(rounds) <= ROUNDS or len(rounds) * _size(body, target) > STATEMENTS:
        return ()
    found: list[Statement] = []
    for k in rounds:
        value = Constant(span, Fraction(k), "int")
        found.append(Assign(span, (target,), (value,)))
        found += _each(body, partial(_put, target, value))
    return tuple(found)


def _size(body: Sequence[Statement], target: str) -> int:
    """How many statements only compute; too many where others stand among them."""
    total = 0
    for s in body:
        if isinstance(s, If):
            total += 1 + _size(s.yes, target) + _size(s.no, target)
        else:
            plain = isinstance(s, Store) or (isinstance(s, Assign) and target not in s.targets)
            total += 1 if plain else STATEMENTS + 1
    return total


def _each(body: Sequence[Statement], change: Callable[[Expression], Expression]) -> list[Statement]:
    """Statements with all of their expressions changed."""

    def changed(s: Statement) -> Statement:
        return rebuilt(s, expression=change, statement=changed)

    return list(map(changed, body))


def _put(name: str, value: Constant, e: Expression) -> Expression:
    """An expression with a constant for a name; integers are worked out."""
    if isinstance(e, Name) and e.name == name:
        return value
    found = rebuilt(e, expression=partial(_put, name, value))
    match found:
        case Arithmetic(
            operator="+" | "-" | "*" as operator,
            left=Constant(value=a, kind="int"),
            right=Constant(value=b, kind="int"),
        ):
            total = a + b if operator == "+" else a - b if operator == "-" else a * b
            return Constant(e.span, Fraction(total), "int")
    return found


def lists_as_variables(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """A body where tables are variables: lists as they were made, asked at known places only."""
    sizes = _sizes(body)
    return tuple(_without_lists(sizes, s) for s in body) if sizes else tuple(body)


def _sizes(body: Sequence[Statement]) -> dict[str, int]:
    """How long such lists are."""
    sizes: dict[str, set[int]] = {}
    made: dict[str, Span] = {}
    others: set[str] = set()
    places: dict[str, set[int]] = {}

    def asked(array: str, index: Expression | None) -> None:
        place = _integer(index)
        if place is None:
            others.add(array)
        else:
            places.setdefault(array, set()).add(place)

    for s in _all(body):
        match s:
            case MakeList(target=name, fill=fill, length=length):
                size = _integer(length)
                if fill is None or size is None or not 1 <= size <= ELEMENTS:
                    others.add(name)
                else:
                    sizes.setdefault(name, set()).add(size)
                    made[name] = s.span
            case Store(array=name, index=index):
                # What is stored later on has to be of one type, which lists are asked for.
                asked(name, index if s.span == made.get(name) else None)
            case Pick(target=target, array=array):
                others |= {target, array}
        for e in (part for own in children(s) for part in parts_of(own)):
            match e:
                case Cell(array=name, index=index):
                    asked(name, index)
                case Whole(array=name):
                    others.add(name)
    return {
        name: size
        for name, (size, *more) in ((n, sorted(found)) for n, found in sizes.items())
        if not more and name not in others and all(0 <= k < size for k in places.get(name, ()))
    }


def _all(body: Sequence[Statement]) -> Iterator[Statement]:
    for s in body:
        yield s
        yield from _all(tuple(held(s, "statement")))


def _integer(e: Expression | None) -> int | None:
    """The integer that an index is, if that is plain."""
    if isinstance(e, Builtin) and e.function == "index":
        (e,) = e.arguments
    return int(e.value) if isinstance(e, Constant) and e.kind == "int" else None


def _without_lists(sizes: Mapping[str, int], s: Statement) -> Statement:
    """A statement with variables for the elements of these lists."""

    def asked(e: Expression) -> Expression:
        match e:
            case Cell(array=name, index=index) if name in sizes:
                return Name(e.span, _element(name, index))
            case Length(array=name) if name in sizes:
                return Constant(e.span, Fraction(sizes[name]), "int")
        return rebuilt(e, expression=asked)

    match s:
        case MakeList(target=name, fill=fill) if name in sizes and fill is not None:
            names = tuple(f"{name}@{k}@" for k in range(sizes[name]))
            return Assign(s.span, names, (asked(fill),) * len(names))
        case Store(array=name, value=value, index=index) if name in sizes:
            return Assign(s.span, (_element(name, index),), (asked(value),))
    return rebuilt(s, expression=asked, statement=partial(_without_lists, sizes))


def _element(array: str, index: Expression | None) -> str:
    return f"{array}@{_integer(index)}@"
