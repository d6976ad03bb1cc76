"""The two runs of a path (a product program), as expressions see them, and what a step may owe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from ....dsl.errors import Unsupported
from ....dsl.language.evaluate import Evaluator, View
from ....dsl.language.flow import ReleaseNode, SampleNode
from ....dsl.language.syntax import NOWHERE, Expression, Name, Span, names_in
from ....dsl.noise import Distribution
from ....dsl.privacy.inputs import DataSet
from ....dsl.relations.cases import Case, Pair
from ....dsl.relations.moves import Move, does_not_move
from ....dsl.relations.pairs import Rule
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Flag,
    Formula,
    conjunction,
    equal,
    implies,
    negation,
    within,
)
from ....dsl.terms.functions import facts_of_functions
from ....dsl.terms.linear import Indexed, Linear, Symbol, term
from ....dsl.terms.substitution import apply_operation
from ....dsl.terms.values import Kind, Num, Value, same_value
from ..gaps import MOVED_BY, foretold_in, kept_by
from .discharge import simplified
from .elements import (
    ABSENT,
    Ground,
    first_outcome,
    length_name,
    read_element,
    sort_mark,
    sort_name,
    witnessed,
)
from .state import Condition, Ledger, Obligation, Oracle, State
from .ways import Blocks, Output, Way, any_outcomes
from .ways import Kind as WayKind

T = TypeVar("T")
#: A way to evaluate an expression.
Reading: TypeAlias = Callable[[Evaluator, Expression], T]

#: What is claimed of the runs themselves, and not of what a walk knows of them.
ABOUT_RUNS: frozenset[Condition] = frozenset({"same samples", "same output"})


@dataclass(slots=True)
class Run:
    """One walk through a program: what it is about, and where its obligations go.

    ``common`` facts hold throughout; ``shifts`` are the alignment, by sample site, ``foretells``
    whether one reads what comes later; lists that are ``alike`` have the same elements in both
    runs.  With ``one_input`` D' is D and nothing is shifted: what privacy asks of two runs holds of
    one run and itself, and a run that raises says nothing, so neither is owed.
    """

    program: Program
    case: Case
    shifts: Mapping[int, Expression]
    common: tuple[Formula, ...]
    ledger: Ledger
    oracle: Oracle
    one_input: bool = False
    alike: frozenset[str] = frozenset()
    foretells: bool = field(init=False)
    ground: Ground = field(init=False)
    blocks: Blocks = field(init=False)

    def __post_init__(self) -> None:
        self.foretells = foretold_in(self.shifts.values())
        kept = kept_by(self.program.flow, self.shifts)
        self.ground = Ground.around(self.case.places, kept, self.alike)
        self.blocks = Blocks(self.program.flow, {} if self.one_input else self.shifts)

    @property
    def released(self) -> frozenset[str]:
        """The variables that are released as they are."""
        nodes = [n for n in self.program.flow.nodes if isinstance(n, ReleaseNode)]
        return frozenset(e.name for n in nodes for e in n.step.values if isinstance(e, Name))

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

    def scalar(self, name: str) -> Pair:
        """A scalar input in D and in D'."""
        if not self.program.inputs[name].public:
            return self.case.scalar(name)
        symbol = term(self.program.parameter_symbol(name))
        return Pair(symbol, symbol)

    def cell(self, array: str, index: Linear) -> Pair:
        """An element of an input in D and in D'."""
        kind = self.program.inputs[array]
        if not kind.public:
            return self.case.cell(array, index)
        symbol = term(Indexed(array + "[{}]", index, kind.whole, private=False))
        return Pair(symbol, symbol)

    def counted(self, data: str, test: Formula) -> Pair:
        """How many records meet a condition, in D and in D'."""
        return self.case.counted(data, test)

    def length(self, array: str) -> Linear:
        """How long an input is."""
        return term(self.program.length_symbol(array))

    def stored(self, state: State, array: str, left: Value, right: Value, span: Span) -> None:
        """Something is put into a list; into one that is alike, the same in both runs."""
        if array not in self.ground.alike:
            return
        if left != ABSENT:
            detail = f"{array} has the same elements in both runs"
            self.owe(state, same_value(left, right), "loop invariant", detail, span)
        state.put(sort_name(array), sort_mark(left))

    def draw(self, state: State, node: SampleNode, law: Distribution) -> Num | Formula:
        """What is drawn on D."""
        name, whole = self.fresh(node.step.target), law.lattice == "integers"
        drawn = Symbol(name, whole, private=True)
        if law.lattice == "booleans":
            return Flag(drawn)
        return Num(term(drawn), "int" if whole else "float")

    def give_up(self, state: State, bad: Formula) -> None:
        """The draw is none of those that are given up."""
        state.assume(negation(bad))

    def outcomes(self, ways: Sequence[Way]) -> Iterable[tuple[Output, WayKind]]:
        """What may come out of a block that has these ways on D."""
        return any_outcomes(ways, self.fresh)

    def pay_for_sum(self, state: State, own: Linear, other: Linear, span: Span) -> None:
        """Charge what it costs that an outcome is as probable on D as ``own``, not ``other``."""
        raise NotImplementedError

    def moved_for_gaps(self) -> Linear:
        """By how much a draw is moved whose list keeps its gaps: by any number."""
        return term(MOVED_BY)

    def answer(self, name: str, kind: Kind) -> Num | Formula:
        """What another mechanism returns, in both runs; nothing but its type is known."""
        if kind == "bool":
            return Flag(Symbol(self.fresh(name)))
        whole = kind == "int"
        return Num(term(Symbol(self.fresh(name), whole)), "int" if whole else "float")

    def foretold(self, k: int) -> Linear:
        """The k-th integer that is going to come out, seen from the start."""
        return term(first_outcome(k))

    def outcome(self, value: Linear, ahead: int) -> Linear:
        """As ``value`` comes out, the integer that is foretold next, so many ``ahead``."""
        return term(Symbol(self.fresh("outcome"), True))

    def is_picked(self, index: Linear) -> Formula:
        """Whether ``top_k`` picks an index that is not tracked."""
        return Flag(Symbol(self.fresh("picked"), private=True))

    def unchanged(self, name: str) -> bool:
        """Whether a private sequence or data set is surely the same in D and in D'."""
        return does_not_move(self.case.moves[name])

    def move_of(self, name: str) -> Move | None:
        """How a private sequence or data set moves; ``None`` if that is no matter here."""
        return self.case.moves[name]

    @property
    def rule(self) -> Rule | None:
        """The relation of the user's own, if the case is one."""
        return self.case.rule

    def state_claim(self, state: State, claim: Formula, detail: str, span: Span) -> None:
        """Write down that a one-sided claim must hold; nothing is taken for granted after it."""
        owed = witnessed(self.tracked, state, claim)
        facts = tuple(state.facts)
        self.ledger.owe(Obligation(self.common, facts, owed, "one-sided claim", detail, span))

    def release(self, state: State, left: Value, right: Value, span: Span) -> None:
        """Both runs release the same."""
        detail = "the released values are equal"
        self.owe(state, same_value(left, right), "same output", detail, span)

    def unfolded(self, state: State, names: Iterable[str]) -> Iterable[State]:
        """The path with what was just assigned; it may be taken apart where that helps."""
        return (state,)

    def refused(self, state: State, error: Unsupported, span: Span) -> None:
        """A step has no meaning: write down that no pair of runs comes to it."""
        self.owe(state, FALSE, "same samples", error.message, span)

    def both(self, state: State, e: Expression) -> tuple[Value, Value]:
        """An expression in both runs; that it is defined is owed."""
        return self._both(state, e, Evaluator.value)

    def _both(self, state: State, e: Expression, read: Reading[T]) -> tuple[T, T]:
        left = self.alone(state, e, "left", read)
        if self._reads_the_same(state, e):
            return left, left
        return left, self.alone(state, e, "right", read)

    def alone(self, state: State, e: Expression, side: str, read: Reading[T]) -> T:
        """An expression in one run, as ``Evaluator.value`` or as something in particular."""
        evaluator = Evaluator(Side(self, state, side))
        value = read(evaluator, e)
        self.owe_duties(state, evaluator)
        return value

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """A logarithm or root: a function into which no proof looks."""
        return apply_operation(function, (argument,))

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
        return self._both(state, e, Evaluator.condition)

    def numbers(self, state: State, e: Expression) -> tuple[Linear, Linear]:
        """A number in both runs."""
        left, right = self._both(state, e, Evaluator.number)
        return left.term, right.term

    def integers(self, state: State, e: Expression) -> tuple[Linear, Linear]:
        """An int in both runs."""
        return self._both(state, e, Evaluator.integer)

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
        opposite, why = negation(formula), "no pair of runs takes this way"
        for value, fact, claim in ((True, formula, opposite), (False, opposite, formula)):
            never = Obligation(self.common, (*state.facts,), claim, "same samples", why, NOWHERE)
            if self.oracle.holds(never):
                self.ledger.owe(never)
                continue
            fork = state.copy()
            fork.assume(fact)
            yield fork, value


class Side(View):
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
        if name not in self._state.answers:
            self._keep(name, self._run.scalar(name))
        return Num(self._of(name), "int" if kind.whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """An answer of an input, or an element of a list."""
        kind = self._run.program.inputs.get(array)
        if kind is None and length_name(array) in self._state.left:
            return read_element(self._run.ground, self._state, array, index)[self._right]
        if kind is None or not kind.array:
            raise self.refuse(span, f"'{array}' is no sequence", "read a sequence")
        key = f"{array}[{index}]"
        if key not in self._state.answers:
            pair = self._run.cell(array, index)
            there = within(index, self.length(array)) if pair.facts else TRUE
            self._keep(key, pair, there)
            self._compare(array, index, pair)
        return Num(self._of(key), "int" if kind.whole else "float")

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """A logarithm or root; it is known where it is above zero."""
        found = self._run.looked_into(function, argument)
        self._state.learn(TRUE, facts_of_functions(found))
        return found

    def _keep(self, key: str, pair: Pair, there: Formula = TRUE) -> None:
        """An answer is read for the first time; what is known of it is known where it is ``there``.

        An expression may mention it where Python does not come to it: ``f[0] if n > 0 else 0.0``.
        """
        self._state.answers[key] = pair
        self._state.learn(there, pair.facts)

    def _compare(self, array: str, index: Linear, pair: Pair) -> None:
        """Where two variables are equal, the elements at them are the same."""
        if not index.parts or index != term(index.parts[0][0]):
            return
        read = self._state.read.get(array, ())
        for other in read:
            known = self._state.answers[f"{array}[{other}]"]
            same = (equal(pair.left, known.left), equal(pair.right, known.right))
            self._state.assume(implies(equal(index, other), conjunction(same)))
        self._state.read[array] = (*read, index)

    def _of(self, key: str) -> Linear:
        pair = self._state.answers[key]
        return pair.right if self._right else pair.left

    def length(self, array: str) -> Linear:
        """How long a list or an input is."""
        if array in self._run.program.inputs:
            return self._run.length(array)
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
        key = f"count({test}, {data})"
        if key not in self._state.answers:
            self._keep(key, self._run.counted(data, test))
        return Num(self._of(key), "int")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether ``top_k`` picks an index, where that is settled."""
        if item.key in self._state.asked:
            return self._state.asked[item.key]
        raise self.refuse(span, "outcome() of picked indices where none are picked", "leave it out")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._run.program.refuse(span, message, advice)
