"""The state and the small steps of a paired run: evaluate in both runs, owe, fork.

:mod:`.draws` and :mod:`.paired` build samples and whole walks out of these.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from ..dsl.evaluate import Evaluator
from ..dsl.flow import ReleaseNode
from ..dsl.formulas import Formula, negation
from ..dsl.program import Program
from ..dsl.syntax import Expression, Name, Span, names_in
from ..dsl.terms import Linear, Symbol
from ..dsl.values import Num, Value
from ..dsl.views import Duty
from .elements import length_name
from .inputs import Inputs
from .obligations import Condition, Reason
from .paths import Path
from .sides import Side

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
