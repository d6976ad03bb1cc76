"""One choice of sizes: the laws of all inputs, compared for all neighbours and outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dsl.errors import ShiftproofError
from ...dsl.inputs import InputKind
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.syntax import Comparison, Connective, Expression
from ...dsl.terms import Exp, Group, Linear, Product, Symbol
from ..kernel.enumeration import EnumeratedSizes
from ..kernel.enumeration_text import MOST_ROWS, outcome_text, row_text, value_text
from .inputs import Inputs, Neighbours, Private, private_inputs
from .meaning import Failure, Meanings, Value, numeric
from .outputs import Utility, utility_of
from .ratios import Declined, Exponents, Finer, Frame, Number, Ratio
from .sizes import Sizes, length_of
from .text import ratio_text
from .walk import Effort, Walker, fraction_of, written_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How many outcomes of pairs are compared in all, and how many at once.
COMPARISONS, AT_ONCE = 40_000_000, 2_000_000


@dataclass(frozen=True, slots=True)
class Broken:
    """A comparison that does not hold, or is not known to: probabilities and what they owe."""

    left: Private
    right: Private
    outcome: str
    one: Number
    two: Number
    factor: Number
    why: str = ""


class Setting:
    """A program at one choice of sizes."""

    def __init__(self, program: Program, sizes: Sizes, known: Exponents, effort: Effort) -> None:
        self.program = program
        self.sizes = sizes
        self._effort = effort
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

    def checked(self) -> EnumeratedSizes | Broken | None:
        """Compare everything; ``None`` if there are no inputs of these sizes.

        Raises:
            Failure, Declined, Exhausted, Finer: as the walk.
        """
        if not self.allowed():
            return None
        try:
            inputs = private_inputs(self.program, self.sizes)
            if not inputs.all:
                return None
            neighbours = Neighbours(inputs)
            return self._compared(inputs, neighbours)
        except ShiftproofError as error:
            raise Declined(str(error)) from None

    def _laws(self, inputs: Inputs) -> tuple[Walker, list[dict[int, Number]]]:
        flow = self.program.flow
        written = frozenset[str]().union(*map(written_by, flow.nodes))
        fixed = [name for name in self.program.inputs if name not in written]
        private = [name for name in fixed if not self.program.inputs[name].public]
        walker = Walker(flow, self.frame, fixed, private, self._effort)
        laws = []
        for k in range(len(inputs.all)):
            shares = walker.law({**self.public, **inputs.named(k)})
            law = {z: fraction_of(share, self.frame) for z, share in shares.items()}
            laws.append({z: p for z, p in law.items() if p != 0})
        return walker, laws

    def _compared(self, inputs: Inputs, neighbours: Neighbours) -> EnumeratedSizes | Broken:
        for divisor in self.program.divisors:
            value = self.number(neighbours.at_sizes(divisor))
            if True not in (self.frame.sign_of(value, True), self.frame.sign_of(value, False)):
                value = self.frame.subtract(Fraction(0), value)
            if self.frame.sign_of(value, True) is not True:
                raise Declined("the budget may divide by zero")
        walker, laws = self._laws(inputs)
        outcomes = {z: c for c, z in enumerate(dict.fromkeys(z for law in laws for z in law))}
        numbers: dict[Number, int] = {}
        table = np.zeros((len(laws), max(len(outcomes), 1)), np.int64)
        for i, law in enumerate(laws):
            for z, p in law.items():
                table[i, outcomes[z]] = numbers.setdefault(p, len(numbers) + 1)
        probabilities: list[Number] = [Fraction(0), *numbers]
        columns = list(outcomes)
        utility: Utility | None = None
        if isinstance(self.program.privacy, UtilityOptimizedLDP):
            released = [walker.outcomes.values(z) for z in columns]
            utility = utility_of(self.program, self.sizes, inputs, released, table)
            if utility.why:
                i, j, c = utility.where
                return Broken(
                    inputs.all[i], inputs.all[j], self._outcome(walker, columns[c]),
                    probabilities[table[i, c]], probabilities[table[j, c]], Fraction(1),
                    utility.why,
                )  # fmt: skip
            table = table[:, utility.protected]
            columns = [columns[c] for c in utility.protected]
        budgets, by_pair = neighbours.budgets()
        factors = [self.frame.exponential(self.number(b)) for b in budgets]
        # Equal factors may come from budgets that are written differently.
        same = {f: k for k, f in enumerate(dict.fromkeys(factors))}
        which = np.array([same[f] for f in factors], np.int32)[by_pair].astype(np.int64)
        seen: dict[int, None] = {}
        for codes, _ in self._codes(neighbours, table, which, len(probabilities)):
            seen.update(dict.fromkeys(np.unique(codes).tolist()))
        for code in seen:
            left = code // len(probabilities)
            one = probabilities[left % len(probabilities)]
            two = probabilities[code % len(probabilities)]
            factor = list(same)[left // len(probabilities)]
            if not self._holds(one, two, factor):
                return self._found(
                    code, neighbours, table, which, probabilities, inputs, walker, columns, factor
                )
        return EnumeratedSizes(
            sizes=dict(self.sizes),
            inputs=len(laws),
            outcomes=len(outcomes),
            pairs=int(neighbours.matrix.sum()),
            comparisons=len(seen),
            laws=self._rows(inputs, walker, laws),
        )

    def _holds(self, one: Number, two: Number, factor: Number) -> bool:
        if one == two and factor == 1:
            return True
        gap = self.frame.subtract(self.frame.multiply(factor, two), one)
        return self.frame.sign_of(gap, False) is True

    def _codes(
        self, neighbours: Neighbours, table: NDArray[Any], which: NDArray[Any], base: int
    ) -> Iterator[tuple[NDArray[Any], tuple[NDArray[Any], ...]]]:
        """Every comparison as one number, some pairs at a time."""
        lefts, rights = np.nonzero(neighbours.matrix)
        if len(lefts) * table.shape[1] > COMPARISONS:
            raise Declined(f"there are more than {COMPARISONS} comparisons")
        rows = max(AT_ONCE // max(table.shape[1], 1), 1)
        for start in range(0, len(lefts), rows):
            i, j = lefts[start : start + rows], rights[start : start + rows]
            one = table[i]
            codes = (which[i, j][:, None] * base + one) * base + table[j]
            yield codes[one > 0], (i, j, one > 0, codes)

    def _found(
        self, code: int, neighbours: Neighbours, table: NDArray[Any], which: NDArray[Any],
        probabilities: list[Number], inputs: Inputs, walker: Walker, columns: list[int],
        factor: Number,
    ) -> Broken:  # fmt: skip
        """The first pair and outcome of a comparison."""
        base = len(probabilities)
        for _, (lefts, rights, positive, codes) in self._codes(neighbours, table, which, base):
            rows, places = np.nonzero((codes == code) & positive)
            if len(rows):
                i, j, c = int(lefts[rows[0]]), int(rights[rows[0]]), int(places[0])
                return Broken(
                    inputs.all[i], inputs.all[j], self._outcome(walker, columns[c]),
                    probabilities[table[i, c]], probabilities[table[j, c]], factor,
                )  # fmt: skip
        raise AssertionError(code)

    def _outcome(self, walker: Walker, z: int) -> str:
        return outcome_text(
            ratio_text(v, self.frame) if isinstance(v, Ratio) else value_text(v)
            for v in walker.outcomes.values(z)
        )

    def _rows(
        self, inputs: Inputs, walker: Walker, laws: list[dict[int, Number]]
    ) -> tuple[str, ...]:
        if sum(map(len, laws)) > MOST_ROWS:
            return ()
        return tuple(
            line
            for k, law in enumerate(laws)
            for line in sorted(
                row_text(inputs.named(k), self._outcome(walker, z), ratio_text(p, self.frame))
                for z, p in law.items()
            )
        )


def finest(
    program: Program, sizes: Sizes, known: Exponents, effort: Effort
) -> tuple[Setting, EnumeratedSizes | Broken | None]:
    """A choice of sizes with as many variables as it turns out to need.

    Raises:
        Failure, Declined, Exhausted: as :meth:`Setting.checked`.
    """
    while True:
        setting = Setting(program, sizes, known, effort)
        try:
            return setting, setting.checked()
        except Finer as finer:
            known = finer.exponents
            if len(known) > 12 or math.prod(known.values()) > 1_000_000:
                raise Declined("too many different exponents") from None
