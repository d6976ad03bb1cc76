"""Choices from a list: each as likely, with probabilities, or several different ones."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..terms.arithmetic import choice
from ..terms.values import (
    Fixed,
    Flip,
    Known,
    Numbers,
    Term,
    Value,
    bare,
    kind_of,
    name,
    node_of,
    text_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Scalar

from .call import Call, between, less, sized
from .numeric import least


def picked(call: Call) -> Value | None:
    """``random.choice(values)``, each as likely."""
    over = call.need(0, "seq")
    if isinstance(over, Fixed):
        return _one_of(call, over)
    return _of_numbers(call, over) if isinstance(over, Numbers) else None


def chosen(call: Call) -> Value | None:
    """numpy's ``choice(a, size, replace, p)``."""
    over = call.need(0, "a")
    if isinstance(over, Known | Term):
        over = Numbers(Known(0), over, array=True)
    chances, several = call.get(3, "p"), call.get(1, "size")
    again = is_true(call, call.get(2, "replace"), True)
    if several == Known(None):
        several = None
    if several is not None and not again:
        if chances not in (None, Known(None)):
            raise call.refuse("a choice with probabilities and without replacement")
        return _subset(call, over, several)
    if isinstance(chances, Fixed):
        weighted = _weighted(call, over, chances)
        return sized(call, 1, lambda: _numpys(weighted()), None)
    if chances not in (None, Known(None)):
        raise call.refuse("probabilities that are no list of known length")
    if isinstance(over, Fixed):
        return sized(call, 1, lambda: _numpys(_one_of(call, over)), None)
    if isinstance(over, Numbers):
        some = (ast.Lt(), over.start, over.stop)
        return sized(call, 1, lambda: _of_numbers(call, over), some)
    return None


def is_true(call: Call, value: Value | None, default: bool) -> bool:
    """An argument that says yes or no; it is known which."""
    if value is None:
        return default
    if not isinstance(value, Known):
        raise call.refuse("an argument on which it depends what is done, and that is not known")
    return bool(value.value)


def _numpys(value: Value) -> Value:
    """A value that numpy gives, of numpy's own type."""
    return bare(value) if isinstance(value, Known | Term) else value


def _one_of(call: Call, over: Fixed) -> Value:
    if not over.items:
        raise call.refuse("a choice from an empty list")
    index = between(call, Known(0), Known(len(over.items) - 1))
    return call.expressions.frame.as_vector(over, call.node).element(index)


def _left_out(call: Call, over: Numbers) -> Scalar | None:
    """The number that is left out of some numbers, which is surely one of them."""
    if over.without is None:
        return None
    found = call.expressions.drawn(over.without, call.node)
    for op, bound in ((ast.GtE(), over.start), (ast.Lt(), over.stop)):
        call.expressions.frame.surely(
            op, found, bound, call.node, "what is left out may not be among what is chosen from"
        )
    if kind_of(found) != "int":
        raise call.refuse("what is left out is no integer")
    return found


def _of_numbers(call: Call, over: Numbers) -> Value:
    """One of some integers, each as likely."""
    left_out = _left_out(call, over)
    spare = Known(1) if left_out is None else Known(2)
    pick = call.expressions.drawn(
        between(call, call.expressions.drawn(over.start, call.node), less(call, over.stop, spare)),
        call.node,
    )
    if left_out is None:
        return pick
    beyond = call.expressions.conditions.compare(ast.GtE(), pick, left_out, call.node)
    moved = call.expressions.drawn(
        call.expressions.binary(ast.Add(), pick, Known(1), call.node), call.node
    )
    found = choice(call.expressions.drawn(beyond, call.node), moved, pick)
    assert found is not None
    return call.expressions.frame.held(found, "other_one")


def _subset(call: Call, over: Value, several: Value) -> Value | None:
    """Several different ones, one after the other, each time one of those that are left."""
    count = call.expressions.drawn(several, call.node)
    if not isinstance(over, Numbers) or not isinstance(count, Known):
        raise call.refuse("a choice without replacement of a number that is not known")
    if type(count.value) is not int:
        raise call.refuse("so many values")
    left_out = _left_out(call, over)
    taken: list[Scalar] = [] if left_out is None else [left_out]
    found: list[Value] = []
    for _ in range(count.value):
        last = less(call, over.stop, Known(1 + len(taken)))
        pick = call.expressions.drawn(
            between(call, call.expressions.drawn(over.start, call.node), last), call.node
        )
        # Those that are taken, from the smallest on, move it by one each that it comes to.
        variable = call.expressions.frame.held(pick, "chosen")
        for one in _sorted(call, taken):
            beyond = call.expressions.drawn(
                call.expressions.conditions.compare(ast.GtE(), variable, one, call.node), call.node
            )
            moved = call.expressions.drawn(
                call.expressions.binary(ast.Add(), variable, Known(1), call.node), call.node
            )
            stepped = choice(beyond, moved, variable)
            assert stepped is not None and isinstance(stepped, Term)
            variable = call.expressions.frame.held(stepped, "chosen")
        taken.append(variable)
        found.append(variable)
    return Fixed(found, array=True)


def _sorted(call: Call, values: list[Scalar]) -> list[Scalar]:
    """The same values in order: exchanged until they are."""
    found = list(values)
    for end in range(len(found) - 1, 0, -1):
        for k in range(end):
            low = call.expressions.drawn(least(call, "min", [found[k], found[k + 1]]), call.node)
            high = call.expressions.drawn(least(call, "max", [found[k], found[k + 1]]), call.node)
            found[k], found[k + 1] = low, high
    return found


def _weighted(call: Call, over: Value, chances: Fixed) -> Callable[[], Value]:
    """A choice with probabilities; of two a flip."""
    if isinstance(over, Numbers):
        length = call.expressions.drawn(less(call, over.stop, over.start), call.node)
        if over.without is not None:
            raise call.refuse("probabilities of numbers of which one is left out")
        call.expressions.frame.surely(
            ast.Eq(), length, Known(len(chances.items)), call.node,
            "there may be more or fewer probabilities than values",
        )  # fmt: skip
        items = [
            call.expressions.binary(ast.Add(), over.start, Known(k), call.node)
            for k in range(len(chances.items))
        ]
    elif isinstance(over, Fixed):
        items = list(over.items)
    else:
        raise call.refuse("a choice from what is no list of known length")
    if len(items) != len(chances.items):
        raise call.refuse("more or fewer probabilities than values")
    weights = [call.expressions.drawn(one, call.node) for one in chances.items]
    values = [call.expressions.drawn(one, call.node) for one in items]
    if not call.expressions.frame.run.said.are_chances([node_of(one) for one in weights]):
        raise call.refuse("probabilities that may not add up to 1")

    def one() -> Value:
        if len(values) == 2:
            flip = call.expressions.drawn(Flip(weights[0]), call.node)
            found = choice(flip, values[0], values[1])
            if found is None:
                raise call.refuse("a choice between values of different types")
            return found
        law = f"Categorical([{', '.join(map(text_of, weights))}])"
        index = name(call.expressions.writer.draw("pick", law), "int")
        return call.expressions.frame.as_vector(Fixed(list(values)), call.node).element(index)

    return one


def choices(call: Call) -> Value | None:
    """``random.choices(values, weights, k=…)``: a list of k draws."""
    over, weights = call.need(0), call.get(1, "weights")
    count = call.get(-1, "k") or Known(1)
    if not isinstance(over, Fixed) or not isinstance(weights, Fixed):
        return None
    if not isinstance(count, Known) or count.value != 1:
        return None
    return Fixed([_weighted(call, over, weights)()])
