"""Putting obligations to the solvers, one walk at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...dsl.errors import ShiftproofError
from ...dsl.formulas import Formula, Truth, conjunction, disjunction, negation
from ...dsl.smt import Writer
from .obligations import Obligation
from .products import products_of
from .solvers import Answer, Name, Session, Solver, as_smtlib


class Disagreement(ShiftproofError):
    """Two solvers say the opposite of each other; ``smtlib`` is the question."""

    def __init__(self, obligation: Obligation, answers: dict[Name, Answer], smtlib: str) -> None:
        said = ", ".join(f"{name} says {answer}" for name, answer in answers.items())
        super().__init__(f"solvers disagree on '{obligation.condition}' ({said})")
        self.smtlib = smtlib


@dataclass(slots=True)
class Questioner:
    """One solver, asked about one walk: facts that obligations share are told once."""

    solver: Solver
    _sessions: dict[tuple[tuple[str, ...], bool], tuple[Session, Writer, set[str]]] = field(
        default_factory=dict
    )
    _answers: dict[tuple[frozenset[str], str, bool], Answer] = field(default_factory=dict)

    def answer(self, obligation: Obligation) -> Answer:
        """``unsat`` if the claim follows."""
        key = obligation.key
        if key not in self._answers:
            answer = self._asked(obligation)
            if answer != "unsat" and obligation.claim.fixed and not obligation.exact:
                # What is said of parameters alone may rest on their products.
                known = tuple(f for f in (*obligation.common, *obligation.facts) if f.fixed)
                written_out = replace(obligation, common=(), facts=known, exact=True)
                answer = self._asked(written_out) if any(map(_has_product, known)) else answer
            self._answers[key] = answer
        return self._answers[key]

    def all_hold(self, obligations: Sequence[Obligation]) -> bool:
        """Whether all of them follow, asked in as few questions as can be."""
        groups: dict[tuple[tuple[str, ...], bool], list[Obligation]] = {}
        for o in obligations:
            if self._answers.get(o.key) != "unsat":
                groups.setdefault((tuple(f.key for f in o.common), o.exact), []).append(o)
        return all(map(self._together, groups.values()))

    def _together(self, obligations: Sequence[Obligation]) -> bool:
        """Whether none of several obligations with the same common facts can be broken."""
        asked, writer, declared = self._session(obligations[0])
        broken = [conjunction((*o.facts, negation(o.claim))) for o in obligations]
        asked.push()
        _tell(asked, writer, declared, [disjunction(broken)])
        found = asked.check()
        asked.pop()
        if found == "unsat":
            self._answers.update((o.key, found) for o in obligations)
        return found == "unsat"

    def holds(self, obligation: Obligation) -> bool:
        """Whether the claim follows, as far as this solver says."""
        return self.answer(obligation) == "unsat"

    def _asked(self, obligation: Obligation) -> Answer:
        if isinstance(obligation.claim, Truth) and obligation.claim.value:
            return "unsat"
        asked, writer, declared = self._session(obligation)
        asked.push()
        _tell(asked, writer, declared, (*obligation.facts, negation(obligation.claim)))
        found = asked.check()
        asked.pop()
        return found

    def _session(self, obligation: Obligation) -> tuple[Session, Writer, set[str]]:
        key = tuple(f.key for f in obligation.common), obligation.exact
        if key not in self._sessions:
            self._sessions[key] = (
                self.solver.session(),
                Writer(exact_products=obligation.exact),
                set(),
            )
            _tell(*self._sessions[key], obligation.common)
        return self._sessions[key]


def _has_product(fact: Formula) -> bool:
    return any(products_of(fact))


def _tell(asked: Session, writer: Writer, declared: set[str], facts: Iterable[Formula]) -> None:
    """Facts, and before them the unknowns in them that are new."""
    assertions = "".join(f"(assert {writer.formula(f)})" for f in facts)
    new = [(name, sort) for name, sort in writer.sorts.items() if name not in declared]
    declared.update(name for name, _ in new)
    asked.declare("".join(f"(declare-const {name} {sort})" for name, sort in new))
    asked.tell(assertions)


def open_obligations(
    obligations: Iterable[Obligation], questioners: Sequence[Questioner]
) -> Iterator[tuple[Obligation, str]]:
    """Those that not every solver finds valid, each with what is in the way.

    Raises:
        Disagreement: one finds valid what another one refutes.
    """
    obligations = list(obligations)
    held = [q.all_hold(obligations) for q in questioners]
    if all(held):
        return
    for obligation in obligations:
        answers: dict[Name, Answer] = {q.solver.name: q.answer(obligation) for q in questioners}
        if set(answers.values()) >= {"sat", "unsat"}:
            raise Disagreement(obligation, answers, smtlib_of(obligation))
        missing = {name: a for name, a in answers.items() if a != "unsat"}
        if missing:
            words = {"sat": "finds a counterexample", "unknown": "does not settle it"}
            yield obligation, ", ".join(f"{n} {words[a]}" for n, a in missing.items())


def smtlib_of(obligation: Obligation) -> str:
    """An obligation as an SMT-LIB file."""
    writer = Writer(exact_products=obligation.exact)
    formulas = (*obligation.common, *obligation.facts, negation(obligation.claim))
    assertions = [writer.formula(f) for f in formulas]
    declarations = [f"(declare-const {n} {s})" for n, s in writer.sorts.items()]
    said = f"{obligation.condition}: {obligation.detail}\nunsat: the obligation holds"
    return as_smtlib(declarations, assertions, said)
