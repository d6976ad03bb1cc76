"""The runs of a program written out for a sum, without asking a solver: what cannot be is kept.

One function follows the flow and calls itself for whatever comes after; so a path is a chain of
calls, and nothing is shared with what made the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....dsl.errors import LimitReached, Unsupported
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ReleaseNode,
    SampleNode,
)
from ....dsl.language.syntax import Expression, Whole
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    Junction,
    Sign,
    Truth,
    at_least,
    first_choice,
    negation,
    sign,
)
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.values import Num, Value
from .claims import RunView

#: How many steps all runs may take together, and how many of them there may be.
MOST_STEPS, MOST_RUNS = 20_000, 2_000

Conditions = tuple[Formula, ...]
UniformDraw = tuple[Symbol, Linear, Linear]


@dataclass(frozen=True, slots=True)
class Finished:
    """A run: where it happens, with which probability for each value of its uniform draws."""

    when: Conditions
    probability: Linear
    uniforms: tuple[UniformDraw, ...]
    output: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Duty:
    """What must hold where a run has come to, for the run to be defined."""

    when: Conditions
    claim: Formula
    why: str


@dataclass(slots=True)
class Runs:
    """All runs of a program, and their duties."""

    program: Program
    duties: list[Duty] = field(default_factory=list)
    steps: int = 0

    def all(self) -> list[Finished]:
        """Every run to its end, in the order of the branches.

        Raises:
            Unsupported: a statement, a draw or a loop is none that is summed.
            LimitReached: there are too many.
        """
        found = []
        for run in self._from(self.program.flow.start, {}, (), number(1), (), ()):
            found.append(run)
            if len(found) > MOST_RUNS:
                raise LimitReached("runs", f"more than {MOST_RUNS} runs")
        return found

    def _from(
        self,
        place: int,
        held: dict[str, Value],
        when: Conditions,
        probability: Linear,
        uniforms: tuple[UniformDraw, ...],
        output: tuple[Value, ...],
    ) -> Iterator[Finished]:
        node = self.program.flow.nodes[place]
        while isinstance(node, AssignNode | EnsureNode | HeadNode):
            self._count()
            if isinstance(node, AssignNode):
                new = [self._value(held, when, e) for e in node.step.values]
                held = {**held, **dict(zip(node.step.targets, new, strict=True))}
                place = node.after
            elif isinstance(node, EnsureNode):
                self._value(held, when, node.claim)
                place = node.after
            else:
                test = self._test(held, when, node.test)
                if not isinstance(test, Truth):
                    raise self.program.refuse(node.span, "a loop that may end", "use a constant")
                place = node.body if test.value else node.exit
            node = self.program.flow.nodes[place]
        self._count()
        if isinstance(node, EndNode):
            yield Finished(when, probability, uniforms, output)
        elif isinstance(node, BranchNode):
            test = self._test(held, when, node.test)
            for outcome, after in ((test, node.yes), (negation(test), node.no)):
                for more in disjuncts(outcome):
                    wider = with_conditions(when, more)
                    if wider is not None:
                        yield from self._from(after, held, wider, probability, uniforms, output)
        elif isinstance(node, ReleaseNode):
            for wider, shown in self._shown(held, when, node.values):
                yield from self._from(
                    node.after, held, wider, probability, uniforms, (*output, *shown)
                )
        elif isinstance(node, SampleNode):
            for wider, values in self._parameters(held, when, node):
                for value, share, uniform in self._outcomes(wider, node, values, len(uniforms)):
                    inside = wider
                    if uniform is not None:
                        symbol, low, high = uniform
                        both = at_least(term(symbol), low), at_least(high, term(symbol))
                        inside = (*wider, *(f for f in both if f != TRUE))
                    yield from self._from(
                        node.after,
                        {**held, node.step.target: value},
                        inside,
                        probability * share,
                        uniforms if uniform is None else (*uniforms, uniform),
                        output,
                    )
        else:
            raise Unsupported(f"{type(node).__name__} in a sum", None, "use scalars only")

    def _count(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise LimitReached("steps", f"more than {MOST_STEPS} steps of all runs together")

    def _shown(
        self, held: dict[str, Value], when: Conditions, values: tuple[Expression, ...]
    ) -> Iterator[tuple[Conditions, tuple[Value, ...]]]:
        """What is released, by cases."""
        if not values:
            yield when, ()
            return
        *before, last = values
        # All are evaluated before any is looked at; what they owe is owed where they stand.
        for wider, shown in self._shown(held, when, tuple(before)):
            value = self._value(held, wider, last)
            if isinstance(value, Num):
                if value.kind == "either":
                    raise self.program.refuse(last.span, "an int or a float", "make it one")
                options: Iterator[tuple[Conditions, Value]] = (
                    (more, Num(one, value.kind)) for more, one in without_choices(value.term)
                )
            elif isinstance(value, Formula):
                flags = ((TRUE, value), (FALSE, negation(value)))
                options = ((more, flag) for flag, f in flags for more in disjuncts(f))
            else:
                options = iter([((), value)])
            for more, one in options:
                widest = with_conditions(wider, more)
                if widest is not None:
                    yield widest, (*shown, one)

    def _parameters(
        self, held: dict[str, Value], when: Conditions, node: SampleNode
    ) -> Iterator[tuple[Conditions, tuple[Linear, ...]]]:
        """The parameters of a draw, by cases."""
        step = node.step
        if step.shift is not None or any(isinstance(e, Whole) for e in step.arguments):
            raise self.program.refuse(step.span, "an alignment or a list in a sum", "leave it out")
        terms = []
        for e in step.arguments:
            value = self._value(held, when, e)
            if not isinstance(value, Num):
                raise self.program.refuse(e.span, "a parameter that is no number", "use one")
            terms.append(value.term)

        def each(
            left: list[Linear], wider: Conditions
        ) -> Iterator[tuple[Conditions, list[Linear]]]:
            if not left:
                yield wider, []
                return
            for more, one in without_choices(left[0]):
                widest = with_conditions(wider, more)
                if widest is not None:
                    for final, rest in each(left[1:], widest):
                        yield final, [one, *rest]

        for wider, values in each(terms, when):
            yield wider, tuple(values)

    def _outcomes(
        self, when: Conditions, node: SampleNode, values: tuple[Linear, ...], drawn: int
    ) -> Iterator[tuple[Value, Linear, UniformDraw | None]]:
        """The values of a draw with their probabilities; of a uniform one, a symbol."""
        step = node.step
        if not all(v.fixed for v in values):
            raise self.program.refuse(step.span, "noise that depends on a draw", "draw otherwise")
        exists = step.distribution.of(*values).well_formed()
        self._owe(when, exists, f"the noise '{step.target}' exists")
        shape = step.distribution.shape
        if shape == "coin":
            (p,) = values
            yield TRUE, p, None
            yield FALSE, number(1) - p, None
        elif shape == "weights":
            total = number(0)
            for weight in values:
                total = total + weight
            for k, weight in enumerate(values):
                yield Num(number(k), "int"), weight / total, None
        elif step.distribution.is_finite():
            low, high = values
            symbol = Symbol(f"draw({drawn + 1})", True, private=True)
            yield Num(term(symbol), "int"), number(1), (symbol, low, high)
        else:
            raise self.program.refuse(step.span, "noise that is not finite", "use an alignment")

    def _value(self, held: dict[str, Value], when: Conditions, e: Expression) -> Value:
        evaluator = Evaluator(RunView(self.program, held))
        value = evaluator.value(e)
        for duty in evaluator.duties:
            self._owe(when, duty.condition, duty.reason)
        return value

    def _test(self, held: dict[str, Value], when: Conditions, e: Expression) -> Formula:
        value = self._value(held, when, e)
        if isinstance(value, Formula):
            return value
        raise self.program.refuse(e.span, "a value used as a condition", "compare it")

    def _owe(self, when: Conditions, claim: Formula, why: str) -> None:
        if claim != TRUE:
            self.duties.append(Duty(when, claim, why))


def with_conditions(when: Conditions, more: Conditions) -> Conditions | None:
    """More conditions; ``None`` if one contradicts another by its form."""
    found = {f.key: f for f in (*when, *more)}
    if any(negation(f).key in found for f in more):
        return None
    return tuple(found.values())


def disjuncts(f: Formula) -> Iterator[Conditions]:
    """A condition as cases that exclude each other; no case has a choice or a disequality."""
    if f in (TRUE, FALSE):
        yield from ([()] if f == TRUE else [])
    elif isinstance(f, Junction) and f.conjunction:
        yield from _together(f.members)
    elif isinstance(f, Junction):
        for k, member in enumerate(f.members):
            yield from _together((*map(negation, f.members[:k]), member))
    elif isinstance(f, Sign):
        for when, subject in without_choices(f.subject):
            yield from _settled(when, sign(subject, f.relation))
    else:
        equality = negation(f)
        if not (isinstance(equality, Sign) and equality.relation == "=="):
            raise Unsupported(f"the condition {f} in a sum", None, "compare numbers")
        for when, subject in without_choices(equality.subject):
            for side in (subject, -subject):
                yield from _settled(when, sign(side, ">"))


def _settled(when: Conditions, f: Formula) -> Iterator[Conditions]:
    if f != FALSE:
        yield when if f == TRUE else (*when, f)


def _together(members: tuple[Formula, ...]) -> Iterator[Conditions]:
    if not members:
        yield ()
        return
    for one in disjuncts(members[0]):
        for rest in _together(members[1:]):
            yield (*one, *rest)


def without_choices(subject: Linear) -> Iterator[tuple[Conditions, Linear]]:
    """A term by the cases of the choices in it."""
    atom = first_choice(subject)
    if atom is None:
        yield (), subject
        return
    times = next(k for a, k in subject.parts if a == atom)
    rest = subject - term(atom).scaled(times)
    for test, arm in ((atom.test, atom.yes), (negation(atom.test), atom.no)):
        for when in disjuncts(test):
            for more, value in without_choices(rest + arm.scaled(times)):
                yield (*when, *more), value
