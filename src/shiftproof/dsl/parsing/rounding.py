"""Comparisons of constants whose outcome differs in floats: ``0.1 + 0.2 == 0.3``.

Proofs are about exact numbers, and the function that is verified is the one that runs.  What
depends on ε or on public inputs is exact if they are given as fractions; what constants alone
make, through variables and loops, no caller can make exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from fractions import Fraction

from ..language.dataflow import forwards
from ..language.flow import AssignNode, CallNode, Flow, ListNode, Node, SampleNode, operands
from ..language.statements import MakeList, Pick, Store
from ..language.syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Length,
    Let,
    Name,
    children,
)


class Form(IntEnum):
    """What constants make in floats: the exact number, the float nearest to it, or another one."""

    EXACT = 0
    NEAREST = 1
    ROUNDED = 2


#: The forms of variables and lists that constants make.
Forms = Mapping[str, Form]
#: What is refused, and what to write instead.
REFUSED = (
    "a decision by constants that floats round",
    "count in ints, or use numbers that floats hold, like 0.5",
)
_STEPS = ("index", "int", "floor", "ceil", "round")


def rounded_comparisons(flow: Flow, public: frozenset[str]) -> Iterator[Expression]:
    """Where a flow compares, or makes whole, what constants make with rounding."""
    none: Forms = {}
    for k, forms in forwards(flow.nodes, flow.start, none, _after, _joined).items():
        for e in operands(flow.nodes[k]):
            yield from compared(e, forms, public)


def compared(
    e: Expression, forms: Forms, public: frozenset[str] = frozenset()
) -> Iterator[Expression]:
    """Where an expression does so; ``public``: names of what is as it is given."""
    sides: tuple[Expression, ...] = ()
    match e:
        case Comparison(left=left, right=right):
            sides = (left, right)
        case Builtin(function=function, arguments=arguments) if function in _STEPS:
            sides = arguments
        case Arithmetic(operator="//" | "%", left=left, right=right):
            sides = (left, right)
        case Let(names=names, values=values, body=body):
            for value in values:
                yield from compared(value, forms, public)
            yield from compared(body, _bound(forms, names, values), public)
            return
    found = [Form.EXACT if _given(s, public) else _form(s, forms) for s in sides]
    # 1.0 // 0.1 is 9.0 in floats.
    rounds = isinstance(e, Arithmetic) and Form.NEAREST in found
    if None not in found and (rounds or Form.ROUNDED in found):
        yield e
    for part in children(e):
        yield from compared(part, forms, public)


def _given(e: Expression, public: frozenset[str]) -> bool:
    return isinstance(e, Length) or (isinstance(e, Name) and e.name in public)


def _form(e: Expression, forms: Forms) -> Form | None:
    """The form of a number; ``None`` where it is made of other things."""
    match e:
        case Constant(value=value):
            return Form.EXACT if Fraction(float(value)) == value else Form.NEAREST
        case Name(name=name) | Cell(array=name):
            return forms.get(name)
        case Let(names=names, values=values, body=body):
            return _form(body, _bound(forms, names, values))
    parts = [e.yes, e.no] if isinstance(e, Conditional) else list(children(e))
    found = [form for part in parts if (form := _form(part, forms)) is not None]
    if not parts or len(found) < len(parts):
        return None
    match e:
        case Conditional() | Builtin(function="abs" | "min" | "max"):
            return max(found)
        case Arithmetic(operator="//"):
            return Form.EXACT
        case Builtin(function=function):  # a whole number; a power of e, a logarithm or a root
            return Form.EXACT if function in _STEPS else Form.NEAREST
        case Arithmetic(operator="+" | "-", left=Constant(value=0)):
            return found[1]  # how a sign is written
        case Arithmetic(operator="/", right=divisor):
            return max(found[0], Form.EXACT if _is_power_of_two(divisor) else Form.ROUNDED)
        case Arithmetic():
            return Form.EXACT if max(found) is Form.EXACT else Form.ROUNDED
    return None


def _is_power_of_two(e: Expression) -> bool:
    if not isinstance(e, Constant) or e.value <= 0:
        return False
    top, below = e.value.numerator, e.value.denominator
    return top & (top - 1) == below & (below - 1) == 0


def _bound(forms: Forms, names: tuple[str, ...], values: tuple[Expression, ...]) -> Forms:
    found = dict(forms)
    for name, form in zip(names, [_form(v, forms) for v in values], strict=True):
        found.pop(name, None)
        if form is not None:
            found[name] = form
    return found


def _after(node: Node, forms: Forms) -> Forms:
    gone: tuple[str, ...] = ()
    match node:
        case AssignNode(step=step):
            return _bound(forms, step.targets, step.values)
        case ListNode(step=MakeList(target=target, fill=None)):
            return {**forms, target: Form.EXACT}
        case ListNode(step=MakeList(target=target, fill=fill)) if fill is not None:
            return _bound(forms, (target,), (fill,))
        case ListNode(step=Store(array=array, value=value)):
            form = _form(value, forms)
            if form is not None and array in forms:
                return {**forms, array: max(form, forms[array])}
            gone = (array,)
        case ListNode(step=Pick(target=target)):
            gone = (target,)
        case SampleNode(step=sampled):
            gone = (sampled.target,)
        case CallNode(step=called):
            gone = tuple(called.targets or ())
    return {name: form for name, form in forms.items() if name not in gone} if gone else forms


def _joined(one: Forms, two: Forms) -> Forms:
    """What is made of constants on both ways."""
    return {name: max(one[name], two[name]) for name in one if name in two}
