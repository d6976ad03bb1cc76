"""A path of the paired run: where it is, what both runs know there, what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..dsl.language.syntax import Span
from ..dsl.relations.cases import Pair
from ..dsl.terms.formulas import Formula, Junction, Truth, negation
from ..dsl.terms.linear import Linear, number
from ..dsl.terms.values import Value


@dataclass(slots=True)
class Path:
    """One path through two runs in step: on D (``left``) and on D' (``right``).

    ``facts`` hold on this path: branch decisions on D, what the relation says of the answers
    read so far, and every obligation once it has been owed. ``loose`` are list elements that
    were read at indices of which nothing is tracked, and ``required`` the index that a witness
    must stand for before anything is owed of such an element; ``visited`` the witnesses at
    which elements were read. ``asked`` are the indices of which it is settled whether ``top_k``
    picks them; ``history`` the integers that D released or picked, ``picked`` what its
    ``top_k`` picked.
    """

    node: int
    left: dict[str, Value] = field(default_factory=dict)
    right: dict[str, Value] = field(default_factory=dict)
    facts: list[Formula] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    cells: dict[str, Pair] = field(default_factory=dict)
    costs: dict[Linear, Linear] = field(default_factory=dict)
    outputs: list[tuple[Span, Value, Value]] = field(default_factory=list)
    shifted: list[Value] = field(default_factory=list)
    loose: dict[str, tuple[Value, Value]] = field(default_factory=dict)
    required: dict[str, Linear] = field(default_factory=dict)
    visited: set[str] = field(default_factory=set)
    asked: dict[str, Formula] = field(default_factory=dict)
    history: list[int] = field(default_factory=list)
    picked: tuple[int, ...] = ()
    fuel: int = 0
    at_cut: bool = False

    def copy(self, node: int | None = None) -> Path:
        """An independent copy, at another node if one is given."""
        return Path(
            self.node if node is None else node,
            dict(self.left),
            dict(self.right),
            list(self.facts),
            set(self.known),
            dict(self.cells),
            dict(self.costs),
            list(self.outputs),
            list(self.shifted),
            dict(self.loose),
            dict(self.required),
            set(self.visited),
            dict(self.asked),
            list(self.history),
            self.picked,
            self.fuel,
        )

    def set(self, name: str, left: Value, right: Value | None = None) -> None:
        """Give a variable its value in both runs; the same one if only one is given."""
        self.left[name], self.right[name] = left, left if right is None else right

    def forget(self, prefix: str) -> None:
        """Drop the variables whose names begin like this."""
        for values in (self.left, self.right):
            for name in [n for n in values if n.startswith(prefix)]:
                del values[name]

    def assume(self, formula: Formula) -> None:
        """Add a fact; a conjunction adds its members."""
        if isinstance(formula, Junction) and formula.conjunction:
            for member in formula.members:
                self.assume(member)
        elif formula.key not in self.known and not isinstance(formula, Truth):
            self.facts.append(formula)
            self.known.add(formula.key)

    def decide(self, formula: Formula) -> bool | None:
        """Whether the formula is known here without a solver."""
        if isinstance(formula, Truth):
            return formula.value
        if formula.key in self.known:
            return True
        if negation(formula).key in self.known:
            return False
        if isinstance(formula, Junction):
            parts = [self.decide(member) for member in formula.members]
            decisive = not formula.conjunction
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        return None

    def charge(self, rate: Linear, amount: Linear) -> None:
        """Add ``amount * rate`` to the cost; exact factors of the rate fold into the amount."""
        if amount == number(0):
            return
        if amount.fixed and len(amount.parts) == 1 and not amount.constant:
            # A named sensitivity is a factor of the rate, so that what is counted are numbers.
            size, base = amount.split()
            amount, rate = number(size), rate * base
        factor, symbolic = rate.split()
        if factor == 0:
            return
        total = self.costs.get(symbolic, number(0)) + amount.scaled(factor)
        self.costs[symbolic] = total
