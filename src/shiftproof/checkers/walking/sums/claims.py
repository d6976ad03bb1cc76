"""What is claimed of sums of probabilities: pairs of inputs, their facts and their budget.

Within one run the private numbers are parameters like the public ones, so each is a *fixed*
symbol here: ``x`` in D and ``other(x)`` in D'.  A goal says for which pairs the probability of
every outcome under D is at most ``exp(budget)`` times the one under D'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ....dsl.errors import BadInput, Unsupported
from ....dsl.language.evaluate import Evaluator, View
from ....dsl.language.syntax import Span
from ....dsl.privacy.definitions.base import OutputClaim
from ....dsl.privacy.inputs import InputKind, Secret
from ....dsl.privacy.inputs import Value as UserValue
from ....dsl.relations.cases import Case, cases_of
from ....dsl.relations.moves import bounds_of
from ....dsl.relations.pairs import as_rule
from ....dsl.relations.program import Program
from ....dsl.relations.unknowns import MOVE
from ....dsl.terms.formulas import Formula, at_least, truth
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.substitution import Substitution, symbols_of
from ....dsl.terms.values import Mark, Num, Value
from ..claims import relation_texts


def own(name: str, kind: InputKind) -> Symbol:
    """A private number in the run on D."""
    return Symbol(name, kind.whole, fixed=True, private=True)


def others(name: str, kind: InputKind) -> Symbol:
    """The same number in the run on D'."""
    return Symbol(f"other({name})", kind.whole, fixed=True, private=True)


@dataclass(slots=True)
class RunView(View):
    """One run over symbols: what its variables hold, else its scalar inputs."""

    program: Program
    held: dict[str, Value] = field(default_factory=dict)
    private: bool = True

    def variable(self, name: str, span: Span) -> Value:
        """A variable, or a scalar input."""
        if name in self.held:
            return self.held[name]
        kind = self.program.inputs.get(name)
        if kind is None or kind.array or not (kind.public or self.private):
            raise self.refuse(span, f"'{name}' where probabilities are summed", "use scalar inputs")
        symbol = self.program.parameter_symbol(name) if kind.public else own(name, kind)
        return Num(term(symbol), "int" if kind.whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """Sequences are not read."""
        raise self.refuse(span, f"an element of '{array}' in a sum", "use scalar inputs")

    def length(self, array: str) -> Linear:
        """The length of a public sequence."""
        if array in self.held or array not in self.program.inputs:
            raise Unsupported("the length of a local list in a sum", None, "use scalars")
        return term(self.program.length_symbol(array))

    def attributes(self, data: str) -> int:
        """Data sets are not read."""
        raise Unsupported(f"the data set '{data}' in a sum", None, "use scalar inputs")

    def counted(self, data: str, test: Formula) -> Num:
        """Data sets are not read."""
        raise Unsupported(f"the data set '{data}' in a sum", None, "use scalar inputs")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """There is no prophecy."""
        raise self.refuse(span, "a prophecy in a sum", "leave it out")

    def wraps(self, subject: Linear) -> bool:
        """Of draws: all else is fixed here."""
        return any(not symbol.fixed for symbol in symbols_of(subject))

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self.program.refuse(span, message, advice)


@dataclass(frozen=True, slots=True)
class Goal:
    """For the pairs that meet ``facts``: P_D(z) <= exp(budget) · P_D'(z) for every outcome z.

    ``left`` and ``right`` put the two inputs in.  With ``utility`` the outcomes that are not
    protected are claimed to come from one value only, which is not sensitive.
    """

    name: str
    relation: tuple[str, ...]
    facts: tuple[Formula, ...]
    left: Substitution
    right: Substitution
    budget: Linear
    utility: OutputClaim | None = None


def public_facts(program: Program) -> tuple[Formula, ...]:
    """What holds of the public inputs: their kinds, and the preconditions."""
    facts = list(program.parameter_facts())
    for precondition in program.preconditions:
        evaluator = Evaluator(RunView(program, private=False))
        claim = evaluator.condition(precondition)
        facts += [*(duty.condition for duty in evaluator.duties), claim]
    return tuple(facts)


def range_facts(program: Program) -> tuple[Formula, ...]:
    """What every input meets by itself: the ranges of the private scalars."""
    facts = []
    for name, kind in program.inputs.items():
        if kind.public or kind.array:
            continue
        here = term(own(name, kind))
        if isinstance(kind, UserValue):
            low, high = bounds_of(kind, program.inputs)
            facts += [at_least(here, low), at_least(high, here)]
        if kind.minimum is not None:
            facts.append(at_least(here, number(kind.minimum)))
    return tuple(facts)


def goals_of(program: Program) -> tuple[Goal, ...]:
    """The goals of a program, one for each case of its neighbour relation.

    Raises:
        Unsupported: an input or a budget is none that sums can speak of.
        BadInput: an input kind has no meaning under the privacy definition.
    """
    known = public_facts(program)
    for name, kind in program.inputs.items():
        if kind.array and not kind.public:
            raise Unsupported(f"the private sequence '{name}' in a sum", None, "use scalar inputs")
    if program.privacy.output_claim is not None:
        return (_utility(program, known),)
    found = tuple(_goal(program, c, known) for c in cases_of(program.privacy, program.inputs))
    if not found:
        raise Unsupported(f"{program.privacy} of these inputs in a sum", None, "use scalar inputs")
    return found


def _goal(program: Program, case: Case, known: tuple[Formula, ...]) -> Goal:
    numbers: dict[str, Linear] = {}
    for name in case.moves:
        here, there = (term(f(name, program.inputs[name])) for f in (own, others))
        numbers |= {name: here, MOVE + name: here - there}
    together = Substitution(numbers)
    right = {name: together.linear(case.scalar(name).right) for name in case.moves}
    facts = [together.formula(f) for f in (*known, *case.facts)]
    parts: list[Linear | Formula] = [*facts, *right.values()]
    for part in parts:
        if any(not symbol.fixed for symbol in symbols_of(part)):
            raise Unsupported(f"'{part}' of two inputs in a sum", None, "use scalar inputs")
    budget = program.budget if case.budget is None else case.budget
    if case.distance is not None:
        distance = together.linear(case.distance)
        if not distance.is_constant or distance.constant < 0:
            raise Unsupported("a budget that grows with a distance, in a sum", None, "use LDP")
        budget = budget.scaled(distance.constant)
    return Goal(
        case.name,
        relation_texts(program, case),
        tuple(facts),
        Substitution({n: numbers[n] for n in case.moves}),
        Substitution(right),
        _public(program, budget),
    )


def _public(program: Program, budget: Linear) -> Linear:
    names = {s.key for s in symbols_of(budget)}
    if not budget.fixed or any(n in program.inputs and not program.inputs[n].public for n in names):
        raise Unsupported(f"the budget {budget} in a sum", None, "use public parameters")
    return budget


def _utility(program: Program, known: tuple[Formula, ...]) -> Goal:
    private = [(n, k) for n, k in program.inputs.items() if not k.public]
    if len(private) != 1 or not isinstance(private[0][1], UserValue | Secret):
        raise BadInput(
            f"{program.privacy}: one value of a user is needed, as the only private input"
        )
    ((name, kind),) = private
    here, there = term(own(name, kind)), term(others(name, kind))
    facts = list(known)
    if isinstance(kind, UserValue):
        low, high = bounds_of(kind, program.inputs)
        facts += [c for side in (here, there) for c in (at_least(side, low), at_least(high, side))]
    return Goal(
        "",
        (f"{name} and {name}′ are any two values",),
        tuple(facts),
        Substitution({name: here}),
        Substitution({name: there}),
        _public(program, program.budget),
        program.privacy.output_claim,
    )


def said_of(
    program: Program, function: Callable[..., Any], subject: Value
) -> tuple[Formula, tuple[Formula, ...]]:
    """What a function of the definition says of a value or an outcome, and when it is defined.

    Raises:
        BadInput, Unsupported: it is no such function.
    """
    rule = as_rule(function)
    if not rule.parameters:
        raise BadInput(f"'{function.__name__}' needs a parameter: the value it speaks of")
    for name in rule.parameters[1:]:
        kind = program.inputs.get(name)
        if kind is None or not kind.public or kind.array:
            raise BadInput(f"'{function.__name__}': {name} is no public scalar parameter")
    view = RunView(program, {rule.parameters[0]: subject}, private=False)
    evaluator = Evaluator(view)
    claim = evaluator.condition(rule.condition)
    return claim, tuple(duty.condition for duty in evaluator.duties)


def private_values(program: Program, goal: Goal) -> Iterator[tuple[Value, Value]]:
    """The private inputs of a goal in D and in D'."""
    for name in goal.left.numbers:
        kind = program.inputs[name]
        here, there = goal.left.numbers[name], goal.right.numbers[name]
        whole = kind.whole
        yield Num(here, "int" if whole else "float"), Num(there, "int" if whole else "float")


def put(side: Substitution, when: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Conditions of one run, for one of the two inputs."""
    return tuple(map(side.formula, when))


#: An outcome at one place: a label, a Boolean, or a number with its type.
Released = tuple[str, Any]


def as_value(released: Released) -> Value:
    """What was released, as expressions see it."""
    kind, what = released
    if kind == "mark":
        return Mark(what)
    if kind == "bool":
        return truth(what)
    assert kind in ("int", "float") and isinstance(what, Linear)
    return Num(what, "int" if kind == "int" else "float")


def outcome(position: int, kind: str) -> Symbol:
    """The number released at a position, counted from 1, where probabilities are of each value."""
    return Symbol(f"released({position})", kind == "int", fixed=True, private=True)
