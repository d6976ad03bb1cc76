"""A function of a library, read as a whole."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..dsl.errors import BadInput, Location, Unsupported
from .body.expressions import Expressions
from .body.frame import Frame
from .classes import bound_in
from .inputs import check_assumed, check_laws, check_names, input_of, is_known, normal
from .modules import SourceModule, found_at, lookup
from .names import check
from .reading import Reading
from .run import Run
from .scoping.scopes import local_names
from .terms.arguments import arguments_of
from .terms.decide import Said
from .terms.values import Class, External, Fixed, Function, Known, Term, Thing, Value, Vector
from .text import Written, assembled
from .writer import Writer

#: What is taken for granted of sequences.
ARRAYS = "sequences come as arrays of numpy"


def written(reading: Reading, folder: Path) -> Written:
    """The mechanism that a function of a library is.

    Args:
        reading: which function, and what its names stand for.
        folder: where files are looked for.

    Raises:
        BadInput: there is no such function, or the reading is wrong.
        Unsupported: something in the function is not read; with the place in the library.
    """
    check_names(reading)
    check_laws(reading)
    module = found_at(reading.place, folder)
    if reading.sha256 and reading.sha256 != module.sha256:
        raise BadInput(
            f"{module.path}: is another version than the reading is of: its SHA-256 is "
            f"{module.sha256}, not {reading.sha256}"
        )
    node, owner = lookup(module, reading.function)
    writer = Writer(set(reading.inputs) | {reading.called}, at=(str(module.path), node.lineno))
    try:
        return _read(reading, module, node, owner, writer)
    except Unsupported as error:
        if error.location is None:
            file, line = writer.at
            raise Unsupported(error.message, Location(file, line, 1), error.advice) from None
        raise


def _read(
    reading: Reading,
    module: SourceModule,
    node: ast.FunctionDef,
    owner: ast.ClassDef | None,
    writer: Writer,
) -> Written:
    inputs = {n: input_of(n, a) for n, a in reading.inputs.items()}
    positive = frozenset(n for n, a in reading.inputs.items() if a == "Epsilon")
    sequences = any(isinstance(value, Vector) for value in inputs.values())
    try:
        said = Said(reading.inputs, reading.assume)
        check_assumed(reading)
    except SyntaxError as error:
        raise BadInput(f"{reading.called}: {error.text or error}: is no expression") from None
    run = Run(
        reading, module, writer, reading.inputs, said, positive, taken=[ARRAYS] * sequences
    )  # fmt: skip
    check(node, module, run)
    frame = Frame(
        run, module, {}, tail=True, outermost=True, owner=owner, node=node, local=local_names(node)
    )
    meant: dict[str, Value] = {
        n: External(f"math.{n}") for n in ("exp", "log", "sqrt", "floor", "ceil")
    }
    own = Frame(run, module, meant | inputs, tail=False)
    for key, said_of in reading.given.items():
        run.given[normal(key, reading)] = _meant(own.expressions, said_of, key)
    this = _object(reading, run, own, node, owner)
    keywords = {}
    for parameter in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
        text = parameter.arg
        if text in run.given:
            keywords[text] = run.given[text]
        elif text in reading.inputs:
            keywords[text] = own.names[text]
    function = Function(node, module, this)
    bound = arguments_of(node, [], keywords, lambda e: run.names.default(function, e), this)
    if isinstance(bound, str):
        raise BadInput(f"{reading.called}: {bound}: say in [mechanism.given] what it stands for")
    frame.names |= bound
    if not frame.block(node.body):
        run.release(frame, Known(None), node)
    return assembled(run, module, node)


def _object(
    reading: Reading, run: Run, own: Frame, node: ast.FunctionDef, owner: ast.ClassDef | None
) -> Thing | Class | None:
    """The object that a method is of, made with the arguments that the reading says."""
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    of_object = owner is not None and not marks & {"staticmethod", "classmethod"}
    if reading.init and not of_object:
        raise BadInput(f"{reading.called}: [mechanism.init] is for methods of objects")
    if owner is None:
        return None
    made = Class(owner, run.module)
    if bound_in(made, node.name) is not node:
        raise run.module.refuse(node, "a name that a class binds in several places")
    if not of_object:
        return made if "classmethod" in marks else None
    started = {k: _meant(own.expressions, v, k) for k, v in reading.init.items()}
    start = run.names.member(made, "__init__")
    if isinstance(start, Function):
        nothing = Function(start.node, start.module, made)
        found = arguments_of(start.node, [], started, lambda _: Known(None), nothing.this)
        if isinstance(found, str):
            raise BadInput(f"{reading.called}: __init__: {found}: say in [mechanism.init]")
    elif started:
        raise BadInput(f"{reading.called}: [mechanism.init]: {owner.name} has no __init__")
    return run.made(made, [], started, node, None)


def _meant(expressions: Expressions, said: Any, key: str) -> Value:
    """What a value in a reading means: a text is an expression over the inputs."""
    if isinstance(said, list):
        return Fixed([_meant(expressions, one, key) for one in said], expressions.frame.run.path)
    if isinstance(said, bool | int) or (isinstance(said, float) and math.isfinite(said)):
        return Known(said, own=True)
    wrong = f"{expressions.frame.run.reading.called}: {key} = {said!r}: is no expression"
    if not isinstance(said, str):
        raise BadInput(f"{wrong} over the inputs, no finite number, no Boolean and no list")
    try:
        node = ast.parse(said, mode="eval").body
    except SyntaxError:
        raise BadInput(f"{wrong} over the inputs") from None
    try:
        found = expressions.value(node)
    except Unsupported as error:
        raise BadInput(f"{wrong} over the inputs: {error.message}") from None
    if isinstance(found, External) and not is_known(found.name):
        raise BadInput(f"{wrong} over the inputs: {said!r} is not known")
    # The reading says what it is: an int, a float or a Boolean of Python.
    return replace(found, own=True) if isinstance(found, Known | Term) else found
