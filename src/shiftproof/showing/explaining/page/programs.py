"""A program as JavaScript: the nodes of its flow as a table of steps, with their expressions.

before:  answered += 1                                                    (line 11)
after:   {op: "assign", line: 11, targets: ["answered"], text: "answered",
          values: (s, o) => [add(s.get("answered"), q(1n, 1n, true))], after: 3}
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from ....dsl.language.calls import Call
from ....dsl.language.flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
)
from ....dsl.language.machine import Domain, value
from ....dsl.language.statements import MakeList, Pick, Store
from ....dsl.language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Other,
    Whole,
    record_name,
)
from ....dsl.language.unparse import unparse
from ....dsl.privacy.inputs import DataSet, EpsilonInput, InputKind
from ....dsl.privacy.records import RECORD
from ....dsl.relations.cases import cases_of
from ....dsl.relations.inlining import distance_of
from ....dsl.relations.program import Program, program_of
from ....dsl.terms.linear import Linear, Symbol, number, term
from ...printable import short_name
from .terms import law_of, number_of, quoted, term_of

Fields = Mapping[str, str]


def programs_of(program: Program, free: Sequence[str]) -> str:
    """A table of the program and all that it calls; ``free``: inputs that the reader may change."""
    order = _reached(program)
    return "[" + ",\n".join(_program(p, order, free if p is program else ()) for p in order) + "]"


def budget_function(budget: Linear) -> str:
    """A budget over the inputs of a run ``s``."""
    return f"(s) => {term_of(budget, _input)}"


def _reached(program: Program) -> list[Program]:
    found, todo = [program], [*program.calls]
    while todo:
        called = todo.pop(0)
        if all(called is not known for known in found):
            found.append(called)
            todo += called.calls
    return found


def _program(program: Program, order: Sequence[Program], free: Sequence[str]) -> str:
    released = {
        e.name
        for node in program.flow.nodes
        if isinstance(node, ReleaseNode)
        for e in node.step.values
        if isinstance(e, Name)
    }
    inputs = ", ".join(_of_input(n, k, n in free) for n, k in program.inputs.items())
    asked = ", ".join(
        f"{{text: {quoted(unparse(e))}, holds: (s, o) => {expression(e)}}}"
        for e in program.preconditions
    )
    here = program.source.file
    told = "" if here == order[0].source.file else f" of {short_name(here)}"
    steps = (_step(node, order, released) for node in program.flow.nodes)
    nodes = ",\n  ".join(_object(_placed(step, told)) for step in steps)
    return _object({
        "name": quoted(program.name),
        "inputs": f"[{inputs}]",
        "preconditions": f"[{asked}]",
        "budget": budget_function(program.budget),
        "start": str(program.flow.start),
        "nodes": f"[\n  {nodes}]",
    })  # fmt: skip


def _placed(step: Fields, elsewhere: str) -> Fields:
    """The step with the name of its file, where that is not the one of the whole program."""
    if not elsewhere:
        return step
    return {**step, "line": quoted(f"{step['line']}{elsewhere}")}


def _of_input(name: str, kind: InputKind, free: bool) -> str:
    shape = "records" if isinstance(kind, DataSet) else "list" if kind.array else "number"
    return _object({
        "name": quoted(name),
        "shape": quoted(shape),
        "public": _flag(kind.public),
        "whole": _flag(kind.whole),
        "positive": _flag(kind.positive),
        "minimum": "null" if kind.minimum is None else str(kind.minimum),
        "epsilon": _flag(isinstance(kind, EpsilonInput)),
        "free": _flag(free),
    })  # fmt: skip


def _step(node: Node, order: Sequence[Program], released: set[str]) -> Fields:
    """What a node does; ``text`` is what the reader is told of it, empty for what is not told."""
    match node:
        case AssignNode(step=step, after=after):
            return {
                "op": quoted("assign"), "line": str(step.span.line),
                "targets": f"[{', '.join(map(quoted, step.targets))}]",
                "values": function_of(*step.values),
                "text": quoted(", ".join(t for t in step.targets if "@" not in t)),
                "after": str(after),
            }  # fmt: skip
        case SampleNode(step=step, site=site, after=after):
            return {
                "op": quoted("sample"), "line": str(step.span.line), "site": str(site),
                "target": quoted(step.target), "law": law_of(node),
                "values": function_of(*step.arguments), "text": quoted(step.target),
                "after": str(after),
            }  # fmt: skip
        case ListNode():
            return _list_step(node, released)
        case CallNode(step=step, after=after):
            return _call_step(step, after, order)
        case EnsureNode(after=after):
            return {"op": quoted("pass"), "line": "0", "after": str(after)}
        case BranchNode(test=test, yes=yes, no=no) | HeadNode(test=test, body=yes, exit=no):
            told = "" if "@" in str(test) else unparse(test)
            return {
                "op": quoted("branch"), "line": str(node.span.line),
                "values": function_of(test), "text": quoted(told),
                "yes": str(yes), "no": str(no),
            }  # fmt: skip
        case ReleaseNode(step=step, after=after):
            return {
                "op": quoted("release"), "line": str(step.span.line),
                "values": function_of(*step.values), "text": quoted("release"), "after": str(after),
            }  # fmt: skip
        case EndNode(span=span):
            return {"op": quoted("end"), "line": str(span.line)}
    raise AssertionError(node)


def _list_step(node: ListNode, released: set[str]) -> Fields:
    """A list is made or stored into, or indices are picked by one."""
    step = node.step
    found = {"line": str(step.span.line), "after": str(node.after)}
    match step:
        case MakeList(target=target, fill=fill, length=length):
            values: tuple[Expression, ...] = (length,) if fill is None else (length, fill)
            found |= {"op": quoted("make"), "target": quoted(target), "text": quoted(target)}
        case Store(array=array, index=index, value=value):
            values = (value,) if index is None else (value, index)
            place = "" if index is None else unparse(index)
            found |= {
                "op": quoted("store"), "target": quoted(array),
                "text": quoted(f"{array}[{place}]" if place else f"{array} gets"),
                "told": _flag(isinstance(index, Name) and index.name in released),
            }  # fmt: skip
        case Pick(target=target, array=array, count=count):
            values = () if count is None else (count,)
            found |= {
                "op": quoted("pick"), "target": quoted(target), "array": quoted(array),
                "text": quoted(target),
            }  # fmt: skip
    return found | {"values": function_of(*values)}


def _call_step(step: Call, after: int, order: Sequence[Program]) -> Fields:
    """A call: what it is given, and what its claim costs for the arguments ``a`` and ``b``."""
    callee = program_of(step)
    given = ", ".join(f"[{quoted(name)}, {expression(e)}]" for name, e in step.values)
    passed = ", ".join(f"[{quoted(name)}, {quoted(own)}]" for name, own in step.sequences)
    targets = "null" if step.targets is None else f"[{', '.join(map(quoted, step.targets))}]"
    return {
        "op": quoted("call"), "line": str(step.span.line), "targets": targets,
        "callee": str(next(k for k, p in enumerate(order) if p is callee)),
        "given": f"(s, o) => [{given}]", "passed": f"[{passed}]",
        "distance": f"(a, b) => {_distance(step, callee)}",
        "text": quoted(callee.name), "after": str(after),
    }  # fmt: skip


def _distance(step: Call, callee: Program) -> str:
    """What the callee's budget is multiplied by for the arguments of both runs."""
    if not all(callee.inputs[parameter].public for parameter, _ in step.sequences):
        return term_of(number(1), _input)
    sides = (
        {n: term(Symbol(f"{side}:{n}", callee.inputs[n].whole)) for n, _ in step.values}
        for side in "ab"
    )
    found = distance_of(cases_of(callee.privacy, callee.inputs)[0], *sides)
    return term_of(found, lambda symbol: _argument(symbol.key))


def _argument(key: str) -> str:
    side, _, name = key.partition(":")
    return f"{side}.get({quoted(name)})" if name else f"a.get({quoted(key)})"


def _input(symbol: Symbol) -> str:
    """A public parameter, or the length of a sequence."""
    if symbol.key.startswith("len("):
        return f"s.length({quoted(symbol.key[4:-1])})"
    return f"s.get({quoted(symbol.key)})"


def _flag(value: bool) -> str:
    return str(value).lower()


def _object(fields: Fields) -> str:
    return "{" + ", ".join(f"{name}: {text}" for name, text in fields.items()) + "}"


# Expressions of the language as JavaScript: functions of the two runs.
#
# before:  f[i] - other(f[i]) if f[i] + noise >= T[i] else 0
# after:   (le(s.cell("T", s.get("i")), …) ? sub(s.cell("f", …), o.cell("f", …)) : q(0n, 1n, true))

_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_SAME = {"==": "same({}, {})", "is": "same({}, {})", "!=": "!same({}, {})",
         "is not": "!same({}, {})"}  # fmt: skip
_ORDERS = {"<": "lt({0}, {1})", "<=": "le({0}, {1})", ">": "lt({1}, {0})", ">=": "le({1}, {0})"}


def expression(e: Expression, bound: Mapping[str, str] | None = None) -> str:
    """An expression over ``s``, the run that evaluates it, and ``o``, the other one.

    Args:
        e: the expression.
        bound: names that are variables of JavaScript.
    """
    return value(_Writer(bound or {}), e)


def function_of(*members: Expression) -> str:
    """A function of both runs that gives the values of several expressions."""
    return f"(s, o) => [{', '.join(map(expression, members))}]"


class _Writer(Domain[str]):
    """Texts, which JavaScript evaluates in the order in which they stand."""

    def __init__(self, bound: Mapping[str, str]) -> None:
        self._bound = dict(bound)
        self._fresh = itertools.count(1)
        self._runs = "s", "o"

    def operation(self, e: Expression, values: Sequence[str]) -> str:
        """A call or an operator, of the texts of the parts."""
        own, other = self._runs
        match e:
            case Constant(value=exact, kind=kind):
                return number_of(exact, whole=kind == "int")
            case BooleanConstant(value=flag):
                return _flag(flag)
            case Label(value=label):
                return "null" if label is None else quoted(label)
            case Name(name=name):
                return self._bound.get(name) or f"{own}.get({quoted(name)})"
            case Cell(array=array) if array.startswith(RECORD):
                return f"at({self._bound[array]}, {values[0]})"
            case Cell(array=array):
                return f"{own}.cell({quoted(array)}, {values[0]})"
            case Length(array=array):
                return f"{own}.length({quoted(array)})"
            case Whole(array=array):
                return f"...{own}.get({quoted(array)})"
            case Arithmetic(operator=operator):
                function = _OPERATIONS.get(operator) or f"operations[{quoted(operator)}]"
                return f"{function}({', '.join(values)})"
            case Comparison(operator=operator):
                return (_ORDERS.get(operator) or _SAME[operator]).format(*values)
            case Negation():
                return f"!({values[0]})"
            case Builtin(function=function):
                return f"operations[{quoted(function)}]({', '.join(values)})"
            case Other(inner=inner):
                self._runs = other, own
                shown = value(self, inner)
                self._runs = own, other
                return shown
            case Counted(data=data, test=test):
                record = self._bound[record_name(data)] = f"r{next(self._fresh)}"
                return f"{own}.count({quoted(data)}, ({record}) => {value(self, test)})"
            case Foretold(which=which):
                return f"{own}.outcome({which})"
            case Chosen(item=item):
                return f"{own}.chosen({value(self, item)})"
        raise AssertionError(e)

    def connective(self, e: Connective, members: Sequence[Callable[[], str]]) -> str:
        """JavaScript stops where Python does."""
        join = " && " if e.operator == "and" else " || "
        return f"({join.join(member() for member in members)})"

    def conditional(
        self, e: Conditional, test: str, yes: Callable[[], str], no: Callable[[], str]
    ) -> str:
        """The same in its words."""
        return f"({test} ? {yes()} : {no()})"

    def let(self, e: Let, values: Sequence[Callable[[], str]], body: Callable[[], str]) -> str:
        """A function that is called at once."""
        letters = {name: f"b{next(self._fresh)}" for name in e.names}
        given = ", ".join(value() for value in values)
        self._bound |= letters
        return f"(({', '.join(letters.values())}) => {body()})({given})"
