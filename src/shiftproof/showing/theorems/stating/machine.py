"""A mechanism as a state machine: one state a statement, with the variables that are read later."""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ....checkers.kernel.claim.policies import Kind
from ....checkers.kernel.language.steps import (
    Assign,
    Branch,
    Called,
    Draw,
    End,
    Ensure,
    Head,
    Make,
    Mechanism,
    Node,
    Pick,
    Release,
    Store,
    assigned,
    evaluated,
    live,
)
from ....checkers.kernel.paired.laws import LAWS
from ..words.layout import argument
from ..words.names import Names
from ..words.terms import NoTheorem, Reader, Sort, Term, chosen, of_sort, text, word
from . import calls, lists, records

#: The laws that have a theorem of what it costs to move them; what is drawn, if it is no number.
THEORY: Mapping[str, Sort | None] = {
    "laplace": None, "exponential": None, "negative_exponential": None, "staircase": None,
    "two_sided_geometric": None, "one_sided_geometric": None,
    "negative_one_sided_geometric": None, "bernoulli": "bool",
}  # fmt: skip


@dataclass
class Machine:
    """The states of a mechanism, and what each does next.

    Attributes:
        mechanism: as the kernel reads it.
        inputs: the kinds of its inputs.
        kept: variables that a proof speaks of at a step, beside those that the program reads.
        callees: the mechanisms that it calls, by their names.
    """

    mechanism: Mechanism
    inputs: Mapping[str, Kind]
    kept: Mapping[int, set[str]]
    callees: Mapping[str, calls.Callee] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    @cached_property
    def steps(self) -> list[int]:
        """The steps that are states, in the order of the text; the start is among them."""
        found, waiting = set[int](), [self.at(self.mechanism.start)]
        while waiting:
            k = waiting.pop()
            if k not in found:
                found.add(k)
                waiting += [self.at(way) for way in self._ways(k)]
        return sorted(found, key=lambda k: (self.mechanism.nodes[k].line, -k))

    def at(self, k: int) -> int:
        """The step at which a run goes on that comes to this one: what is ensured does nothing."""
        node = self.mechanism.nodes[k]
        while isinstance(node, Ensure):
            k = node.after
            node = self.mechanism.nodes[k]
        return k

    def _ways(self, k: int) -> list[int]:
        match self.mechanism.nodes[k]:
            case Branch(join=int() as join):
                return [join]
            case Branch(yes=yes, no=no):
                return [yes, no]
            case Head(body=body, exit=out):
                return [body, out]
            case End():
                return []
            case node:
                return [node.after]

    @cached_property
    def sorts(self) -> Mapping[str, Sort]:
        """Of each variable, which numbers it holds."""
        found: dict[str, set[Sort]] = {}
        changed = True
        while changed:
            changed = False
            for k in range(len(self.mechanism.nodes)):
                for name, sort in self._bound(self.mechanism.nodes[k], found):
                    if sort not in found.setdefault(name, set()):
                        found[name].add(sort)
                        changed = True
        return {name: _common(name, sorts) for name, sorts in found.items()}

    def _bound(self, node: Node, known: Mapping[str, set[Sort]]) -> Iterator[tuple[str, Sort]]:
        def variable(name: str) -> Term:
            if name in self.inputs:
                return self._input(name, "")
            if name not in known:
                raise LookupError(name)  # not yet
            return word(name, _common(name, known[name]))

        match node:
            case Assign(targets=targets, values=values):
                for name, e in zip(targets, values, strict=True):
                    try:
                        yield name, self._reader(variable, "").of(e).sort
                    except LookupError:
                        continue
            case Draw(target=target, law=law):
                yield target, law_of(law)[1]
            case Called(targets=tuple(targets), callee=callee):
                for name, (sort, _) in zip(targets, self.callees[callee].results, strict=True):
                    yield name, sort
            case Make() | Store() | Pick():
                with contextlib.suppress(LookupError):
                    yield from lists.bound(node, self._reader(variable, ""))
            case Branch() | Head() | Release() | Ensure() | End():
                return
            case _:
                raise NoTheorem(f"what line {node.line} does")

    @cached_property
    def variables(self) -> Mapping[int, tuple[str, ...]]:
        """Of each state, the variables that it holds."""
        nodes = self.mechanism.nodes
        reads = [
            set()
            if isinstance(node, Ensure)
            else _names(evaluated(node)) | lists.read(node) | self.kept.get(k, set())
            for k, node in enumerate(nodes)
        ]
        found = live(nodes, reads)
        names = dict.fromkeys(n for node in nodes for n in sorted(assigned(node)))
        order = [*lists.LISTS.values(), "option Z", *lists.LISTS]
        own = sorted(names, key=lambda n: order.index(self.sorts[n]))
        return {k: tuple(n for n in own if n in found[k]) for k in self.steps}

    def state(self, k: int) -> str:
        """The name of a state: the line of the text, and a letter where there are several."""
        k = self.at(k)
        line = self.mechanism.nodes[k].line
        there = [j for j in self.steps if self.mechanism.nodes[j].line == line]
        letter = "" if len(there) == 1 else "abcdefghijklmnopqrstuvwxyz"[there.index(k) % 26]
        return f"L{line}{letter}{'' if len(there) <= 26 else there.index(k) // 26}"

    def declared(self, k: int) -> list[str]:
        """The variables of a state with their sorts, those of one sort together."""
        groups = itertools.groupby(self.variables[self.at(k)], self.sorts.__getitem__)
        return [f"({' '.join(map(self.names.of, names))} : {sort})" for sort, names in groups]

    def cut(self, k: int) -> str:
        """The state at the head of a loop about which a certificate says what holds there.

        In front of a loop that may go on for ever stands one where a run may be looked at.
        """
        node = self.mechanism.nodes[k]
        assert isinstance(node, Head)
        return self.state(k) if node.counted else f"{self.state(k)}_on"

    def within(
        self,
        k: int,
        values: Mapping[str, Term] | None = None,
        side: str = "",
        named: str = "",
    ) -> str:
        """A state, where some variables have new values."""
        k, given = self.at(k), values or {}
        parts = []
        for name in self.variables[k]:
            term = given.get(name) or word(self.names.of(name) + side, self.sorts[name])
            parts.append(term if name not in given else of_sort(term, self.sorts[name]))
        return text(word(named or self.state(k), "mark", *parts), "bool")

    def start(self) -> str:
        """Where a run begins; no variable has a value there that is read."""
        k = self.at(self.mechanism.start)
        empty = {n: lists.nothing(self.sorts[n]) for n in self.variables[k]}
        return self.within(k, empty)

    def reader(self, side: str = "") -> Reader:
        """Reads expressions on one side: ``'`` is D′."""

        def variable(name: str) -> Term:
            if name in self.inputs:
                return self._input(name, side)
            return word(self.names.of(name) + side, self.sorts[name])

        return self._reader(variable, side)

    def _reader(self, variable: Callable[[str], Term], side: str) -> Reader:
        def cell(array: str, index: Term) -> Term:
            kind = self.inputs.get(array)
            if kind is None and (held := variable(array)).sort in lists.ELEMENTS:
                return word("item", lists.ELEMENTS[held.sort], held, index)
            if kind is None or not kind.array or kind.attributes:
                raise NoTheorem(f"elements of {array}")
            shown = self.names.of(array) + ("" if kind.public else side)
            return word(shown, "Z" if kind.whole else "R", index)

        def length(array: str) -> Term:
            kind = self.inputs.get(array)
            if kind is None and (held := variable(array)).sort in lists.ELEMENTS:
                return word("len", "Z", held)
            if kind is None or not kind.array:
                raise NoTheorem(f"the length of {array}")
            return word(self.names.of(f"len_{array}"), "Z")

        def count(reader: Reader, test: ast.expr, data: str) -> Term:
            shown = self.names.of(data) + ("" if self.inputs[data].public else side)
            return records.counted(reader, test, shown)

        return Reader(variable, cell, length, count)

    def _input(self, name: str, side: str) -> Term:
        kind = self.inputs[name]
        if kind.array or kind.attributes:
            raise NoTheorem(f"{name} as a whole")
        shown = self.names.of(name) + ("" if kind.public else side)
        return word(shown, "Z" if kind.whole else "R")

    def transitions(self) -> Iterator[tuple[str, int, str, str]]:
        """Of each state: its name and number, what it does next, and the source of that."""
        for k, shown, source in self._transitions():
            node = self.mechanism.nodes[k]
            if isinstance(node, Head) and not node.counted:
                yield self.state(k), k, f"Look {self._named(k, self.cut(k))}", ""
                yield self.cut(k), k, shown, source
            elif isinstance(node, Release):
                # What is returned together is released one by one.
                for j, e in enumerate(node.values):
                    value, last = _released(self.reader().of(e)), j + 1 == len(node.values)
                    rest = (
                        self._bare(node.after) if last else self._named(k, self._further(k, j + 1))
                    )
                    said = source if j == 0 else ""
                    yield self._further(k, j), k, f"Release {value} {rest}", said
            else:
                yield self.state(k), k, shown, source

    def _further(self, k: int, j: int) -> str:
        return f"{self.state(k)}_{j + 1}" if j else self.state(k)

    def _named(self, k: int, name: str) -> str:
        return argument(self.within(k, named=name))

    def _transitions(self) -> Iterator[tuple[int, str, str]]:
        reader = self.reader()
        for k in self.steps:
            node = self.mechanism.nodes[k]
            match node:
                case Assign(targets=targets, values=values):
                    new = dict(zip(targets, map(reader.of, values), strict=True))
                    yield k, self._go(node.after, new), _source(node)
                case Make() | Store() | Pick():
                    new = lists.changed(node, reader, self.sorts)
                    yield k, self._go(node.after, new), lists.source(node)
                case Draw(target=target, law=law, after=after):
                    drawn, sort = self.names.of(target), law_of(law)[1]
                    rest = f"(fun {drawn} : {sort} => {self.within(after)})"
                    yield k, f"Draw ({self.law(node)}) {rest}", _source(node)
                case Called():
                    yield k, calls.transition(self, node), _source(node)
                case Branch(join=int() as join):
                    new = self._arm(k, join, {})
                    yield k, self._go(join, new), _source(node)
                case Branch(test=test, yes=yes, no=no):
                    ways = f"then {self._go(yes)} else {self._go(no)}"
                    yield k, f"if {text(reader.test(test), 'bool')} {ways}", _source(node)
                case Head(test=test, body=body, exit=out):
                    ways = f"then {self._go(body)} else {self._go(out)}"
                    yield k, f"if {text(reader.test(test), 'bool')} {ways}", _source(node)
                case Release():
                    yield k, "", _source(node)
                case End():
                    yield k, "Done", ""

    def law(self, node: Draw) -> str:
        """The law of a draw."""
        given = [of_sort(self.reader().of(e), "R") for e in node.arguments]
        return text(word(law_of(node.law)[0], "mark", *given), "bool")

    def _go(self, k: int, new: Mapping[str, Term] | None = None) -> str:
        return f"Silent {self._bare(k, new)}"

    def _bare(self, k: int, new: Mapping[str, Term] | None = None) -> str:
        return argument(self.within(k, new))

    def _arm(self, k: int, join: int, known: Mapping[str, Term]) -> dict[str, Term]:
        """The values that variables have where the arms of a branch meet that only compute."""
        given = dict(known)

        def variable(name: str) -> Term:
            if name in given:
                return given[name]
            if name in self.inputs:
                return self._input(name, "")
            return word(self.names.of(name), self.sorts[name])

        while k != join:
            node = self.mechanism.nodes[k]
            reader = self._reader(variable, "")
            if isinstance(node, Assign):
                values = [reader.of(e) for e in node.values]
                for name, value in zip(node.targets, values, strict=True):
                    given[name] = of_sort(value, self.sorts[name])
                k = node.after
                continue
            assert isinstance(node, Branch) and node.join is not None
            test = reader.test(node.test)
            yes, no = (self._arm(way, node.join, given) for way in (node.yes, node.no))
            for name in dict.fromkeys([*yes, *no]):
                one, two = yes.get(name), no.get(name)
                if one is None or two is None:
                    # In one arm it is not assigned: it stays, or is not read later.
                    kept = given.get(name) or word(self.names.of(name), self.sorts[name])
                    one, two = one or kept, two or kept
                given[name] = chosen(test, one, two)
            k = node.join
        return given


def law_of(law: str) -> tuple[str, Sort]:
    """What a law is called in the theory, and what is drawn."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", law).lower()
    if name not in THEORY:
        raise NoTheorem(f"noise of the law {law}")
    return name, THEORY[name] or ("Z" if LAWS[law].whole else "R")


def _common(name: str, sorts: set[Sort]) -> Sort:
    if "mark" in sorts:  # which marks are compared is not told from their names
        raise NoTheorem(f"{name}, which is a label")
    if sorts & {"None", "option Z"}:
        if sorts <= {"None", "option Z", "Z"}:
            return "option Z"
        raise NoTheorem(f"{name}, which is None or no whole number")
    if len(sorts) == 1:
        return next(iter(sorts))
    if sorts <= {*lists.ELEMENTS}:
        return lists.LISTS[_common(name, {lists.ELEMENTS[sort] for sort in sorts})]
    if sorts == {"Z", "R"}:
        return "R"
    raise NoTheorem(f"{name}, which is a number here and something else there")


def _released(term: Term) -> str:
    if term.sort in ("mark", "None"):
        return text(term, "bool")
    as_value = {"Z": "VZ", "R": "VR", "bool": "VB", "option Z": "VO"}[term.sort]
    return f"({text(word(as_value, 'mark', term), 'bool')})"


def _names(expressions: Iterable[ast.expr]) -> set[str]:
    return {n.id for e in expressions for n in ast.walk(e) if isinstance(n, ast.Name)}


def _source(node: Node) -> str:
    """A statement as the text of the core language has it."""
    match node:
        case Assign(targets=targets, values=values):
            return f"{', '.join(targets)} = {', '.join(map(ast.unparse, values))}"
        case Draw(target=target, law=law, arguments=arguments):
            return f"{target} = sample({law}({', '.join(map(ast.unparse, arguments))}))"
        case Called():
            return calls.source(node)
        case Branch(test=test):
            return f"if {ast.unparse(test)}"
        case Head(test=test, counted=counted):
            return f"{'for' if counted else 'while'}: {ast.unparse(test)}"
        case Release(values=values):
            return f"yield {', '.join(map(ast.unparse, values))}"
    return ""
