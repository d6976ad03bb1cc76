"""One run on recorded noise, as the search for an alignment has it: what it asks, what it held."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...alignments.alignment import Alignment, Reason
from ...alignments.examples import Example
from ...alignments.inputs import RandomInputs
from ...dsl.errors import LimitReached
from ...dsl.language.syntax import Expression, Span
from ...dsl.relations.pairs import allowed
from ...dsl.relations.program import Program, told_of_parameters
from ...dsl.terms.enclosures import enclosed, is_plain
from ...dsl.terms.formulas import TRUE, Formula, at_least, equal
from ...dsl.terms.linear import DivisionByZero, Linear, Opaque, Symbol, number, term
from ...dsl.terms.substitution import Substitution, apply_operation
from ...dsl.terms.values import Num, Value
from ..walking.runs.given_up import probability_at
from ..walking.runs.state import State
from .loops.seen import Arrived
from .recorded import RecordedRun

#: By how much more a rounded cost may be than a budget.
ROUNDED = Fraction(1, 10**6)


@dataclass(slots=True)
class Recording:
    """What one run on recorded noise asks of the coefficients, and whether it came to an end."""

    example: Example
    draws: list[Fraction | int | bool]
    owed: list[tuple[Formula, Reason]] = field(default_factory=list)
    visited: set[Span] = field(default_factory=set)
    definitions: list[tuple[Symbol, Linear]] = field(default_factory=list)
    cost: Linear | None = None
    leanings: Mapping[int, float] = field(default_factory=dict)
    alikeness: Mapping[str, Sequence[Formula]] = field(default_factory=dict)
    arrived: Sequence[State] = ()
    history: Sequence[int] = ()
    picks: Sequence[int] = ()
    #: Whether another number stands for a logarithm or root: what it says has to be seen again.
    rounded: bool = False

    @property
    def size(self) -> tuple[int, Fraction]:
        """How many numbers the inputs and the noise have, and how large and odd they are."""
        inputs = (*self.example.left.values(), *self.example.right.values(), *self.draws)
        numbers = [n for v in inputs for n in (v if isinstance(v, tuple | list) else (v,))]
        plain = [Fraction(n) for n in numbers if isinstance(n, int | float | Fraction)]
        return len(numbers), sum((abs(n) + n.denominator for n in plain), Fraction(0))

    @property
    def claims(self) -> Iterator[Formula]:
        """What must hold, with what its names stand for."""
        for symbol, meaning in self.definitions:
            yield equal(term(symbol), meaning)
        for claim, _ in self.owed:
            yield claim


class _Priced(RecordedRun):
    """A run that must stay within a budget."""

    budget: Linear
    cost: Linear | None = None
    slack: Linear = number(0)
    rounded = False

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """In the place of a logarithm or root, what it is of: that is the same where it is.

        Where its value counts, as it is in scales or in what is said of one run: a number close to
        it, which the search sees only.
        """
        self.rounded = True
        found = apply_operation(function, (argument,))
        is_number = is_plain(found) and argument.is_constant and argument.constant > 0
        of_scale = self.program.privacy.is_relaxed or self.program.scales_are_functions
        if not (is_number and (of_scale or self._claims)):
            return argument
        self.slack = number(ROUNDED)
        return number(Fraction(float(enclosed(found).mid())).limit_denominator(10**9))

    def ends(self, state: State, span: Span) -> None:
        """The cost so far is within the budget, also where a callee may never return."""
        super().ends(state, span)
        total = number(0)
        for rate, amount in state.costs.items():
            if probability_at(rate) is None:
                total = total + amount.scaled(_approximately(rate))
        claim = at_least(self.budget + self.slack, total)
        if claim != TRUE:
            reason = Reason("cost", "the shifts cost at most the budget", span)
            self.owed.append((claim, reason))
        if self.finished:
            self.cost = total


def _approximately(rate: Linear) -> Fraction:
    """A rate at concrete parameters; log odds and powers of e are rounded: the search sees it only.

    Raises:
        LimitReached: it is no number even there.
    """
    total = Fraction(rate.constant)
    for atom, k in rate.parts:
        odds = isinstance(atom, Opaque) and atom.operation == "log_odds"
        inner = atom.arguments[0] if isinstance(atom, Opaque) and odds else term(atom)
        if not is_plain(inner):
            raise LimitReached("rate", f"a cost at the rate {rate}")
        value = float(enclosed(inner).mid())
        if (odds and not 0 < value < 1) or not math.isfinite(value):
            raise LimitReached("rate", f"a cost at the rate {rate}")
        value = math.log(value / (1 - value)) if odds else value
        total += k * Fraction(value).limit_denominator(10**6)
    return total


def budget_on(program: Program, budget: Linear, example: Example) -> Linear:
    """What a budget allows an example's pair, as a number.

    Raises:
        DivisionByZero: it divides by what is zero there.
    """
    left, right = example.left, example.right
    claimed = allowed(program.privacy, program.inputs, budget, left, right)
    return Substitution(told_of_parameters(left)).linear(claimed)


def record(
    program: Program,
    example: Example,
    shifts: Mapping[int, Expression],
    unknowns: Sequence[str],
    seed: int,
    *,
    one_sided: bool = False,
    leanings: Mapping[int, float] | None = None,
) -> Recording | None:
    """Run both sides on one example with fresh noise; ``None`` if the run is too long."""
    inputs = RandomInputs(program, example, seed, leanings)
    try:
        budget = budget_on(program, program.budget, example)
    except DivisionByZero:
        return None  # the claim says nothing here; the proof will ask for the divisor
    run = _Priced(program, inputs, shifts, label=seed, one_sided=one_sided)
    run.budget = budget
    try:
        run.explore(unknowns)
        if run.looks_ahead and run.finished:
            run.explore(unknowns, again=True)
        elif run.looks_ahead:
            return None
    except LimitReached:
        return None
    visited = {place for place, _, _ in run.outputs} if run.finished else set()
    definitions = run.definitions
    return Recording(
        example,
        inputs.draws,
        run.owed,
        visited,
        definitions,
        run.cost,
        inputs.leanings,
        run.alikeness,
        run.arrived,
        run.history,
        run.picks,
        run.rounded,
    )


def put_of(recording: Recording, values: Mapping[str, int]) -> Substitution:
    """Coefficients, and what a recording's own names stand for under them."""
    known = {name: number(v) for name, v in values.items()}
    for symbol, meaning in recording.definitions:
        known[symbol.key] = Substitution(known).linear(meaning)
    return Substitution(known)


def arrived_of(recording: Recording, alignment: Alignment) -> Iterator[Arrived]:
    """What one recording held at loop heads under an alignment."""
    put = put_of(recording, alignment.coefficients)
    inputs = told_of_parameters(recording.example.left)
    constants = {n: Fraction(v.constant) for n, v in inputs.items() if v.is_constant}
    constants |= recording.example.unknowns
    left = deque(recording.arrived)
    while left:
        state = left.popleft()
        left.reverse()
        spent = number(0)
        try:
            right = {name: _settled(put, value) for name, value in state.right.items()}
            for rate, amount in state.costs.items():
                if probability_at(rate) is not None:
                    continue
                spent = spent + put.linear(amount).scaled(_approximately(rate))
        except (DivisionByZero, LimitReached):
            continue  # it is not told what was held there
        yield Arrived(
            state.node,
            state.left,
            right,
            Fraction(spent.constant) if spent.is_constant else None,
            constants,
            recording.history,
            recording.picks,
        )


def _settled(put: Substitution, value: Value) -> Value:
    """A value with the coefficients put in."""
    if isinstance(value, Num):
        return value if value.term.is_constant else Num(put.linear(value.term), value.kind)
    return put.formula(value) if isinstance(value, Formula) else value
