"""Which function a call is of, and what it gives."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Literal

from ...dsl.errors import BadInput
from ..modules import GOING_THROUGH
from ..terms.values import (
    Bound,
    Class,
    External,
    Function,
    Generator,
    Kind,
    Known,
    Lacking,
    Parent,
    Thing,
    Value,
    name,
    node_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Expressions

from ..terms.arguments import arguments_of
from ..writer import is_taken
from .call import Call
from .draws import drawn_from, seeded
from .numeric import numeric
from .python import builtin, method_of

#: Laws on the integers.
INTEGERS = frozenset({
    "TwoSidedGeometric", "DiscreteLaplace", "OneSidedGeometric", "NegativeOneSidedGeometric",
    "DiscreteUniform", "Categorical",
})  # fmt: skip
_CONSTANTS = {
    "sys.maxsize": 2**63 - 1,
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
#: Functions of Python that go through what they are given.
_GOING_THROUGH = frozenset(f"builtins.{name}" for name in GOING_THROUGH)


def constant_of(full: str) -> Value:
    """A name of another library: a constant, or something to call."""
    if full in _CONSTANTS:
        return Known(_CONSTANTS[full])
    return External(full)


def called(expressions: Expressions, node: ast.Call) -> Value:
    """What a call gives; draws are written, or wait until they are needed."""
    frame, run = expressions.frame, expressions.frame.run
    tail, run.at_the_end = run.at_the_end, False
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        this = next(iter(frame.names.values()), None)
        if isinstance(this, Thing | Class) and frame.owner is not None:
            return Parent(this, frame.owner)
    if ast.unparse(node.func) in run.reading.generators:
        run.taken.append(f"{ast.unparse(node.func)} gives a source of random numbers")
        return Generator("numpy")
    callee = expressions.value(node.func)
    law = run.reading.laws.get(ast.unparse(node.func))
    if law is not None:
        return _of_law(expressions, node, callee, law)
    if isinstance(callee, Lacking):  # whatever it does may be missed
        raise expressions.refuse(node, f"{ast.unparse(node.func)[:70]!r}: {callee.why}")
    call = Call(expressions, node)
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    going = isinstance(callee, External) and callee.name in _GOING_THROUGH
    if not going and any(isinstance(a, ast.GeneratorExp) for a in arguments):
        raise call.refuse("a generator that is handed on")
    match callee:
        case Function():
            return run.call(callee, *call.handed(), node, frame, tail)
        case Class():
            return run.made(callee, *call.handed(), node, frame)
        case External(name=full):
            found = _external(call, full)
        case Bound(value=value, name=method):
            found = method_of(call, value, method)
        case _:
            raise call.refuse("a call of something that is no function")
    if found is None or isinstance(found, Lacking):
        raise call.refuse(found.why if found else "a call that is not read")
    call.check_used()
    return found


def _of_law(expressions: Expressions, node: ast.Call, callee: Value, law: str) -> Value:
    """Noise of the law that the reading says; in it the parameters of the function may stand."""
    run = expressions.frame.run
    call = Call(expressions, node)
    known: dict[str, Value] = {}
    if isinstance(callee, Function):
        own = callee
        bound = arguments_of(
            callee.node, *call.handed(), lambda e: run.names.default(own, e), callee.this
        )
        if isinstance(bound, str):
            raise call.refuse(bound)
        known = bound
    shown = _with_arguments(expressions, node, law, known)
    run.taken.append(f"{ast.unparse(node.func)} gives noise of the law {law}")
    kind: Kind = "float"
    if shown.partition("(")[0] in INTEGERS:
        kind = "int"
    return name(run.writer.draw("noise", shown), kind)


def _with_arguments(
    expressions: Expressions, call: ast.Call, law: str, known: dict[str, Value]
) -> str:
    """A law with what the parameters of the function stand for in place of these."""
    reading = expressions.frame.run.reading

    class Filled(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            if node.id in known:
                return node_of(expressions.drawn(known[node.id], call))
            if node.id not in reading.inputs and not is_taken(node.id):
                raise BadInput(
                    f"{reading.called}: law {law!r}: {node.id!r} is no input, and no parameter "
                    f"of {ast.unparse(call.func)}"
                )
            return node

    return ast.unparse(Filled().visit(ast.parse(law, mode="eval").body))


def _external(call: Call, full: str) -> Value | None:
    module, _, short = full.rpartition(".")
    if full in GENERATORS and full not in ("numpy.random", "random", "secrets"):
        seeded(call)
        return Generator(GENERATORS[full])
    if module in GENERATORS:
        return drawn_from(call, GENERATORS[module], short)
    if module == "builtins":
        return builtin(call, short)
    if module in ("math", "numpy"):
        return numeric(call, short)
    return None
