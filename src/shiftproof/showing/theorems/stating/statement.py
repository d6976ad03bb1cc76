"""The statement of a theorem: what is to be read, and all that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ....checkers.kernel.claim.policies import Case, Kind, mechanism_budget
from ....checkers.kernel.language.syntax import expression
from ..words.layout import WIDTH, argument, commented, folded, parts, sequence_of, wrapped
from ..words.terms import Term, closed, number, real, text
from .calls import WITHIN, all_called
from .lists import ELEMENTS
from .machine import Machine
from .records import RECORD
from .relation import ANY, Pairs


@dataclass(frozen=True)
class Statement:
    """A mechanism with its claim, in all cases of its neighbour relation.

    Attributes:
        title: the first line.
        machine: the mechanism.
        cases: as the kernel has them.
        foretold: whether alignments read which whole numbers come out, so that the bound is
            claimed of each sequence of them.
    """

    title: str
    machine: Machine
    cases: Sequence[Case]
    foretold: bool = False

    @cached_property
    def pairs(self) -> list[Pairs]:
        """The cases over the inputs of the machine."""
        return [Pairs(self.machine, case) for case in self.cases]

    @property
    def public(self) -> list[tuple[str, str]]:
        """What is public: names and types, the lengths of all sequences among them."""
        found = []
        for name, kind in self.machine.inputs.items():
            if kind.array:
                found.append((self.machine.names.of(f"len_{name}"), "Z"))
            if kind.public:
                found.append((self.machine.names.of(name), type_of(kind)))
        return found

    @property
    def private(self) -> list[tuple[str, str]]:
        """What is private: names and types."""
        return [
            (self.machine.names.of(name), type_of(kind))
            for name, kind in self.machine.inputs.items()
            if not kind.public
        ]

    def beta(self, pairs: Pairs) -> Term:
        """The budget of a case."""
        said = pairs.case.budget or mechanism_budget(self.machine.mechanism.header)
        found = real(pairs.reader().of(expression(said)))
        if pairs.case.distance:
            found = Term("R", "*", (found, self.distance(pairs)))
        return found

    def distance(self, pairs: Pairs) -> Term:
        """How far the two inputs of a case are from each other; 1 where it is not said."""
        said = pairs.case.distance
        return real(pairs.reader().of(expression(said))) if said else number(1, "R")

    def text(self) -> str:
        """The file."""
        return "\n".join(self._lines()) + "\n"

    @property
    def parameters(self) -> str:
        """What is public, declared."""
        return "".join(f" ({n} : {t})" for n, t in self.public)

    @property
    def given(self) -> str:
        """What is public, as arguments."""
        return "".join(f" {n}" for n, _ in self.public)

    @property
    def limit(self) -> str:
        """How many steps a call may take, as an argument; empty where nothing is called."""
        return f" {WITHIN}" if self.machine.callees else ""

    @property
    def names(self) -> list[str]:
        """What is public and what is private, as the machine takes it."""
        return [n for n, _ in (*self.public, *self.private)]

    def _lines(self) -> Iterator[str]:
        yield from parts(f"(** {self.title} *)")
        yield f"From Shiftproof Require Import Statements{self.words}."
        yield ""
        yield "(* A state for each statement, with the variables that are read later. *)"
        for callee in all_called(self.machine):
            yield f"Module {callee.module}."
            yield from callee.statement.program()
            yield f"End {callee.module}."
            yield ""
        yield from self.program()
        yield ""
        yield from self.relation()
        yield from self.claim()

    def program(self) -> Iterator[str]:
        """The machine."""
        yield "Inductive state :="
        states = []
        for name, k, *_ in self.machine.transitions():
            states += [f"| {name}", *self.machine.declared(k)]
        yield sequence_of([*states[:-1], f"{states[-1]}."], WIDTH)
        yield ""
        own = "".join(f" ({n} : {t})" for n, t in self.private)
        limit = f" ({WITHIN} : nat)" if self.limit else ""
        head = f"Definition next{limit}{self.parameters}{own} (s : state)"
        yield from folded(f"{head} : action value state := match s with")
        for name, k, shown, source in self.machine.transitions():
            held = " ".join(map(self.machine.names.of, self.machine.variables[k]))
            line = f"  | {f'{name} {held}' if held else name} => {shown}"
            yield from commented(line, source)
        yield "  end."

    def relation(self) -> Iterator[str]:
        """Which inputs are neighbours, and the budget of two."""
        for k, pairs in enumerate(self.pairs):
            yield from self._related(k, pairs)

    @property
    def words(self) -> str:
        """The files of the theory that it needs beside the one that all need."""
        called = [callee.statement for callee in all_called(self.machine)]
        found = ["Calls"] * bool(called)
        found += [file for statement in (self, *called) for file in statement.own_words]
        return "".join(f" {file}" for file in dict.fromkeys(found))

    @property
    def own_words(self) -> list[str]:
        """The same of its own program, without what that calls."""
        sorts = {*self.machine.sorts.values()}
        options, lists = "option Z" in sorts, not sorts.isdisjoint(ELEMENTS)
        records = any(kind.attributes for kind in self.machine.inputs.values())
        found = ["Options"] * options + ["Lists"] * lists + ["Records"] * records
        return found + ["Foretold"] * self.foretold

    def suffix(self, k: int) -> str:
        """What names of one of several cases end with."""
        return f"_{k + 1}" if len(self.pairs) > 1 else ""

    def both_sides(self) -> str:
        """The private inputs of D, and those of D′, declared."""
        return "".join(f" ({n} {n}' : {t})" for n, t in self.private)

    def _related(self, k: int, pairs: Pairs) -> Iterator[str]:
        name = f" ({pairs.case.name})" if pairs.case.name else ""
        yield f"(* D and D′ are neighbours{name}. *)"
        head = f"Definition related{self.suffix(k)}{self.parameters}{self.both_sides()}"
        yield from folded(f"{head} : Prop :=")
        if pairs.unknowns:
            shown = " ".join(f"({' '.join(names)} : {of})" for names, of in pairs.unknowns)
            yield from parts(f"  exists {shown},")
        yield from wrapped(self.conjuncts(pairs) or ["True"])
        head = f"Definition beta{self.suffix(k)}{self.parameters}{self.both_sides()}"
        yield from folded(f"{head} : R := {text(self.beta(pairs))}.")

    def conjuncts(self, pairs: Pairs) -> list[str]:
        """What holds of two neighbours."""
        found = [closed(fact) for fact in pairs.facts()]
        for name, kind in self.machine.inputs.items():
            if not kind.public and kind.array:
                facts = " /\\ ".join(map(closed, pairs.of_elements(name)))
                found.append(f"(forall {ANY}, {facts})")
        return found

    def claim(self) -> Iterator[str]:
        """What is to be proved."""
        yield ""
        if self.limit:
            yield "(* However many steps a call may take. *)"
        yield "Definition private : Prop :="
        limit = f" ({WITHIN} : nat)" if self.limit else ""
        pieces = [f"forall{limit}{self.parameters},"] if limit or self.public else []
        pieces += [f"{closed(fact)} ->" for fact in self.preconditions]
        if pieces:
            yield from parts(f"  {' '.join(pieces)}")
        names = [n for n, _ in self.private]
        left, right = ("".join(f" {n}{side}" for n in names) for side in ("", "'"))
        both = "".join(f" {n} {n}'" for n in names)
        given = self.given
        for k in range(len(self.pairs)):
            s = self.suffix(k)
            claim = "bounded_each" if self.foretold else "bounded"
            bound = (
                f"{claim} (next{self.limit}{given}{left}) (next{self.limit}{given}{right}) "
                f"{argument(self.machine.start())} (beta{s}{given}{both}))"
            )
            last = "." if k + 1 == len(self.pairs) else " /\\"
            yield from parts(f"  (forall{both}, related{s}{given}{both} ->")
            yield from parts(f"    {bound}{last}", WIDTH - 4)

    @cached_property
    def preconditions(self) -> list[str]:
        """What holds of public inputs."""
        return list(self.pairs[0].preconditions())


def type_of(kind: Kind) -> str:
    """The type of an input."""
    if kind.attributes:
        return f"list ({RECORD})"
    sort = "Z" if kind.whole else "R"
    return f"Z -> {sort}" if kind.array else sort
