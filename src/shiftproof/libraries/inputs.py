"""The inputs of a mechanism, as a reading annotates them."""

from __future__ import annotations

import ast
import builtins

from ..dsl.errors import BadInput
from .reading import Reading
from .terms.values import Kind, Known, Term, Value, Vector, name, text_of
from .writer import is_taken

#: Types of inputs, by how their annotations begin: the kind.
_NUMBERS: dict[str, Kind] = {"int": "int", "float": "float", "Nat": "int"}


def normal(key: str, reading: Reading) -> str:
    """An expression of a library's text, written as it is looked for."""
    try:
        return ast.unparse(ast.parse(key, mode="eval"))
    except SyntaxError:
        raise BadInput(f"{reading.called}: given {key!r}: is no expression") from None


def check_names(reading: Reading) -> None:
    """Refuse names that the text of the mechanism uses for something else.

    Raises:
        BadInput: the mechanism or an input has one.
    """
    for text in (reading.called, *reading.inputs):
        if not text.isidentifier() or is_taken(text):
            raise BadInput(
                f"{reading.called}: {text!r} stands for something else in the text of a mechanism: "
                "give it another name"
            )
    if reading.called in reading.inputs:
        raise BadInput(f"{reading.called}: an input has the name of the mechanism: give one a name")


def check_assumed(reading: Reading) -> None:
    """Refuse preconditions about something else than the inputs.

    Raises:
        BadInput: one is.
    """
    for text in reading.assume:
        tree = ast.parse(text, mode="eval")
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        for other in sorted(names - reading.inputs.keys()):
            if not is_taken(other):
                raise BadInput(f"{reading.called}: assume {text!r}: {other!r} is no input")


def is_known(full: str) -> bool:
    """Whether a full name is of another library, or one that Python has."""
    module, _, short = full.rpartition(".")
    return module != "builtins" or hasattr(builtins, short)


def check_laws(reading: Reading) -> None:
    """Refuse laws that are no calls.

    Raises:
        BadInput: one is not.
    """
    for key, law in reading.laws.items():
        try:
            tree = ast.parse(law, mode="eval").body
        except SyntaxError:
            tree = ast.Constant(None)
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            raise BadInput(f"{reading.called}: {key} = {law!r}: want a law such as 'Laplace(1)'")


def input_of(text: str, annotation: str) -> Value:
    """An input of the mechanism."""
    try:
        node = ast.parse(annotation, mode="eval").body
    except SyntaxError:
        raise BadInput(f"{text}: {annotation!r}: is no expression, and no annotation") from None
    public = annotation.startswith("Public[") or annotation == "Epsilon"
    inner = annotation.removeprefix("Public[").removeprefix("Private[").rstrip("]")
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated":
        if not isinstance(node.slice, ast.Tuple):
            raise BadInput(f"{text}: {annotation!r}: want Annotated[type, range]")
        inner = ast.unparse(node.slice.elts[0])
    if inner in _NUMBERS or annotation in ("Count", "Epsilon"):
        own: Kind = "float" if annotation == "Epsilon" else _NUMBERS.get(inner, "int")
        return Term(ast.Name(text), own, public, own=True)
    kind: Kind = "int" if "int" in inner or annotation in ("Counts", "Histogram") else "float"

    def element(index: Value) -> Value:
        assert isinstance(index, Known | Term)
        return name(f"{text}[{text_of(index)}]", kind, public)

    return Vector(name(f"len({text})", "int", True), element, kind, listed=text, array=True)
