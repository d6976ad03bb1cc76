"""The two runs of a path, as expressions see them, and what every step of them may owe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ....dsl.errors import Unsupported
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import ReleaseNode
from ....dsl.language.syntax import NOWHERE, Expression, Name, Span, names_in
from ....dsl.privacy.inputs import DataSet
from ....dsl.relations.cases import Case, Pair
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import FALSE, TRUE, Formula, negation, within
from ....dsl.terms.linear import Indexed, Linear, term
from ....dsl.terms.values import Num, Value
from .discharge import simplified
from .elements import Ground, length_name, read_element, witnessed
from .state import Condition, Ledger, Obligation, Oracle, State

#: What is claimed of the runs themselves, and not of what a walk knows of them.
ABOUT_RUNS: frozenset[Condition] = frozenset({"same samples", "same output"})


@dataclass(slots=True)
class Run:
    """One walk through a program: what it is about, and where its obligations go.

    ``common`` facts hold throughout; ``shifts`` are the alignment, by sample site.  With
    ``one_input`` D' is D and nothing is shifted: what privacy asks of two runs holds of one run
    and itself, and a run that raises says nothing, so neither is owed.
    """

    program: Program
    case: Case
    shifts: Mapping[int, Expression]
    common: tuple[Formula, ...]
    ledger: Ledger
    oracle: Oracle
    one_input: bool = False
    ground: Ground = field(init=False)

    def __post_init__(self) -> None:
        self.ground = Ground.around(self.case.places)

    @property
    def released(self) -> frozenset[str]:
        """The variables that are released as they are."""
        nodes = [n for n in self.program.flow.nodes if isinstance(n, ReleaseNode)]
        return frozenset(e.name for n in nodes for e in n.values if isinstance(e, Name))

    @property
    def tracked(self) -> tuple[Linear, ...]:
        """The indices of lists at which elements are known."""
        return self.ground.tracked

    def fresh(self, name: str) -> str:
        """A name that no other symbol of this walk has."""
        return self.ground.fresh(name)

    def owe(
        self, state: State, claim: Formula, condition: Condition, detail: str, span: Span
    ) -> None:
        """Write down that a claim must hold here, and go on under it."""
        if state.decide(claim) is True:
            return
        if self.one_input and condition != "loop invariant" and claim != FALSE:
            state.assume(claim)
            return
        owed = witnessed(self.tracked, state, claim) if condition in ABOUT_RUNS else claim
        if state.decide(owed) is not True:
            duty = Obligation(self.common, tuple(state.facts), owed, condition, detail, span)
            for part in simplified(duty):
                self.ledger.owe(part)
        state.assume(claim)

    def cannot_be(self, state: State, detail: str, span: Span) -> None:
        """Write down that no pair of runs comes here."""
        self.owe(state, FALSE, "same samples", detail, span)

    def both(self, state: State, e: Expression) -> tuple[Value, Value]:
        """An expression in both runs; that it is defined is owed."""
        left = self.alone(state, e, "left")
        if self._reads_the_same(state, e):
            return left, left
        return left, self.alone(state, e, "right")

    def alone(self, state: State, e: Expression, side: str) -> Value:
        """An expression in one run."""
        evaluator = Evaluator(Side(self, state, side))
        value = evaluator.value(e)
        self.owe_duties(state, evaluator)
        return value

    def shift(self, state: State, e: Expression) -> Value:
        """A shift, which may speak of both runs."""
        evaluator = Evaluator(Side(self, state, "left"), Side(self, state, "right"))
        value = evaluator.value(e)
        self.owe_duties(state, evaluator)
        return value

    def owe_duties(self, state: State, evaluator: Evaluator) -> None:
        """What was evaluated is defined."""
        for duty in evaluator.duties:
            self.owe(state, duty.condition, "definedness and end", duty.reason, duty.span)

    def conditions(self, state: State, e: Expression) -> tuple[Formula, Formula]:
        """A condition in both runs."""
        left, right = self.both(state, e)
        if isinstance(left, Formula) and isinstance(right, Formula):
            return left, right
        raise self.program.refuse(e.span, "a value used as a condition", "compare it")

    def numbers(self, state: State, e: Expression) -> tuple[Linear, Linear]:
        """A number in both runs."""
        left, right = self.both(state, e)
        if isinstance(left, Num) and isinstance(right, Num):
            return left.term, right.term
        raise self.program.refuse(e.span, "something else where a number is needed", "use one")

    def integers(self, state: State, e: Expression) -> tuple[Linear, Linear]:
        """An int in both runs."""
        left, right = self.both(state, e)
        if isinstance(left, Num) and isinstance(right, Num) and left.kind == right.kind == "int":
            return left.term, right.term
        raise self.program.refuse(e.span, "something else where an int is needed", "use an int")

    def _reads_the_same(self, state: State, e: Expression) -> bool:
        """Whether nothing that the expression reads could differ between the runs.

        Of a list of the program's own that is left open.
        """
        for name in names_in(e):
            kind = self.program.inputs.get(name)
            if kind is not None:
                same = kind.public
            else:
                same = name in state.left and state.left[name] is state.right.get(name)
            if not same:
                return False
        return True

    def forks(self, state: State, formula: Formula) -> Iterator[tuple[State, bool]]:
        """The path under the formula and under its negation.

        One that seems not to be possible is left out; that it is not, is owed.
        """
        decided = state.decide(formula)
        if decided is not None:
            yield state, decided
            return
        for value in (True, False):
            fact = formula if value else negation(formula)
            detail = "no pair of runs takes this way"
            facts = tuple(state.facts)
            never = Obligation(self.common, facts, negation(fact), "same samples", detail, NOWHERE)
            if self.oracle.holds(never):
                self.ledger.owe(never)
                continue
            fork = state.copy()
            fork.assume(fact)
            yield fork, value


class Side:
    """One of the two runs, as expressions see it."""

    def __init__(self, run: Run, state: State, side: str) -> None:
        self._run = run
        self._state = state
        self._right = side == "right"

    def variable(self, name: str, span: Span) -> Value:
        """A variable that has a value in this run, or a scalar input: no name is both."""
        kind = self._run.program.inputs.get(name)
        if kind is None:
            value = (self._state.right if self._right else self._state.left).get(name)
            if value is None:
                raise self.refuse(span, f"'{name}' has no value here", "assign it first")
            return value
        if kind.array:
            raise self.refuse(span, f"'{name}' is a sequence", "read its elements")
        symbol = term(self._run.program.parameter_symbol(name)) if kind.public else None
        pair = Pair(symbol, symbol) if symbol else self._run.case.scalar(name)
        return Num(self._of(name, pair), "int" if kind.whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """An answer of an input, or an element of a list."""
        kind = self._run.program.inputs.get(array)
        if kind is None and length_name(array) in self._state.left:
            return read_element(self._run.ground, self._state, array, index)[self._right]
        if kind is None or not kind.array:
            raise self.refuse(span, f"'{array}' is no sequence", "read a sequence")
        if kind.public:
            symbol = term(Indexed(array + "[{}]", index, kind.whole, private=False))
            pair = Pair(symbol, symbol)
        else:
            pair = self._run.case.cell(array, index)
        value = self._of(f"{array}[{index}]", pair, within(index, self.length(array)))
        return Num(value, "int" if kind.whole else "float")

    def _of(self, key: str, pair: Pair, there: Formula = TRUE) -> Linear:
        """An answer; what is known of it is known where it is ``there``.

        An expression may mention it where Python does not come to it: ``f[0] if n > 0 else 0.0``.
        """
        if key not in self._state.answers:
            self._state.answers[key] = pair
            self._state.learn(there, pair.facts)
        return pair.right if self._right else pair.left

    def length(self, array: str) -> Linear:
        """How long a list or an input is."""
        if array in self._run.program.inputs:
            return term(self._run.program.length_symbol(array))
        own = self._state.left.get(length_name(array))
        if not isinstance(own, Num):
            raise self.refuse(NOWHERE, f"'{array}' has no length here", "make the list first")
        return own.term

    def attributes(self, data: str) -> int:
        """How many attributes the records of a data set have."""
        kind = self._run.program.inputs.get(data)
        if not isinstance(kind, DataSet):
            raise self.refuse(NOWHERE, f"'{data}' is no data set", "count the records of one")
        return kind.attributes

    def counted(self, data: str, test: Formula) -> Num:
        """A count over the records."""
        self.attributes(data)
        pair = self._run.case.counted(data, test)
        return Num(self._of(f"count({test}, {data})", pair), "int")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether ``top_k`` picks an index, where that is settled."""
        if item.key in self._state.asked:
            return self._state.asked[item.key]
        raise self.refuse(span, "outcome() of picked indices where none are picked", "leave it out")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._run.program.refuse(span, message, advice)
