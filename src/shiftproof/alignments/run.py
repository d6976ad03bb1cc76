"""The state and the small steps of a paired run: evaluate in both runs, owe, fork.

:mod:`.draws` and :mod:`.paired` build samples and whole walks out of these.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, Protocol, TypeVar

from ..dsl.errors import Unsupported
from ..dsl.language.evaluate import Duty, Evaluator
from ..dsl.language.flow import ReleaseNode
from ..dsl.language.syntax import Expression, Name, Span, names_in
from ..dsl.privacy.inputs import DataSet
from ..dsl.relations.cases import Pair
from ..dsl.relations.program import Program
from ..dsl.terms.formulas import Formula, negation, truth
from ..dsl.terms.linear import Linear, Symbol
from ..dsl.terms.values import Num, Value
from .alignment import Condition, Reason
from .elements import length_name
from .inputs import Inputs
from .paths import Path

T = TypeVar("T")


class Observer(Protocol):
    """Who listens to a paired run."""

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        """The claim must hold on this path."""
        ...

    def at_head(self, path: Path) -> None:
        """The path has reached a loop head at which the walk is cut."""
        ...

    def at_end(self, path: Path, span: Span) -> None:
        """The path has ended; its cost is final."""
        ...

    def at_call(self, path: Path, span: Span) -> None:
        """The path has called a mechanism that may never return; its cost can be seen."""
        ...

    def feasible(self, path: Path, formula: Formula) -> bool:
        """Whether the path may go on under the formula; ``True`` if unknown."""
        ...


class Run:
    """Two runs in step, one path at a time.

    Args:
        shifts: the alignment, an expression for each sample site.
        split: follow both outcomes of what is not decided; off for recordings, where
            everything on D is decided and only the shifts may be unknown.

    ``definitions`` are names that a recording gave to values of the run on D'; ``label``
    tells them from those of other recordings.
    """

    def __init__(
        self,
        program: Program,
        inputs: Inputs,
        shifts: Mapping[int, Expression],
        observer: Observer,
        split: bool,
        label: int,
    ) -> None:
        self.program = program
        self.inputs = inputs
        self.shifts = shifts
        self.observer = observer
        self.split = split
        self.label = label
        self.fresh = itertools.count(1)
        #: The variables that are released as they are.
        self.released = frozenset(
            e.name
            for node in program.flow.nodes
            if isinstance(node, ReleaseNode)
            for e in node.values
            if isinstance(e, Name)
        )
        self.definitions: list[tuple[Symbol, Linear]] = []
        self._names: dict[int, frozenset[str]] = {}

    def sides(self, path: Path) -> tuple[Side, Side]:
        """Both runs of a path."""
        return Side(self.program, self.inputs, path, "left"), Side(
            self.program, self.inputs, path, "right"
        )

    def owe(self, path: Path, claim: Formula, reason: Reason) -> None:
        """Report an obligation unless it is known, and go on under it."""
        if path.decide(claim) is True:
            return
        about_runs = reason.condition in (Condition.SAME_SAMPLES, Condition.SAME_OUTPUT)
        owed = self.inputs.elements.witnessed(path, claim) if about_runs else claim
        if path.decide(owed) is not True:
            self.observer.owed(path, owed, reason)
        path.assume(claim)

    def owe_duties(self, path: Path, duties: Iterable[Duty]) -> None:
        """Everything evaluated must be defined."""
        for duty in duties:
            self.owe(path, duty.condition, Reason(Condition.DEFINEDNESS, duty.reason, duty.span))

    def evaluate(self, path: Path, e: Expression) -> tuple[Value, Value]:
        """An expression in both runs; what its evaluation needs is owed."""
        return self._both(path, e, Evaluator.value)

    def conditions(self, path: Path, e: Expression) -> tuple[Formula, Formula]:
        """A condition in both runs."""
        return self._both(path, e, Evaluator.condition)

    def numbers(self, path: Path, e: Expression) -> tuple[Num, Num]:
        """A number in both runs."""
        return self._both(path, e, Evaluator.number)

    def integers(self, path: Path, e: Expression) -> tuple[Num, Num]:
        """An int in both runs; floats are refused."""
        return self._both(path, e, lambda evaluator, e: Num(evaluator.integer(e), "int"))

    def numbers_quietly(self, path: Path, e: Expression) -> Iterator[Linear]:
        """A number in both runs, with nothing owed: it is evaluated again where it counts."""
        for side in self.sides(path):
            yield Evaluator(side).number(e).term

    def _both(
        self, path: Path, e: Expression, meaning: Callable[[Evaluator, Expression], T]
    ) -> tuple[T, T]:
        left, right = self.sides(path)
        evaluator = Evaluator(left)
        first = meaning(evaluator, e)
        self.owe_duties(path, evaluator.duties)
        if self._is_shared(path, e):
            return first, first
        evaluator = Evaluator(right)
        second = meaning(evaluator, e)
        self.owe_duties(path, evaluator.duties)
        return first, second

    def _is_shared(self, path: Path, e: Expression) -> bool:
        """Whether the expression reads nothing that could differ between the runs."""
        names = self._names.get(id(e))
        if names is None:
            names = self._names[id(e)] = names_in(e)
        for name in names:
            if name in path.left:
                if path.left[name] is not path.right.get(name):
                    return False
            elif length_name(name) in path.left or not self.program.inputs[name].public:
                return False
        return True

    def forks(self, path: Path, formula: Formula) -> Iterator[tuple[Path, bool]]:
        """The path under the formula and under its negation, as far as they are feasible."""
        decided = path.decide(formula)
        if decided is not None:
            yield path, decided
            return
        for value in (True, False):
            fact = formula if value else negation(formula)
            if self.observer.feasible(path, fact):
                fork = path.copy()
                fork.assume(fact)
                yield fork, value


# One of the two runs of a path, as expressions see it.

SideName = Literal["left", "right"]


class Side:
    """One of the two runs of a path, as expressions see it."""

    def __init__(self, program: Program, inputs: Inputs, path: Path, side: SideName) -> None:
        self._program = program
        self._inputs = inputs
        self._path = path
        self._side: SideName = side

    def variable(self, name: str, span: Span) -> Value:
        """A variable, or a scalar parameter that was not assigned."""
        values = self._path.left if self._side == "left" else self._path.right
        if name in values:
            return values[name]
        pair = self._pair(name, None)
        whole = self._program.inputs[name].whole
        return Num(pair.left if self._side == "left" else pair.right, "int" if whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """An answer, or an element of a list.

        Reads at equal index terms agree; others are unrelated as far as is known.
        """
        if length_name(array) in self._path.left:
            both = self._inputs.elements.read(self._path, array, index)
            if both is None:
                raise self.refuse(span, f"an element of '{array}' of unknown kind", "fill the list")
            return both[0 if self._side == "left" else 1]
        pair = self._pair(array, index)
        whole = self._program.inputs[array].whole
        return Num(pair.left if self._side == "left" else pair.right, "int" if whole else "float")

    def _pair(self, name: str, index: Linear | None) -> Pair:
        key = name if index is None else f"{name}[{index}]"
        pair = self._path.cells.get(key)
        if pair is None:
            pair = self._inputs.scalar(name) if index is None else self._inputs.cell(name, index)
            self._path.cells[key] = pair
            for fact in pair.facts:
                self._path.assume(fact)
        return pair

    def length(self, array: str) -> Linear:
        """The length of a sequence."""
        own = self._path.left.get(length_name(array))
        return own.term if isinstance(own, Num) else self._inputs.length(array)

    def attributes(self, data: str) -> int:
        """How many attributes the records of a data set have."""
        kind = self._program.inputs[data]
        assert isinstance(kind, DataSet)
        return kind.attributes

    def counted(self, data: str, test: Formula) -> Num:
        """A count over the records."""
        pair = self._inputs.counted(data, test)
        for fact in pair.facts:
            self._path.assume(fact)
        return Num(pair.left if self._side == "left" else pair.right, "int")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether an index is among those that ``top_k`` picks, if that is settled."""
        known = self._inputs.picked
        if known is not None:
            return truth(item.is_constant and item.constant in known)
        if item.key in self._path.asked:
            return self._path.asked[item.key]
        raise self.refuse(span, "outcome() of picked indices where none are picked", "leave it out")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._program.refuse(span, message, advice)
