"""Data sets: what programs count, and how two that are neighbours differ, as propositions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ..words.names import Names
from ..words.terms import Reader, Term, closed, of_sort, proposition, text, word

#: What a record is: its attributes, by their numbers.
RECORD = "Z -> Z"
#: On D and on D′, which record stands among those that they share.
_OWN: Mapping[str, tuple[str, str]] = {
    "replaced": ("before", "after"),
    "removed": ("before", ""),
    "added": ("", "after"),
    "same": ("", ""),
}


@dataclass(frozen=True)
class Differing:
    """How one data set differs between D and D′.

    Attributes:
        data: its name.
        attributes: how many a record has.
        texts: what the kernel says of it; first, in which way a record differs.
        further: what it says of the pair beside that.
        names: of the theorem.
        condition: a text about any index as a term.
        any: what that index is called.
    """

    data: str
    attributes: int
    texts: tuple[str, ...]
    further: tuple[str, ...]
    names: Names
    condition: Callable[[str], Term]
    any: str

    @cached_property
    def unknowns(self) -> list[tuple[list[str], str]]:
        """The records that are spoken of: names, with their type."""
        own = [self.record(side) for side in self.sides]
        shared = ([*self._shared], f"list ({RECORD})")
        return [shared, *([(own, RECORD)] if own else [])]

    @cached_property
    def sides(self) -> list[str]:
        """Whether there is a record ``before``, on D, and one ``after``, on D′."""
        said = " ".join([*self.texts[1:], *self.further])
        own = _OWN[self.texts[0]]
        return [s for s in ("before", "after") if s in own or f"{s}({self.data})" in said]

    @cached_property
    def _shared(self) -> tuple[str, str]:
        return self.names.of(f"first({self.data})"), self.names.of(f"rest({self.data})")

    def record(self, side: str) -> str:
        """What the record that differs is called on a side."""
        return self.names.of(f"{side}({self.data})")

    def facts(self) -> list[str]:
        """What holds of the two data sets, and of the record that differs."""
        found = []
        name, (first, rest) = self.names.of(self.data), self._shared
        for own, side in zip(_OWN[self.texts[0]], ("", "'"), strict=True):
            middle = f"[{self.record(own)}] ++ " if own else ""
            found.append(f"{name}{side} = {first} ++ {middle}{rest}")
        return [*found, *([self.told] if self.told else [])]

    @cached_property
    def told(self) -> str:
        """What holds of each attribute of the record that differs; empty if nothing does."""
        said = [closed(_said(self.condition(fact))) for fact in self.texts[1:]]
        all_of_it = " /\\ ".join(said)
        inside = f"(0 <= {self.any} < {self.attributes})%Z"
        return f"forall {self.any}, {inside} -> {all_of_it}" if said else ""


def counted(reader: Reader, test: ast.expr, data: str) -> Term:
    """How many records of a data set, which is called so, meet a test."""

    def special(e: ast.expr) -> Term | None:
        match e:
            case ast.Subscript(value=ast.Name(id="record"), slice=place):
                return word("record", "Z", of_sort(reader.of(place), "Z"))
        return reader.special(e)

    meets = replace(reader, special=special).test(test)
    return word("count", "Z", Term("mark", "fun", (meets,), "record"), word(data, "mark"))


def _said(term: Term) -> str:
    """What holds; of several numbers that follow each other, that it is between the two ends."""
    if term.op == "or" and all(p.op == "=" and p.parts[1].op == "number" for p in term.parts):
        (value, low), (_, high) = term.parts[0].parts, term.parts[-1].parts
        if [p.parts for p in term.parts] == [
            (value, replace(low, value=low.value + k)) for k in range(len(term.parts))
        ]:
            return f"({text(low, 'Z')} <= {text(value, 'Z')} <= {text(high, 'Z')})%Z"
    return proposition(term)
