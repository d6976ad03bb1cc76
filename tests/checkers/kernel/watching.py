"""What a proof says of loop heads, held against concrete runs.

The runs are the prover's recordings; what the certificate says is evaluated as Python, with
fractions.  Neither knows the kernel.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from shiftproof.alignments.alignment import Alignment
from shiftproof.alignments.examples import Example, Examples
from shiftproof.alignments.inputs import RandomInputs
from shiftproof.checkers.proving.loops.system import PairedRun, Solver
from shiftproof.checkers.proving.recorded import RecordedRun
from shiftproof.checkers.walking.common import Nobody, common_facts
from shiftproof.checkers.walking.runs.run import Side
from shiftproof.checkers.walking.runs.state import Ledger, State
from shiftproof.dsl.errors import LimitReached
from shiftproof.dsl.language.evaluate import Evaluator
from shiftproof.dsl.language.flow import HeadNode, Node, SampleNode
from shiftproof.dsl.relations.cases import Case
from shiftproof.dsl.relations.program import Program
from shiftproof.dsl.terms.formulas import FALSE, Truth
from shiftproof.dsl.terms.linear import Linear, Symbol, number, term
from shiftproof.dsl.terms.substitution import Substitution
from shiftproof.dsl.terms.values import Mark, Num


class Unclear(Exception):
    """This cannot be evaluated here: it speaks of unknown constants, or rates coincide."""


@dataclass
class Arrival:
    """Both runs at a loop head."""

    node: int
    left: dict[str, Any]
    right: dict[str, Any]
    costs: dict[int, Fraction]


@dataclass
class Watched:
    """One concrete run: where it came by, what it cost at each sample, what it broke."""

    example: Example
    arrivals: list[Arrival] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    costs: dict[int, Fraction] | None = None


class Watching(RecordedRun):
    """A paired run that notes where it comes by, and what each sample costs.

    Not what each rate costs: in a concrete run all rates are numbers.
    """

    def explore(self, unknowns: Sequence[str] = (), *, again: bool = False) -> None:
        self.arrivals: list[Arrival] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(State, "charge", self._charge)
            super().explore(unknowns, again=again)

    def comes_to(self, state: State, node: Node) -> None:
        self._here, self._site = state, node.site if isinstance(node, SampleNode) else -1
        if isinstance(node, HeadNode):
            left, right = ({n: plain(v) for n, v in s.items()} for s in (state.left, state.right))
            self.arrivals.append(Arrival(state.node, left, right, paid(state)))

    def _charge(self, rate: Linear, amount: Linear) -> None:
        key, costs = term(Symbol(f"sample {self._site}")), self._here.costs
        costs[key] = costs.get(key, number(0)) + amount * rate


def paid(state: State) -> dict[int, Fraction]:
    """What each sample has cost so far."""
    return {int(str(k).split()[1]): Fraction(v.constant) for k, v in state.costs.items()}


def plain(value: Any) -> Any:
    """A concrete value; ``None`` in the place of what is not."""
    if isinstance(value, Num):
        return (value.kind, Fraction(value.term.constant)) if value.term.is_constant else None
    if isinstance(value, Truth):
        return "bool", value.value
    return (repr(value.value), None) if isinstance(value, Mark) else None


def watched(
    program: Program, case: Case, alignment: Alignment, count: int, seed: int
) -> Iterator[Watched]:
    """Runs on random neighbours and noise."""
    examples = Examples(program, case, common_facts(program, case), seed)
    for k, example in enumerate(itertools.islice(examples, count)):
        run = Watching(program, RandomInputs(program, example, seed + k), alignment.shifts)
        try:
            run.explore()
            if run.looks_ahead and run.finished:
                run.explore(again=True)
        except LimitReached:
            continue
        if run.finished:
            broken = [f"{r.condition}: {r.detail}" for claim, r in run.owed if claim == FALSE]
            yield Watched(example, run.arrivals, broken, paid(run.finished[-1]))


def rates(program: Program, case: Case) -> dict[int, Linear]:
    """The symbolic rate of each sample, its rational factor left out.

    Raises:
        Unclear: a scale is not plainly over parameters, or costs have several rates.
    """
    run = PairedRun(program, case, {}, (), Ledger(), Nobody(), solver=Solver())
    found: dict[int, Linear] = {}
    for node in program.flow.sites:
        side = Side(run, State(program.flow.start), "left")
        try:
            arguments = [Evaluator(side).number(e).term for e in node.step.arguments]
            charges = node.step.distribution(*arguments).charges(term(Symbol("d", private=True)))
        except Exception:
            raise Unclear from None
        symbolic = {c.rate.split()[1].key: c.rate.split()[1] for c in charges}
        if len(symbolic) > 1:
            raise Unclear
        (found[node.site],) = symbolic.values() or (number(0),)
    return found


class Reader:
    """Evaluates what a certificate says, at one arrival of one run."""

    def __init__(
        self, program: Program, case: Case, found: Watched, arrival: Arrival | None
    ) -> None:
        self._program, self._found, self._arrival = program, found, arrival
        scalars = {n: number(v) for n, v in found.example.left.items() if not isinstance(v, tuple)}
        put = Substitution(scalars)
        self._rates = lambda: {
            site: Fraction(put.linear(rate).constant) for site, rate in rates(program, case).items()
        }

    def __call__(self, text: str) -> Any:
        return self._value(ast.parse(text, mode="eval").body)

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() as value):
                return value if isinstance(value, bool) else Fraction(value)
            case ast.UnaryOp(op=op, operand=inner):
                value = self._value(inner)
                return not value if isinstance(op, ast.Not) else -value
            case ast.BoolOp(op=op, values=values):
                parts = [self._value(v) for v in values]
                return all(parts) if isinstance(op, ast.And) else any(parts)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self._value(yes if self._value(test) else no)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _COMPARED[type(op)](self._value(left), self._value(right))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _COMBINED:
                return _COMBINED[type(op)](self._value(left), self._value(right))
            case ast.Call(func=ast.Name(id="other"), args=[inner]):
                return self._named(ast.unparse(inner), "right")
            case ast.Call(func=ast.Name(id="given"), args=[ast.Name(id=name)]):
                return self._given(name, "left")
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if (
                name in self._program.inputs
            ):
                return Fraction(len(self._found.example.left[name]))  # type: ignore[arg-type]
            case ast.Call(func=ast.Name(id="cost"), args=[rate]):
                return self._cost(self._value(rate))
        return self._named(ast.unparse(node), "left")

    def _named(self, text: str, side: str) -> Any:
        name = text.replace(" ", "").replace("·", "@")
        values = getattr(self._arrival, side, {})
        if name in values:
            if values[name] is None:
                raise Unclear(text)
            return values[name][1]
        return self._given(text, side)

    def _given(self, name: str, side: str) -> Fraction:
        value = getattr(self._found.example, side).get(name)
        if value is None or isinstance(value, tuple):
            raise Unclear(name)
        return Fraction(value)

    def _cost(self, rate: Fraction) -> Fraction:
        """What the samples of this rate have cost, in units of it."""
        assert self._arrival is not None
        known = self._rates()
        same = {site for site, value in known.items() if value == rate}
        sites = {n.site: n for n in self._program.flow.sites}
        if not same or len({str(sites[s].step.arguments) for s in same}) > 1:
            raise Unclear("rates that coincide")
        return sum((self._arrival.costs.get(s, Fraction(0)) for s in same), Fraction(0)) / rate


_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.GtE: lambda a, b: a >= b,
    ast.Gt: lambda a, b: a > b,
    ast.LtE: lambda a, b: a <= b,
    ast.Lt: lambda a, b: a < b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}
_COMBINED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
