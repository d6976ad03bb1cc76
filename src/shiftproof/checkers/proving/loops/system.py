"""A mechanism's paired run as constrained Horn clauses: cut at loop heads, one rule a path.

At each loop head both runs are described by state variables.  Most variables need
one or none: a value that never changes is written in; a pair whose difference never
changes needs one variable; only the rest get one for each run.  The description is
found by trying the cheapest one and giving up on it when a path does not fit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....alignments.alignment import Alignment
from ....alignments.control import finite_variables
from ....dsl.errors import BadInput, Unsupported
from ....dsl.language.flow import EnsureNode, HeadNode
from ....dsl.language.syntax import Span
from ....dsl.relations.cases import Case
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Formula,
    Junction,
    Truth,
    disjunction,
    first_choice,
    negation,
)
from ....dsl.terms.linear import Atom, Linear, Symbol, number, term
from ....dsl.terms.smt import MOST_PRODUCTS, Answer, Questions, Writer, multiplications
from ....dsl.terms.values import Num
from ...walking.claims import claim_of
from ...walking.common import common_facts
from ...walking.runs.elements import unknown_constants
from ...walking.runs.given_up import probability_at
from ...walking.runs.prophecy import begin
from ...walking.runs.run import Run
from ...walking.runs.state import Condition, Ledger, Obligation, State
from ...walking.runs.walk import Walk
from .amounts import Amounts, has_products
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

    ``facts`` hold on every path: kinds, preconditions, the relation.  ``products`` are public
    factors, each with an unknown that it stands with.  ``changes``: what the records that differ
    hold in D and in D'.  ``prices`` are what outcomes of sums cost.
    """

    constants: tuple[Symbol, ...]
    facts: tuple[Formula, ...] = ()
    changes: tuple[tuple[tuple[Linear, ...], tuple[Linear, ...]], ...] = ()
    predicates: dict[str, tuple[StateVariable, ...]] = field(default_factory=dict)
    plans: dict[str, HeadPlan] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    owed: list[Owed] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    products: tuple[tuple[Linear, Atom], ...] = ()
    prices: dict[Linear, None] = field(default_factory=dict)


def told(facts: Sequence[Formula]) -> tuple[Formula, ...]:
    """Facts that hold where something else does, without that where it is among the facts.

    before:  i >= 0, q[i] >= 0 unless i < 0
    after:   i >= 0, q[i] >= 0
    """
    refuted = {negation(fact).key for fact in facts}
    return tuple(
        disjunction(m for m in fact.members if m.key not in refuted)
        if isinstance(fact, Junction) and not fact.conjunction
        else fact
        for fact in facts
        if fact != TRUE
    )


def put_for(value: Linear, chosen: Choice, arm: Linear) -> Linear:
    """A term with one arm of a choice in the place of the choice."""
    factor = dict(value.parts).get(chosen, 0)
    return value + (arm - term(chosen)).scaled(factor)


@dataclass(slots=True)
class PairedRun(Run):
    """The kernel's run, but a step that has no meaning is nothing to prove: it is an error.

    Attributes:
        solver: says what follows of parameters.
        rough: whether outcomes of sums cost simple multiples of exponents or of the budget.
        prices: what they cost, of either sign.
    """

    solver: Solver = field(kw_only=True)
    rough: bool = field(kw_only=True, default=False)
    prices: dict[Linear, None] = field(kw_only=True, default_factory=dict)

    def owe(
        self, state: State, claim: Formula, condition: Condition, detail: str, span: Span
    ) -> None:
        """What follows of parameters, whatever else holds, needs no invariant."""
        parts = claim.members if isinstance(claim, Junction) and not claim.conjunction else (claim,)
        amounts = Amounts(state.facts, self.solver.follows)
        if any(has_products(part) and amounts.holds(part) for part in parts if part.fixed):
            state.assume(claim)
            return
        Run.owe(self, state, claim, condition, detail, span)

    def pay_for_sum(self, state: State, own: Linear, other: Linear, span: Span) -> None:
        """Charge the logarithm of the ratio, or a rough price that covers it."""
        if own == other:
            return
        if not (own.fixed and other.fixed):
            raise self.program.refuse(
                span,
                "a probability that varies while the mechanism runs",
                "build it from constants, lengths and public scalar parameters",
            )
        amounts = Amounts(state.facts, self.solver.follows)
        if self.rough:
            price = amounts.rough_price(own, other, self.program.budget)
        else:
            price = amounts.price(own, other)
        if price is None:
            detail = "what comes out of the sum is about as probable in both runs"
            self.owe(state, FALSE, "cost", detail, span)
        elif price != number(0):
            self.prices[price] = None
            if self.program.privacy.zcdp and amounts.is_most(number(0), price):
                return  # of ρ no step gives anything back
            if len(price.parts) + bool(price.constant) == 1:
                state.charge(price, number(1))
                return
            sign = 1 if amounts.is_most(price, number(0)) else -1
            rate = price.scaled(sign)
            state.costs[rate] = state.costs.get(rate, number(0)) + number(sign)

    def refused(self, state: State, error: Unsupported, span: Span) -> None:
        """Say so."""
        raise error

    def unfolded(self, state: State, names: Iterable[str]) -> Iterator[State]:
        """One path for each arm of the choices in what was just assigned.

        before:  left = left - (1 if above else 0)
        after:   left = left - 1 where above, left = left elsewhere
        """
        for values, name in itertools.product((state.left, state.right), names):
            value = values[name]
            chosen = first_choice(value.term) if isinstance(value, Num) else None
            if chosen is None:
                continue
            for fork, yes in list(self.forks(state, chosen.test)):
                arm = chosen.yes if yes else chosen.no
                for side, other in itertools.product((fork.left, fork.right), names):
                    held = side[other]
                    if isinstance(held, Num):
                        side[other] = Num(put_for(held.term, chosen, arm), held.kind)
                yield from self.unfolded(fork, names)
            return
        yield state


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
        said = [n for n in program.flow.nodes if isinstance(n, EnsureNode) and one_sided]
        self._claims = {claim_of(program, node) for node in said}
        self._facts = common_facts(program, case)
        self._constants = frozenset((*case.ghosts, *unknown_constants(case.places).values()))
        self._control = finite_variables(program.flow)
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
        constants = tuple(sorted(self._constants, key=str))
        self.system = System(constants, self._facts, tuple(self._case.changes()))
        self._run(None, State(self._program.flow.start, fresh_start=False))
        while self._waiting and not self._stale:
            name = self._waiting.pop()
            if name not in known:
                known.add(name)
                plan = self._plans[name]
                self.system.predicates[name] = plan.state()
                self.system.plans[name] = plan
                self._run(name, plan.start())

    def _run(self, source: str | None, start: State) -> None:
        """Walk to the next loop heads and ends, as the kernel will, and keep what is owed."""
        self._source = source
        for fact in self._facts:
            start.assume(fact)
        ledger = Ledger()
        run = PairedRun(
            self._program,
            self._case,
            self._alignment.shifts,
            (),
            ledger,
            self,
            one_input=self._one_sided,
            alike=self._alignment.alike,
            solver=self._solver,
            rough=self._alignment.rough,
            prices=self.system.prices,
        )
        if source is None:
            begin(run, start)
        Walk(run, self, self._claims).explore(start)
        self.system.owed += [Owed(source, replace(duty, facts=told(duty.facts))) for duty in ledger]

    def arrives(self, state: State, node: HeadNode) -> None:
        """Record a rule into the loop head; the description may have to change."""
        arrival = Arrival(state, self._program.flow, self._constants, self._control)
        plan = self._plans.get(arrival.name)
        if plan is None:
            plan = self._plans[arrival.name] = HeadPlan(arrival)
        elif plan.widen(arrival):
            self._stale = True
        if self._stale:
            return
        if not node.counted:
            # A loop that may go on for ever must stay within the budget all the way: what was
            # released so far can be seen.
            self.ends(state, node.span)
        arguments = plan.arguments(arrival)
        self.system.rules.append(Rule(self._source, told(state.facts), arrival.name, arguments))
        self._waiting.append(arrival.name)

    def ends(self, state: State, span: Span) -> None:
        """Record an end with its cost; a callee that never returns is one for who looks on."""
        self.system.ends.append(End(self._source, told(state.facts), dict(state.costs), span))

    def gives_up(self, state: State, span: Span) -> None:
        """Record what was given up so far, as where a run ends."""
        counted = {rate: n for rate, n in state.costs.items() if probability_at(rate) is not None}
        self.system.ends.append(End(self._source, told(state.facts), counted, span))

    def holds(self, obligation: Obligation) -> bool:
        """Ask the solver; once the description has changed, no path is worth following."""
        return self._stale or not self._solver.consistent(
            [*obligation.facts, negation(obligation.claim)]
        )


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
        return self._ask(self._exact, _written_out(facts, MOST_PRODUCTS)) != "unsat"

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether the claim is proved to follow from the facts.

        A claim about parameters alone is taken with its products written out.
        """
        if isinstance(claim, Truth) and claim.value:
            return True
        facts = [*facts]
        against = [*facts, negation(claim)]
        if self._ask(self._linear, against) == "unsat":
            return True
        left = MOST_PRODUCTS - multiplications(claim)
        if left < 0 or not claim.fixed:
            return False
        return self._ask(self._exact, [*_written_out(facts, left), against[-1]]) == "unsat"

    def _ask(self, questions: Questions, facts: Iterable[Formula]) -> Answer:
        facts = list(facts)
        key = id(questions), frozenset(f.key for f in facts)
        if key not in self._answers:
            self._answers[key] = questions.ask(facts)
        return self._answers[key]


def _written_out(facts: Iterable[Formula], most: int) -> list[Formula]:
    """What is said of parameters, with so many products at most: what has few of them comes first.

    Facts that are left out prove nothing.
    """
    known = [fact for fact in facts if fact.fixed]
    sizes = {fact.key: multiplications(fact) for fact in known}
    if sum(sizes.values()) <= most:
        return known
    found = []
    for fact in sorted(known, key=lambda fact: sizes[fact.key]):
        most -= sizes[fact.key]
        if most < 0:
            break
        found.append(fact)
    return found
