"""All paths of one run: conditions, probabilities, and what is released, over symbols.

before:  keep = sample(Bernoulli(p)); u = sample(DiscreteUniform(1, k)); yield x if keep else u
after:   p: x        1 - p, u1 in 1..k: u1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...dsl.errors import LimitReached, Unsupported
from ...dsl.evaluate import Evaluator
from ...dsl.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ReleaseNode,
    SampleNode,
)
from ...dsl.formulas import (
    Choice,
    Formula,
    Junction,
    Not,
    Sign,
    Truth,
    at_least,
    conjunction,
    first_choice,
    negation,
    sign,
    truth,
)
from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ...dsl.program import Program
from ...dsl.syntax import Expression, Whole
from ...dsl.terms import Linear, Symbol, number, term
from ...dsl.values import Num, Value
from ..kernel.sums_claims import RunView

#: How many steps all paths may take together, how many paths may be open, ways of a condition.
MOST_STEPS, MOST_PATHS, MOST_WAYS = 5_000, 300, 64

#: Whether conditions may hold together, as far as is known.
Possible = Callable[[Sequence[Formula]], bool]
Literals = tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A uniform draw that is still a symbol of the path."""

    symbol: Symbol
    low: Linear
    high: Linear


@dataclass(frozen=True, slots=True)
class Owed:
    """What must hold on a path, for the path to be defined."""

    when: Literals
    claim: Formula
    why: str


@dataclass(frozen=True, slots=True)
class Path:
    """A path so far: where it holds, how likely it is for each value of its uniform draws."""

    node: int
    held: dict[str, Value]
    when: Literals = ()
    probability: Linear = field(default_factory=lambda: number(1))
    draws: tuple[Draw, ...] = ()
    output: tuple[Value, ...] = ()


def ways(formula: Formula) -> Iterator[Literals]:
    """How a condition can hold, in ways that exclude each other, each a conjunction of signs."""
    if isinstance(formula, Truth):
        if formula.value:
            yield ()
    elif isinstance(formula, Junction):
        head, rest = formula.members[0], formula.members[1:]
        join = conjunction if formula.conjunction else _any
        if formula.conjunction:
            for first in ways(head):
                for second in ways(join(rest)):
                    yield (*first, *second)
        else:
            yield from ways(head)
            for first in ways(negation(head)):
                for second in ways(join(rest)):
                    yield (*first, *second)
    else:
        negated = isinstance(formula, Not)
        compared = formula.inner if isinstance(formula, Not) else formula
        if not isinstance(compared, Sign):
            raise Unsupported(f"the condition {formula} in a sum", None, "compare numbers")
        for when, subject in plain(compared.subject):
            if not negated:
                for more in _sign(sign(subject, compared.relation)):
                    yield (*when, *more)
            else:  # only equalities are negated so
                for side in (sign(subject, ">"), sign(-subject, ">")):
                    for more in _sign(side):
                        yield (*when, *more)


def _any(formulas: Iterable[Formula]) -> Formula:
    return negation(conjunction(map(negation, formulas)))


def _sign(formula: Formula) -> Iterator[Literals]:
    if isinstance(formula, Truth):
        if formula.value:
            yield ()
    else:
        yield (formula,)


def plain(subject: Linear) -> Iterator[tuple[Literals, Linear]]:
    """A term without choices, by cases."""
    atom = first_choice(subject)
    if atom is None:
        yield (), subject
        return
    assert isinstance(atom, Choice)
    factor = dict(subject.parts)[atom]
    rest = subject - term(atom).scaled(factor)
    for test, arm in ((atom.test, atom.yes), (negation(atom.test), atom.no)):
        for when in ways(test):
            for more, value in plain(rest + arm.scaled(factor)):
                yield (*when, *more), value


class Exploration:
    """The paths of a program; ``owed`` collects what must hold on them."""

    def __init__(self, program: Program, possible: Possible) -> None:
        self._program = program
        self._possible = possible
        self._steps = 0
        self.owed: list[Owed] = []

    def paths(self) -> list[Path]:
        """All of them, to their ends.

        Raises:
            Unsupported: something on them is outside what is summed.
            LimitReached: there are too many.
        """
        found: list[Path] = []
        waiting = [Path(self._program.flow.start, {})]
        while waiting:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise LimitReached("steps", f"{MOST_STEPS} steps of all paths together")
            path = waiting.pop()
            if isinstance(self._program.flow.nodes[path.node], EndNode):
                found.append(path)
            else:
                waiting += reversed(list(self._next(path)))
            if len(waiting) + len(found) > MOST_PATHS:
                raise LimitReached("paths", f"more than {MOST_PATHS} paths")
        return found

    def _next(self, path: Path) -> Iterator[Path]:
        match self._program.flow.nodes[path.node]:
            case AssignNode(step=step, after=after):
                values = [self._value(path, e) for e in step.values]
                held = {**path.held, **dict(zip(step.targets, values, strict=True))}
                yield replace(path, node=after, held=held)
            case SampleNode() as node:
                yield from self._sampled(path, node)
            case EnsureNode(claim=claim, after=after):
                self._value(path, claim)
                yield replace(path, node=after)
            case BranchNode(test=test, yes=yes, no=no):
                condition = self._condition(path, test)
                for side, then in ((condition, yes), (negation(condition), no)):
                    yield from self._under(path, side, then)
            case HeadNode(test=test, body=body, exit=exit_) as head:
                condition = self._condition(path, test)
                if not isinstance(condition, Truth):
                    raise self._program.refuse(
                        head.span,
                        "a loop whose number of rounds is not constant, in a sum",
                        "use a constant",
                    )
                yield replace(path, node=body if condition.value else exit_)
            case ReleaseNode(values=values, after=after):
                yield from self._released(path, values, after)
            case other:
                raise Unsupported(f"{type(other).__name__} in a sum", None, "use scalars only")

    def _released(self, path: Path, values: tuple[Expression, ...], after: int) -> Iterator[Path]:
        open_ = [replace(path, node=after)]
        for e in values:
            value = self._value(path, e)
            if isinstance(value, Num) and value.kind == "either":
                raise self._program.refuse(
                    e.span, "a number that is an int or a float, in a sum", "make it always one"
                )
            longer = []
            for one in open_:
                for when, found in self._settled(value):
                    longer += [replace(p, output=(*p.output, found)) for p in self._with(one, when)]
            open_ = longer
        yield from open_

    def _settled(self, value: Value) -> Iterator[tuple[Literals, Value]]:
        """A value by cases: a label, a Boolean constant, or a number without choices."""
        if isinstance(value, Num):
            for when, subject in plain(value.term):
                yield when, Num(subject, value.kind)
        elif isinstance(value, Formula):
            for flag in (True, False):
                for when in ways(value if flag else negation(value)):
                    yield when, truth(flag)
        else:
            yield (), value

    def _sampled(self, path: Path, node: SampleNode) -> Iterator[Path]:
        step = node.step
        if step.shift is not None:
            raise self._program.refuse(step.span, "an alignment where sums are", "leave it out")
        if any(isinstance(e, Whole) for e in step.arguments):
            raise self._program.refuse(step.span, "weights of a list in a sum", "write them out")
        arguments = [self._number(path, e) for e in step.arguments]
        open_ = [(path, tuple[Linear, ...]())]
        for argument in arguments:
            open_ = [
                (p, (*values, value))
                for before, values in open_
                for when, value in plain(argument)
                for p in self._with(before, when)
            ]
        for one, values in open_:
            yield from self._drawn(one, node, values)

    def _drawn(self, path: Path, node: SampleNode, values: tuple[Linear, ...]) -> Iterator[Path]:
        step, kind = node.step, node.step.distribution
        if not all(v.fixed for v in values):
            raise self._program.refuse(
                step.span, "noise that depends on an earlier draw, in a sum", "draw it otherwise"
            )
        if kind not in (Bernoulli, Categorical, DiscreteUniform):
            raise self._program.refuse(
                step.span, f"{kind.__name__} in a sum, which is not finite", "use an alignment"
            )
        self._owe(path, kind.of(*values).well_formed(), f"the noise '{step.target}' exists")
        possible: list[tuple[Value, Linear]] = []
        if kind is Bernoulli:
            possible = [(truth(True), values[0]), (truth(False), number(1) - values[0])]
        elif kind is Categorical:
            total = sum(values, start=number(0))
            if total == number(0):
                raise self._program.refuse(step.span, "weights that are all zero", "change them")
            possible = [(Num(number(k), "int"), w / total) for k, w in enumerate(values)]
        else:
            symbol = Symbol(f"draw({len(path.draws) + 1})", True, private=True)
            draws = (*path.draws, Draw(symbol, *values))
            held = {**path.held, step.target: Num(term(symbol), "int")}
            inside = (at_least(term(symbol), values[0]), at_least(values[1], term(symbol)))
            known = tuple(c for c in inside if not isinstance(c, Truth))
            when = (*path.when, *known)
            yield replace(path, node=node.after, held=held, draws=draws, when=when)
        for value, probability in possible:
            yield replace(
                path,
                node=node.after,
                held={**path.held, step.target: value},
                probability=path.probability * probability,
            )

    def _under(self, path: Path, condition: Formula, node: int) -> Iterator[Path]:
        for k, when in enumerate(ways(condition)):
            if k > MOST_WAYS:
                raise LimitReached("ways", f"more than {MOST_WAYS} ways of a condition")
            for one in self._with(path, when):
                yield replace(one, node=node)

    def _with(self, path: Path, when: Literals) -> Iterator[Path]:
        new = tuple(f for f in dict.fromkeys(when) if f not in path.when)
        if not new:
            yield path
        elif self._possible((*path.when, *new)):
            yield replace(path, when=(*path.when, *new))

    def _value(self, path: Path, e: Expression) -> Value:
        evaluator = Evaluator(RunView(self._program, dict(path.held)))
        value = evaluator.value(e)
        for duty in evaluator.duties:
            self._owe(path, duty.condition, duty.reason)
        return value

    def _number(self, path: Path, e: Expression) -> Linear:
        value = self._value(path, e)
        if not isinstance(value, Num):
            raise self._program.refuse(e.span, "something else where a number is needed", "use one")
        return value.term

    def _condition(self, path: Path, e: Expression) -> Formula:
        value = self._value(path, e)
        if not isinstance(value, Formula):
            raise self._program.refuse(e.span, "a value used as a condition", "compare it")
        return value

    def _owe(self, path: Path, claim: Formula, why: str) -> None:
        if not (isinstance(claim, Truth) and claim.value):
            self.owed.append(Owed(path.when, claim, why))
