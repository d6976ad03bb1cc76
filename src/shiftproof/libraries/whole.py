"""A function of a library, read as a whole."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from ..dsl.errors import BadInput
from .body.expressions import Expressions
from .body.frame import Frame
from .modules import found_at, lookup
from .names import check
from .reading import Reading
from .run import Run
from .terms.arguments import arguments_of
from .terms.decide import Said
from .terms.values import (
    External,
    Fixed,
    Function,
    Kind,
    Known,
    Term,
    Thing,
    Value,
    Vector,
    name,
    text_of,
)
from .text import Written, assembled
from .writer import Writer

#: What is taken for granted of sequences.
ARRAYS = "sequences come as arrays of numpy"
#: Types of inputs, by how their annotations begin: the kind, and whether it is a sequence.
_NUMBERS: dict[str, Kind] = {"int": "int", "float": "float", "Nat": "int"}


def written(reading: Reading, folder: Path) -> Written:
    """The mechanism that a function of a library is.

    Args:
        reading: which function, and what its names stand for.
        folder: where files are looked for.

    Raises:
        BadInput: there is no such function, or the reading is wrong.
        Unsupported: something in the function is not read; with the place in the library.
    """
    module = found_at(reading.place, folder)
    if reading.sha256 and reading.sha256 != module.sha256:
        raise BadInput(
            f"{module.path}: is another version than the reading is of: its SHA-256 is "
            f"{module.sha256}, not {reading.sha256}"
        )
    node, owner = lookup(module, reading.function)
    sequences = any("Sequence" in annotation for annotation in reading.inputs.values())
    writer = Writer(set(reading.inputs) | {reading.called})
    positive = frozenset(n for n, a in reading.inputs.items() if a == "Epsilon")
    try:
        said = Said(reading.inputs, reading.assume)
    except SyntaxError as error:
        raise BadInput(f"{reading.called}: {error.text or error}: is no expression") from None
    run = Run(reading, writer, reading.inputs, said, positive, taken=[ARRAYS] * sequences)
    check(node, module, run)
    frame = Frame(run, module, {}, tail=True, outermost=True, owner=owner, node=node)
    meant: dict[str, Value] = {
        n: External(f"math.{n}") for n in ("exp", "log", "sqrt", "floor", "ceil")
    }
    meant |= {n: _input(n, a) for n, a in reading.inputs.items()}
    own = Frame(run, module, meant, tail=False)
    for key, said_of in reading.given.items():
        run.given[_normal(key, reading)] = _meant(own.expressions, said_of, key)
    this: Thing | None = None
    if owner is not None and not any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        started = {k: _meant(own.expressions, v, k) for k, v in reading.init.items()}
        this = Thing(owner, module, path=run.path)
        start = run.names.member(this, "__init__")
        if reading.init and isinstance(start, Function):
            run.call(start, [], started, start.node, None)
    keywords = {}
    for parameter in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
        text = parameter.arg
        if text in run.given:
            keywords[text] = run.given[text]
        elif text in reading.inputs:
            keywords[text] = own.names[text]
    bound = arguments_of(node, [], keywords, lambda e: run.names.constant(module, e), this)
    if isinstance(bound, str):
        raise BadInput(f"{reading.called}: {bound}: say in [mechanism.given] what it stands for")
    frame.names |= bound
    if not frame.block(node.body):
        run.release(frame, Known(None), node)
    return assembled(run, module, node)


def _normal(key: str, reading: Reading) -> str:
    try:
        return ast.unparse(ast.parse(key, mode="eval"))
    except SyntaxError:
        raise BadInput(f"{reading.called}: given {key!r}: is no expression") from None


def _meant(expressions: Expressions, said: Any, key: str) -> Value:
    """What a value in a reading means: a text is an expression over the inputs."""
    if isinstance(said, list):
        return Fixed([_meant(expressions, one, key) for one in said], expressions.frame.run.path)
    if not isinstance(said, str):
        return Known(said)
    try:
        return expressions.value(ast.parse(said, mode="eval").body)
    except SyntaxError:
        raise BadInput(f"{key} = {said!r}: is no expression over the inputs") from None


def _input(text: str, annotation: str) -> Value:
    """An input of the mechanism."""
    try:
        node = ast.parse(annotation, mode="eval").body
    except SyntaxError:
        raise BadInput(f"{text}: {annotation!r} is no annotation") from None
    public = annotation.startswith("Public[") or annotation == "Epsilon"
    inner = annotation.removeprefix("Public[").removeprefix("Private[").rstrip("]")
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated":
        assert isinstance(node.slice, ast.Tuple)
        inner = ast.unparse(node.slice.elts[0])
    if inner in _NUMBERS or annotation in ("Count", "Epsilon"):
        own: Kind = "float" if annotation == "Epsilon" else _NUMBERS.get(inner, "int")
        return Term(ast.Name(text), own, public)
    kind: Kind = "int" if "int" in inner or annotation in ("Counts", "Histogram") else "float"

    def element(index: Value) -> Value:
        assert isinstance(index, Known | Term)
        return name(f"{text}[{text_of(index)}]", kind, public)

    return Vector(name(f"len({text})", "int", True), element, kind, listed=text, array=True)
