"""The runs of a program written out for a sum, without asking a solver: what cannot be is kept.

The machine's domain of paths: where they are taken, with which probability, what they release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....dsl.errors import LimitReached, Unsupported
from ....dsl.language.evaluate import Evaluator, View
from ....dsl.language.flow import (
    BranchNode,
    CallNode,
    EndNode,
    HeadNode,
    ListNode,
    Node,
    SampleNode,
    operands,
)
from ....dsl.language.machine import Execution, step
from ....dsl.language.statements import Release, Sample
from ....dsl.language.syntax import Whole
from ....dsl.relations.program import Program
from ....dsl.terms.allowance import spend
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Flag,
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
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import Num, Value
from .claims import RunView

#: How many steps all runs may take together, and how many of them there may be.
MOST_STEPS, MOST_RUNS = 20_000, 2_000
#: The work of one step, in the units of an allowance.
STEP_WORK = 200

Conditions = tuple[Formula, ...]
UniformDraw = tuple[Symbol, Linear, Linear]


@dataclass(frozen=True, slots=True)
class Path:
    """A way through the program, or its beginning.

    Attributes:
        held: what its variables hold.
        when: where it is taken.
        probability: with which probability, for each value of its uniform draws.
        uniforms: these draws, each with its bounds.
        output: what was released.
    """

    held: dict[str, Value]
    when: Conditions
    probability: Linear
    uniforms: tuple[UniformDraw, ...]
    output: tuple[Value, ...]

    def under(self, more: Conditions) -> Path | None:
        """Where more conditions hold; ``None`` if they contradict its own."""
        when = with_conditions(self.when, more)
        return None if when is None else replace(self, when=when)


@dataclass(frozen=True, slots=True)
class Duty:
    """What must hold where a run has come to, for the run to be defined; or for noise to exist."""

    when: Conditions
    claim: Formula
    why: str
    of_noise: bool = False


@dataclass
class Runs(Execution[Path, Value]):
    """All runs of a program, and their duties."""

    program: Program
    duties: list[Duty] = field(default_factory=list)
    steps: int = 0

    def all(self) -> list[Path]:
        """Every run to its end, in the order of the branches.

        Raises:
            Unsupported: a statement, a draw or a loop is none that is summed.
            LimitReached: there are too many.
        """
        return [path for path, _ in self.followed(self.program.flow.start)]

    def followed(self, start: int) -> list[tuple[Path, int]]:
        """Every run from a node on to where it is over, with the node there.

        Raises:
            Unsupported: a statement, a draw or a loop is none that is summed.
            LimitReached: there are too many.
        """
        found = []
        waiting = [(Path({}, (), number(1), (), ()), start)]
        while waiting:
            path, place = waiting.pop()
            self.count()
            if not self.is_over(path, place):
                waiting += reversed([*self.after(path, place)])
                continue
            found.append((path, place))
            if len(found) > MOST_RUNS:
                raise LimitReached("runs", f"more than {MOST_RUNS} runs")
        return found

    def after(self, path: Path, place: int) -> Iterator[tuple[Path, int]]:
        """The ways on from a node."""
        return step(self, path, self.program.flow.nodes[place])

    def is_over(self, path: Path, place: int) -> bool:
        """Whether a run is followed no further."""
        return isinstance(self.program.flow.nodes[place], EndNode)

    def under(self, path: Path, more: Conditions) -> Path | None:
        """The path where more conditions hold; ``None`` if they cannot."""
        return path.under(more)

    def view(self, state: Path) -> View:
        """What expressions read."""
        return RunView(self.program, dict(state.held))

    def count(self) -> None:
        """One more step is taken; it may be one too many."""
        spend(STEP_WORK)
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise LimitReached("steps", f"more than {MOST_STEPS} steps of all runs together")

    def evaluated(self, state: Path, node: Node) -> Iterator[tuple[Path, list[Value]]]:
        """Formulas; what they owe is owed where the path has come to."""
        if isinstance(node, ListNode | CallNode):
            raise Unsupported(f"{type(node).__name__} in a sum", None, "use scalars only")
        if isinstance(node, SampleNode):
            self._check_plain(node.step)
        evaluator = Evaluator(self.view(state))
        found = [evaluator.value(e) for e in operands(node)]
        for duty in evaluator.duties:
            self.owe(state.when, duty.condition, duty.reason)
        yield state, found

    def _check_plain(self, sample: Sample) -> None:
        if sample.shift is not None or any(isinstance(e, Whole) for e in sample.arguments):
            raise self.program.refuse(
                sample.span, "an alignment or a list in a sum", "leave it out"
            )

    def names(self, state: Path) -> dict[str, Value]:
        """They are copied before they are changed."""
        return state.held

    def put(self, state: Path, targets: Sequence[str], values: Sequence[Value]) -> Path:
        """A path that holds them as well."""
        return replace(state, held={**state.held, **dict(zip(targets, values, strict=True))})

    def ways(
        self, state: Path, node: BranchNode | HeadNode, test: Value
    ) -> Iterator[tuple[Path, bool]]:
        """One for each case of the test; a loop's own has to be decided."""
        if not isinstance(test, Formula):
            raise self.program.refuse(node.test.span, "a value used as a condition", "compare it")
        if isinstance(node, HeadNode) and not isinstance(test, Truth):
            raise self.program.refuse(node.span, "a loop that may end", "use a constant")
        for holds, outcome in ((True, test), (False, negation(test))):
            for more in disjuncts(outcome):
                if (path := self.under(state, more)) is not None:
                    yield path, holds

    def release(self, state: Path, step: Release, values: Sequence[Value]) -> Iterator[Path]:
        """By cases, so that what is seen has no choice in it."""
        paths = [state]
        for e, value in zip(step.values, values, strict=True):
            if isinstance(value, Num) and value.kind == "either":
                raise self.program.refuse(e.span, "an int or a float", "make it one")
            options = [*options_of(value)]
            paths = [
                replace(path, output=(*path.output, seen))
                for before in paths
                for more, seen in options
                if (path := self.under(before, more)) is not None
            ]
        yield from paths

    def draw(
        self, state: Path, sample: Sample, arguments: Sequence[Value]
    ) -> Iterator[tuple[Path, Value]]:
        """The values with their probabilities, by cases of the parameters."""
        paths: list[tuple[Path, tuple[Linear, ...]]] = [(state, ())]
        for e, value in zip(sample.arguments, arguments, strict=True):
            if not isinstance(value, Num):
                raise self.program.refuse(e.span, "a parameter that is no number", "use one")
            paths = [
                (path, (*terms, one))
                for before, terms in paths
                for more, one in without_choices(value.term)
                if (path := self.under(before, more)) is not None
            ]
        for path, terms in paths:
            yield from self._outcomes(path, sample, terms)

    def _outcomes(
        self, path: Path, sample: Sample, terms: tuple[Linear, ...]
    ) -> Iterator[tuple[Path, Value]]:
        """Each value of a draw by itself; of a uniform one, a symbol."""
        drawn = {symbol for symbol, _, _ in path.uniforms}
        if any(not drawn.isdisjoint(symbols_of(t)) for t in terms):
            raise self.program.refuse(sample.span, "noise that depends on a draw", "draw otherwise")
        exists = sample.distribution.of(*terms).well_formed()
        self.owe(path.when, exists, f"the noise '{sample.target}' exists", of_noise=True)
        values: list[tuple[Value, Linear]] = []
        shape = sample.distribution.shape
        if shape == "coin":
            values = [(TRUE, terms[0]), (FALSE, number(1) - terms[0])]
        elif shape == "weights":
            total = sum(terms, number(0))
            values = [(Num(number(k), "int"), w / total) for k, w in enumerate(terms)]
        elif sample.distribution.is_finite():
            low, high = terms
            symbol = Symbol(f"draw({len(path.uniforms) + 1})", True, private=True)
            both = at_least(term(symbol), low), at_least(high, term(symbol))
            when = (*path.when, *(f for f in both if f != TRUE))
            uniforms = (*path.uniforms, (symbol, low, high))
            yield replace(path, when=when, uniforms=uniforms), Num(term(symbol), "int")
        else:
            raise self.program.refuse(sample.span, "noise that is not finite", "use an alignment")
        for value, share in values:
            yield replace(path, probability=path.probability * share), value

    def owe(self, when: Conditions, claim: Formula, why: str, *, of_noise: bool = False) -> None:
        """Something must hold where a run has come to."""
        if claim != TRUE:
            self.duties.append(Duty(when, claim, why, of_noise))


def options_of(value: Value) -> Iterator[tuple[Conditions, Value]]:
    """A released value by cases, in each of which it has no choice in it."""
    if isinstance(value, Num):
        for more, one in without_choices(value.term):
            yield more, Num(one, value.kind)
    elif isinstance(value, Formula):
        for flag, holds in ((TRUE, value), (FALSE, negation(value))):
            for more in disjuncts(holds):
                yield more, flag
    else:
        yield (), value


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
    elif isinstance(f, Flag) or isinstance(negation(f), Flag):
        yield (f,)
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
