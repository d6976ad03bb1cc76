"""The neighbour relation as a certificate writes it down: facts of two inputs D and D′.

Of each private input one text says what it is on D′, and further ones what holds of it; they
are read here, and trusted nowhere: that all pairs of neighbours meet them is ``policies.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..arithmetic import Condition, Polynomial, Wrong, constant
from ..claim.policies import Case, Kind
from ..language.syntax import INDEX, expression
from .expressions import Evaluator, Num, Value
from .powers import Registry

#: Unknown constants of a pair, by whether they are whole; ``None``: as the input is.
CONSTANTS: dict[str, bool | None] = {
    "place1": True, "place2": True, "witness": True, "picks": True, "rank": True,
    "first_outcome": True, "picked": False,
    "moved_by": False, "last_picked": True, "last_value": False,
    "change1": None, "change2": None, "value1": None, "move": None,
}  # fmt: skip


#: What there is at each index of an input.
INDEXED = ("move", "move2", "moved_before", "before", "after")


class Pair(NamedTuple):
    """A number on D and on D′, and what is known of the two."""

    left: Num
    right: Num
    facts: tuple[Condition, ...]


class Relation:
    """One case of the relation, over the unknowns of one walk."""

    def __init__(self, unknowns: Registry, kinds: dict[str, Kind], case: Case) -> None:
        self.unknowns, self.kinds = unknowns, kinds
        self.facts = [expression(text) for text in case.facts]
        self.inputs = {name: [expression(t) for t in texts] for name, texts in case.inputs.items()}
        private = {name for name, kind in kinds.items() if not kind.public}
        if set(self.inputs) != private or not all(self.inputs.values()):
            raise Wrong("the relation is not about the private inputs")

    def common(self) -> Iterator[Condition]:
        """What holds of a pair as a whole: its constants, its scalars, the record that differs."""
        about = _About(self)
        for e in self.facts:
            yield about.condition(e)
        yield from about.facts
        for name, kind in self.kinds.items():
            if not kind.public and not kind.array and not kind.attributes:
                yield from self.pair(name, None).facts
            for k in range(kind.attributes):
                yield from self.attribute(name, constant(k))

    def attribute(self, data: str, index: Polynomial) -> Iterator[Condition]:
        """What holds of one attribute of the record that differs."""
        about = _About(self, index)
        for e in self.inputs[data][1:]:
            yield about.condition(e)
        yield from about.facts

    def pair(self, name: str, index: Polynomial | None) -> Pair:
        """A scalar input, or the element of a sequence at an index."""
        about = _About(self, index)
        left, right = about.sides(name)
        facts = [about.condition(e) for e in self.inputs[name][1:]]
        return Pair(left, right, (*about.facts, *facts))

    def left(self, name: str, index: Polynomial | None) -> Num:
        """What an input is on D."""
        whole = self.kinds[name].whole
        found = (
            self.unknowns.new(name, whole)
            if index is None
            else self.unknowns.element(name, index, whole)
        )
        return Num(found, "int" if whole else "float")

    def stays(self, name: str) -> bool:
        """Whether an input is the same on D and D′, by what is said of it."""
        first = ast.unparse(self.inputs[name][0])
        return first in ("same", name, f"{name}[any]")

    def constant(self, e: ast.expr) -> Polynomial | None:
        """An unknown constant of the pair, by its text."""
        match e:
            case ast.Call(func=ast.Name(id=word), args=arguments, keywords=[]) if word in CONSTANTS:
                whole = CONSTANTS[word]
                if whole is None:
                    kind = self.kinds.get(ast.unparse(arguments[0])) if arguments else None
                    if kind is None:
                        raise Wrong(f"{ast.unparse(e)[:60]} is about no input")
                    whole = kind.whole
                return self.unknowns.new(ast.unparse(e), whole)
        return None

    @property
    def places(self) -> tuple[str, ...]:
        """The constants that say where answers of D and D′ differ."""
        said = [*self.facts, *(e for texts in self.inputs.values() for e in texts)]
        found = [
            ast.unparse(n)
            for e in said
            for n in ast.walk(e)
            if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Name)
            and n.func.id in ("place1", "place2")
        ]
        return tuple(dict.fromkeys(sorted(found, key=lambda text: (text[7:], text))))


class _About(Evaluator):
    """Reads the texts of a relation; what they need is part of what they say."""

    def __init__(self, relation: Relation, index: Polynomial | None = None) -> None:
        super().__init__(relation.unknowns)
        self._relation, self._index, self._right = relation, index, False
        self.facts: list[Condition] = []

    def sides(self, name: str) -> tuple[Num, Num]:
        """What an input is on D and on D′."""
        left = self._relation.left(name, self._index if self._relation.kinds[name].array else None)
        right, self._right = self._right, False
        there = self.number(self._relation.inputs[name][0])
        self._right = right
        return left, Num(there.term, left.kind)

    def special(self, e: ast.expr) -> Value | None:
        found = self._relation.constant(e)
        if found is not None:
            return Num(found, "float")
        match e:
            case ast.Call(func=ast.Name(id="other"), args=[inner], keywords=[]):
                self._right = not self._right
                value = self.value(inner)
                self._right = not self._right
                return value
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id=word), args=[ast.Name(id=name)], keywords=[]),
                slice=place,
            ) if word in INDEXED and name in self._relation.kinds:
                whole = word in ("before", "after") or self._relation.kinds[name].whole
                whole = whole and word != "moved_before"
                key = self.number(place).term
                return Num(self.unknowns.of(f"{word}({name})", key, whole), "float")
        return None

    def variable(self, name: str) -> Value:
        if name == INDEX and self._index is not None:
            return Num(self._index, "int")
        kind = self._relation.kinds.get(name)
        if kind is None or kind.array or kind.attributes:
            raise Wrong(f"the relation speaks of {name!r}, which is no scalar input")
        if kind.public:
            return self._relation.left(name, None)
        return self._side(name)

    def _side(self, name: str) -> Num:
        return (
            self.sides(name)[1] if self._right else self._relation.left(name, self._index_of(name))
        )

    def _index_of(self, name: str) -> Polynomial | None:
        return self._index if self._relation.kinds[name].array else None

    def cell(self, array: str, index: Polynomial) -> Value:
        kind = self._relation.kinds.get(array)
        if kind is None or not kind.array or (index != self._index and not kind.public):
            raise Wrong(f"the relation speaks of {array} at another index")
        if kind.public:
            return self._relation.left(array, index)
        return self._side(array)

    def length(self, array: str) -> Polynomial:
        return self.unknowns.new(f"len({array})", True)

    def owe(self, claim: Condition, why: str) -> None:
        """An index is in range wherever the element is read; else the relation says it itself."""

    def define(self, fact: Condition) -> None:
        self.facts.append(fact)
