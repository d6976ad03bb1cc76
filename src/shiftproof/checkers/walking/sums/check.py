"""Checking a proof by summation: the rows are derived anew, and every cell is asked for.

Of a cell, the certificate says which rows hold in D and some that hold in D'.  That no pair of
inputs lies outside all cells is one linear question; in each cell the sum of the rows of D is to
be at most e^ε times the sum of those of D', which is one question over the reals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ....dsl.errors import BadInput, LimitReached, ShiftproofError, Unsupported
from ....dsl.privacy.definitions import UtilityOptimizedLDP
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    negation,
)
from ....dsl.terms.linear import Linear, exponential, number
from ....dsl.terms.smt import Writer
from ....dsl.terms.substitution import Substitution
from ....dsl.terms.values import same_value
from ..solvers import Answer, Name, Solver
from .claims import (
    Goal,
    as_value,
    goals_of,
    private_values,
    public_facts,
    put,
    range_facts,
    said_of,
)
from .paths import Conditions, Runs
from .reals import Reals, tightened
from .rows import Cell, Row, SumsCase, SumsPart, Term, said, terms_of

__all__ = ["Cell", "Row", "SumsCase", "SumsChecked", "SumsPart", "check_sums"]

#: How many rows and cells a part may have.
MOST_ROWS, MOST_CELLS = 600, 2_000


class SumsChecked(NamedTuple):
    """What came of a check: how many obligations were discharged, and what is in the way."""

    obligations: int
    problems: list[str]


def check_sums(program: Program, part: SumsPart, solvers: Sequence[Name]) -> SumsChecked:
    """Check a proof of a program's privacy by summation."""
    if not solvers:
        return SumsChecked(0, ["no solver was named"])
    cells = sum(len(case.cells) for case in part.cases)
    if len(part.rows) > MOST_ROWS or cells > MOST_CELLS:
        return SumsChecked(0, [f"{len(part.rows)} rows and {cells} cells are too many"])
    asking = Asking([Solver(name) for name in solvers])
    check = _Check(program, part, asking)
    try:
        check.check()
    except (BadInput, LimitReached, Unsupported) as error:
        check.problems.append(str(error))
    except RecursionError:
        check.problems.append("a run or an expression is too long for a sum")
    except ShiftproofError as error:
        check.problems.append(f"a sum cannot be written down: {error}")
    problems = [*check.problems, *asking.contradictions]
    return SumsChecked(check.obligations, list(dict.fromkeys(problems)))


@dataclass(slots=True)
class _Check:
    program: Program
    part: SumsPart
    asking: Asking
    obligations: int = 0
    problems: list[str] = field(default_factory=list)
    rows: list[Term] = field(default_factory=list)

    def check(self) -> None:
        """The rows, then case by case what is owed of them."""
        runs = Runs(self.program)
        # Who gives an outcome that is not protected is asked of numbers, however they are written.
        written = not isinstance(self.program.privacy, UtilityOptimizedLDP)
        derived = terms_of(runs.all(), written)
        if not self._same_rows(derived):
            return
        goals = goals_of(self.program)
        if [case.case for case in self.part.cases] != [goal.name for goal in goals]:
            self.problems.append("the cases are not those of the neighbour relation")
            return
        cases = [_Case(self, g, case) for g, case in zip(goals, self.part.cases, strict=True)]
        for case in cases:
            case.read()
        for case in cases:
            if not self.problems:
                self.asking.common = case.goal.facts
                self._defined(case.goal, runs)
                case.check()

    def owe(self, holds: bool, problem: str) -> None:
        """One obligation more."""
        self.obligations += 1
        if not holds:
            self.problems.append(problem)

    def _same_rows(self, derived: list[Term]) -> bool:
        """The certificate has every row once, but for those that no input meets."""
        left = list(derived)
        for number_, row in enumerate(self.part.rows, start=1):
            found = said(self.program, row)
            same = next((t for t in left if t.key == found.key), None)
            if same is None:
                self.problems.append(f"row {number_} is none of the program")
                return False
            left.remove(same)
            self.rows.append(same)
        facts = (*public_facts(self.program), *range_facts(self.program))
        for lacking in left:
            shown = ", ".join(lacking.of)
            self.owe(
                self.asking.impossible([*facts, *lacking.when]),
                f"a row is missing, of the outcome ({shown})",
            )
        return not self.problems

    def _defined(self, goal: Goal, runs: Runs) -> None:
        """Whatever a run evaluates and draws from is defined, in D and in D'."""
        for divisor in self.program.divisors:
            against = [*goal.facts, equal(divisor, number(0))]
            self.owe(self.asking.impossible(against), f"the budget's divisor {divisor} may be zero")
        for duty in runs.duties:
            for side, run in ((goal.left, "D"), (goal.right, "D′")):
                known = [*goal.facts, *put(side, duty.when)]
                holds = self.asking.follows(known, side.formula(duty.claim))
                self.owe(holds, f"it does not follow in {run} that {duty.why}: {duty.claim}")


@dataclass(slots=True)
class _Case:
    """One goal, and what the certificate says of it."""

    check_: _Check
    goal: Goal
    case: SumsCase
    cells: dict[tuple[str, ...], list[tuple[frozenset[int], frozenset[int]]]] = field(
        default_factory=dict
    )

    def read(self) -> None:
        """What the certificate says speaks of this case, and of rows that there are."""
        if self.case.relation != self.goal.relation:
            shown = "; ".join(self.goal.relation)
            self.check_.problems.append(f"the relation is not the one derived: {shown}")
        for cell in self.case.cells:
            one = self._of_one_outcome(cell)
            if one is not None:
                of, here, there = one
                self.cells.setdefault(of, []).append((here, there))

    def check(self) -> None:
        """There are no cells besides those of the certificate, and the bound holds in each."""
        classes: dict[tuple[str, ...], list[int]] = {}
        for k, row in enumerate(self.check_.rows):
            classes.setdefault(row.of, []).append(k)
        for of, members in classes.items():
            besides: tuple[Formula, ...] = ()
            if self.goal.utility is not None:
                protected = self._utility(members)
                if protected is None:
                    continue
                besides = (protected,)
            self._covered(members, self.cells.get(of, []), besides)
            for here, there in self.cells.get(of, []):
                self._compared(here, there, besides)

    def _of_one_outcome(
        self, cell: Cell
    ) -> tuple[tuple[str, ...], frozenset[int], frozenset[int]] | None:
        rows = self.check_.rows
        named = {*cell.here, *cell.there}
        here = frozenset(k - 1 for k in cell.here)
        there = frozenset(k - 1 for k in cell.there)
        fits = cell.here and all(1 <= k <= len(rows) for k in named)
        if not fits or len({rows[k - 1].of for k in named}) != 1:
            self.check_.problems.append(f"{cell} is no cell of one outcome")
            return None
        return rows[min(here)].of, here, there

    def _when(self, side: Substitution, rows: Iterable[int]) -> Conditions:
        return tuple(f for k in sorted(rows) for f in put(side, self.check_.rows[k].when))

    def _covered(
        self,
        members: Sequence[int],
        cells: Sequence[tuple[frozenset[int], frozenset[int]]],
        besides: tuple[Formula, ...],
    ) -> None:
        """Wherever a row of the outcome holds in D, one of the cells is what holds."""
        here = {k: conjunction(self._when(self.goal.left, [k])) for k in members}
        there = {k: conjunction(self._when(self.goal.right, [k])) for k in members}
        outside = []
        for own, other in cells:
            inside = [here[k] if k in own else negation(here[k]) for k in members]
            inside += [there[k] for k in sorted(other)]
            outside.append(negation(conjunction(inside)))
        facts = [*self.goal.facts, *besides, disjunction(here.values()), *outside]
        shown = ", ".join(self.check_.rows[members[0]].of)
        self.check_.owe(
            self.check_.asking.linearly_impossible(facts),
            f"the cells do not cover the outcome ({shown})",
        )

    def _compared(
        self, here: frozenset[int], there: frozenset[int], besides: tuple[Formula, ...]
    ) -> None:
        goal, rows = self.goal, self.check_.rows
        facts = [
            *goal.facts,
            *besides,
            *self._when(goal.left, here),
            *self._when(goal.right, there),
        ]
        little = [goal.left.linear(rows[k].probability) for k in sorted(here)]
        much = [goal.right.linear(rows[k].probability) for k in sorted(there)]
        holds = self.check_.asking.at_most(facts, little, exponential(goal.budget), much)
        shown = ", ".join(rows[min(here)].of)
        self.check_.owe(
            holds,
            f"of the outcome ({shown}), rows {sorted(k + 1 for k in here)} in D against "
            f"{sorted(k + 1 for k in there)} in D′: the bound does not follow",
        )

    def _utility(self, members: Sequence[int]) -> Formula | None:
        """What makes an outcome protected; of others, that they tell one value at most."""
        check, goal, rows = self.check_, self.goal, self.check_.rows
        assert goal.utility is not None
        output = rows[members[0]].output
        if len(output) != 1:
            check.problems.append("a run releases more than one value, or none")
            return None
        protected, duties = said_of(check.program, goal.utility.protected, as_value(output[0]))
        ((here, there),) = private_values(check.program, goal)
        sensitive, more = said_of(check.program, goal.utility.sensitive, here)
        for duty in (*duties, *more):
            holds = check.asking.follows(goal.facts, duty)
            check.owe(holds, f"{goal.utility}: {duty} does not follow")
        known = [*goal.facts, negation(protected)]
        for k in members:
            own = self._when(goal.left, [k])
            check.owe(
                check.asking.impossible([*known, *own, sensitive]),
                f"row {k + 1}: a sensitive value may give an outcome that is not protected",
            )
            for m in members:
                other = self._when(goal.right, [m])
                different = negation(same_value(here, there))
                check.owe(
                    check.asking.impossible([*known, *own, *other, different]),
                    f"rows {k + 1} and {m + 1}: two values may give an outcome not protected",
                )
        return protected


# The questions of a check of sums: linear ones over the integers, others over the reals.

#: cvc5's complete procedure for polynomials.
COVERINGS = "(set-option :nl-cov true)"


@dataclass(slots=True)
class Asking:
    """Every solver is asked; only what all of them exclude is impossible."""

    solvers: Sequence[Solver]
    asked: int = 0
    #: Facts that many questions share; what follows from them alone is asked once.
    common: tuple[Formula, ...] = ()
    _known: dict[tuple[frozenset[str], str], bool] = field(default_factory=dict)
    #: What a solver says, and another one denies.
    contradictions: list[str] = field(default_factory=list)

    def impossible(self, facts: Iterable[Formula]) -> bool:
        """Whether the conditions cannot hold together, by linear arithmetic or else over reals."""
        facts = list(dict.fromkeys(facts))
        key = frozenset(f.key for f in facts), ""
        if key not in self._known:
            self._known[key] = self._linear(facts) or self._real(facts, "")
        return self._known[key]

    def linearly_impossible(self, facts: Iterable[Formula]) -> bool:
        """The same by linear arithmetic alone."""
        facts = list(dict.fromkeys(facts))
        key = frozenset(f.key for f in facts), "linear"
        if key not in self._known:
            self._known[key] = self._linear(facts)
        return self._known[key]

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether a claim follows from the conditions."""
        return self.impossible([*facts, negation(claim)])

    def at_most(
        self,
        facts: Iterable[Formula],
        little: Sequence[Linear],
        factor: Linear,
        much: Sequence[Linear],
    ) -> bool:
        """Whether the one sum is at most the factor times the other, where the conditions hold."""
        facts = list(dict.fromkeys(facts))
        reals = Reals.about([*facts, *little, factor, *much])
        own, other = (f"(+ 0.0 0.0 {' '.join(map(reals.linear, side))})" for side in (little, much))
        broken = f"(> {own} (* {reals.linear(factor)} {other}))"
        return self._written(facts, reals, broken)

    def _surely(self, facts: Sequence[Formula], claim: Formula) -> bool:
        """Whether a claim follows by linear arithmetic, from what is shared or from all."""
        against = negation(claim)
        shared = set(self.common) <= set(facts)
        if shared and self.linearly_impossible([*self.common, against]):
            return True
        return self.linearly_impossible([*facts, against])

    def _linear(self, facts: Sequence[Formula]) -> bool:
        writer = Writer()
        texts = [writer.formula(f) for f in facts]
        declared = "".join(f"(declare-const {n} {s})" for n, s in writer.sorts.items())
        return self._answered(declared, texts)

    def _real(self, facts: Sequence[Formula], more: str) -> bool:
        return self._written(facts, Reals.about(facts), more)

    def _written(self, facts: Sequence[Formula], reals: Reals, more: str) -> bool:
        said = [more] if more else []
        texts = [reals.formula(tightened(f)) for f in facts]
        for name, base in list(reals.powers.values()):
            texts += self._of_power(facts, reals, name, base)
        for text, (name, value) in list(reals.inverses.items()):
            for relation, positive in ((">", above(value, number(0))), ("<", None)):
                claim = positive if positive is not None else above(number(0), value)
                if self._surely(facts, claim):
                    texts += [f"({relation} {text} 0.0)", f"({relation} {name} 0.0)"]
                    break
        known = list(reals.definitions())
        return self._answered(reals.declarations(), [*known, *texts, *said], real=True)

    def _of_power(
        self, facts: Sequence[Formula], reals: Reals, name: str, base: Linear
    ) -> list[str]:
        if base.is_constant:
            return []
        texts = []
        for claim, relation in ((above(base, number(0)), ">"), (at_least(base, number(0)), ">=")):
            if self._surely(facts, claim):
                texts.append(f"({relation} {name} 1.0)")
                break
        texts += [
            f"(>= {name} {another})"
            for another, power in list(reals.powers.values())
            if another != name and self._surely(facts, at_least(base, power))
        ]
        if all(atom.key in reals.plain for atom, _ in base.parts):
            texts.append(f"(>= {name} (+ 1.0 {reals.linear(base)}))")
        return texts

    def _answered(self, declared: str, texts: Sequence[str], real: bool = False) -> bool:
        answers: list[Answer] = []
        for solver in self.solvers:
            self.asked += 1
            session = solver.session()
            if real and solver.name == "cvc5":
                session.declare(COVERINGS)  # without it, cvc5 may go on for ever
            session.declare(declared)
            session.tell("".join(f"(assert {t})" for t in texts))
            answers.append(session.check())
        if {"sat", "unsat"} <= set(answers):
            self.contradictions.append("solvers contradict each other about a sum")
        return bool(answers) and set(answers) == {"unsat"}
