"""A mechanism as the verifier sees it: parameters, preconditions, body, budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from ..errors import BadInput, Location, Outlook, Unsupported
from ..language.annotations import returned_kinds
from ..language.calls import Call
from ..language.declaration import INFER, Declaration
from ..language.evaluate import Evaluator, View
from ..language.flow import CallNode, Flow, operands, writes
from ..language.scope import Use
from ..language.source import Source
from ..language.statements import Statement
from ..language.syntax import Builtin, Expression, Span, names_in, parts_of
from ..privacy.definitions import Privacy
from ..privacy.inputs import DataSet, EpsilonInput, InputKind, LocationCounts
from ..privacy.inputs import Value as UserValue
from ..privacy.policies import Policy
from ..terms.formulas import TRUE, Formula, above, at_least, conjunction, equal
from ..terms.linear import Linear, Symbol, number, term
from ..terms.values import Kind, Num, Value, exact
from .cases import ONE_SIDED, Case, cases_of
from .inlining import written_out
from .moves import Move


@dataclass(frozen=True)
class Program:
    """A parsed mechanism.

    ``body`` is what ``flow`` was built from, statement by statement, and ``declared`` what the
    source declares.  ``delta`` is zero where none is claimed; ``divisors`` are what both divide
    by.  ``frozen`` lists the outside names that the source uses, each with the object it had when
    it was read; the object must still be there when the mechanism runs.
    """

    name: str
    source: Source
    privacy: Privacy
    inputs: Mapping[str, InputKind]
    preconditions: tuple[Expression, ...]
    flow: Flow
    budget: Linear
    delta: Linear
    divisors: tuple[Linear, ...]
    frozen: tuple[Use, ...]
    code: CodeType
    function: FunctionType
    declared: Declaration = field(repr=False, compare=False)
    body: tuple[Statement, ...] = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        """A name is a parameter or a variable, and never both."""
        assigned = frozenset[str]().union(*map(writes, self.flow.nodes)) & self.inputs.keys()
        if assigned:
            raise ValueError(f"parameters are assigned: {', '.join(sorted(assigned))}")

    @cached_property
    def calls(self) -> tuple[Program, ...]:
        """The mechanisms that this one calls itself, in the order of the source, each once."""
        found = [n.step for n in self.flow.nodes if isinstance(n, CallNode)]
        found.sort(key=lambda step: (step.span.line, step.span.column))
        return tuple({id(step.callee): program_of(step) for step in found}.values())

    @cached_property
    def inlined(self) -> Program:
        """The same mechanism with every call written out: what it does, in one flow.

        What the called ones claim of their own answers is left out.
        """
        if not self.calls:
            return self
        return replace(self, flow=written_out(self.flow, lambda step: program_of(step).flow))

    @cached_property
    def one_step(self) -> Program:
        """What is proved: of one step of a chain of neighbours, with its part of the budget.

        If every step from D to D' keeps ε / k, k of them keep ε: the bounds multiply.
        """
        size = self.privacy.group_size
        if size == 1 and self.privacy.one_step == self.privacy:
            return self
        budget = self.budget.scaled(Fraction(1, size))
        return replace(self, privacy=self.privacy.one_step, budget=budget)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of its neighbour relation.

        Raises:
            BadInput: an input has no meaning under the claim.
        """
        try:
            return cases_of(self.privacy, self.inputs)
        except BadInput as error:
            where = error.location or Location(self.source.file, self.source.tree.lineno, 1)
            raise BadInput(error.message, where) from None

    @cached_property
    def same(self) -> Case:
        """D' is D: what a run knows then, it knows of D alone."""
        private = (name for name, kind in self.inputs.items() if not kind.public)
        same = Move(number(0), number(0), present=(False, False))
        return Case(ONE_SIDED, self.inputs, dict.fromkeys(private, same))

    @cached_property
    def results(self) -> tuple[Kind, ...]:
        """The kinds of the values that it returns.

        Raises:
            NoSingleKind: one return gives other kinds of values than another.
        """
        return returned_kinds(self.flow, self.inputs)

    @cached_property
    def scales_are_functions(self) -> bool:
        """Whether a logarithm or root is in the scale of a draw, by itself or through variables."""
        names = set[str]()

        def is_in(e: Expression) -> bool:
            inner = (p.function for p in parts_of(e) if isinstance(p, Builtin))
            return not {"log", "sqrt"}.isdisjoint(inner) or not names_in(e).isdisjoint(names)

        nodes = [(operands(node), writes(node)) for node in self.flow.nodes]
        while more := [to for e, to in nodes if any(map(is_in, e)) and not to <= names]:
            names.update(*more)
        return any(is_in(e) for node in self.flow.sites for e in operands(node))

    @cached_property
    def draws(self) -> tuple[str, ...]:
        """What each draw is called in answers, site by site: its variable and its line."""
        steps = [node.step for node in self.flow.sites]
        names = [f"{step.target} (line {step.span.line})" for step in steps]
        return tuple(
            name if names.count(name) == 1 else f"{name[:-1]}, column {step.span.column})"
            for name, step in zip(names, steps, strict=True)
        )

    def location(self, span: Span) -> Location:
        """A place in the mechanism's file."""
        return self.source.location(span)

    def refuse(
        self, span: Span, message: str, advice: str, outlook: Outlook = "not yet"
    ) -> Unsupported:
        """An error about a construct that is outside the language."""
        return self.source.refuse(span, message, advice, outlook)

    def check_frozen(self) -> None:
        """Make sure that the names the body uses still mean what was read.

        Raises:
            BadInput: one of them was bound again.
        """
        if self.function.__code__ is not self.code:
            raise BadInput(f"the code of {self.name} was changed after it was read")
        for use in self.frozen:
            if not use.unchanged:
                raise BadInput(
                    f"'{use.name}' was changed after {self.name} was read; restart the program"
                )
        for called in self.calls:
            called.check_frozen()

    def check_claims(self) -> None:
        """Make sure that it claims something.

        Raises:
            BadInput: it does not, so that there is nothing to refute or to audit.
        """
        where = Location(self.source.file, self.source.tree.lineno, 1)
        if self.declared.budget is INFER:
            raise BadInput(
                f"{self.name} claims no ε (budget=INFER); verify and bound find one that it keeps, "
                "which it can claim",
                where,
            )

    def check_preconditions(self, values: Mapping[str, Any]) -> None:
        """Make sure that the inputs of a call meet the preconditions.

        Raises:
            BadInput: one of them does not hold, or is not defined.
        """
        policy = self.privacy.policy_of_values
        for name, kind in self.inputs.items():
            if isinstance(kind, DataSet) and policy is not None:
                self._check_records(name, policy, values[name])
            if isinstance(kind, UserValue):
                self._check_range(name, kind, values)
            if isinstance(kind, LocationCounts) and len(values[name]) != len(values[kind.by]):
                raise BadInput(
                    f"{self.name}: {len(values[name])} answers in {name}, and "
                    f"{len(values[kind.by])} locations in {kind.by}; there must be as many"
                )
        for name, (what, least) in self._named().items():
            if values[name] < least:
                raise BadInput(f"{self.name}: {name} is {what} and must be at least {least}")
        for precondition, stated in zip(self.preconditions, self.stated(values), strict=True):
            if stated != TRUE:
                text = self.source.location(precondition.span)
                shown = text.text[text.column - 1 :][: text.width]
                raise BadInput(f"{self.name}: the precondition '{shown}' does not hold", text)

    def stated(self, values: Mapping[str, Any]) -> Iterator[Formula]:
        """What each precondition says, and that it is defined, of parameters without a value."""
        for precondition in self.preconditions:
            evaluator = Evaluator(ConcreteInputs(self, values))
            claim = evaluator.condition(precondition)
            yield conjunction((*(duty.condition for duty in evaluator.duties), claim))

    def _check_range(self, name: str, kind: UserValue, values: Mapping[str, Any]) -> None:
        """Values lie between their bounds, which may be parameters."""
        low, high = (exact(values[b] if isinstance(b, str) else b) for b in (kind.low, kind.high))
        for value in values[name] if kind.array else (values[name],):
            if not low <= exact(value) <= high:
                raise BadInput(f"{self.name}: {name} has {value}; it must lie in [{low}, {high}]")

    def _check_records(self, name: str, policy: Policy, records: Any) -> None:
        """The proof knows the values of the policy's universe, and no others."""
        strange = {v for record in records for v in record} - set(policy.universe)
        if strange:
            raise BadInput(
                f"{self.name}: a record of {name} has the value {min(strange)}, which is not in "
                f"the universe {policy.universe} of {policy}"
            )

    def parameter_symbol(self, name: str) -> Symbol:
        """The symbol of a public scalar parameter."""
        return Symbol(name, self.inputs[name].whole, fixed=True)

    def length_symbol(self, array: str) -> Symbol:
        """The symbol of a sequence's length, which is public."""
        return Symbol(f"len({array})", True, fixed=True)

    def parameter_facts(self) -> tuple[Formula, ...]:
        """What the kinds of the public parameters say: ε > 0, naturals >= 0, lengths >= 0."""
        facts = []
        for name, kind in self.inputs.items():
            if kind.array:
                facts.append(at_least(term(self.length_symbol(name)), number(0)))
                if isinstance(kind, LocationCounts):
                    lengths = (term(self.length_symbol(n)) for n in (name, kind.by))
                    facts.append(equal(*lengths))
            elif kind.public and kind.positive:
                facts.append(above(term(self.parameter_symbol(name)), number(0)))
                if kind.below is not None:
                    facts.append(above(number(kind.below), term(self.parameter_symbol(name))))
            elif kind.public and kind.minimum is not None:
                facts.append(at_least(term(self.parameter_symbol(name)), number(kind.minimum)))
        for name, (_, least) in self._named().items():
            facts.append(at_least(term(self.parameter_symbol(name)), number(least)))
        return tuple(facts)

    def _named(self) -> dict[str, tuple[str, int]]:
        """The public parameters that private inputs name: what they are there, and the least."""
        found: dict[str, tuple[str, int]] = {}
        for kind in self.inputs.values():
            for name, (what, least) in kind.named.items():
                if name in self.inputs and least >= found.get(name, ("", least))[1]:
                    found[name] = what, least
        return found

    def epsilons(self) -> tuple[str, ...]:
        """The names of the privacy parameters."""
        return tuple(n for n, k in self.inputs.items() if isinstance(k, EpsilonInput))


def told_of_parameters(values: Mapping[str, Any]) -> dict[str, Linear]:
    """What inputs say of the parameters that budgets speak of: numbers, and lengths."""
    told: dict[str, Linear] = {}
    for name, value in values.items():
        if isinstance(value, tuple):
            told[f"len({name})"] = number(len(value))
        else:
            told[name] = number(exact(value))
    return told


def plain_budget(inputs: Mapping[str, InputKind]) -> Linear:
    """The sum of the privacy parameters, or 1: the measure of what is small where none is said."""
    names = [name for name, kind in inputs.items() if isinstance(kind, EpsilonInput)]
    total = sum((term(Symbol(name, fixed=True)) for name in names), start=number(0))
    return total if names else number(1)


def program_of(step: Call) -> Program:
    """The program that a call runs: more than its caller may know."""
    assert isinstance(step.callee, Program)
    return step.callee


class ConcreteInputs(View):
    """The inputs of one call, for expressions over parameters only; some may have no value."""

    def __init__(self, program: Program, values: Mapping[str, Any]) -> None:
        self._program = program
        self._values = values

    def variable(self, name: str, span: Span) -> Value:
        """A scalar parameter."""
        known = name in self._values
        symbol = term(self._program.parameter_symbol(name))
        value = number(exact(self._values[name])) if known else symbol
        return Num(value, "int" if self._program.inputs[name].whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Num:
        """An element of a sequence parameter; out of range it is 0, and the duty has failed."""
        whole = self._program.inputs[array].whole
        values = self._values[array]
        i = int(index.constant)
        value = exact(values[i]) if 0 <= i < len(values) else Fraction(0)
        return Num(number(value), "int" if whole else "float")

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter."""
        return number(len(self._values[array]))

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._program.refuse(span, message, advice)
