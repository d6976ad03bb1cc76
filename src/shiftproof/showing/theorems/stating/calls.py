"""Calls of mechanisms: what is returned is a draw from a law that the callee's machine has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....checkers.kernel.language.steps import Called, Header, Mechanism, Release
from ....checkers.kernel.language.text import read
from ..words.terms import NoTheorem, Sort, Term, of_sort, text, word

if TYPE_CHECKING:
    from .machine import Machine
    from .statement import Statement

#: What a mechanism may return: of which sort it is, and how it is taken from what came out.
_RESULTS: Mapping[str, tuple[Sort, str]] = {
    "float": ("R", "real_at"), "int": ("Z", "integer_at"), "bool": ("bool", "bool_at"),
}  # fmt: skip
#: The number of steps that a call may take, and what it returns.
WITHIN, OUT = "within", "out"
_PASSED_ON = re.compile(r"(?P<indent> *)yield from (?P<call>(?P<callee>\w+)\(.*\))")


@dataclass(frozen=True)
class Callee:
    """A mechanism that is called.

    Attributes:
        module: where its machine stands.
        fingerprint: of its certificate.
        stub: what the caller knows of it.
        statement: of its own theorem.
        parts: of its own proof, one for each case of its relation.
    """

    module: str
    fingerprint: str
    stub: Header
    statement: Statement
    parts: Sequence[Mapping[str, Any]]

    @property
    def results(self) -> Sequence[tuple[Sort, str]]:
        """Of each value that it returns, its sort and how it is taken from what came out."""
        if self.stub.results is None:
            raise NoTheorem(f"{self.stub.name}, which yields its values")
        if any(kind not in _RESULTS for kind in self.stub.results):
            raise NoTheorem(f"{self.stub.name}, which may return what is no number")
        return [_RESULTS[kind] for kind in self.stub.results]

    def check(self) -> None:
        """Make sure that it is what the caller takes it for.

        Raises:
            NoTheorem: it returns something else, or is not stated alike.
        """
        machine, sorts = self.statement.machine, [sort for sort, _ in self.results]
        if self.statement.foretold:
            raise NoTheorem(f"a call of {self.stub.name}, where an outcome is foretold")
        if _without_results(machine.mechanism.header) != _without_results(self.stub):
            raise NoTheorem(f"{self.stub.name}, whose own certificate has another head")
        for node in (machine.mechanism.nodes[k] for k in machine.steps):
            if isinstance(node, Release):
                found = [machine.reader().of(e).sort for e in node.values]
                if found != sorts:
                    raise NoTheorem(f"{self.stub.name}, which returns numbers of several kinds")

    def program(self, machine: Machine, node: Called, side: str = "") -> Term:
        """The callee with the arguments of a call, as a machine on one side."""
        limit = [word(WITHIN, "mark")] if self.statement.limit else []
        named = self.given(machine, node, side)
        given = [*limit, *(named[n] for n in self.statement.names)]
        return word(f"{self.module}.next", "mark", *given)

    def given(self, machine: Machine, node: Called, side: str = "") -> dict[str, Term]:
        """The arguments of a call on one side, by the names of the callee's machine."""
        found = {}
        own, reader = self.statement.machine, machine.reader(side)
        for (name, kind), e in zip(own.inputs.items(), node.arguments, strict=True):
            if kind.array:
                assert isinstance(e, ast.Name)
                if e.id not in machine.inputs:
                    raise NoTheorem(f"a call that passes on {e.id}, a list of the program's own")
                passed = "" if machine.inputs[e.id].public else side
                found[own.names.of(f"len_{name}")] = reader.length(e.id)
                found[own.names.of(name)] = word(machine.names.of(e.id) + passed, "mark")
            else:
                found[own.names.of(name)] = of_sort(reader.of(e), "Z" if kind.whole else "R")
        return found

    def start(self) -> Term:
        """Where its runs begin."""
        return word(f"{self.module}.{self.statement.machine.start()}", "mark")


def _without_results(header: Header) -> tuple[str, ...]:
    asked = [*header.inputs.values(), *header.asserts]
    budget = [header.budget] if header.budget else []
    return (*header.inputs, *map(ast.unparse, [*asked, header.privacy, *budget]))


def transition(machine: Machine, node: Called) -> str:
    """What a call does: what is returned is drawn."""
    callee = machine.callees[node.callee]
    start = text(callee.start(), "bool")
    law = word("returned", "mark", *(
        word(WITHIN, "mark"), callee.program(machine, node),
        word(f"({start})" if " " in start else start, "mark"),
    ))  # fmt: skip
    targets = node.targets or ()
    values = {
        target: word(taken, sort, word(str(place), "mark"), word(OUT, "mark"))
        for place, (target, (sort, taken)) in enumerate(zip(targets, callee.results, strict=True))
    }
    rest = machine.within(node.after, values)
    return f"Draw ({text(law, 'bool')}) (fun {OUT} => {rest})"


def source(node: Called) -> str:
    """A call as the text of the core language has it."""
    call = f"{node.callee}({', '.join(map(ast.unparse, node.arguments))})"
    if node.targets == _passed_on(node.callee, len(node.targets or ())):
        return f"yield from {call}"
    return f"{', '.join(node.targets or ())}{',' if len(node.targets or ()) == 1 else ''} = {call}"


def all_called(machine: Machine) -> Iterator[Callee]:
    """The mechanisms that are called, also by those that are called; each after what it calls."""
    found: dict[str, Callee] = {}
    for callee in machine.callees.values():
        for one in (*all_called(callee.statement.machine), callee):
            if found.setdefault(one.module, one).fingerprint != one.fingerprint:
                raise NoTheorem(f"two mechanisms that are called {one.stub.name}")
    yield from found.values()


def returned_first(core: Sequence[str]) -> Mechanism:
    """A mechanism, where what is passed on (``yield from``) is returned first, and then released.

    It is the same of a callee that returns, as nothing is released before its end.
    """
    called = read("\n".join(core)).called

    def rewritten(line: str) -> str:
        found = _PASSED_ON.fullmatch(line)
        if found is None:
            return line
        results = called[found["callee"]].results
        if results is None:
            raise NoTheorem(f"{found['callee']}, which yields its values")
        names = _passed_on(found["callee"], len(results))
        released = "".join(f"; yield {name}" for name in names)
        return f"{found['indent']}{', '.join(names)}, = {found['call']}{released}"

    return read("\n".join(map(rewritten, core)))


def _passed_on(callee: str, many: int) -> tuple[str, ...]:
    """What is returned and passed on, of which the text has no names."""
    return tuple(f"{callee}·{j + 1}" for j in range(many))
