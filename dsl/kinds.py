"""Which Python type a mechanism returns, known before it runs: the same on every way out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .flow import (
    AssignNode,
    CallNode,
    Flow,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    successors,
)
from .inputs import InputKind
from .records import RECORD
from .syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Label,
    Length,
    Let,
    MakeList,
    Name,
    Negation,
    Pick,
    Store,
)
from .values import Kind, Mark

#: The kinds of variables; for a list, of its elements.
Kinds = Mapping[str, Kind]


class NoSingleKind(Exception):
    """What a mechanism returns is not of one kind; says how so."""


def returned_kinds(flow: Flow, inputs: Mapping[str, InputKind]) -> tuple[Kind, ...]:
    """The kinds of the values that a mechanism without ``yield`` returns.

    Raises:
        NoSingleKind: one return gives other kinds of values than another, or more of them.
    """
    found: tuple[Kind, ...] | None = None
    for node, kinds in reached(flow, inputs):
        if isinstance(node, ReleaseNode):
            here: tuple[Kind, ...] = tuple(kind_of(e, kinds) for e in node.values)
            if found is not None and len(here) != len(found):
                raise NoSingleKind("it does not always return as many values")
            found = here if found is None else _all_joined(found, here)
    if found is None:
        raise NoSingleKind("it never returns")
    if "several" in found:
        raise NoSingleKind(f"value {found.index('several') + 1} is not always of the same type")
    return found


def reached(flow: Flow, inputs: Mapping[str, InputKind]) -> Iterator[tuple[Node, Kinds]]:
    """Every node that a run may come to, with the kinds that variables may have there."""
    before: dict[int, Kinds] = {}
    given: Kinds = {name: "int" if kind.whole else "float" for name, kind in inputs.items()}
    waiting: list[tuple[int, Kinds]] = [(flow.start, given)]
    while waiting:
        k, kinds = waiting.pop()
        known = before.get(k)
        merged = kinds if known is None else _merged(known, kinds)
        if merged == known:
            continue
        before[k] = merged
        node = flow.nodes[k]
        after = _after(node, merged)
        waiting += [(s, after) for s in _ways(node)]
    return ((flow.nodes[k], kinds) for k, kinds in sorted(before.items()))


def _ways(node: Node) -> tuple[int, ...]:
    """Where a run may go; ``while True`` has no other way out."""
    if isinstance(node, HeadNode) and node.test == BooleanConstant(node.span, True):
        return (node.body,)
    return successors(node)


def _merged(left: Kinds, right: Kinds) -> Kinds:
    # A variable without a value on one of the ways is not read before it gets one.
    return {n: _joined(left.get(n), right.get(n)) for n in {**left, **right}}


def _joined(left: Kind | None, right: Kind | None) -> Kind:
    if left is None or right is None:
        return left or right or "several"
    return left if left == right else "several"


def _all_joined(left: tuple[Kind, ...], right: tuple[Kind, ...]) -> tuple[Kind, ...]:
    found: list[Kind] = []
    for one, other in zip(left, right, strict=True):
        found.append(_joined(one, other))
    return tuple(found)


def _after(node: Node, kinds: Kinds) -> Kinds:
    match node:
        case AssignNode(step=step):
            values: list[Kind] = [kind_of(e, kinds) for e in step.values]
            return _with(kinds, step.targets, values)
        case SampleNode(step=step):
            lattices: dict[str, Kind] = {"booleans": "bool", "integers": "int"}
            return {**kinds, step.target: lattices.get(step.distribution.lattice, "float")}
        case CallNode(step=step):
            return (
                kinds if step.targets is None else _with(kinds, step.targets, step.callee.results)
            )
        case ListNode(step=MakeList(target=target, fill=fill)):
            if fill is not None:
                return _with(kinds, (target,), (kind_of(fill, kinds),))
            return {n: k for n, k in kinds.items() if n != target}
        case ListNode(step=Store(array=array, value=value)):
            return {**kinds, array: _joined(kinds.get(array), kind_of(value, kinds))}
        case ListNode(step=Pick(target=target)):
            return {**kinds, target: "int"}
    return kinds


def _with(kinds: Kinds, names: Iterable[str], new: Iterable[Kind]) -> Kinds:
    found: dict[str, Kind] = dict(kinds)
    found.update(zip(names, new, strict=True))
    return found


def kind_of(e: Expression, kinds: Kinds) -> Kind:
    """The kind of an expression's value."""

    def of(part: Expression) -> Kind:
        return kind_of(part, kinds)

    match e:
        case Constant(kind=kind):
            return kind
        case BooleanConstant() | Comparison() | Connective() | Negation():
            return "bool"
        case Label(value=value):
            return Mark(value)
        case Name(name=name) | Cell(array=name):
            if isinstance(e, Cell) and name.startswith(RECORD):
                return "int"
            return kinds.get(name, "several")
        case Length() | Counted():
            return "int"
        case Arithmetic(operator=operator, left=left, right=right):
            both = (of(left), of(right))
            return "float" if operator == "/" or "float" in both else _joined(*both)
        case Builtin(function=function, arguments=arguments):
            if function == "exp":
                return "float"
            if function not in ("abs", "min", "max"):
                return "int"
            found = of(arguments[0])
            for argument in arguments[1:]:
                found = _joined(found, of(argument))
            return found
        case Conditional(yes=yes, no=no):
            return _joined(of(yes), of(no))
        case Let(names=names, values=values, body=body):
            return kind_of(body, _with(kinds, names, map(of, values)))
    return "several"
