"""Calls of other mechanisms: ``a, b = callee(…)`` and ``yield from callee(…)``.

What stands here is read with the callee's own program; nothing of it is taken on trust but that
it is a mechanism with a claim of the same kind.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import CO_GENERATOR

from .calls import Call
from .errors import Unsupported
from .flow import CallNode, Flow
from .inputs import DataSet, InputKind, LocationCounts, Stream
from .kinds import NoSingleKind
from .parse_callees import callee_of
from .parse_calls import Calls
from .program import Program
from .source import Source, span_of
from .syntax import Chosen, Expression, Outcome, children


def parse_unpacked(
    expressions: Calls,
    variable: Callable[[ast.expr], str],
    target: ast.expr,
    call: ast.Call,
    node: ast.stmt,
) -> Call:
    """``a, b = callee(…)``: what another mechanism returns, in variables.

    Raises:
        Unsupported: the callee cannot be called here, or not in this way.
    """
    if not isinstance(target, ast.Tuple | ast.List) or not target.elts:
        written = ast.unparse(call.func)
        raise expressions.refuse(
            call,
            f"the tuple that '{written}' returns as a value",
            f"unpack it, as in (a,) = {written}(…) or a, b = {written}(…)",
        )
    names = tuple(map(variable, target.elts))
    if len(set(names)) < len(names):
        raise expressions.refuse(
            node, "a variable assigned twice at once", "assign it once", "never"
        )
    callee, name = callee_of(expressions, call)
    values, sequences = _arguments(expressions, callee, name, call)
    count = _results(expressions, callee, name, call)
    if len(names) != count:
        raise expressions.refuse(
            node,
            f"{len(names)} variables for the {count} values that '{name}' returns",
            "write one variable for each",
            "never",
        )
    return Call(span_of(node), names, callee, values, sequences)


def _results(expressions: Calls, callee: Program, name: str, call: ast.Call) -> int:
    """How many values a callee returns, each of one type."""
    if callee.code.co_flags & CO_GENERATOR:
        raise expressions.refuse(
            call,
            f"the results of '{name}', which yields: nobody knows how many there are",
            f"write yield from {name}(…), or return values there",
        )
    try:
        return len(callee.results)
    except NoSingleKind as error:
        raise expressions.refuse(
            call,
            f"the results of '{name}': {error}",
            "return as many values of the same types everywhere in it",
        ) from None


def parse_released(expressions: Calls, value: ast.expr, node: ast.stmt) -> Call:
    """``yield from callee(…)``: all that another mechanism releases.

    Raises:
        Unsupported: as :func:`parse_unpacked`, or it is no mechanism.
    """
    if not isinstance(value, ast.Call) or expressions.called(value)[0] != "mechanism":
        raise expressions.refuse(
            node, "yield from something that is no mechanism", "loop over it, and yield each value"
        )
    callee, name = callee_of(expressions, value)
    values, sequences = _arguments(expressions, callee, name, value)
    return Call(span_of(node), None, callee, values, sequences)


def unkept(expressions: Calls, call: ast.Call, node: ast.stmt) -> Unsupported:
    """A call as a statement of its own."""
    name = ast.unparse(call.func)
    return expressions.refuse(
        node,
        f"a call of '{name}' whose results are not kept",
        f"write a, b = {name}(…), or yield from {name}(…)",
    )


Given = tuple[tuple[tuple[str, Expression], ...], tuple[tuple[str, str], ...]]


def _arguments(expressions: Calls, callee: Program, name: str, call: ast.Call) -> Given:
    """The arguments by parameter: expressions, and sequences that are passed on."""
    given = _bound(expressions, callee, name, call)
    values: list[tuple[str, Expression]] = []
    sequences: dict[str, str] = {}
    for parameter, kind in callee.inputs.items():
        if kind.array or isinstance(kind, DataSet):
            sequences[parameter] = _passed_on(expressions, kind, parameter, name, given[parameter])
        else:
            values.append((parameter, expressions.parse(given[parameter])))
    assert expressions.mechanism is not None
    inputs = expressions.mechanism.inputs
    for parameter, own in sequences.items():
        kind, theirs = callee.inputs[parameter], inputs[own]
        located = isinstance(kind, LocationCounts) and isinstance(theirs, LocationCounts)
        if located and sequences.get(kind.by) != theirs.by:  # type: ignore[attr-defined]
            raise expressions.refuse(
                given[parameter],
                f"'{own}' with other locations than its own",
                "pass on its locations, too",
                "never",
            )
    return tuple(values), tuple(sequences.items())


def _bound(
    expressions: Calls, callee: Program, name: str, call: ast.Call
) -> Mapping[str, ast.expr]:
    """Which parameter each argument is for, as Python has it."""
    names = list(callee.inputs)
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            raise expressions.refuse(argument, "a starred argument", "write out the arguments")
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given or keyword.arg not in names:
            raise expressions.refuse(
                keyword.value,
                "a starred argument" if keyword.arg is None else f"the keyword '{keyword.arg}'",
                f"give each of {', '.join(names)} once",
                "never",
            )
        given[keyword.arg] = keyword.value
    if len(call.args) > len(names) or len(given) != len(names):
        raise expressions.refuse(
            call,
            f"{len(call.args) + len(call.keywords)} arguments for '{name}'",
            f"give {', '.join(names)}",
            "never",
        )
    return given


def _passed_on(
    expressions: Calls, kind: InputKind, parameter: str, name: str, argument: ast.expr
) -> str:
    """The caller's own sequence that an argument is: as it came, and of the same kind."""
    assert expressions.mechanism is not None
    inputs = expressions.mechanism.inputs
    own = argument.id if isinstance(argument, ast.Name) else ""
    if isinstance(kind, Stream):
        raise expressions.refuse(
            argument, f"a stream for '{name}'", "read the stream here, and call for each answer"
        )
    if own not in inputs or not (inputs[own].array or isinstance(inputs[own], DataSet)):
        raise expressions.refuse(
            argument,
            f"an argument for the sequence '{parameter}' of '{name}' that is no parameter",
            "pass on a sequence that is a parameter of this mechanism",
        )
    if not _alike(kind, inputs[own]):
        raise expressions.refuse(
            argument,
            f"'{own}' is of another kind than '{parameter}' of '{name}'",
            "annotate both parameters in the same way",
        )
    return own


def _alike(kind: InputKind, own: InputKind) -> bool:
    """Whether two kinds say the same, but for the parameters that they name.

    What these parameters are is compared where the values are known: in the proof.
    """
    if type(kind) is not type(own):
        return False
    for field in fields(kind):
        one, two = getattr(kind, field.name), getattr(own, field.name)
        if one != two and field.name not in ("by", "sensitivity"):
            return False
        if one != two and field.name == "sensitivity" and type(one) is type(two) is not str:
            return False
    return True


def check_prophecies(source: Source, flow: Flow) -> None:
    """What ``yield from`` releases cannot be foretold.

    Raises:
        Unsupported: an alignment of the mechanism uses ``outcome()``, and it yields from another.
    """
    asks = any(_foretells(n.step.shift) for n in flow.sites if n.step.shift is not None)
    for node in flow.nodes if asks else ():
        if isinstance(node, CallNode) and node.step.targets is None:
            raise _prophecy(source, node.step)


def _prophecy(source: Source, step: Call) -> Unsupported:
    return source.refuse(
        step.span,
        "yield from another mechanism beside outcome()",
        "leave out the alignments that use outcome(), or keep the results and yield them",
    )


def _foretells(e: Expression) -> bool:
    return isinstance(e, Outcome | Chosen) or any(map(_foretells, children(e)))
