"""Which function a call is of, and what it gives."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Literal

from ..terms.values import (
    Bound,
    Class,
    External,
    Function,
    Generator,
    Known,
    Lacking,
    Parent,
    Thing,
    Value,
    name,
)

if TYPE_CHECKING:
    from ..body.expressions import Expressions

from .call import Call
from .draws import drawn_from
from .numeric import numeric
from .python import builtin, method_of

_CONSTANTS = {
    "math.e": math.e,
    "numpy.e": math.e,
    "math.pi": math.pi,
    "numpy.pi": math.pi,
    "math.inf": math.inf,
    "numpy.inf": math.inf,
}
#: What gives a source of random numbers, by its full name.
GENERATORS: dict[str, Literal["random", "numpy"]] = {
    "numpy.random.default_rng": "numpy", "numpy.random.RandomState": "numpy",
    "numpy.random": "numpy", "random.Random": "random", "random.SystemRandom": "random",
    "secrets.SystemRandom": "random", "random": "random", "secrets": "random",
}  # fmt: skip


def constant_of(full: str) -> Value:
    """A name of another library: a constant, or something to call."""
    if full in _CONSTANTS:
        return Known(_CONSTANTS[full])
    return External(full)


def called(expressions: Expressions, node: ast.Call) -> Value:
    """What a call gives; draws are written, or wait until they are needed."""
    frame, run = expressions.frame, expressions.frame.run
    tail, run.at_the_end = run.at_the_end, False
    law = run.reading.laws.get(ast.unparse(node.func))
    if law is not None:
        run.taken.append(f"{ast.unparse(node.func)} gives noise of the law {law}")
        return name(run.writer.draw("noise", law), "float")
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        this = next(iter(frame.names.values()), None)
        if isinstance(this, Thing) and frame.owner is not None:
            return Parent(this, frame.owner)
    callee = expressions.value(node.func)
    if isinstance(callee, Lacking):
        return Lacking(f"{ast.unparse(node.func)!r}: {callee.why}")
    if any(isinstance(a, ast.Starred) for a in node.args):
        return _starred(expressions, node)
    call = Call(expressions, node)
    match callee:
        case Function():
            return run.call(callee, call.places, call.keywords, node, frame, tail)
        case Class():
            return run.made(callee, call.places, call.keywords, node, frame)
        case External(name=full):
            found = _external(call, full)
        case Bound(value=value, name=method):
            found = method_of(call, value, method)
        case _:
            raise call.refuse("a call of something that is no function")
    if found is None:
        return Lacking(f"{ast.unparse(node)[:70]!r}: a call that is not read")
    return found


def _starred(expressions: Expressions, node: ast.Call) -> Value:
    return Lacking(f"{ast.unparse(node)[:70]!r}: arguments with a star")


def _external(call: Call, full: str) -> Value | None:
    module, _, short = full.rpartition(".")
    if full in GENERATORS and full not in ("numpy.random", "random", "secrets"):
        return Generator(GENERATORS[full])
    if module in GENERATORS:
        return drawn_from(call, GENERATORS[module], short)
    if module == "builtins":
        return builtin(call, short)
    if module in ("math", "numpy"):
        return numeric(call, short)
    if full.endswith("check_random_state"):
        return Generator("numpy")
    return None
