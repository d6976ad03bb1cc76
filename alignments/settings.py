"""Values for the public scalars and the lengths of an example, within the preconditions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ..dsl.enclosures import is_plain, rational_ends
from ..dsl.formulas import Formula, at_least, equal
from ..dsl.inputs import EpsilonInput
from ..dsl.program import Program
from ..dsl.smt import Questions, Writer
from ..dsl.substitution import Substitution, exponentials_of, symbols_of
from ..dsl.terms import Exp, Linear, Symbol, number, term

#: A threshold that is never, or always, reached.
FAR = 60
_RESOURCES = 500_000
#: What a number is that may not be as wanted: a share, mostly.
_SHARES = (Fraction(1, 2), Fraction(1, 4))


@dataclass(frozen=True, slots=True)
class Wish:
    """What a setting should look like, as far as the preconditions allow it.

    ``signs``: if given, thresholds are far away; the k-th one above the answers or below
    them by the k-th binary digit.
    """

    length: int
    small: int
    signs: int | None = None


#: Few answers close to the thresholds show most failures; many answers far from them,
#: on every side of two thresholds, show costs that add up.
FIRST = (
    Wish(2, 1),
    Wish(10, 1, signs=0),
    Wish(3, 2),
    Wish(10, 1, signs=1),
    Wish(10, 1, signs=2),
    Wish(2, 1),
    Wish(10, 1, signs=3),
)
AGAIN = (
    Wish(2, 1),
    Wish(3, 1),
    Wish(2, 2),
    Wish(1, 1),
    Wish(10, 1, signs=0),
    Wish(4, 3),
    Wish(2, 1),
    Wish(3, 1),
    Wish(10, 1, signs=2),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """Values of the public scalars and lengths by symbol, and where thresholds lie."""

    values: Mapping[str, Linear]
    leans: Mapping[str, int]
    far: bool

    def lean(self, name: str) -> int:
        """How far the elements of a public sequence are moved away."""
        return self.leans.get(name, 0)


def settings(
    program: Program, facts: Sequence[Formula], wishes: Sequence[Wish], chance: random.Random
) -> Iterator[Setting]:
    """One setting for each wish that can be met in part."""
    known = tuple(f for f in facts if f.fixed)
    symbols = _parameters(program)
    thresholds = _thresholds(program)
    for wish in wishes:
        if wish.signs is not None and wish.signs >> len(thresholds):
            continue  # the same signs as an earlier wish
        leans = _leans(thresholds, wish)
        wanted = tuple(
            (s, leans.get(s.key, wish.length if s.key.startswith("len(") else wish.small))
            for s in chance.sample(symbols, len(symbols))
        )
        values = _met(known, wanted)
        if values is not None:
            yield Setting({n: number(v) for n, v in values}, leans, wish.signs is not None)


@lru_cache(maxsize=1024)
def _met(
    facts: tuple[Formula, ...], wanted: tuple[tuple[Symbol, int], ...]
) -> tuple[tuple[str, Fraction], ...] | None:
    """Values of the symbols within the facts, as wanted as far as can be, the first ones first."""
    questions = Questions(Writer(exact_products=True), _RESOURCES)
    questions.add(facts)
    powers = {p.key: p for f in facts for p in exponentials_of(f)}.values()
    inside = {s.key for power in powers for s in symbols_of(power.power)}
    wanted = (
        *(w for w in wanted if w[0].key in inside),
        *(w for w in wanted if w[0].key not in inside),
    )
    known: dict[str, Linear] = {}
    for symbol, value in wanted:
        for tried in (value, *(() if symbol.integral else _SHARES)):
            claim = equal(term(symbol), number(tried))
            if questions.ask([claim]) == "sat":
                questions.add([claim])
                known[symbol.key] = number(tried)
                questions.add(fact for power in powers for fact in _enclosed(power, known))
                break
    if questions.check() != "sat":
        return None
    point = questions.point()
    values = [(s.key, point.get(s.key, Fraction(0))) for s, _ in wanted]
    if any(value is None for _, value in values):
        return None
    return tuple((name, Fraction(value or 0)) for name, value in values)


def _enclosed(power: Exp, known: Mapping[str, Linear]) -> Iterator[Formula]:
    """Between which rationals a power of e lies, once its exponent is known."""
    value = Substitution(known).linear(term(power))
    if is_plain(value):
        low, high = rational_ends(value)
        yield at_least(term(power), number(low))
        yield at_least(number(high), term(power))


def _thresholds(program: Program) -> list[str]:
    """The public numbers that are neither ε nor integers."""
    return [
        name
        for name, kind in program.inputs.items()
        if kind.public and not kind.whole and not isinstance(kind, EpsilonInput)
    ]


def _leans(thresholds: Sequence[str], wish: Wish) -> dict[str, int]:
    """How far away each threshold lies, on its side."""
    if wish.signs is None:
        return {}
    return {name: -FAR if wish.signs >> k & 1 else FAR for k, name in enumerate(thresholds)}


def _parameters(program: Program) -> list[Symbol]:
    public = [n for n, k in program.inputs.items() if k.public and not k.array]
    arrays = [n for n, k in program.inputs.items() if k.array]
    return [*map(program.parameter_symbol, public), *map(program.length_symbol, arrays)]
