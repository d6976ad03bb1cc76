"""What a claim says of two inputs, as propositions: parameters, and one case of the neighbours."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ....checkers.kernel.claim.policies import Case, Kind
from ....checkers.kernel.language.syntax import INDEX, expression
from ..words.terms import NoTheorem, Reader, Sort, Term, of_sort, proposition, word
from .machine import Machine
from .records import Differing

#: What the index of any element is called.
ANY = "any"


@dataclass(frozen=True)
class Pairs:
    """One case of the neighbour relation, over the inputs of a machine.

    Attributes:
        machine: whose inputs.
        case: as the kernel has it.
    """

    machine: Machine
    case: Case

    @cached_property
    def constants(self) -> Mapping[str, Sort]:
        """Where answers differ, and by how much: by its text, which numbers it is of."""
        found: dict[str, Sort] = {}
        texts = [*self.case.facts, *(t for ts in self.case.inputs.values() for t in ts)]
        for node in (n for t in texts for n in ast.walk(expression(t))):
            match node:
                case ast.Call(func=ast.Name(id="place1" | "place2"), args=[ast.Name()]):
                    found[ast.unparse(node)] = "Z"
                case ast.Call(
                    func=ast.Name(id="change1" | "change2" | "value1"), args=[ast.Name(id=name)]
                ):
                    found[ast.unparse(node)] = "Z" if self._kind(name).whole else "R"
        return found

    def _kind(self, name: str) -> Kind:
        kind = self.machine.inputs.get(name)
        if kind is None or kind.attributes:
            raise NoTheorem(f"{name} as a number")
        return kind

    @cached_property
    def data_sets(self) -> Mapping[str, Differing]:
        """How each private data set differs."""
        names, said = self.machine.names, lambda text: self._reader().test(expression(text))
        return {
            n: Differing(n, kind.attributes, self.case.inputs[n], self.case.facts, names, said, ANY)
            for n, kind in self.machine.inputs.items()
            if kind.attributes and not kind.public
        }

    @property
    def unknowns(self) -> list[tuple[list[str], str]]:
        """What there is of any pair of this case: names, with their type."""
        found: list[tuple[list[str], str]] = [
            ([self.machine.names.of(text)], sort) for text, sort in self.constants.items()
        ]
        return found + [some for data in self.data_sets.values() for some in data.unknowns]

    @property
    def private(self) -> list[str]:
        """The private inputs."""
        return [name for name, kind in self.machine.inputs.items() if not kind.public]

    def facts(self) -> list[str]:
        """What holds of the pair: of its constants, and of scalar inputs."""
        found = [self._said(text) for text in self.case.facts]
        for name in self.private:
            if name in self.data_sets:
                found += self.data_sets[name].facts()
            elif not self._kind(name).array:
                found += self._of(name)
        return found

    def of_elements(self, name: str) -> list[str]:
        """What holds of the elements of a sequence, at any index."""
        return self._of(name)

    def _of(self, name: str) -> list[str]:
        first, *facts = self.case.inputs[name]
        left, right = (self._own(name, side) for side in ("", "'"))
        found = []
        if first == left_text(name, self._kind(name).array):
            found.append(proposition(Term("bool", "=", (right, left))))
        elif not self._is_any_move(name, first):
            term = of_sort(self._reader().of(expression(first)), right.sort)
            found.append(proposition(Term("bool", "=", (right, term))))
        return found + [self._said(fact) for fact in facts]

    def _is_any_move(self, name: str, first: str) -> bool:
        """Whether it says no more than that it moves by its own move."""
        own = left_text(name, self._kind(name).array)
        place = "[any]" if self._kind(name).array else ""
        return first == f"{own} - move({name}){place}"

    def _own(self, name: str, side: str) -> Term:
        reader = self.machine.reader(side)
        whole = not self._kind(name).array
        return reader.variable(name) if whole else reader.cell(name, word(ANY, "Z"))

    def _said(self, text: str) -> str:
        return proposition(self._reader().test(expression(text)))

    def _reader(self, side: str = "") -> Reader:
        base = self.reader(side)

        def variable(name: str) -> Term:
            return word(ANY, "Z") if name == INDEX else base.variable(name)

        return replace(
            base,
            variable=variable,
            other=lambda: self._reader("" if side else "'"),
        )

    def reader(self, side: str = "") -> Reader:
        """Reads what a certificate says of both runs, on D or (``'``) on D′."""
        return replace(
            self.machine.reader(side),
            special=self._special,
            other=lambda: self.reader("" if side else "'"),
        )

    def _special(self, e: ast.expr) -> Term | None:
        match e:
            case ast.Call(func=ast.Name(id="move"), args=[ast.Name(id=name)]):
                return self._move(lambda one: one.variable(name))
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="move"), args=[ast.Name(id=name)]), slice=place
            ):
                index = self._reader().of(place)
                return self._move(lambda one: one.cell(name, index))
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Name(id="before" | "after" as side), args=[ast.Name(id=name)]
                ),
                slice=place,
            ) if name in self.data_sets:
                record = self.data_sets[name].record(side)
                return word(record, "Z", self._reader().of(place))
            case ast.Call() if ast.unparse(e) in self.constants:
                shown = ast.unparse(e)
                return word(self.machine.names.of(shown), self.constants[shown])
        return None

    def _move(self, of: Callable[[Reader], Term]) -> Term:
        left, right = (of(self.machine.reader(side)) for side in ("", "'"))
        return Term(left.sort, "-", (left, right))

    def preconditions(self) -> Iterator[str]:
        """What holds of public inputs."""
        for kind in self.machine.inputs.values():
            for text in kind.facts:
                yield self._said(text)
        for e in self.machine.mechanism.header.asserts:
            yield proposition(self._reader().test(e))


def left_text(name: str, array: bool) -> str:
    """An input on D, as the relation writes it."""
    return f"{name}[any]" if array else name
