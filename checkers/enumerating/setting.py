"""One choice of sizes: its public inputs, and what the preconditions say of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from ...dsl.inputs import InputKind
from ...dsl.program import Program
from ...dsl.syntax import Comparison, Connective, Expression
from ...dsl.terms import Exp, Group, Linear, Product, Symbol
from .meaning import Failure, Meanings, numeric
from .ratios import Declined, Exponents, Frame, Number, Ratio
from .sizes import Sizes, length_of
from .values import Value
from .walk import Effort


class Setting:
    """A program at one choice of sizes."""

    def __init__(self, program: Program, sizes: Sizes, known: Exponents, effort: Effort) -> None:
        self.program = program
        self.sizes = sizes
        self.effort = effort
        parameters, positive = [], []
        for name, kind in program.inputs.items():
            if kind.public and not kind.whole:
                names = [name]
                if kind.array:
                    names = [f"{name}[{i}]" for i in range(sizes[length_of(name)])]
                parameters += names
                positive += names if kind.positive else []
        self.frame = Frame(parameters, positive, known)

    @cached_property
    def public(self) -> dict[str, Value]:
        """The public inputs."""
        found: dict[str, Value] = {}
        for name, kind in self.program.inputs.items():
            if kind.public:
                found[name] = self._public(name, kind)
        return found

    def _public(self, name: str, kind: InputKind) -> Value:
        if kind.whole:
            return self.sizes[name]
        if kind.array:
            length = self.sizes[length_of(name)]
            return tuple(self.frame.parameter(f"{name}[{i}]") for i in range(length))
        return self.frame.parameter(name)

    def allowed(self) -> bool:
        """Take the preconditions as given; whether anything meets them."""
        slots: dict[str, int] = {}
        meanings = Meanings(self.frame, slots)
        for name in self.program.inputs:
            meanings.slot(name)
        for e in self.program.preconditions:
            try:
                found = self._assume(e, meanings, slots)
            except Failure:
                return False  # a call raises
            if not found:
                return False
        return self.frame.domain.possible is not False

    def _assume(self, e: Expression, meanings: Meanings, slots: dict[str, int]) -> bool:
        """Assume a condition as far as it can be; whether it may hold."""
        if isinstance(e, Connective) and e.operator == "and":
            return all(self._assume(member, meanings, slots) for member in e.members)
        try:
            if isinstance(e, Comparison) and e.operator in ("<", "<=", ">", ">=", "=="):
                left, right = (meanings.of(side) for side in (e.left, e.right))
                run = self._start(slots)
                x, y = numeric(left(run)), numeric(right(run))
                if isinstance(x, Ratio) or isinstance(y, Ratio):
                    self._bound(e.operator, x, y)
                    return True
            decides = meanings.condition(e)
            return decides(self._start(slots))
        except Declined:
            return True  # one thing less that is known

    def _start(self, slots: dict[str, int]) -> list[Value]:
        run: list[Value] = [None] * len(slots)
        for name, place in slots.items():
            kind = self.program.inputs.get(name)
            if kind is not None and kind.public:
                run[place] = self.public[name]
            elif kind is not None and kind.array:
                run[place] = (0,) * self.sizes[length_of(name)]
        return run

    def _bound(self, operator: str, x: Number, y: Number) -> None:
        if operator in ("<", "<="):
            x, y = y, x
        gap = self.frame.subtract(x, y)
        if isinstance(gap, Ratio):
            self.frame.domain.assume(gap.top, operator in ("<", ">"))
            if operator == "==":
                self.frame.domain.assume(-gap.top, False)

    def number(self, subject: Linear) -> Number:
        """A term over the real parameters."""
        frame = self.frame
        total: Number = Fraction(subject.constant)
        for atom, k in subject.parts:
            if isinstance(atom, Symbol):
                value: Number = frame.parameter(atom.key)
            elif isinstance(atom, Product):
                value = Fraction(1)
                for base, power in atom.powers:
                    factor = self.number(Linear(0, ((base, 1),)))
                    for _ in range(abs(power)):
                        way = frame.multiply if power > 0 else frame.divide
                        value = way(value, factor)
            elif isinstance(atom, Group):
                value = self.number(atom.inner)
            elif isinstance(atom, Exp):
                value = frame.exponential(self.number(atom.power))
            else:
                raise Declined(f"the budget {subject} is not enumerated")
            total = frame.add(total, frame.multiply(Fraction(k), value))
        return total
