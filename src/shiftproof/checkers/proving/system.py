"""A mechanism's paired run as a system of clauses: cut at loop heads, one rule a path.

At each loop head both runs are described by state variables.  Most variables need
one or none: a value that never changes is written in; a pair whose difference never
changes needs one variable; only the rest get one for each run.  The description is
found by trying the cheapest one and giving up on it when a path does not fit.

At each loop head both runs are described by state variables.  Most variables need
one or none: a value that never changes is written in; a pair whose difference never
changes needs one variable; only the rest get one for each run.  The description is
found by trying the cheapest one and giving up on it when a path does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...alignments import elements as witnesses
from ...alignments.alignment import Alignment, Obligation, Reason
from ...alignments.inputs import SymbolicInputs
from ...alignments.paired import PairedRun
from ...alignments.paths import Path
from ...dsl.errors import BadInput
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import HeadNode
from ...dsl.language.syntax import Span
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, Truth, negation
from ...dsl.terms.linear import Linear, Symbol
from ...dsl.terms.smt import Answer, Questions, Writer
from .heads import Arrival, HeadPlan, StateVariable

Argument = Linear | Formula
#: Conditions that hold at each loop head.
Invariants = dict[str, tuple[Formula, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """From ``source`` (``None``: the start) under ``facts`` to ``target`` with these arguments."""

    source: str | None
    facts: tuple[Formula, ...]
    target: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """An obligation on a path from ``source``."""

    source: str | None
    obligation: Obligation


@dataclass(frozen=True, slots=True)
class End:
    """A path from ``source`` on which both runs end, with the cost counters there.

    Or on which they come to a loop that may never end; the cost is owed there as well.
    """

    source: str | None
    facts: tuple[Formula, ...]
    costs: dict[Linear, Linear]
    span: Span


@dataclass(slots=True)
class System:
    """All rules, obligations and ends of one alignment in one case of the relation.

    ``facts`` hold on every path: kinds, preconditions, the relation.
    """

    constants: tuple[Symbol, ...]
    facts: tuple[Formula, ...] = ()
    predicates: dict[str, tuple[StateVariable, ...]] = field(default_factory=dict)
    plans: dict[str, HeadPlan] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    owed: list[Owed] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)


def global_facts(program: Program, case: Case) -> tuple[Formula, ...]:
    """What holds of parameters and ghosts throughout: kinds, preconditions, the relation."""
    path = Path(program.flow.start)
    run = PairedRun(program, SymbolicInputs(program, case), {}, _Nobody(), cut=True)
    left, _ = run.sides(path)
    facts = list(program.parameter_facts())
    for precondition in program.preconditions:
        evaluator = Evaluator(left)
        claim = evaluator.condition(precondition)
        # Outside these the call raises before anything is sampled.
        facts += [*(duty.condition for duty in evaluator.duties), claim]
    return (*facts, *path.facts, *case.facts, *witnesses.facts(program, case.places))


class _Nobody:
    """Listens to nothing."""

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        """Nothing is owed by preconditions."""

    def at_head(self, path: Path) -> None:
        """No loop."""

    def at_end(self, path: Path, span: Span) -> None:
        """No end."""

    def at_call(self, path: Path, span: Span) -> None:
        """No call."""

    def feasible(self, path: Path, formula: Formula) -> bool:
        """Always."""
        return True


class SystemBuilder:
    """Explores a program once for a fitting description of its loop heads."""

    def __init__(
        self,
        program: Program,
        case: Case,
        alignment: Alignment,
        solver: Solver,
        *,
        one_sided: bool = False,
    ) -> None:
        self._program = program
        self._case = case
        self._alignment = alignment
        self._solver = solver
        self._one_sided = one_sided
        self._facts = global_facts(program, case)
        self._constants = frozenset((*case.ghosts, *witnesses.constants(case.places)))
        self._plans: dict[str, HeadPlan] = {}
        self._source: str | None = None
        self._waiting: list[str] = []
        self._stale = False
        self.system = System(())

    def build(self) -> System:
        """The system of clauses.

        Raises:
            Unsupported: a construct has no meaning for the proof.
            LimitReached: there are too many paths.
        """
        facts, solver = self._facts, self._solver
        if not (solver.consistent(facts) and solver.consistent_parameters(facts)):
            raise BadInput(
                f"{self._program.name}: no two inputs that it can be called with are "
                f"neighbours under {self._program.privacy}; there is nothing to prove"
            )
        self._explore()
        while self._stale:
            self._explore()
        return self.system

    def _explore(self) -> None:
        self._stale = False
        self._waiting = []
        known = set[str]()
        self.system = System(tuple(sorted(self._constants, key=str)), self._facts)
        start = Path(self._program.flow.start)
        self._run(None, start)
        while self._waiting and not self._stale:
            name = self._waiting.pop()
            if name not in known:
                known.add(name)
                plan = self._plans[name]
                self.system.predicates[name] = plan.state()
                self.system.plans[name] = plan
                self._run(name, plan.start())

    def _run(self, source: str | None, start: Path) -> None:
        self._source = source
        for fact in self._facts:
            start.assume(fact)
        inputs = SymbolicInputs(self._program, self._case)
        shifts, one_sided = self._alignment.shifts, self._one_sided
        run = PairedRun(self._program, inputs, shifts, self, cut=True, one_sided=one_sided)
        run.explore(start)

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        """Record an obligation."""
        self.system.owed.append(Owed(self._source, Obligation(tuple(path.facts), claim, reason)))

    def at_head(self, path: Path) -> None:
        """Record a rule into the loop head; the description may have to change."""
        arrival = Arrival(path, self._program.flow, self._constants)
        plan = self._plans.get(arrival.name)
        if plan is None:
            plan = self._plans[arrival.name] = HeadPlan(arrival)
        elif plan.widen(arrival):
            self._stale = True
        if self._stale:
            return
        node = self._program.flow.nodes[path.node]
        if isinstance(node, HeadNode) and not node.counted:
            # A loop that may go on for ever must stay within the budget all the way: what was
            # released so far can be seen.
            self.at_end(path, node.span)
        arguments = plan.arguments(arrival)
        self.system.rules.append(Rule(self._source, tuple(path.facts), arrival.name, arguments))
        self._waiting.append(arrival.name)

    def at_end(self, path: Path, span: Span) -> None:
        """Record an end with its cost."""
        self.system.ends.append(End(self._source, tuple(path.facts), dict(path.costs), span))

    def at_call(self, path: Path, span: Span) -> None:
        """A callee that never returns is an end for who looks on."""
        self.at_end(path, span)

    def feasible(self, path: Path, formula: Formula) -> bool:
        """Ask the solver."""
        return not self._stale and self._solver.consistent([*path.facts, formula])


# Questions without loops: does a claim follow from some facts?
#
# Z3 answers, under a resource limit; "unknown" is never an answer in favour of a proof.


class Solver:
    """Decides consequences of facts; remembers its answers.

    ``searches`` counts how often loop invariants were searched for in its name.
    """

    def __init__(self) -> None:
        self.searches = 0
        self._linear = Questions(Writer())
        self._exact = Questions(Writer(exact_products=True))
        self._answers: dict[tuple[int, frozenset[str]], Answer] = {}

    def consistent(self, facts: Iterable[Formula]) -> bool:
        """Whether the facts can hold together, as far as is known."""
        return self._ask(self._linear, facts) != "unsat"

    def consistent_parameters(self, facts: Iterable[Formula]) -> bool:
        """The same for what is said of parameters alone, products written out."""
        return self._ask(self._exact, [f for f in facts if f.fixed]) != "unsat"

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether the claim is proved to follow from the facts.

        A claim about parameters alone is taken with its products written out.
        """
        if isinstance(claim, Truth) and claim.value:
            return True
        against = [*facts, negation(claim)]
        if self._ask(self._linear, against) == "unsat":
            return True
        return claim.fixed and self._ask(self._exact, [f for f in against if f.fixed]) == "unsat"

    def _ask(self, questions: Questions, facts: Iterable[Formula]) -> Answer:
        facts = list(facts)
        key = id(questions), frozenset(f.key for f in facts)
        if key not in self._answers:
            self._answers[key] = questions.ask(facts)
        return self._answers[key]
