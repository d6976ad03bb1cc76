"""Proofs by summation: probabilities of outcomes on D and D′ are written out, and compared.

Of each kind of outcome a certificate names *cells*: rows that hold on D, no others of this
outcome, and some that hold on D′.  That no pair of inputs lies outside all cells is one question;
that in a cell the probability on D is at most exp(budget) times that on D′ is another one.

The part of a certificate has ``cells``: for each kind of outcome that D can have a list of cells,
each of them two lists, rows of D and rows of D′, counted from 0 in the order of the walk.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

from ..arithmetic import ZERO, Condition, Wrong, add, below_power_of_e, both, either, times
from ..claim.declared import output_rules
from ..claim.policies import Case, Kind
from ..language.steps import Mechanism
from ..paired.expressions import Num, Value
from ..paired.runs import Ask, Run, State, same_value
from ..paired.sides import Given, Said, assume_given, claimed_budget
from .cleared import SumRun
from .rows import Row, Rows, any_released

#: Rows that hold on D, and no others of the outcome; and rows that hold on D′.
Cells = Sequence[tuple[Sequence[int], Sequence[int]]]
Facts = tuple[Condition, ...]


def check_sums(
    mechanism: Mechanism, kinds: dict[str, Kind], case: Case, cells: Sequence[Cells], ask: Ask
) -> int:
    """Check a proof by summation of one case of the relation; the number of questions.

    Args:
        mechanism: what is proved private.
        kinds: of its inputs.
        case: of which pairs of inputs.
        cells: of each kind of outcome.
        ask: gives trees.

    Raises:
        Wrong: something is owed, and not shown.
    """
    comparison = Comparison(mechanism, kinds, case, ask)
    if len(cells) != len(comparison.outcomes):
        raise Wrong(f"there are {len(comparison.outcomes)} kinds of outcomes")
    comparison.check(lambda k, _: cells[k])
    return comparison.run.questions


class Outcome(NamedTuple):
    """A kind of outcome that D can have: its rows on D and on D′, by their numbers."""

    of: tuple[Value | str, ...]
    here: dict[int, Row]
    there: dict[int, Row]


class Comparison:
    """One case: the rows of both sides, and what is owed of them."""

    def __init__(self, mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask) -> None:
        if any((kind.array and not kind.public) or kind.attributes for kind in kinds.values()):
            raise Wrong("a private sequence or data set in a sum")
        self._case = case
        self.run = run = SumRun(mechanism, kinds, case, ask, False)
        assume_given(run)
        budget = times(*claimed_budget(run, case, State(0, 0)))
        low = below_power_of_e(budget)
        self._factor = Said(run).exponential(budget) if low is None else low
        here, there = (dict(enumerate(Rows(run, side).all())) for side in (False, True))
        if low is not None and any(set(dict(e)) == {()} for e in run.unknowns.exponents.values()):
            self._factor = Said(run).exponential(budget)  # probabilities may have that very power
        self.outcomes = [
            Outcome(of, *({k: row for k, row in r.items() if row.of == of} for r in (here, there)))
            for of in dict.fromkeys(row.of for row in here.values())
        ]

    def check(self, cells_of: Callable[[int, Facts], Cells]) -> None:
        """The cells that are said of an outcome are all that it has; the bound holds in each.

        Args:
            cells_of: says the cells of an outcome, by its number, where a condition holds.

        Raises:
            Wrong: one of that is not shown.
        """
        for number, outcome in enumerate(self.outcomes):
            where = self._owing(outcome)
            cells = cells_of(number, where)
            for here, there in cells:
                if not (here and {*here} <= {*outcome.here} and {*there} <= {*outcome.there}):
                    raise Wrong(f"{here} and {there} are no cell of the outcome {outcome.of}")
            self._covered(outcome, cells, where)
            for here, there in cells:
                self._compared(outcome, {*here}, {*there}, where)

    def _covered(self, outcome: Outcome, cells: Cells, where: Facts) -> None:
        """Wherever a row of the outcome holds on D, one of the cells is what holds."""
        q, outside = self.run.unknowns, []
        conditions = {k: both(row.when) for k, row in outcome.here.items()}
        for here, there in cells:
            inside = [f if k in here else q.negated(f) for k, f in conditions.items()]
            inside += [f for k in there for f in outcome.there[k].when]
            outside.append(q.negated(both(inside)))
        if not self.run.refuted([*where, either(conditions.values()), *outside]):
            raise Wrong(f"the cells do not cover the outcome {outcome.of}")

    def _compared(self, outcome: Outcome, here: set[int], there: set[int], where: Facts) -> None:
        """The bound holds in a cell."""
        sides = [outcome.here[k] for k in sorted(here)], [outcome.there[k] for k in sorted(there)]
        facts = [f for rows in sides for row in rows for f in row.when]
        own, other = (reduce(add, (row.probability for row in rows), ZERO) for rows in sides)
        broken = self.run.unknowns.above(own, times(self._factor, other))
        if not self.run.refuted([*where, *facts, broken]):
            raise Wrong(f"{outcome.of}, rows {here} of D, {there} of D′: the bound does not follow")

    # Where utility is optimised: what an outcome that is not protected may tell.

    def _owing(self, outcome: Outcome) -> Facts:
        """Where the bound is owed of an outcome; elsewhere, that it tells of one value at most."""
        rules = output_rules(self.run.mechanism.header)
        if not rules:
            return ()
        run, (sensitive, protected) = self.run, rules
        inputs = [name for name, kind in run.kinds.items() if not kind.public]
        texts = [text for name in inputs for text in self._case.inputs[name][1:]]
        if (len(inputs), len(outcome.of)) != (1, 1) or self._case.facts or "move(" in str(texts):
            raise Wrong("it takes one released value, and any two values of one private input")
        (kind,) = outcome.of
        value = Num(any_released(run, 0, kind), kind) if isinstance(kind, str) else kind
        holds, pair = self._rule(protected, value), run.relation.pair(inputs[0], None)
        secret = self._rule(sensitive, pair.left)
        differ = run.unknowns.negated(same_value(run, pair.left, pair.right))
        for k, row in outcome.here.items():
            own = [run.unknowns.negated(holds), *row.when]
            if not run.refuted([*own, secret]):
                raise Wrong(f"row {k}: a sensitive value may give an outcome not protected")
            for m, other in outcome.there.items():
                if not run.refuted([*own, *other.when, differ]):
                    raise Wrong(f"rows {k} and {m}: two values may give an outcome not protected")
        return (holds,)

    def _rule(self, name: str, subject: Value) -> Condition:
        """What a function of the definition says of a value, or of what is released."""
        function = self.run.mechanism.functions[name]
        (body,) = function.body
        assert isinstance(body, ast.Return) and body.value is not None
        parameters = [p.arg for p in function.args.args]
        return _Rule(self.run, parameters, subject).condition(body.value)


class _Rule(Given):
    """What a function of the definition says of one value, and of public parameters."""

    def __init__(self, run: Run, parameters: list[str], subject: Value) -> None:
        super().__init__(run)
        self._parameters, self._subject = parameters, subject

    def variable(self, name: str) -> Value:
        if name not in self._parameters:
            raise Wrong(f"a function of the claim has no parameter {name!r}")
        return self._subject if name == self._parameters[0] else super().variable(name)

    def owe(self, claim: Condition, why: str) -> None:
        self.run.show_throughout(claim, f"a function of the claim: {why}")
