"""Which concrete inputs are neighbours, and with which budget: by the texts of the relation."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..arithmetic import Number, Wrong, spend
from ..claim.policies import Case, Kind, mechanism_budget
from ..language.steps import Mechanism
from ..language.syntax import expression, is_call
from .concrete import HIDDEN, Meaning, is_true
from .quotients import Numbers, Quotient

#: A set of inputs is a whole number: input i is its i-th bit.
Members = int
#: Of each input the set of its neighbours.
Near = list[Members]


class _Said:
    """A text of a relation, as a function of what is known of a pair."""

    def __init__(self, text: ast.expr, meaning: Meaning) -> None:
        self._of = meaning.of(text)
        self._told = {
            ast.unparse(n) for n in ast.walk(text) if is_call(n, "change1") or is_call(n, "value1")
        }

    def of(self, known: Mapping[str, Any]) -> Any:
        """Its value."""
        return self._of(known, {})

    def excludes(self, known: Mapping[str, Any]) -> bool:
        """Whether it is false; what is said of a user who is nobody may be true."""
        return self._told <= known.keys() and not is_true(self.of(known))


class Neighbours:
    """The pairs of neighbours of one mechanism, at one choice of sizes."""

    def __init__(
        self,
        numbers: Numbers,
        mechanism: Mechanism,
        kinds: Mapping[str, Kind],
        public: Mapping[str, Any],
    ) -> None:
        self.numbers, self.public = numbers, public
        self.header, self.kinds = mechanism.header, kinds
        self.private = frozenset(n for n, kind in kinds.items() if not kind.public)
        self.arrays = sorted(n for n in self.private if kinds[n].array)
        self.scalars = sorted(self.private - set(self.arrays))
        words = [word for name in self.private for word in self._words(name)]
        self.meaning = Meaning(numbers, whole=frozenset(words))

    def _words(self, name: str) -> tuple[str, ...]:
        """What a relation calls a value on D and on D′, and unknown constants of the pair."""
        own, move = self._own(name), f"move({name})"
        move += "[any]" if self.kinds[name].array else ""
        return own, f"other({own})", move, f"place1({name})", f"change1({name})", f"value1({name})"

    def _say(self, text: str) -> _Said:
        return _Said(expression(text), self.meaning)

    def _own(self, name: str) -> str:
        return f"{name}[any]" if self.kinds[name].array else name

    def values(self, cases: Sequence[Case], name: str) -> range:
        """What an input may be: the integers in the range that all cases say of it, on both sides.

        Raises:
            Wrong: there is no such range.
        """
        found = {self._values(case, name, own) for case in cases for own in self._words(name)[:2]}
        if len(found) != 1 or not self.kinds[name].whole:
            raise Wrong(f"{name} does not take finitely many values")
        return found.pop()

    def _values(self, case: Case, name: str, own: str) -> range:
        lows, highs = list[Number](), list[Number]()
        for text in map(expression, case.inputs[name][1:]):
            if not isinstance(text, ast.Compare) or not isinstance(text.ops[0], ast.GtE):
                continue
            left, right = text.left, text.comparators[0]
            for one, two, found in ((left, right, lows), (right, left, highs)):
                names = {n.id for n in ast.walk(two) if isinstance(n, ast.Name)}
                if ast.unparse(one) == own and not names & self.private:
                    value = self.meaning.real(self.meaning.of(two)(self.public, {})).value
                    found += [] if value is None else [value]
        if not lows or not highs:
            raise Wrong(f"{name} does not take finitely many values")
        return range(math.ceil(max(lows)), math.floor(min(highs)) + 1)

    def near(
        self, cases: Sequence[Case], inputs: Sequence[Mapping[str, Any]]
    ) -> dict[Quotient, Near]:
        """All pairs, by the factor that is allowed between their probabilities.

        Raises:
            Wrong: the relation is none of those that are counted.
        """
        found: dict[Quotient, Near] = {}
        for case in cases:
            for i, others, factor in self._of(case, inputs):
                found.setdefault(factor, [0] * len(inputs))[i] |= others
        return found

    def _of(
        self, case: Case, inputs: Sequence[Mapping[str, Any]]
    ) -> Iterator[tuple[int, Members, Quotient]]:
        """The pairs of a case: those of which its unknown constants can be chosen."""
        texts = {name: list(map(self._say, case.inputs[name])) for name in self.private}
        facts = [*map(self._say, case.facts), *(t for n in self.scalars for t in texts[n][1:])]
        placed = [n for n in self.arrays if self._is_placed(case, n)]
        amounts = (
            self._say(case.budget or mechanism_budget(self.header)),
            self._say(case.distance or "1"),
        )
        lengths = {n: len(inputs[0][n]) for n in self.arrays}
        at = [
            [tuple(one[n][k] for n in self.arrays if k < lengths[n]) for one in inputs]
            for k in range(max(lengths.values(), default=0))
        ]
        fixed = {**self.public, **{n: (HIDDEN,) * length for n, length in lengths.items()}}
        # A place after the end stands for all of those.
        for places in itertools.product(range(len(at) + 1), repeat=len(placed)):
            here = {n: k for n, k in zip(placed, places, strict=True) if k < lengths[n]}
            spend(len(inputs) * (1 + len(self.scalars) + len(here)))
            known = fixed | {f"place1({n})": k for n, k in zip(placed, places, strict=True)}
            keys = [
                (*map(one.get, self.scalars), *(one[n][here[n]] for n in here)) for one in inputs
            ]
            groups = _alike(keys)
            for (left, those), (right, others) in itertools.product(groups.items(), repeat=2):
                spend(100)
                pair = dict(known)
                for n, a, b in zip((*self.scalars, *here), left, right, strict=True):
                    told = (f"change1({n})", f"value1({n})") if n in here else self._words(n)[:3]
                    pair |= zip(told, (a - b, a) if n in here else (a, b, a - b), strict=True)
                if any(texts[n][0].of(pair) != pair[f"other({n})"] for n in self.scalars):
                    continue
                if any(fact.excludes(pair) for fact in facts):
                    continue
                total = self.numbers.by(*(self.meaning.real(t.of(pair)) for t in amounts))
                factor, near = self.numbers.factor(total), dict.fromkeys(_bits(those), others)
                for k, column in enumerate(at):
                    follow = self._follow(_alike(column), {**pair, "any": k}, texts, lengths)
                    near = {i: found & follow[column[i]] for i, found in near.items()}
                yield from ((i, found, factor) for i, found in near.items())

    def _follow(
        self,
        alike: dict[tuple[Any, ...], Members],
        pair: dict[str, Any],
        texts: Mapping[str, list[_Said]],
        lengths: Mapping[str, int],
    ) -> dict[tuple[Any, ...], Members]:
        """Of the elements at one index, the inputs that may have others there instead."""
        here = [n for n in self.arrays if pair["any"] < lengths[n]]
        follow = dict.fromkeys(alike, 0)
        for one, two in itertools.product(alike, repeat=2):
            spend(40)
            for n, a, b in zip(here, one, two, strict=True):
                pair |= zip(self._words(n)[:3], (a, b, a - b), strict=True)
            if all(
                texts[n][0].of(pair) == pair[f"other({n}[any])"]
                and not any(text.excludes(pair) for text in texts[n][1:])
                for n in here
            ):
                follow[one] |= alike[two]
        return follow

    def _is_placed(self, case: Case, name: str) -> bool:
        """Whether a sequence differs at one place; if not, each difference is its own."""
        own, _, move, place, change, value = self._words(name)
        first, *more = map(_canonical, case.inputs[name])
        if first in (own, f"{own} - {move}"):
            return False
        here = {f"any != {place} or {own} == {value}"}
        if first == f"{own} - ({change} if any == {place} else 0)" and here & set(more):
            return True
        raise Wrong(f"{name}: neighbours that differ in such a way are not counted")


def _canonical(text: str) -> str:
    return ast.unparse(expression(text))


def _alike(keys: Sequence[tuple[Any, ...]]) -> dict[tuple[Any, ...], Members]:
    """Each key with the inputs that have it."""
    found: dict[tuple[Any, ...], Members] = {}
    for i, key in enumerate(keys):
        found[key] = found.get(key, 0) | 1 << i
    return found


def _bits(members: Members) -> Iterator[int]:
    while members:
        last = members & -members
        yield last.bit_length() - 1
        members ^= last
