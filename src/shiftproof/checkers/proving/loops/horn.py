"""Loops: is an unmet obligation reachable?  Constrained Horn clauses for Spacer.

Spacer looks for loop invariants by itself.  Only its "unreachable" counts; what it
says otherwise never becomes a verdict.  A small portfolio of settings is tried, each
under its own resource limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from ....alignments.alignment import Reason
from ....dsl.terms.allowance import spend
from ....dsl.terms.formulas import (
    Choice,
    Flag,
    Formula,
    Junction,
    Not,
    Sign,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
    truth,
)
from ....dsl.terms.linear import Atom, Group, Linear, Product, number, term
from ....dsl.terms.smt import Integers, Writer, quoted
from .heads import StateVariable
from .isolated import isolated
from .system import Invariants, Solver, System

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


# Spacer's invariants: from its answer to plain lists, which cross processes, and to formulas.

#: A part of an answer: an operator with its arguments, or a leaf with its value.
Told = list[Any]


class Untellable(Exception):
    """The answer has a part that has no counterpart here."""


def definitions(answer: Any) -> dict[str, Told]:
    """The predicates that an answer defines, by name, each over its arguments in order.

    before:  (forall (A B) (= (P0 A B) (<= A B)))
    after:   {"P0": ["<=", ["var", 0], ["var", 1]]}
    """
    import z3

    found: dict[str, Told] = {}
    waiting = [answer]
    while waiting:
        part = waiting.pop()
        if z3.is_quantifier(part):
            if part.is_forall():
                _define(part, found)
        elif z3.is_and(part):
            waiting += part.children()
        elif z3.is_eq(part) and z3.is_app(part.arg(0)) and part.arg(0).num_args() == 0:
            found[part.arg(0).decl().name()] = _told(part.arg(1), {})
    return found


def _define(quantified: Any, found: dict[str, Told]) -> None:
    import z3

    body = quantified.body()
    if not z3.is_eq(body):
        return
    head = body.arg(0)
    # The arguments are distinct bound variables, not always in the order of the quantifier.
    places = {z3.get_var_index(a): k for k, a in enumerate(head.children()) if z3.is_var(a)}
    found[head.decl().name()] = _told(body.arg(1), places)


def _told(part: Any, places: dict[int, int]) -> Told:
    import z3

    if z3.is_var(part):
        return ["var", places.get(z3.get_var_index(part), -1)]
    if z3.is_rational_value(part) or z3.is_int_value(part):
        return ["number", str(part.as_fraction()) if z3.is_rational_value(part) else str(part)]
    if not z3.is_app(part):
        return ["?"]
    return [part.decl().name(), *(_told(child, places) for child in part.children())]


def formula_from(told: Told, arguments: Sequence[Linear | Formula]) -> Formula:
    """A condition over the arguments of its predicate.

    Raises:
        Untellable: it uses what has no counterpart.
    """
    found = _meaning(told, arguments)
    if isinstance(found, Formula):
        return found
    raise Untellable(told[0])


def _meaning(told: Told, arguments: Sequence[Linear | Formula]) -> Linear | Formula:
    operator, *parts = told
    if operator == "var":
        if not 0 <= parts[0] < len(arguments):
            raise Untellable("a variable that is no argument")
        return arguments[parts[0]]
    if operator == "number":
        return number(Fraction(parts[0]))
    values = [_meaning(part, arguments) for part in parts]
    conditions = [v for v in values if isinstance(v, Formula)]
    numbers = [v for v in values if isinstance(v, Linear)]
    if len(conditions) == len(values):
        return _of_conditions(operator, conditions)
    if len(numbers) == len(values):
        return _of_numbers(operator, numbers)
    if operator == "if" and len(numbers) == 2 and isinstance(values[0], Formula):
        return choice(values[0], *numbers)
    raise Untellable(operator)


def _of_conditions(operator: str, parts: list[Formula]) -> Formula:
    match operator, parts:
        case "true" | "false", []:
            return truth(operator == "true")
        case "and", _:
            return conjunction(parts)
        case "or", _:
            return disjunction(parts)
        case "not", [inner]:
            return negation(inner)
        case "=>", [premise, conclusion]:
            return implies(premise, conclusion)
        case "=", [left, right]:
            return iff(left, right)
    raise Untellable(operator)


def _of_numbers(operator: str, parts: list[Linear]) -> Linear | Formula:
    match operator, parts:
        case "+", _:
            return sum(parts[1:], parts[0])
        case "-", [inner]:
            return -inner
        case "-", [left, right]:
            return left - right
        case "to_real", [inner]:
            return inner
        case "*", [left, right] if left.is_constant or right.is_constant:
            return left * right
        case "<=", [left, right]:
            return at_least(right, left)
        case ">=", [left, right]:
            return at_least(left, right)
        case "<", [left, right]:
            return above(right, left)
        case ">", [left, right]:
            return above(left, right)
        case "=", [left, right]:
            return equal(left, right)
    raise Untellable(operator)
