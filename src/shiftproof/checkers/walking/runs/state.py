"""One path of the two runs: what D and D' hold, what is known, and what is owed on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ....dsl.language.syntax import Span
from ....dsl.relations.cases import Pair
from ....dsl.terms.formulas import TRUE, Choice, Formula, Junction, Truth, implies, negation
from ....dsl.terms.functions import facts_of_functions
from ....dsl.terms.linear import Linear, number
from ....dsl.terms.values import Num, Value


@dataclass(slots=True)
class State:
    """Where a path is, and what it knows.

    ``answers`` are the inputs read so far, and ``read`` at which variables; ``strangers`` the list
    elements that were read where nothing is tracked, and ``standing`` the index at which a witness
    must stand for such an element to count; ``visited`` the witnesses at which elements were read;
    ``asked`` says of which indices it is settled whether ``top_k`` picks them.
    """

    node: int
    left: dict[str, Value] = field(default_factory=dict)
    right: dict[str, Value] = field(default_factory=dict)
    facts: list[Formula] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    answers: dict[str, Pair] = field(default_factory=dict)
    read: dict[str, tuple[Linear, ...]] = field(default_factory=dict)
    costs: dict[Linear, Linear] = field(default_factory=dict)
    strangers: dict[str, tuple[Value, Value]] = field(default_factory=dict)
    standing: dict[str, Linear] = field(default_factory=dict)
    visited: set[str] = field(default_factory=set)
    asked: dict[str, Formula] = field(default_factory=dict)
    fresh_start: bool = True

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.node,
            dict(self.left),
            dict(self.right),
            list(self.facts),
            set(self.known),
            dict(self.answers),
            dict(self.read),
            dict(self.costs),
            dict(self.strangers),
            dict(self.standing),
            set(self.visited),
            dict(self.asked),
            self.fresh_start,
        )

    def put(self, name: str, left: Value, right: Value | None = None) -> None:
        """Give a variable its value in both runs; the same one if only one is given."""
        self.left[name], self.right[name] = left, left if right is None else right

    def forget(self, prefix: str) -> None:
        """Forget the variables whose names begin like this."""
        for values in (self.left, self.right):
            for name in [n for n in values if n.startswith(prefix)]:
                del values[name]

    def assume(self, formula: Formula) -> None:
        """Take a condition for a fact; of a conjunction, each member."""
        if isinstance(formula, Junction) and formula.conjunction:
            for member in formula.members:
                self.assume(member)
        elif formula.key not in self.known:
            self.facts.append(formula)
            self.known.add(formula.key)

    def learn(self, where: Formula, facts: Sequence[Formula]) -> None:
        """Take conditions for facts where another one holds, if it does not hold here anyway."""
        known = bool(facts) and self.decide(where) is True
        for fact in facts:
            self.assume(fact if known else implies(where, fact))

    def learn_functions(self) -> None:
        """Know of the logarithms and roots in values where they are above zero."""
        for value in (*self.left.values(), *self.right.values()):
            if isinstance(value, Num):
                self.learn(TRUE, facts_of_functions(value.term))

    def decide(self, formula: Formula) -> bool | None:
        """Whether a condition is among the facts, or its negation is."""
        if isinstance(formula, Truth):
            return formula.value
        if formula.key in self.known:
            return True
        if negation(formula).key in self.known:
            return False
        if not isinstance(formula, Junction):
            return None
        parts = [self.decide(member) for member in formula.members]
        decisive = not formula.conjunction
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive

    def charge(self, rate: Linear, amount: Linear) -> None:
        """Add ``amount * rate``: rational factors of the rate, and fixed amounts, change places."""
        if amount == number(0):
            return
        one = amount.parts[0][0] if len(amount.parts) == 1 and not amount.constant else None
        if one is not None and one.fixed and not isinstance(one, Choice):
            size, base = amount.split()
            amount, rate = number(size), rate * base
        factor, symbolic = rate.split()
        total = self.costs.get(symbolic, number(0)) + amount.scaled(factor)
        self.costs[symbolic] = total


# What a certificate's check owes: quantifier-free claims, each with its place and reason.

#: The conditions of the soundness theorem, and what else a certificate says.
Condition = Literal[
    "support",
    "same samples",
    "same output",
    "cost",
    "measure",
    "prophecy",
    "definedness and end",
    "preconditions and positivity",
    "one-sided claim",
    "loop invariant",
]


@dataclass(frozen=True, slots=True)
class Obligation:
    """Under ``facts``, ``claim`` must hold; with ``exact``, products are written out.

    ``common`` facts are those of the walk, ``facts`` those of the path.
    """

    common: tuple[Formula, ...]
    facts: tuple[Formula, ...]
    claim: Formula
    condition: Condition
    detail: str
    span: Span
    exact: bool = False

    @property
    def key(self) -> tuple[frozenset[str], str, bool]:
        """What two obligations share that ask the same."""
        return frozenset(f.key for f in (*self.common, *self.facts)), self.claim.key, self.exact


class Oracle(Protocol):
    """Suggests what may hold; what is done on its word is owed like everything else."""

    def holds(self, obligation: Obligation) -> bool:
        """Whether the claim seems to follow."""
        ...


class Ledger:
    """The obligations of one walk, in order, each once.

    Names mean the same throughout one walk, and not from one walk to the next.
    """

    def __init__(self) -> None:
        self._owed: dict[tuple[frozenset[str], str, bool], Obligation] = {}

    def owe(self, obligation: Obligation) -> None:
        """Add an obligation."""
        self._owed.setdefault(obligation.key, obligation)

    def __iter__(self) -> Iterator[Obligation]:
        return iter(self._owed.values())

    def __len__(self) -> int:
        return len(self._owed)
