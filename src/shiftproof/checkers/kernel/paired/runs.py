"""Two runs side by side: what D and D′ hold on a path, what is known, and what is owed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Number,
    Polynomial,
    Wrong,
    add,
    both,
    either,
    names_of,
    scaled,
    spend,
    times,
    unknown,
)
from ..claim.declared import is_zcdp
from ..claim.policies import Case, Kind
from ..language.steps import Mechanism
from ..language.syntax import is_call
from ..trees import refute
from .expressions import Mark, Num, Value
from .powers import Registry
from .relation import Pair, Relation

#: The work that one more path counts as: it takes room, and there may be very many.
COPY = 5_000
#: Gives a tree for a question, or ``"-"``: conditions that cannot hold together.
Ask = Callable[[Registry, Sequence[Condition]], str]

#: What is claimed of the runs themselves, and not of what a walk knows of them.
ABOUT_RUNS = frozenset({"same samples", "same output"})
#: Two indices of lists of which nothing is assumed: what holds for them holds for any two.
WITNESSES = ("witness(1)", "witness(2)")
#: Variables that keep account of what is foretold.
ASKED, NEXT, OPEN = "asked_and_picked()", "next_to_ask()", "to_be_picked()"


class State:
    """Where a path is, and what it knows.

    ``pairs`` are the inputs read so far; ``strangers`` the elements of lists that were read where
    nothing is tracked, and ``standing`` at which index each of them stands; ``visited`` are the
    witnesses at which elements were read; ``asked`` says of which indices ``top_k`` picks them.
    """

    def __init__(self, at: int, rates: int) -> None:
        self.at = at
        self.left: dict[str, Value] = {}
        self.right: dict[str, Value] = {}
        self.facts: list[Condition] = []
        self.known: set[Condition] = set()
        self.costs: list[Polynomial] = [ZERO] * rates
        self.pairs: dict[tuple[str, Polynomial], Pair] = {}
        self.strangers: dict[tuple[str, Polynomial], tuple[Value, Value]] = {}
        self.standing: dict[str, Polynomial] = {}
        self.visited: set[Polynomial] = set()
        self.asked: dict[Polynomial, Condition] = {}

    def copy(self) -> Self:
        """An independent copy."""
        spend(COPY + 20 * len(self.facts))
        other = type(self)(self.at, 0)
        for name, held in vars(self).items():
            setattr(other, name, held if isinstance(held, int) else held.copy())
        return other

    def put(self, name: str, left: Value, right: Value | None = None) -> None:
        """Give a variable its value in both runs; the same one if only one is given."""
        self.left[name], self.right[name] = left, left if right is None else right

    def drop(self, name: str) -> None:
        """Take a variable away."""
        self.left.pop(name, None)
        self.right.pop(name, None)

    def assume(self, fact: Condition) -> None:
        """Take a condition for a fact; of a conjunction, each member."""
        for member in fact[1] if fact[0] == "and" else (fact,):
            if member not in self.known:
                self.known.add(member)
                self.facts.append(member)


class Gaps(NamedTuple):
    """A list of which ``top_k`` gives the order and the gaps: how far its values move, and how
    wide the noise in them is (docs/theory.md, Lemma 5).
    """

    array: str
    order: str
    low: ast.expr
    high: ast.expr
    scale: ast.expr


class Run:
    """One walk: of which mechanism, under which case, and where its trees come from.

    With ``alone`` D′ is D and nothing is shifted: what privacy asks of two runs holds of one run
    and itself, and a run that raises says nothing, so neither is owed.
    """

    def __init__(
        self, mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask, alone: bool
    ) -> None:
        self.mechanism, self.kinds, self.ask, self.alone = mechanism, kinds, ask, alone
        self.unknowns = Registry()
        self.relation = Relation(self.unknowns, kinds, case)
        self.tracked_names = (*self.relation.places, *WITNESSES)
        self.tracked = tuple(map(self.index, self.tracked_names))
        self.common: dict[Condition, None] = {}
        self.rates: list[Polynomial] = []
        self.shifts: list[ast.expr] = []
        self.gaps: Gaps | None = None
        self.zcdp = is_zcdp(mechanism.header)
        #: Which of the rates are probabilities that are given up, and the bounds of all.
        self.of_delta: list[bool] = []
        self.bounds: list[Polynomial] = []
        self.alike: frozenset[str] = frozenset()
        self.questions = 0
        self.line, self.why = 0, ""
        self._units: dict[str, bool] = {}
        self._shown: set[Condition] = set()

    def index(self, name: str) -> Polynomial:
        """An unknown constant that is an index."""
        return self.unknowns.new(name, True)

    def assume(self, fact: Condition) -> None:
        """A fact that holds throughout."""
        self.common.update(dict.fromkeys(fact[1] if fact[0] == "and" else (fact,)))

    def apart(self, one: Polynomial, other: Polynomial) -> Condition:
        """Two indices are not the same."""
        return self.unknowns.negated(self.unknowns.equal(one, other))

    @property
    def relaxed(self) -> bool:
        """Whether ρ is claimed, or a δ beside ε."""
        return self.zcdp or any(self.of_delta)

    def owe_delta(self, state: State) -> None:
        """What was given up so far is within its bounds."""
        for k, (bound, spent) in enumerate(zip(self.bounds, state.costs, strict=True)):
            if self.of_delta[k]:
                claim = self.unknowns.at_least(bound, spent)
                self.owe(state, claim, "cost", "what is given up is within its bound")

    # What is owed, and what is known.

    def decide(self, state: State, f: Condition) -> bool | None:
        """Whether a condition is among the facts, or its negation is."""
        if f in state.known or f in self.common:
            return True
        if f[0] not in ("and", "or"):
            negation = self.unknowns.negated(f)
            return False if negation in state.known or negation in self.common else None
        parts = [self.decide(state, member) for member in f[1]]
        decisive: bool = f[0] == "or"
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive

    def refuted(self, conditions: Sequence[Condition], *, plain: bool = False) -> bool:
        """Whether a tree shows that conditions contradict what holds throughout.

        ``plain``: comparisons alone are told, so that no case has to be told from another.

        Raises:
            Wrong: there is a tree, and it does not.
        """
        question = [c for c in (*self.common, *conditions) if not (plain and c[0] in ("and", "or"))]
        self.unknowns.about = (self.line, self.why)
        tree = self.ask(self.unknowns, question)
        self.questions += 1
        if tree == "-":
            return False
        refute(self.unknowns, question, tree)
        return True

    def owe(self, state: State, claim: Condition, condition: str, why: str) -> None:
        """A claim must follow here; then it is known."""
        if self.decide(state, claim) is True:
            return
        if not self.alone or condition == "loop invariant" or claim == FALSE:
            owed = self.witnessed(state, claim) if condition in ABOUT_RUNS else claim
            self.show(state, owed, f"{condition}: {why}")
        state.assume(claim)

    def show_throughout(self, claim: Condition, why: str) -> None:
        """A claim follows on all paths; whoever asks for it later is told so."""
        self.show(State(0, 0), claim, why)
        self._shown.add(claim)

    def throughout(self, claim: Condition) -> bool:
        """Whether a condition was assumed of all paths, or shown of them."""
        return claim == TRUE or claim in self.common or claim in self._shown

    def show(self, state: State, claim: Condition, why: str) -> None:
        """A claim follows from what is known, by a tree.

        Raises:
            Wrong: it has none, or one that does not show it.
        """
        if self.decide(state, claim) is True:
            return
        self.why = why
        try:
            shown_ = self.refuted([*state.facts, self.unknowns.negated(claim)])
        except Wrong as error:
            raise Wrong(f"{self._place()}{why}: {error}") from None
        finally:
            self.why = ""
        if not shown_:
            raise Wrong(f"{self._place()}{why}: there is no proof of it")

    def _place(self) -> str:
        line = f"line {self.line}, " if self.line else ""
        return f"{line}question {self.questions}: "

    def witnessed(self, state: State, claim: Condition) -> Condition:
        """The claim where witnesses stand at all indices of strangers that it speaks of.

        If they can: the path may have read elements at more indices than there are witnesses.
        """
        within = self.unknowns.within(mentioned(claim)) if state.standing else set()
        read = {state.standing[n] for n in within if n in state.standing}
        if not read or len({*state.standing.values(), *state.visited}) > len(WITNESSES):
            return claim
        there = [either(self.unknowns.equal(i, place) for place in self.tracked) for i in read]
        return self.unknowns.implies(both(there), claim)

    def forks(self, state: State, f: Condition) -> Iterator[tuple[State, bool]]:
        """The path under a condition and under its negation; one that is impossible is left out."""
        decided = self.decide(state, f)
        if decided is not None:
            yield state, decided
            return
        for value in (True, False):
            fact = f if value else self.unknowns.negated(f)
            if not self.refuted([*state.facts, fact]):
                fork = state.copy()
                fork.assume(fact)
                yield fork, value

    def settled(self, state: State, f: Condition) -> Condition:
        """A condition, as plainly true or false where a path says so."""
        decided = self.decide(state, f)
        return f if decided is None else TRUE if decided else FALSE

    def is_unit(self, name: str) -> bool:
        """Whether an unknown is never zero, by what holds throughout; its inverse is known then."""
        if name not in self._units:
            q, p = self.unknowns, unknown(name)
            for sign in (1, -1):
                if self.refuted([q.negated(q.compare(">", scaled(p, sign)))]):
                    for x in (p, q.new("/" + name, False)):
                        self.assume(q.compare(">", scaled(x, sign)))
                    self._units[name] = True
                    break
            else:
                self._units[name] = False
        return self._units[name]

    def within(self, index: Polynomial, length: Polynomial) -> Condition:
        """``0 <= index < length``."""
        return both((self.unknowns.compare(">=", index), self.unknowns.above(length, index)))

    def shift_of(self, site: int) -> ast.expr:
        """The shift of a draw, or of what is not given up of it."""
        e = self.shifts[site]
        while is_call(e, "unless") and isinstance(e, ast.Call) and len(e.args) == 2:
            e = e.args[1]
        return e

    def charge(
        self, state: State, amount: Polynomial, price: Polynomial, *, of_delta: bool = False
    ) -> None:
        """The shifts cost ``amount * price`` nats more; rates count in units of their own.

        Of δ probabilities are charged, by rates of its own.
        """
        total = times(amount, price)
        if not total:
            return
        own = [(k, r) for k, r in enumerate(self.rates) if self.of_delta[k] == of_delta]
        for part, rest in ((total, ONE), (price, amount)):
            for k, rate in own:
                units = multiple(part, rate)
                if units is not None:
                    state.costs[k] = add(state.costs[k], rest, units)
                    return
        for k, rate in own if self.relaxed else ():
            other = self.unknowns.negated(self.unknowns.equal(price, rate))
            if self.refuted([*state.facts, other]):
                state.costs[k] = add(state.costs[k], amount)
                return
        raise Wrong(f"{self._place()}a cost of which the certificate has no rate")


def multiple(p: Polynomial, of: Polynomial) -> Number | None:
    """The number that one polynomial is of another one."""
    if len(p) != len(of):
        return None
    factor = Fraction(p[0][1]) / of[0][1]
    return factor if scaled(of, factor) == p else None


def same_value(run: Run, left: Value, right: Value) -> Condition:
    """Two released values are the same, their type included."""
    if isinstance(left, Num) and isinstance(right, Num):
        if left.kind != right.kind or left.kind == "either":
            return FALSE
        return run.unknowns.equal(left.term, right.term)
    if isinstance(left, Num | Mark) or isinstance(right, Num | Mark):
        return TRUE if left == right else FALSE
    return run.unknowns.same(left, right)


def mentioned(value: Value) -> set[str]:
    """The unknowns in a value."""
    if isinstance(value, Mark):
        return set()
    if isinstance(value, Num):
        return names_of(value.term)
    if value[0] in ("and", "or"):
        return {name for member in value[1] for name in mentioned(member)}
    return {value[1]} if value[0] == "?" else names_of(value[1])
