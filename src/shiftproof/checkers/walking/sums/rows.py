"""The rows of a sum, derived from the runs; and those that a certificate says."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ....dsl.errors import Unsupported
from ....dsl.language.syntax import NOWHERE
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import FALSE, TRUE, Formula, Sign, above, at_least, equal
from ....dsl.terms.linear import Linear, Symbol, inverted, number, term
from ....dsl.terms.substitution import Substitution, symbols_of
from ....dsl.terms.values import Mark, Num, Value
from ..notation import formula_of, parsed, term_of
from .claims import Released, RunView, outcome
from .paths import Conditions, Path, UniformDraw


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the sum for an outcome: ``probability`` where all conditions hold."""

    output: tuple[Released, ...]
    when: Conditions
    probability: Linear

    @property
    def of(self) -> tuple[str, ...]:
        """The outcome, as a text that equal ones share."""
        return tuple(f"{kind} {what!r}" for kind, what in self.output)

    @property
    def key(self) -> tuple[tuple[str, ...], frozenset[str], str]:
        """What equal terms share."""
        return self.of, frozenset(f.key for f in self.when), self.probability.key


def terms_of(runs: Sequence[Path], written: bool) -> list[Term]:
    """All terms of the sums for all outcomes.

    ``written``: public numbers that are written differently may be told apart as outcomes, which
    only refines what is compared.  Else only constants are.

    Raises:
        Unsupported: a uniform draw is used in a way that is not counted.
    """
    kinds = [tuple(_kind(v) for v in run.output) for run in runs]
    found = []
    for run, kind in zip(runs, kinds, strict=True):
        same = [other.output for other, k in zip(runs, kinds, strict=True) if k == kind]
        output: list[Released] = []
        conditions: list[Formula] = []
        for place, value in enumerate(run.output):
            if not isinstance(value, Num):
                output.append(kind[place])
            elif all(_is_known(values[place], written) for values in same):
                output.append((value.kind, value.term))
            else:
                any_number = term(outcome(place + 1, value.kind))
                conditions.append(equal(value.term, any_number))
                output.append((value.kind, any_number))
        for when, total in counted(run, conditions):
            kept = {f.key: f for f in when if f != TRUE}
            if FALSE.key not in kept:
                found.append(Term(tuple(output), tuple(kept.values()), total))
    return found


def counted(run: Path, conditions: Sequence[Formula]) -> Iterator[tuple[Conditions, Linear]]:
    """How probable a run is that also meets some conditions, by cases of its uniform draws.

    Raises:
        Unsupported: a uniform draw is used in a way that is not counted.
    """
    probability = run.probability
    for _, low, high in run.uniforms:
        probability = probability / (high - low + number(1))
    yield from _counted((*conditions, *run.when), probability, run.uniforms)


def _kind(value: Value) -> Released:
    if isinstance(value, Num):
        return value.kind, None
    if isinstance(value, Mark):
        return "mark", value.value
    if value not in (TRUE, FALSE):
        raise Unsupported("a Boolean that is not settled, in a sum", None, "use an if statement")
    return "bool", value == TRUE


def _is_known(value: Value, written: bool) -> bool:
    """Whether a number is a constant, or is written with public parameters only."""
    assert isinstance(value, Num)
    if not written:
        return value.term.is_constant
    return all(s.fixed and not s.private for s in symbols_of(value.term))


def _counted(
    when: Conditions, probability: Linear, uniforms: tuple[UniformDraw, ...]
) -> Iterator[tuple[Conditions, Linear]]:
    """The sum over all values of the uniform draws, by cases."""
    if not uniforms:
        yield when, probability
        return
    for k, (symbol, _, _) in enumerate(uniforms):
        for f in when:
            parts = _isolated(f, symbol)
            if isinstance(f, Sign) and f.relation == "==" and parts and parts[1].integral:
                # One value only: the one that the equation says.
                value = Substitution({symbol.key: -parts[1]})
                rest = (*uniforms[:k], *uniforms[k + 1 :])
                yield from _counted(tuple(map(value.formula, when)), probability, rest)
                return
    symbol, *_ = uniforms[0]
    free = tuple(f for f in when if symbol not in set(symbols_of(f)))
    least: dict[str, Linear] = {}
    most: dict[str, Linear] = {}
    for f in when:
        if f in free:
            continue
        parts = _isolated(f, symbol)
        if parts is None or not parts[1].integral or not isinstance(f, Sign):
            raise Unsupported(f"the condition {f} on a draw", None, "compare it with integers")
        upward, rest_ = parts
        if f.relation == "==":
            raise Unsupported(f"the equation {f} of a draw", None, "use integers")
        strict = number(1) if f.relation == ">" else number(0)
        bound = strict - rest_ if upward else -rest_ - strict
        (least if upward else most)[bound.key] = bound
    for a, low in enumerate(least.values()):
        for b, high in enumerate(most.values()):
            integers = high - low + number(1)
            drawn = {other for other, _, _ in uniforms}
            if not drawn.isdisjoint(symbols_of(integers)):
                raise Unsupported("a draw that limits another one", None, "draw once")
            cases = [at_least(high, low)]
            for c, other in enumerate(least.values()):
                cases.append(above(low, other) if c < a else at_least(low, other))
            for c, other in enumerate(most.values()):
                cases.append(above(other, high) if c < b else at_least(other, high))
            yield from _counted((*free, *cases), probability * integers, uniforms[1:])


def _isolated(f: Formula, symbol: Symbol) -> tuple[bool, Linear] | None:
    """A comparison of a term with zero as one of ``symbol + rest``, or of its negative."""
    if not isinstance(f, Sign):
        return None
    for atom, k in f.subject.parts:
        if atom == symbol:
            rest = (f.subject - term(atom).scaled(k)).scaled(inverted(k))
            return None if symbol in set(symbols_of(rest)) else (k > 0, rest)
    return None


def said(program: Program, row: Row) -> Term:
    """A row of a certificate.

    Raises:
        BadInput: its texts mean nothing.
    """
    output = tuple(
        _said_output(program, text, place) for place, text in enumerate(row.output, start=1)
    )
    kinds = {place: kind for place, (kind, _) in enumerate(output, start=1)}

    def meaning(node: ast.expr) -> Value | None:
        return _meaning(program, kinds, node)

    when = [formula_of(text, meaning) for text in row.when]
    return Term(output, tuple(when), term_of(row.probability, meaning))


def _said_output(program: Program, text: str, place: int) -> Released:
    node = parsed(text)
    match node:
        case ast.Constant(value=bool() as flag):
            return "bool", flag
        case ast.Constant(value=None | str() as label):
            return "mark", label
        case ast.Call(func=ast.Name(id="float"), args=[inner], keywords=[]):
            kind, node = "float", inner
        case _:
            kind = "int"
    kinds = {place: kind}
    return kind, term_of(ast.unparse(node), lambda n: _meaning(program, kinds, n))


def _meaning(program: Program, kinds: dict[int, str], node: ast.expr) -> Value | None:
    """A scalar input in one run, or ``released(k)``."""
    match node:
        case ast.Name(id=name) if name in program.inputs and not program.inputs[name].array:
            return RunView(program).variable(name, NOWHERE)
        case ast.Call(
            func=ast.Name(id="released"), args=[ast.Constant(value=int() as place)], keywords=[]
        ) if kinds.get(place) in ("int", "float"):
            kind = kinds[place]
            symbol = term(outcome(place, kind))
            return Num(symbol, "int" if kind == "int" else "float")
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=array)], keywords=[]):
            public = array in program.inputs and program.inputs[array].array
            return Num(RunView(program).length(array), "int") if public else None
    return None


# A proof by summation as a certificate says it.


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One way in which a run can come to an outcome.

    Attributes:
        output: what is released, place by place: ``None``, a quoted string, ``True``, ``False``, a
            number that is an int, or ``float(…)`` of one that is a float.  ``released(k)`` is
            any number, the one that is released at place k.
        when: conditions on the inputs and on ``released(k)``.
        probability: with which the outcome comes about in this way, where the conditions hold.
    """

    output: tuple[str, ...]
    when: tuple[str, ...]
    probability: str


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rows, counted from 1: those that hold in D, and no others, and rows that hold in D'."""

    here: tuple[int, ...]
    there: tuple[int, ...]


class SumsCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One case of the neighbour relation.

    Attributes:
        case: its name; empty if there is one case only.
        relation: what it says of D and D', as derived from policy and queries.
        cells: which rows may hold together, of the outcomes that the bound speaks of.
    """

    case: str
    relation: tuple[str, ...]
    cells: tuple[Cell, ...]


class SumsPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The proof of a program's privacy by summation.

    The probability of an outcome is the sum over the rows that hold.

    Attributes:
        rows: all ways in which one run can come to its outcomes.
        cases: the cases of the neighbour relation.
    """

    rows: tuple[Row, ...]
    cases: tuple[SumsCase, ...]
