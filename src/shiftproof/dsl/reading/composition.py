"""Calls of other mechanisms: ``a, b = callee(…)`` and ``yield from callee(…)``.

What stands here is read with the callee's own program; nothing of it is taken on trust but that
it is a mechanism with a claim of the same kind.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import cached_property
from inspect import CO_GENERATOR
from typing import Protocol

from ..errors import Unsupported
from ..language.annotations import NoSingleKind
from ..language.calls import Call
from ..language.declaration import Expected
from ..language.flow import CallNode, Flow
from ..language.source import Source, span_of
from ..language.syntax import Chosen, Expression, Foretold, parts_of
from ..parsing.calls import Calls
from ..privacy.definitions import Privacy
from ..privacy.inputs import DataSet, InputKind, LocationCounts, Stream
from ..relations.program import Program

# Which mechanism a call calls: one that may be called here, with a claim of the same kind.


class Called(Protocol):
    """A mechanism that may be called; its program is read when that is asked for."""

    @property
    def expect(self) -> Expected:
        """What ``verify`` should find."""
        ...

    @property
    def privacy(self) -> Privacy:
        """The privacy definition that it claims."""
        ...

    @cached_property
    def program(self) -> Program:
        """The mechanism as read from its source."""
        ...


#: An object as a mechanism that may be called; ``None`` if it is none.
Recognise = Callable[[object], Called | None]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The mechanisms that are being read, each because the one before it calls it."""

    mechanisms: tuple[object, ...]
    recognise: Recognise


_NOTHING = _Reading((), lambda _: None)
_now: ContextVar[_Reading] = ContextVar("reading", default=_NOTHING)


@contextmanager
def reading(mechanism: object, recognise: Recognise) -> Iterator[None]:
    """A mechanism is being read: until that is done, none may call it."""
    token = _now.set(_Reading((*_now.get().mechanisms, mechanism), recognise))
    try:
        yield
    finally:
        _now.reset(token)


def callee_of(expressions: Calls, call: ast.Call) -> tuple[Program, str]:
    """The program that is called, and its name as written.

    Raises:
        Unsupported: what is called is no mechanism that may be called here.
    """
    caller = expressions.mechanism
    _, named, name = expressions.called(call)
    now = _now.get()
    found = now.recognise(named)
    if caller is None or found is None:
        raise expressions.refuse(call, f"a call of '{name}'", "call what @mechanism made")
    if any(found is other for other in now.mechanisms):
        raise expressions.refuse(
            call, f"'{name}' calls itself, directly or through others", "use a loop", "never"
        )
    if found.expect == "refuted":
        raise expressions.refuse(
            call,
            f"a call of '{name}', which is marked as not private",
            "call one that is expected to be proved",
            "never",
        )
    wanted = caller.privacy
    # Of a ρ, in all, an ε follows beside a δ.
    measures = ("", "ρ") if wanted.delta is not None else ("",)
    if not any(found.privacy.implies_part_of(wanted.showing(measure)) for measure in measures):
        raise expressions.refuse(
            call,
            f"a call of '{name}', which claims {found.privacy} and not {caller.privacy}",
            "call a mechanism with the same privacy definition",
        )
    if not found.privacy.composes:
        raise expressions.refuse(
            call,
            f"a call of '{name}' under {type(found.privacy).__name__}, whose budgets do not add up",
            "write its body out",
        )
    if found.privacy.group_size > 1:
        raise expressions.refuse(call, f"a call of '{name}' under Group", "write its body out")
    return found.program, name


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
    return any(isinstance(part, Foretold | Chosen) for part in parts_of(e))
