"""Draws of `random` and of numpy, each with the law that its documentation gives."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..terms.arithmetic import plain
from ..terms.values import (
    Fixed,
    Flip,
    Known,
    Term,
    Undrawn,
    Value,
    Vector,
    is_fixed,
    name,
    text_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Scalar

from .call import Call, between, less, sized
from .choices import choices, chosen, is_true, picked


def drawn_from(call: Call, library: str, method: str) -> Value | None:
    """A draw, from ``random`` or from numpy: each with the law that its documentation gives."""
    if method == "seed":
        return seeded(call)
    frame = call.expressions.frame
    if any(frame.run.names.seeded(one) for one in (frame.run.module, frame.module)):
        raise call.refuse("noise in a library that sets a seed when it is imported")
    handlers: dict[str, Callable[[Call], Value | None]] = {
        "random": _uniform_unit, "random_sample": _uniform_unit, "rand": _rand,
        "uniform": _uniform,
    }  # fmt: skip
    if library == "numpy":
        handlers |= {
            "laplace": _laplace, "exponential": _exponential, "geometric": _geometric,
            "binomial": _binomial, "choice": chosen, "randint": _integers,
            "integers": _integers, "standard_exponential": _exponential_of_one,
            "logistic": _logistic,
        }  # fmt: skip
    else:
        handlers |= {
            "randint": _closed_integers, "randrange": _from_range, "choice": picked,
            "randbelow": _integers, "expovariate": _rate, "choices": choices,
            "getrandbits": _bits,
        }  # fmt: skip
    handler = handlers.get(method)
    return None if handler is None else handler(call)


def seeded(call: Call) -> Value:
    """A seed: one that is known, or made of something, makes the noise known."""
    seed = call.get(0, "seed")
    if seed is not None and not (isinstance(seed, Known) and seed.value is None):
        raise call.refuse("a seed, by which the noise is always the same")
    return Known(None)


def _uniform_unit(call: Call) -> Value:
    return sized(call, 0, lambda: Undrawn(Known(0.0), Known(1.0)), None)


def _rand(call: Call) -> Value:
    return sized(call, 0, lambda: Undrawn(Known(0.0), Known(1.0)), None)


def _uniform(call: Call) -> Value:
    low, high = (
        call.scalar(0, "low", default=Known(0.0)),
        call.scalar(1, "high", default=Known(1.0)),
    )
    width = call.expressions.binary(ast.Sub(), high, low, call.node)
    return sized(call, 2, lambda: Undrawn(low, width), None)


def _scale(call: Call, value: Value) -> Scalar:
    """How far noise spreads: numpy gives none where it is 0, which the language has no law for."""
    found = call.expressions.drawn(value, call.node)
    if isinstance(found, Known) or not is_fixed(found):
        call.expressions.frame.surely(
            ast.Gt(), found, Known(0), call.node, "noise of a scale that may be 0"
        )
    return found


def _noise(call: Call, law: str, location: Value, wanted: str = "noise") -> Value:
    noise = name(call.expressions.writer.draw(wanted, law), "float")
    return call.expressions.binary(ast.Add(), location, noise, call.node)


def _laplace(call: Call) -> Value:
    location, scale = call.get(0, "loc") or Known(0.0), call.get(1, "scale") or Known(1.0)
    return _located(call, "Laplace", location, scale)


def _logistic(call: Call) -> Value:
    location, scale = call.get(0, "loc") or Known(0.0), call.get(1, "scale") or Known(1.0)
    return _located(call, "Logistic", location, scale)


def _located(call: Call, law: str, location: Value, scale: Value) -> Value:
    expressions = call.expressions
    size = _scale(call, scale)
    shown, asked = text_of(size), (ast.GtE(), size, Known(0))
    if isinstance(location, Vector) and call.get(2, "size") is None:
        items = location.element
        expressions.frame.use(location, call.node)
        if not is_fixed(size) or not expressions.frame.run.at_the_start:
            expressions.frame.surely(*asked, call.node, "a law that may be none")
        return Vector(
            location.length,
            lambda i: _noise(call, f"{law}({shown})", items(i)),
            draws=True,
            array=True,
        )
    if isinstance(location, Fixed) and call.get(2, "size") is None:
        return Fixed([_noise(call, f"{law}({shown})", item) for item in location.items], array=True)
    if not isinstance(location, Known | Term):
        raise call.refuse("noise around something that is no number")
    return sized(call, 2, lambda: _noise(call, f"{law}({shown})", location), asked)


def _exponential(call: Call) -> Value:
    scale = _scale(call, call.get(0, "scale") or Known(1.0))
    law, asked = f"Exponential({text_of(scale)})", (ast.GtE(), scale, Known(0))
    return sized(call, 1, lambda: _noise(call, law, Known(0.0)), asked)


def _exponential_of_one(call: Call) -> Value:
    return sized(call, 0, lambda: _noise(call, "Exponential(1)", Known(0.0)), None)


def _rate(call: Call) -> Value:
    rate = call.scalar(0, "lambd")
    scale = call.expressions.drawn(
        call.expressions.binary(ast.Div(), Known(1), rate, call.node), call.node
    )
    return _noise(call, f"Exponential({text_of(scale)})", Known(0.0))


def _geometric(call: Call) -> Value:
    """numpy counts the trials up to the first success: 1, 2, …"""
    chance = call.scalar(0, "p")
    match chance:
        case Term(
            node=ast.BinOp(
                left=ast.Constant(value=1 | 1.0),
                op=ast.Sub(),
                right=ast.Call(func=ast.Name(id="exp"), args=[inner]),
            )
        ):
            rate = call.expressions.drawn(
                call.expressions.unary(ast.USub(), Term(inner, "float", True), call.node), call.node
            )
            inverse = call.expressions.drawn(
                call.expressions.binary(ast.Div(), Known(1), rate, call.node), call.node
            )
        case _:
            raise call.refuse("a geometric law whose parameter is not 1 - exp(-a)")

    def one() -> Value:
        drawn = call.expressions.writer.draw("trials", f"OneSidedGeometric({text_of(inverse)})")
        return call.expressions.binary(ast.Add(), name(drawn, "int"), Known(1), call.node)

    return sized(call, 1, one, (ast.Gt(), rate, Known(0)))


def _binomial(call: Call) -> Value:
    count, chance = call.scalar(0, "n"), call.scalar(1, "p")
    if not isinstance(count, Known) or count.value != 1:
        raise call.refuse("a binomial law of more than one trial")

    def one() -> Value:
        flip = call.expressions.drawn(Flip(chance), call.node)
        return plain(flip)

    if isinstance(chance, Known) and not (
        isinstance(chance.value, int | float) and 0 <= chance.value <= 1
    ):
        raise call.refuse("a probability that is none")
    chance = call.expressions.conditions.chance(chance, call.node)
    return sized(call, 2, one, None)


def _integers(call: Call) -> Value:
    low, high = call.scalar(0, "low"), call.get(1, "high")
    if high is None or (isinstance(high, Known) and high.value is None):
        low, high = Known(0), low
    last = call.expressions.drawn(high, call.node)
    if not is_true(call, call.get(4, "endpoint"), False):
        last = less(call, last, Known(1))
    return sized(call, 2, lambda: between(call, low, last), (ast.LtE(), low, last))


def _from_range(call: Call) -> Value:
    """``random.randrange``, whose third argument is a step."""
    if call.get(2, "step") is not None:
        raise call.refuse("a range with a step")
    return _integers(call)


def _closed_integers(call: Call) -> Value:
    return between(call, call.scalar(0, "a"), call.scalar(1, "b"))


def _bits(call: Call) -> Value:
    bits = call.scalar(0, "k")
    if not isinstance(bits, Known) or not isinstance(bits.value, int) or bits.value > 30:
        raise call.refuse("so many random bits")
    return between(call, Known(0), Known(2**bits.value - 1))
