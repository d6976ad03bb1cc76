"""What comes out of a program on one concrete input, for counting again.

Depth first: of each place where a draw is made, with the variables that are still needed, the
law of all that is released from there on.  Expressions mean what the language's evaluator says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from operator import itemgetter
from typing import Any

from ...dsl.errors import BadInput, LimitReached, Unsupported
from ...dsl.evaluate import Evaluator
from ...dsl.flow import (
    AssignNode,
    BranchNode,
    EnsureNode,
    Flow,
    HeadNode,
    ListNode,
    ReleaseNode,
    SampleNode,
    liveness,
)
from ...dsl.formulas import FALSE, TRUE, Formula, Junction, Not, Sign, Truth
from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ...dsl.syntax import (
    NOWHERE,
    Cell,
    Expression,
    MakeList,
    Name,
    Pick,
    Span,
    Store,
    Whole,
    children,
    names_in,
)
from ...dsl.terms import Linear, Rational, number
from ...dsl.values import Mark, Num, Value
from .enumeration_numbers import ONE, Numbers, Quotient
from .enumeration_signs import Signs
from .enumeration_text import value_text

#: How many steps one check may take, and how many a run between two draws.
STEPS, SEGMENT = 8_000_000, 20_000
#: How deep draws may follow each other, from how many values one may choose, the longest list.
DEPTH, VALUES, LONGEST_LIST = 300, 4_096, 1_000


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
Law = dict[tuple[str, ...], Quotient]


class Wrong(Exception):
    """The proof does not hold, or is not one by counting; says why."""


class Runs:
    """The runs of one program at one choice of sizes; ``steps`` counts down to nothing."""

    def __init__(
        self,
        flow: Flow,
        private: frozenset[str],
        numbers: Numbers,
        signs: Signs,
        steps: list[int],
    ) -> None:
        self._flow = flow
        self._numbers = numbers
        self._signs = signs
        self._steps = steps
        self._reals: dict[Linear, Real] = {}
        live = liveness(list(flow.nodes))
        self._blank: dict[str, Held] = dict.fromkeys(frozenset[str]().union(*live))
        self._names = [_Reader(names) for names in live]
        self._others = [_Reader(names - private) for names in live]
        self._looks = [_looks(node, private) for node in flow.nodes]
        self._ways: dict[object, tuple[int, dict[str, Held], tuple[str, ...]]] = {}
        self._parts = [_parts_of(node) for node in flow.nodes]
        self._values: dict[object, Held] = {}
        self._laws: dict[object, Law] = {}
        self._rows: dict[object, list[tuple[Held, Quotient]]] = {}
        self._depth = 0

    def law(self, inputs: Mapping[str, Held]) -> Law:
        """Every outcome with its probability."""
        self._depth = 0
        found = self._from(self._flow.start, {**self._blank, **inputs})
        return {outcome: p for outcome, p in found.items() if p is not self._numbers.zero}

    def real(self, term: Linear) -> Real:
        """A float."""
        return self._reals.setdefault(term, Real(term))

    def _from(self, at: int, variables: dict[str, Held]) -> Law:
        """The law of what is released from a place on."""
        begun = at, self._others[at].key(variables)
        known = self._ways.get(begun)
        if known is not None:
            at, changed, first = known
            variables.update(changed)
            released = list(first)
        else:
            released, written = [], dict[str, None]()
            at = self._further(at, variables, released, written)
            changed = {name: variables[name] for name in written}
            self._ways[begun] = at, changed, tuple(released)
        at = self._further(at, variables, released, None)
        node = self._flow.nodes[at]
        if isinstance(node, SampleNode):
            rest = self._drawn(at, node, variables)
        else:
            rest = {(): self._numbers.one}
        if not released:
            return rest
        first = tuple(released)
        return {first + more: p for more, p in rest.items()}

    def _further(
        self,
        at: int,
        variables: dict[str, Held],
        released: list[str],
        written: dict[str, None] | None,
    ) -> int:
        """Go on to a draw or the end; with ``written`` no further than to a private input."""
        for _ in range(SEGMENT):
            self._steps[0] -= 1
            node, parts = self._flow.nodes[at], self._parts[at]
            if written is not None:
                if self._looks[at]:
                    break
                written.update(dict.fromkeys(_written(node)))
            match node:
                case AssignNode(step=assign, after=after):
                    found = [self._value(p, variables) for p in parts]
                    variables.update(zip(assign.targets, found, strict=True))
                    at = after
                case BranchNode(yes=yes, no=no) | HeadNode(body=yes, exit=no):
                    at = yes if self._bit(parts[0], variables) else no
                case ReleaseNode(after=after):
                    released += [self._shown(p, variables) for p in parts]
                    at = after
                case EnsureNode(after=after):
                    self._bit(parts[0], variables)
                    at = after
                case ListNode(after=after):
                    self._list(node, parts, variables)
                    at = after
                case _:
                    break
        else:
            raise Wrong("a run takes too many steps between two draws")
        if self._steps[0] < 0:
            raise LimitReached("STEPS", f"counting again takes more than {STEPS} steps")
        return at

    def _drawn(self, at: int, node: SampleNode, variables: dict[str, Held]) -> Law:
        key = at, self._names[at].key(variables)
        if key in self._laws:
            return self._laws[key]
        if self._depth > DEPTH:
            raise Wrong("a run may draw too often, or for ever")
        self._depth += 1
        law: Law = {}
        for value, p in self._row(at, node, variables):
            rest = self._from(node.after, {**variables, node.step.target: value})
            for outcome, q in rest.items():
                share = self._numbers.multiply(p, q)
                before = law.get(outcome)
                law[outcome] = share if before is None else self._numbers.add(before, share)
        self._depth -= 1
        self._laws[key] = law
        return law

    def _row(
        self, at: int, node: SampleNode, variables: dict[str, Held]
    ) -> list[tuple[Held, Quotient]]:
        """The values of a draw with their probabilities."""
        step = node.step
        if [type(e) for e in step.arguments] == [Whole]:
            arguments = variables[step.arguments[0].array]  # type: ignore[attr-defined]
            assert isinstance(arguments, tuple)
        else:
            arguments = tuple(self._value(p, variables) for p in self._parts[at])
        key = at, arguments
        if key not in self._rows:
            terms = [self._number(a) for a in arguments]
            if step.distribution is Bernoulli:
                p = self._numbers.of(terms[0])
                rest = self._numbers.add(self._numbers.one, self._numbers.negative(p))
                if not (self._signs.holds(p, True) and self._signs.holds(rest, True)):
                    raise Wrong(f"{p.text} is not shown to lie strictly between 0 and 1")
                self._rows[key] = [(NO, rest), (YES, p)]
            elif step.distribution is Categorical:
                self._rows[key] = self._weighted(terms)
            elif step.distribution is DiscreteUniform:
                self._rows[key] = self._uniform(*terms)
            else:
                raise Wrong(f"{step.distribution.__name__} is not finite")
        return self._rows[key]

    def _weighted(self, terms: Sequence[Linear]) -> list[tuple[Held, Quotient]]:
        weights = [self._numbers.of(t) for t in terms]
        total = self._numbers.zero
        for weight in weights:
            if not self._signs.holds(weight, False):
                raise Wrong(f"the weight {weight.text} may be negative")
            total = self._numbers.add(total, weight)
        if not self._signs.holds(total, True):
            raise Wrong(f"the weights {total.text} may all be zero")
        unit = self._numbers.inverse(total)
        shares = [self._numbers.multiply(w, unit) for w in weights]
        return [(k, p) for k, p in enumerate(shares) if p is not self._numbers.zero]

    def _uniform(self, low: Linear, high: Linear) -> list[tuple[Held, Quotient]]:
        if not (low.is_constant and high.is_constant and low.integral and high.integral):
            raise Wrong(f"the bounds {low} and {high} of a draw are no integers")
        first, last = int(low.constant), int(high.constant)
        if not 0 <= last - first < VALUES:
            raise Wrong(f"a draw between {first} and {last}")
        p = self._numbers.plain(Fraction(1, last - first + 1))
        return [(k, p) for k in range(first, last + 1)]

    def _number(self, held: Held) -> Linear:
        if isinstance(held, Real):
            return held.term
        if type(held) is int:
            return number(held)
        raise Wrong("a parameter of a draw is no number")

    def _value(self, part: _Part, variables: Mapping[str, Held]) -> Held:
        key = part, part.reader.key(variables)
        try:
            return self._values[key]
        except KeyError:
            pass
        evaluator = Evaluator(InputsAndVariables(self, variables))
        try:
            found = self._held(evaluator.value(part.expression))
        except (BadInput, Unsupported) as error:
            raise Wrong(str(error)) from None
        for duty in evaluator.duties:
            if not self.decide(duty.condition):
                raise Wrong(f"a run may raise: not always '{duty.reason}'")
        self._values[key] = found
        return found

    def _bit(self, part: _Part, variables: Mapping[str, Held]) -> bool:
        found = self._value(part, variables)
        if isinstance(found, Bit):
            return found.value
        raise Wrong("a condition is no Boolean")

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

    def value_of(self, held: Held) -> Value:
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

    def _shown(self, part: _Part, variables: Mapping[str, Held]) -> str:
        """A released value as a text that no other value has."""
        held = self._value(part, variables)
        if isinstance(held, Real):
            if not held.term.is_constant:
                found = self._numbers.of(held.term)
                if not set(found.top) <= {ONE}:
                    return found.text
                raise Wrong("a released float is a number in a roundabout way")
            if not held.term.constant and not part.constant:
                raise Wrong("a float zero is released that was computed: it may have a sign")
            return value_text(Fraction(held.term.constant))
        if isinstance(held, tuple):
            raise Wrong("a list is released")
        return value_text(held.value if isinstance(held, Bit) else held)

    def _list(self, node: ListNode, parts: Sequence[_Part], variables: dict[str, Held]) -> None:
        values = [self._value(p, variables) for p in parts]
        match node.step:
            case MakeList(target=target, fill=fill):
                size = values[-1]
                if type(size) is not int or size > LONGEST_LIST:
                    raise Wrong("the length of a list")
                variables[target] = () if fill is None else (values[0],) * max(size, 0)
            case Store(array=array, index=None):
                cells = variables[array]
                assert isinstance(cells, tuple)
                if len(cells) >= LONGEST_LIST:
                    raise Wrong("the length of a list")
                variables[array] = (*cells, values[0])
            case Store(array=array):
                held, i = variables[array], values[1]
                assert isinstance(held, tuple)
                if type(i) is not int or not 0 <= i < len(held):
                    raise Wrong("an index out of range")
                variables[array] = (*held[:i], values[0], *held[i + 1 :])
            case Pick(target=target, array=array):
                found = self._picked(variables[array], values[0] if values else 1)
                variables[target] = found if values else found[0]

    def _picked(self, cells: Held, count: Held) -> tuple[int, ...]:
        """The indices of the largest numbers, of equal ones the first."""
        assert isinstance(cells, tuple)
        if type(count) is not int or not 0 <= count <= len(cells):
            raise Wrong(f"{count} of {len(cells)} values are picked")
        terms = [self._number(c) for c in cells]
        if not all(t.is_constant for t in terms):
            raise Wrong("real parameters are compared")
        order = sorted(range(len(cells)), key=lambda i: (-terms[i].constant, i))
        return tuple(order[:count])


class _Part:
    """One expression of a node, without places, and the variables that it reads."""

    def __init__(self, expression: Expression) -> None:
        self.expression: Expression = unplaced(expression)
        self.constant = not names_in(expression)
        self.reader = _Reader(names_in(expression))


class _Reader:
    """Reads some variables at once."""

    def __init__(self, names: frozenset[str]) -> None:
        wanted = sorted(names)
        self.key: Callable[[Mapping[str, Held]], object] = (
            itemgetter(*wanted) if wanted else lambda variables: ()
        )


def _parts_of(node: object) -> tuple[_Part, ...]:
    """The expressions that a node evaluates, in order."""
    match node:
        case AssignNode(step=assign):
            found: tuple[Expression, ...] = assign.values
        case BranchNode(test=test) | HeadNode(test=test) | EnsureNode(claim=test):
            found = (test,)
        case ReleaseNode(values=values):
            found = values
        case SampleNode(step=sample):
            found = tuple(e for e in sample.arguments if not isinstance(e, Whole))
        case ListNode(step=MakeList(fill=fill, length=length)):
            found = (length,) if fill is None else (fill, length)
        case ListNode(step=Store(index=index, value=value)):
            found = (value,) if index is None else (value, index)
        case ListNode(step=Pick(count=count)):
            found = () if count is None else (count,)
        case _:
            found = ()
    return tuple(map(_Part, found))


def _written(node: object) -> tuple[str, ...]:
    """The variables that a node changes."""
    match node:
        case AssignNode(step=assign):
            return assign.targets
        case ListNode(step=Store(array=array)):
            return (array,)
        case ListNode(step=MakeList(target=target) | Pick(target=target)):
            return (target,)
    return ()


def _looks(node: object, private: frozenset[str]) -> bool:
    """Whether a node reads private inputs, but for their lengths."""
    if isinstance(node, ListNode) and isinstance(node.step, Pick):
        return node.step.array in private
    if isinstance(node, SampleNode):
        return False
    return any(_looks_at(part.expression, private) for part in _parts_of(node))


def _looks_at(e: Expression, private: frozenset[str]) -> bool:
    if isinstance(e, Name | Cell) and (e.name if isinstance(e, Name) else e.array) in private:
        return True
    return any(_looks_at(inner, private) for inner in children(e))


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


class InputsAndVariables:
    """The variables of a run, for the evaluator."""

    def __init__(self, runs: Runs, variables: Mapping[str, Held]) -> None:
        self._runs = runs
        self._variables = variables

    def variable(self, name: str, span: Span) -> Value:
        return self._runs.value_of(self._variables[name])

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        cells = self._variables[array]
        assert isinstance(cells, tuple)
        i: Rational = index.constant
        if not index.is_constant or not 0 <= i < len(cells):
            raise Wrong(f"an index of {array} is out of range")
        return self._runs.value_of(cells[int(i)])

    def length(self, array: str) -> Linear:
        cells = self._variables[array]
        assert isinstance(cells, tuple)
        return number(len(cells))

    def attributes(self, data: str) -> int:
        raise Wrong("data sets are not counted")

    def counted(self, data: str, test: Formula) -> Num:
        raise Wrong("data sets are not counted")

    def chosen(self, item: Linear, span: Span) -> Formula:
        raise Wrong("a prophecy outside an alignment")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        return Unsupported(message, None, advice)
