"""What expressions mean on concrete inputs, for counting again: as the language's evaluator says.

An expression is evaluated once for all runs in which it reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from operator import itemgetter
from typing import Any

from ....dsl.errors import BadInput, Unsupported
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.syntax import NOWHERE, Expression, Name, Span, children, names_in
from ....dsl.terms.formulas import FALSE, TRUE, Formula, Junction, Not, Sign, Truth
from ....dsl.terms.linear import Linear, Rational, number
from ....dsl.terms.values import Mark, Num, Value
from .numbers import Numbers
from .signs import Signs


class Real:
    """A float: a term over real parameters; equal ones are one object, and no int is one."""

    __slots__ = ("term",)

    def __init__(self, term: Linear) -> None:
        self.term = term


class Bit:
    """A Boolean: one of two objects, neither of which is an int."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value


YES, NO = Bit(True), Bit(False)
#: What variables hold; equal ones are the same to Python's release, type included.
Held = int | Real | Bit | str | None | tuple[Any, ...]


class Wrong(Exception):
    """The proof does not hold, or is not one by counting; says why."""


class Open(Wrong):
    """The claim itself is in doubt: a run may raise, or an inequality is not shown.

    ``span``: where in the program, if it is known.
    """

    span: Span | None = None


class Part:
    """An expression without its places, and the variables whose values it is looked up by."""

    def __init__(self, expression: Expression, private: frozenset[str]) -> None:
        self.expression: Expression = unplaced(expression)
        reads = names_in(expression)
        self.constant = not reads
        self.looks = bool(reads & private)
        self.keyed = frozenset(_plain(expression)) & reads - private
        self.key: Callable[[Mapping[str, Held]], object] = (
            itemgetter(*sorted(self.keyed)) if self.keyed else lambda variables: ()
        )


class Known:
    """What is known of an expression after some reads: its value, or what it reads next.

    ``place`` is ``None`` for a number, and -1 for the length of a sequence.
    """

    __slots__ = ("name", "next", "place", "value")

    def __init__(self) -> None:
        self.name = ""
        self.place: int | None = None
        self.next: dict[Held, Known] = {}
        self.value: Held = None

    def after(self, variables: Mapping[str, Held]) -> Known | None:
        """What is known once it has read the next variable."""
        held = variables[self.name]
        if self.place is not None:
            cells: tuple[Any, ...] = held  # type: ignore[assignment]
            if self.place >= len(cells):
                return None
            held = cells[self.place] if self.place >= 0 else len(cells)
        return self.next.get(held)


class Evaluation:
    """The values of expressions under what ``signs`` knows of the real parameters."""

    def __init__(self, numbers: Numbers, signs: Signs) -> None:
        self._numbers = numbers
        self._signs = signs
        self._reals: dict[Linear, Real] = {}
        self._known: dict[tuple[Part, object], Known] = {}

    def real(self, term: Linear) -> Real:
        """A float."""
        return self._reals.setdefault(term, Real(term))

    def of(self, part: Part, variables: Mapping[str, Held]) -> Held:
        """The value of an expression."""
        known = self._known.get((part, part.key(variables)))
        while known is not None and known.next:
            known = known.after(variables)
        return self._evaluated(part, variables).value if known is None else known.value

    def start(self, part: Part, variables: Mapping[str, Held]) -> Known | None:
        """What is known of an expression before any recorded read."""
        return self._known.get((part, part.key(variables)))

    def learn(self, part: Part, variables: Mapping[str, Held]) -> Known:
        """Evaluate it, note what it reads, and return what is known before that."""
        self._evaluated(part, variables)
        return self._known[part, part.key(variables)]

    def _evaluated(self, part: Part, variables: Mapping[str, Held]) -> Known:
        view = Recorder(variables, part.keyed)
        evaluator = Evaluator(view)
        try:
            found = self._held(evaluator.value(part.expression))
        except (BadInput, Unsupported) as error:
            raise Wrong(str(error)) from None
        for duty in evaluator.duties:
            if not self.decide(duty.condition):
                raise Open(f"a run may raise: not always '{duty.reason}'")
        known = self._known.setdefault((part, part.key(variables)), Known())
        for name, place, held in view.reads:
            if not known.next:
                known.name, known.place = name, place
            if (known.name, known.place) != (name, place):
                raise Wrong("an expression reads now this, now that")
            known = known.next.setdefault(held, Known())
        known.value = found
        return known

    def _held(self, value: Value) -> Held:
        if isinstance(value, Mark):
            return value.value
        if isinstance(value, Formula):
            return YES if self.decide(value) else NO
        if value.kind == "int":
            if not value.term.is_constant or value.term.constant.denominator != 1:
                raise Wrong(f"the integer {value.term} is not known")
            return int(value.term.constant)
        if value.kind == "float":
            return self.real(value.term)
        raise Wrong("a number that is an int or a float")

    def decide(self, condition: Formula) -> bool:
        """Whether a condition holds, which must be the same for all parameters."""
        if isinstance(condition, Truth):
            return condition.value
        if isinstance(condition, Not):
            return not self.decide(condition.inner)
        if isinstance(condition, Junction):
            found = [self.decide(m) for m in condition.members]
            return all(found) if condition.conjunction else any(found)
        if isinstance(condition, Sign):
            subject = self._numbers.of(condition.subject)
            opposite = self._numbers.negative(subject)
            if condition.relation == "==":
                if not subject.top:
                    return True
                if self._signs.holds(subject, True) or self._signs.holds(opposite, True):
                    return False
            else:
                strict = condition.relation == ">"
                if self._signs.holds(subject, strict):
                    return True
                if self._signs.holds(opposite, not strict):
                    return False
        raise Wrong(f"'{condition}' is not the same for all parameters")


class Recorder:
    """The variables of a run, for the evaluator; notes all reads but of the ``keyed`` ones."""

    def __init__(self, variables: Mapping[str, Held], keyed: frozenset[str]) -> None:
        self.variables = variables
        self._keyed = keyed
        self.reads: dict[tuple[str, int | None, Held], None] = {}

    def variable(self, name: str, span: Span) -> Value:
        held = self.variables[name]
        if name not in self._keyed:
            self.reads[name, None, held] = None
        return _value_of(held)

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        cells = self.variables[array]
        assert isinstance(cells, tuple)
        i: Rational = index.constant
        if not index.is_constant or not 0 <= i < len(cells):
            raise Open(f"an index of {array} is out of range")
        self.reads[array, int(i), cells[int(i)]] = None
        return _value_of(cells[int(i)])

    def length(self, array: str) -> Linear:
        cells = self.variables[array]
        assert isinstance(cells, tuple)
        self.reads[array, -1, len(cells)] = None
        return number(len(cells))

    def attributes(self, data: str) -> int:
        raise Wrong("data sets are not counted")

    def counted(self, data: str, test: Formula) -> Num:
        raise Wrong("data sets are not counted")

    def chosen(self, item: Linear, span: Span) -> Formula:
        raise Wrong("a prophecy outside an alignment")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        return Unsupported(message, None, advice)


def term_of(held: Held) -> Linear:
    """A number as a term."""
    if isinstance(held, Real):
        return held.term
    if type(held) is int:
        return number(held)
    raise Wrong("a parameter of a draw is no number")


def _value_of(held: Held) -> Value:
    """What a variable holds, as the evaluator has it."""
    if isinstance(held, Real):
        return Num(held.term, "float")
    if isinstance(held, Bit):
        return TRUE if held.value else FALSE
    if type(held) is int:
        return Num(number(held), "int")
    if isinstance(held, tuple):
        raise Wrong("a list is used as a value")
    return Mark(held)  # type: ignore[arg-type]


def _plain(e: Expression) -> Iterator[str]:
    """The names that stand for numbers in an expression."""
    if isinstance(e, Name):
        yield e.name
    for inner in children(e):
        yield from _plain(inner)


def unplaced(e: Any) -> Any:
    """An expression without its places in the source."""
    changed: dict[str, Any] = {"span": NOWHERE}
    for field in fields(e):
        value = getattr(e, field.name)
        if isinstance(value, Expression):
            changed[field.name] = unplaced(value)
        elif isinstance(value, tuple) and any(isinstance(v, Expression) for v in value):
            changed[field.name] = tuple(map(unplaced, value))
    return replace(e, **changed)
