"""Loops: is an unmet obligation reachable?  Constrained Horn clauses for Z3's Spacer.

Spacer looks for loop invariants by itself.  Only its "unreachable" counts; what it
says otherwise never becomes a verdict.  A small portfolio of settings is tried, each
under its own resource limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..alignments.obligations import Reason
from ..dsl.allowance import spend
from ..dsl.formulas import Choice, Flag, Formula, Junction, Not, Sign, above, negation
from ..dsl.smt import Integers, Writer, quoted
from ..dsl.terms import Atom, Group, Linear, Product, number, term
from .answers import Untellable, definitions, formula_from
from .heads import StateVariable
from .isolated import isolated
from .solver import Solver
from .system import Invariants, System

Answer = Literal["unreachable", "reachable", "unknown"]

#: Resources (z3 "rlimit" units) for one setting, in the first round and in the second.
SPACER_RESOURCES = (400_000, 2_500_000)


@dataclass(frozen=True, slots=True)
class Query:
    """On a path from ``source`` with these facts, ``claim`` must hold, for this reason."""

    source: str | None
    facts: tuple[Formula, ...]
    claim: Formula
    reason: Reason


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to run Spacer."""

    integers: Integers
    options: tuple[tuple[str, bool], ...] = ()


PORTFOLIO = (
    Setting("public"),
    Setting("public", (("spacer.global", True),)),
    Setting("all"),
    Setting("none"),
    Setting("all", (("spacer.global", True),)),
)


def unreachable(
    system: System, queries: Sequence[Query], solver: Solver
) -> tuple[Answer, Invariants | None]:
    """Whether every query's claim holds whenever its path is taken, and the invariants found.

    The invariants are ``None`` where they cannot be told in the terms of this project.

    Raises:
        LimitReached: an allowance is used up.
    """
    answer: Answer = "unknown"
    encodings: dict[Setting, _Encoding] = {}
    for resources in SPACER_RESOURCES:
        for setting in PORTFOLIO:
            if setting not in encodings:
                encodings[setting] = _Encoding(system, queries, solver, setting)
            encoding = encodings[setting]
            solver.searches += 1
            found, known = encoding.solve(resources)
            if found == "unreachable":
                return found, known
            if found == "reachable":
                answer = found
                if encoding.exact:
                    return found, None  # no setting is more precise
    return answer, None


class _Encoding:
    def __init__(
        self, system: System, queries: Sequence[Query], solver: Solver, setting: Setting
    ) -> None:
        self._system = system
        self._writer = Writer(integers=setting.integers)
        self._setting = setting
        self._names = {name: f"P{k}" for k, name in enumerate(system.predicates)}
        self._globals = self._global_atoms(queries)
        products = [a for a in self._globals if isinstance(a, Product)]
        self._signs = [f for a in products for f in _sign_facts(a, system, solver)]
        rules = [
            self._rule(r.source, r.facts, self._applied(r.target, r.arguments))
            for r in system.rules
        ]
        rules += [self._rule(q.source, (*q.facts, negation(q.claim)), "bad") for q in queries]
        relations = [
            f"(declare-rel {n} ({' '.join(self._sorts(p))}))" for p, n in self._names.items()
        ]
        variables = [f"(declare-var {n} {sort})" for n, sort in self._writer.sorts.items()]
        lines = [*relations, "(declare-rel bad ())", *variables, *rules, "(query bad)"]
        self.text = "\n".join(lines)
        integral = _integral_names(system, queries)
        self._softened = {s for name, s in self._writer.sorts.items() if name in integral}

    @property
    def exact(self) -> bool:
        """Whether every integer is one for the solver."""
        return self._setting.integers == "all" or "Real" not in self._softened

    def solve(self, resources: int) -> tuple[Answer, Invariants | None]:
        """Run Spacer, in a process of its own."""
        crashed = json.dumps(["unknown", None, resources])
        said = json.loads(isolated(lambda: self._query(resources), crashed))
        spend(said[2])
        answer: Answer = said[0] if said[0] in ("unreachable", "reachable") else "unknown"
        try:
            return answer, None if said[1] is None else dict(self._told(said[1]))
        except Untellable:
            return answer, None

    def _told(self, said: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Formula, ...]]]:
        """Spacer's invariants in the terms of the system."""
        for predicate, name in self._names.items():
            own = [_own(v) for v in self._system.predicates[predicate]]
            arguments = [*(term(atom) for atom in self._globals), *own]
            if name in said:
                found = formula_from(said[name], arguments)
                if isinstance(found, Junction) and found.conjunction:
                    yield predicate, found.members
                else:
                    yield predicate, (found,)

    def _query(self, resources: int) -> str:
        """Spacer's answer, its invariants, and what it used of its resources."""
        import z3

        fixedpoint = z3.Fixedpoint(ctx=z3.Context())
        fixedpoint.set("engine", "spacer")
        fixedpoint.set("rlimit", resources)
        for name, value in self._setting.options:
            fixedpoint.set(name, value)
        try:
            (goal,) = fixedpoint.parse_string(self.text)
            answer = fixedpoint.query(goal)
        except z3.Z3Exception:
            # Out of resources, or a construct that Spacer does not take.
            return json.dumps(["unknown", None, resources])
        used = dict(list(fixedpoint.statistics())).get("rlimit count", resources)
        if answer == z3.unsat:
            return json.dumps(["unreachable", definitions(fixedpoint.get_answer()), used])
        return json.dumps(["reachable" if answer == z3.sat else "unknown", None, used])

    def _global_atoms(self, queries: Iterable[Query]) -> list[Atom]:
        """Parameters, their products, and ghosts: constants that every predicate carries along."""
        constants = {s.key for s in self._system.constants}
        found: dict[str, Atom] = {}
        formulas = [f for r in self._system.rules for f in r.facts]
        formulas += [f for q in queries for f in (*q.facts, q.claim)]
        arguments = [a for r in self._system.rules for a in r.arguments]
        for part in (*formulas, *arguments):
            for atom in atoms_of(part):
                if atom.fixed or atom.key in constants:
                    found[atom.key] = atom
        return [found[key] for key in sorted(found)]

    def _sorts(self, predicate: str) -> list[str]:
        state = self._system.predicates[predicate]
        common = [self._writer.sorts[self._writer.atom(a)] for a in self._globals]
        return [*common, *("Bool" if v.boolean else self._number_sort(v.symbol) for v in state)]

    def _number_sort(self, symbol: Atom) -> str:
        return "Int" if self._writer.is_integer(symbol) else "Real"

    def _applied(self, predicate: str, arguments: Sequence[Linear | Formula]) -> str:
        state = self._system.predicates[predicate]
        own = [
            self._writer.formula(a)
            if isinstance(a, Formula)
            else self._writer.linear(a, real=not self._writer.is_integer(v.symbol))
            for a, v in zip(arguments, state, strict=True)
        ]
        written = [*(self._writer.atom(a) for a in self._globals), *own]
        return (
            f"({self._names[predicate]} {' '.join(written)})" if written else self._names[predicate]
        )

    def _rule(self, source: str | None, facts: Iterable[Formula], head: str) -> str:
        body = [self._writer.formula(f) for f in (*facts, *self._signs)]
        if source is not None:
            state = self._system.predicates[source]
            body.append(self._applied(source, [_own(v) for v in state]))
        return f"(rule (=> (and true {' '.join(body)}) {head}))"


def _integral_names(system: System, queries: Sequence[Query]) -> set[str]:
    formulas = [f for r in system.rules for f in r.facts]
    formulas += [f for q in queries for f in (*q.facts, q.claim)]
    return {quoted(a.key) for f in formulas for a in atoms_of(f) if a.integral}


def _own(v: StateVariable) -> Linear | Formula:
    return Flag(v.symbol) if v.boolean else term(v.symbol)


def _sign_facts(product: Product, system: System, solver: Solver) -> list[Formula]:
    """What is known of a product of parameters: whether it is positive."""
    positive = above(term(product), number(0))
    return [positive] if solver.follows([f for f in system.facts if f.fixed], positive) else []


def atoms_of(part: Linear | Formula) -> Iterable[Atom]:
    """The unknowns of a term or condition as the solver sees them: products stay whole."""
    if isinstance(part, Linear):
        for atom, _ in part.parts:
            yield from _inner(atom)
    elif isinstance(part, Sign):
        yield from atoms_of(part.subject)
    elif isinstance(part, Not):
        yield from atoms_of(part.inner)
    elif isinstance(part, Junction):
        for member in part.members:
            yield from atoms_of(member)


def _inner(atom: Atom) -> Iterable[Atom]:
    if isinstance(atom, Choice):
        for part in (atom.test, atom.yes, atom.no):
            yield from atoms_of(part)
    elif isinstance(atom, Group):
        yield from atoms_of(atom.inner)
    else:
        yield atom
