"""Which concrete inputs are neighbours, and with which budget: by the texts of the relation."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .arithmetic import Number, Wrong, spend
from .concrete import Meaning, is_true
from .policies import Case, Kind
from .quotients import Numbers, Quotient
from .text import Mechanism, expression

#: A set of inputs is a whole number: input i is its i-th bit.
Members = int
#: Of each input the set of its neighbours.
Near = list[Members]


class _Plain(ast.NodeTransformer):
    """Gives everything that a relation speaks of a name: ``other q``, ``f[i]``, ``place1(f)``."""

    def __init__(self, private: frozenset[str]) -> None:
        self.private, self.prefix = private, ""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.prefix + node.id) if node.id in self.private else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id="i")) if (
                name in self.private
            ):
                return ast.Name(f"{self.prefix}{name}[i]")
            case ast.Subscript(value=ast.Call(func=ast.Name(id="move")), slice=ast.Name(id="i")):
                return ast.Name(ast.unparse(node))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="other"), args=[inner], keywords=[]):
                self.prefix = "other "
                there: ast.expr = self.visit(inner)
                self.prefix = ""
                return there
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
                return node
            case ast.Call(func=ast.Name(id="move" | "place1" | "change1" | "value1")):
                return ast.Name(ast.unparse(node))
        self.generic_visit(node)
        return node


class _Said:
    """A text of a relation, as a function of what is known of a pair."""

    def __init__(self, text: ast.expr, meaning: Meaning, private: frozenset[str]) -> None:
        plain = _Plain(private).visit(text)
        self.names = {n.id for n in ast.walk(plain) if isinstance(n, ast.Name)}
        self._of = meaning.of(plain)

    def of(self, known: Mapping[str, Any]) -> Any:
        """Its value."""
        return self._of(known, {})

    def excludes(self, known: Mapping[str, Any]) -> bool:
        """Whether it is false; what is said of a user who is nobody may be true."""
        nobody = {n for n in self.names - known.keys() if n.startswith(("change1(", "value1("))}
        return not nobody and not is_true(self.of(known))


class Neighbours:
    """The pairs of neighbours of one mechanism, at one choice of sizes."""

    def __init__(
        self,
        numbers: Numbers,
        mechanism: Mechanism,
        kinds: Mapping[str, Kind],
        public: Mapping[str, Any],
    ) -> None:
        self.numbers, self.meaning, self.public = numbers, Meaning(numbers), public
        self.header, self.kinds = mechanism.header, kinds
        self.private = frozenset(n for n, kind in kinds.items() if not kind.public)
        self.arrays = sorted(n for n in self.private if kinds[n].array)
        self.scalars = sorted(self.private - set(self.arrays))

    def _say(self, text: str) -> _Said:
        return _Said(expression(text), self.meaning, self.private)

    def _own(self, name: str) -> str:
        return f"{name}[i]" if self.kinds[name].array else name

    def values(self, cases: Sequence[Case], name: str) -> range:
        """What an input may be: the integers in the range that all cases say of it."""
        found = {self._values(case, name) for case in cases}
        if len(found) != 1:
            raise Wrong(f"{name} has several ranges")
        return found.pop()

    def _values(self, case: Case, name: str) -> range:
        lows, highs = list[Number](), list[Number]()
        for text in map(expression, case.inputs[name][1:]):
            if not isinstance(text, ast.Compare) or not isinstance(text.ops[0], ast.GtE):
                continue
            left, right = text.left, text.comparators[0]
            for one, two, found in ((left, right, lows), (right, left, highs)):
                names = {n.id for n in ast.walk(two) if isinstance(n, ast.Name)}
                if ast.unparse(one) == self._own(name) and not names & self.private:
                    value = self.meaning.real(self.meaning.of(two)(self.public, {})).value
                    found += [] if value is None else [value]
        if not lows or not highs or not self.kinds[name].whole:
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
            _Said(self._budget(case), self.meaning, self.private),
            self._say(case.distance or "1"),
        )
        lengths = {n: len(inputs[0][n]) for n in self.arrays}
        at = [
            [tuple(one[n][k] for n in self.arrays if k < lengths[n]) for one in inputs]
            for k in range(max(lengths.values(), default=0))
        ]
        fixed = {**self.public, **{n: (None,) * length for n, length in lengths.items()}}
        # A place after the end stands for all of those.
        for places in itertools.product(range(len(at) + 1), repeat=len(placed)):
            here = {n: k for n, k in zip(placed, places, strict=True) if k < lengths[n]}
            known = {**fixed, **{f"place1({n})": k for n, k in zip(placed, places, strict=True)}}
            groups = _alike(
                [
                    (*(one[n] for n in self.scalars), *(one[n][k] for n, k in here.items()))
                    for one in inputs
                ]
            )
            for (left, those), (right, others) in itertools.product(groups.items(), repeat=2):
                spend(100)
                pair = dict(known)
                for n, a, b in zip((*self.scalars, *here), left, right, strict=True):
                    if n in here:
                        pair |= {f"value1({n})": a, f"change1({n})": a - b}
                    else:
                        pair |= {n: a, f"other {n}": b, f"move({n})": a - b}
                if any(texts[n][0].of(pair) != pair[f"other {n}"] for n in self.scalars):
                    continue
                if any(fact.excludes(pair) for fact in facts):
                    continue
                total = self.numbers.by(*(self.meaning.real(t.of(pair)) for t in amounts))
                factor, near = self.numbers.exponential(total), dict.fromkeys(_bits(those), others)
                for k, column in enumerate(at):
                    follow = self._follow(_alike(column), {**pair, "i": k}, texts, lengths)
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
        here = [n for n in self.arrays if pair["i"] < lengths[n]]
        follow = dict.fromkeys(alike, 0)
        for one, two in itertools.product(alike, repeat=2):
            spend(40)
            for n, a, b in zip(here, one, two, strict=True):
                pair |= {f"{n}[i]": a, f"other {n}[i]": b, f"move({n})[i]": a - b}
            if all(
                texts[n][0].of(pair) == pair[f"other {n}[i]"]
                and not any(text.excludes(pair) for text in texts[n][1:])
                for n in here
            ):
                follow[one] |= alike[two]
        return follow

    def _is_placed(self, case: Case, name: str) -> bool:
        """Whether a sequence differs at one place; if not, each difference is its own."""
        own, (first, *more) = self._own(name), map(_canonical, case.inputs[name])
        if first in (own, f"{own} - {own.replace(name, f'move({name})', 1)}"):
            return False
        here = {f"i != place1({name}) or {own} == value1({name})"}
        here.add(f"not i == place1({name}) or {own} == value1({name})")
        if first == f"{own} - (change1({name}) if i == place1({name}) else 0)" and here & set(more):
            return True
        raise Wrong(f"{name}: neighbours that differ in such a way are not counted")

    def _budget(self, case: Case) -> ast.expr:
        """The budget of a pair, without its distance."""
        if case.budget:
            return expression(case.budget)
        said = self.header.budget
        if said is None:
            named = [n for n, kind in self.header.inputs.items() if ast.unparse(kind) == "Epsilon"]
            if len(named) != 1:
                raise Wrong("no budget is said")
            return ast.Name(named[0])
        return said.body if isinstance(said, ast.Lambda) else said


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
