"""``summed``: the proof of a program's privacy by summing the probabilities of its outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ...dsl.errors import BadInput, LimitReached, ShiftproofError, Unsupported
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.exponentials import exponential
from ...dsl.terms.formulas import Formula, conjunction, equal, negation
from ...dsl.terms.linear import Exp, Linear, number
from ...dsl.terms.polynomials import Quotient, bases_of
from ...dsl.terms.smt import Questions, Writer, one_context
from ...dsl.terms.substitution import Substitution
from ...dsl.terms.values import same_value
from ..kernel.arithmetic import below_power_of_e, constant
from ..walking.sums.claims import (
    Goal,
    as_value,
    goals_of,
    private_values,
    public_facts,
    put,
    range_facts,
    said_of,
)
from ..walking.sums.paths import Duty, Runs, disjuncts
from ..walking.sums.rows import Cell, SumsCase, SumsPart, Term, said, terms_of
from .deciding import (
    RESOURCES,
    Deciding,
    Linearly,
    formula,
    linear,
    released_text,
    space_of,
    written,
)

#: The most pairs of inputs to start a search for a counterexample from.
MOST_STARTS = 8
#: The most ways in which a run may come to its outcomes.
MOST_ROWS = 120

#: The inputs of D and of D', by name; ε is in nats.
Start = tuple[Mapping[str, Fraction | int], Mapping[str, Fraction | int]]


@dataclass(frozen=True, slots=True)
class Summed:
    """What came of a summation.

    Attributes:
        outcome: ``proved``; ``open`` if it is not, which refutes nothing; ``declined`` if the
            program is none whose probabilities are summed.
        reasons: why it is not proved.
        table: the proof, for the certificate.
        starts: pairs of inputs where the claim may be wrong.
    """

    outcome: Literal["proved", "open", "declined"]
    reasons: tuple[str, ...] = ()
    table: SumsPart | None = None
    starts: tuple[Start, ...] = ()


def summed(program: Program, resources: int = RESOURCES) -> Summed:
    """Sum the probabilities of a program's outcomes, and compare them for all neighbours.

    Args:
        program: the mechanism, with finite noise and scalar inputs.
        resources: of Z3, for each of its questions.
    """
    try:
        with one_context():
            return _summed(program, resources)
    except (BadInput, LimitReached, Unsupported) as error:
        return Summed("declined", (str(error),))
    except RecursionError:
        return Summed("declined", ("an expression or a path that is too long for a sum",))
    except ShiftproofError as error:  # a product or quotient that has no form
        return Summed("declined", (f"a sum cannot be written down: {error}",))


def _summed(program: Program, resources: int) -> Summed:
    linear = Linearly(resources)
    known = (*public_facts(program), *range_facts(program))
    goals = goals_of(program)

    runs = Runs(program)
    # Where more is claimed of an outcome than a bound, those that may be one number must be one.
    written_apart = program.privacy.output_claim is None
    derived = terms_of(runs.all(), written_apart)
    rows = [row for row in derived if linear.possible([*known, *row.when])]
    if len(rows) > MOST_ROWS:
        raise LimitReached("rows", f"{len(rows)} ways to the outcomes; at most {MOST_ROWS}")
    cases: list[SumsCase] = []
    reasons: list[str] = []
    starts: list[Start] = []
    empty = 0
    for goal in goals:
        found = Trial(program, goal, rows, linear, resources).tried(runs.duties)
        empty += found.empty
        cases.append(SumsCase(goal.name, goal.relation, tuple(found.cells)))
        reasons += found.reasons
        starts += [s for s in _starts(program, goal, found) if s not in starts]
    if empty == len(goals):
        reasons.append("no two inputs meet the preconditions and the relation")
    if reasons:
        return Summed("open", tuple(dict.fromkeys(reasons)), None, tuple(starts[:MOST_STARTS]))
    table = SumsPart(written(rows), tuple(cases))
    for row, text in zip(rows, table.rows, strict=True):
        if said(program, text).key != row.key:
            return Summed("open", (f"a row of the sum has no text: {text.probability}",))
    return Summed("proved", (), table)


def _starts(program: Program, goal: Goal, found: Tried) -> Iterator[Start]:
    """The points of a trial as inputs, as far as they are some."""
    for point in found.points:
        left: dict[str, Fraction | int] = {}
        right: dict[str, Fraction | int] = {}
        for name, kind in program.inputs.items():
            if kind.array:
                left[name] = right[name] = ()  # type: ignore[assignment]
                continue
            there = name if kind.public else f"other({name})"
            for side, key in ((left, name), (right, there)):
                value = point.get(key)
                if isinstance(kind, EpsilonInput):
                    value = _exponent(point, name) or value
                value = (
                    Fraction(1 if isinstance(kind, EpsilonInput) else 0) if value is None else value
                )
                side[name] = int(value) if kind.whole else value
        try:
            program.check_preconditions(left)
            program.check_preconditions(right)
        except (ShiftproofError, ArithmeticError):
            continue
        yield left, right


def _exponent(point: Mapping[str, Fraction], name: str) -> Fraction | None:
    """ε as a short fraction, from the value of its exponential."""
    value = point.get(f"exp({name})")
    if value is None or value <= 1 or value > 10**100:
        return None
    return Fraction(math.log(value)).limit_denominator(64) or None


# Which rows hold together in D and in D', and whether the inequality holds wherever they do.

#: The most cells of one case.
MOST_CELLS = 400
#: After so many cells that are open the others are not tried.
MOST_REASONS = 3


@dataclass(slots=True)
class Tried:
    """What came of one goal: its cells, what is open, and where it might fail.

    ``empty``: no two inputs meet the preconditions and the relation, so it holds.
    """

    cells: list[Cell] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    points: list[Mapping[str, Fraction]] = field(default_factory=list)
    empty: bool = False


def _factor_of(budget: Linear, rows: Sequence[Term]) -> Linear:
    """What a probability may be more by, as the kernel has it: e to the budget, or just below."""
    low = below_power_of_e(constant(budget.constant)) if budget.is_constant else None
    exact = (a for row in rows for a in bases_of(row.probability) if isinstance(a, Exp))
    if low is None or any(a.power.is_constant for a in exact):
        return exponential(budget)
    return number(low[0][1])


class Trial:
    """One goal of a program whose rows are known."""

    def __init__(
        self,
        program: Program,
        goal: Goal,
        rows: Sequence[Term],
        linear: Linearly,
        resources: int = RESOURCES,
    ) -> None:
        self._program, self._goal, self._rows, self._linear = program, goal, rows, linear
        self._resources = resources
        self._here = [put(goal.left, row.when) for row in rows]
        self._there = [put(goal.right, row.when) for row in rows]
        self._factor = _factor_of(goal.budget, rows)
        self.found = Tried()

    def tried(self, owed: Sequence[Duty]) -> Tried:
        """All that the goal asks for."""
        goal, rows = self._goal, self._rows
        terms = [s.linear(row.probability) for row in rows for s in (goal.left, goal.right)]
        duties = [s.formula(f) for o in owed for s in (goal.left, goal.right) for f in _all(o)]
        conditions = [f for when in (*self._here, *self._there) for f in when]
        conditions += [f for row in rows for f in self._owed_of(row)]
        budget = self._program.divisors
        space = space_of([*terms, self._factor, *budget], [*goal.facts, *conditions, *duties])
        self._space = space
        self._deciding = Deciding(space, goal.facts, self._linear, self._resources)
        if not self._deciding.possible([]):
            self.found.empty = True
            return self.found
        self._owe_all(owed)
        if not self.found.reasons:
            self._compare_all()
        return self.found

    def _owe_all(self, owed: Sequence[Duty]) -> None:
        for divisor in self._program.divisors:
            if self._deciding.possible([equal(divisor, number(0))]):
                self.found.reasons.append(f"the budget divides by {divisor}, which may be zero")
        for duty in owed:
            for side in (self._goal.left, self._goal.right):
                if not self._holds(side, duty):
                    self.found.reasons.append(f"it is not proved that {duty.why}: {duty.claim}")
                    break

    def _holds(self, side: Substitution, duty: Duty) -> bool:
        when = put(side, duty.when)
        against = side.formula(negation(duty.claim))
        return all(not self._deciding.possible([*when, *way]) for way in disjuncts(against))

    def _compare_all(self) -> None:
        classes: dict[tuple[str, ...], list[int]] = {}
        for k, row in enumerate(self._rows):
            classes.setdefault(row.of, []).append(k)
        for members in classes.values():
            if len(self.found.reasons) >= MOST_REASONS:
                return
            if self._goal.utility is None:
                self._compare(members, ())
            else:
                self._utility(members)

    def _utility(self, members: Sequence[int]) -> None:
        """Protected outcomes are compared; others must tell of one value that is not sensitive."""
        utility = self._goal.utility
        assert utility is not None
        output = self._rows[members[0]].output
        if len(output) != 1:
            self.found.reasons.append("a run releases more than one value, or none")
            return
        protected, *duties = self._owed_of(self._rows[members[0]])
        ((here, there),) = private_values(self._program, self._goal)
        sensitive, more = said_of(self._program, utility.sensitive, here)
        if any(self._linear.possible([*self._goal.facts, negation(d)]) for d in (*duties, *more)):
            self.found.reasons.append("what is sensitive or protected is not defined everywhere")
            return
        self._compare(members, (protected,))
        public = (*self._goal.facts, negation(protected))
        differ = negation(same_value(here, there))
        for k in members:
            if self._linear.possible([*public, *self._here[k], sensitive]):
                self.found.reasons.append("a sensitive value may give an outcome not protected")
                return
            for m in members:
                if self._linear.possible([*public, *self._here[k], *self._there[m], differ]):
                    self.found.reasons.append("two values may give the same outcome, unprotected")
                    return

    def _owed_of(self, row: Term) -> tuple[Formula, ...]:
        """When the bound is owed of an outcome, if not always, and when that is defined."""
        utility = self._goal.utility
        if utility is None or len(row.output) != 1:
            return ()
        said, duties = said_of(self._program, utility.protected, as_value(row.output[0]))
        return (said, *duties)

    def _compare(self, members: Sequence[int], besides: tuple[Formula, ...]) -> None:
        for here, there in self._patterns(members, besides):
            cell = Cell(tuple(k + 1 for k in here), tuple(k + 1 for k in there))
            self.found.cells.append(cell)
            if len(self.found.cells) > MOST_CELLS:
                raise LimitReached("cells", f"more than {MOST_CELLS} cells")
            when = [
                *besides,
                *(f for k in here for f in self._here[k]),
                *(f for k in there for f in self._there[k]),
            ]
            if not self._deciding.not_negative(self._difference(here, there), when):
                self.found.reasons.append(self._described(here, there))
                self._remember(when, members, here, there)
                if len(self.found.reasons) >= MOST_REASONS:
                    return

    def _difference(self, here: Sequence[int], there: Sequence[int]) -> Quotient:
        """exp(budget) times the one sum, minus the other."""
        space = self._space
        other = space.total(self._quotient(self._goal.right, k) for k in there)
        own = space.total(self._quotient(self._goal.left, k) for k in here)
        most = space.times(space.quotient(self._factor), other)
        return space.total([most, space.negative(own)])

    def _quotient(self, side: Substitution, k: int) -> Quotient:
        return self._space.quotient(side.linear(self._rows[k].probability))

    def _patterns(
        self, members: Sequence[int], besides: tuple[Formula, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Which rows can hold in D (some must) while which hold in D'."""
        conditions = [*(conjunction(self._here[k]) for k in members)]
        conditions += [conjunction(self._there[k]) for k in members]
        questions = Questions(Writer(), self._resources)
        questions.add([*self._goal.facts, *besides])
        count = len(members)

        def split(place: int, held: list[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
            if place == count and not held:
                return
            if place == 2 * count:
                here = tuple(members[k] for k in held if k < count)
                yield here, tuple(members[k - count] for k in held if k >= count)
                return
            for holds in (True, False):
                questions.push()
                f = conditions[place]
                questions.add([f if holds else negation(f)])
                if questions.check() != "unsat":
                    yield from split(place + 1, [*held, place] if holds else held)
                questions.pop()

        yield from split(0, [])

    def _described(self, here: Sequence[int], there: Sequence[int]) -> str:
        def total(rows: Sequence[int]) -> str:
            return " + ".join(linear(self._rows[k].probability) for k in rows) or "0"

        where = " and ".join(
            dict.fromkeys(
                formula(f)
                for conditions, rows in ((self._here, here), (self._there, there))
                for k in rows
                for f in conditions[k]
            )
        )
        outcome = ", ".join(map(released_text, self._rows[here[0]].output))
        return (
            f"the outcome {outcome}{' where ' if where else ''}{where} has the probability "
            f"{total(here)} on D, which is not proved to be at most "
            f"exp({linear(self._goal.budget)}) times {total(there)}, that on D′"
        )

    def _remember(
        self,
        when: Sequence[Formula],
        members: Sequence[int],
        here: Sequence[int],
        there: Sequence[int],
    ) -> None:
        """Inputs where the inequality might fail: whole numbers first, the rest to go with them."""
        questions = Questions(Writer(), self._resources)
        questions.add([*self._goal.facts, *when])
        questions.add(
            [negation(conjunction(self._here[k])) for k in members if k not in here]
            + [negation(conjunction(self._there[k])) for k in members if k not in there]
        )
        point = dict(self._deciding.model)
        found = [point]
        if questions.check() == "sat":
            told = questions.point().items()
            exact = {n: v for n, v in told if isinstance(v, Fraction)}
            inputs = self._program.inputs
            whole = {f for n, k in inputs.items() if k.whole for f in (n, f"other({n})")}
            integers = {n: v for n, v in exact.items() if n in whole}
            # The real numbers break the bound, but need not be integers, nor in this cell.
            broken = {n: v for n, v in point.items() if n not in whole or v.denominator == 1}
            found = [{**exact, **broken}, {**exact, **point, **integers}]
        self.found.points += found


def _all(duty: Duty) -> tuple[Formula, ...]:
    return (duty.claim, *duty.when)
