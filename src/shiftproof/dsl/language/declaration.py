"""What a mechanism declares before anyone reads its body, and the source of its function."""

from __future__ import annotations

import ast
import inspect
import linecache
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any, Final, Literal

from ..errors import BadInput, Location
from ..privacy.definitions import Privacy
from ..privacy.inputs import InputKind
from ..terms.linear import Linear
from .annotations import input_kind
from .readings import namespace_of
from .source import Source


class Infer(Enum):
    """No ε is claimed: ``verify`` finds one that is kept, and proves it."""

    INFER = "infer"


INFER: Final = Infer.INFER
Budget = Callable[..., Any] | int | float | Fraction | Linear | Infer


Expected = Literal["proved", "bounded", "refuted"]


class Declaration:
    """A declared mechanism.

    Attributes:
        function: the Python function.
        privacy: the privacy definition that it claims.
        budget: ε as a function of public parameters, a number or a term over them, ``None``
            for its ``Epsilon`` parameter, or ``INFER`` for no claim.
        expect: what ``verify`` should find: ``proved``, or ``refuted`` for a known-bad example.
        inputs: the kind of each parameter.
        library: the SHA-256 of the library's file that it was read from, if it was.
    """

    library: str = ""

    def __init__(
        self,
        function: Callable[..., Any],
        privacy: Privacy,
        budget: Budget | None,
        expect: Expected,
    ) -> None:
        if not isinstance(function, FunctionType):
            raise BadInput(f"mechanism: got {function!r}; a function defined with def is needed")
        self.function: FunctionType = function
        self.privacy = privacy
        self.budget = budget
        self.expect: Expected = expect
        self.inputs = _inputs(function)

    @property
    def location(self) -> Location:
        """Where the function stands."""
        code = self.function.__code__
        return Location(code.co_filename, code.co_firstlineno, 1)


def _inputs(function: FunctionType) -> dict[str, InputKind]:
    try:
        # What was read is evaluated already; get_type_hints would execute what stands in quotes.
        read = namespace_of(function) is not None
        hints = (
            function.__annotations__
            if read
            else typing.get_type_hints(function, include_extras=True)
        )
    except NameError as error:
        raise BadInput(f"{function.__qualname__}: an annotation cannot be read: {error}") from None
    inputs: dict[str, InputKind] = {}
    code = function.__code__
    where = Location(code.co_filename, code.co_firstlineno, 1)
    for parameter in inspect.signature(function).parameters.values():
        called = f"{function.__qualname__}: the annotation of '{parameter.name}'"
        try:
            kind = input_kind(hints.get(parameter.name), called)
        except BadInput as error:
            raise BadInput(error.message, where) from None
        if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            shown = str(parameter).partition(":")[0]  # with its stars
            raise BadInput(
                f"{function.__qualname__}: '{shown}' is no plain parameter; leave out '*' and '/'",
                where,
            )
        if parameter.default is not inspect.Parameter.empty:
            raise BadInput(
                f"{function.__qualname__}: parameter '{parameter.name}' has a default; give none",
                where,
            )
        if kind is None:
            raise BadInput(f"{called} does not say what it is; {_wanted(parameter)}", where)
        inputs[parameter.name] = kind
    return inputs


def _wanted(parameter: inspect.Parameter) -> str:
    """What to annotate a parameter with, as far as its name and type tell."""
    plain = {
        bool: "IntegerValue(0, 1) for a user's own bit, or Public[int]",
        int: "Count or IntegerValue(lo, hi) if it is private, or Public[int]",
        float: "Query(sensitivity=1) or Value(lo, hi) if it is private, or Public[float]",
    }
    if parameter.name.lower() in ("eps", "epsilon"):
        return "use Epsilon"
    known = parameter.annotation if isinstance(parameter.annotation, type) else None
    if known in plain:
        return f"use {plain[known]}"
    return (
        "use Counts, Queries, Value, … for private inputs, and Public[…] or Epsilon for public ones"
    )


# Finding the source of a function, and making sure that it is the code that runs.

_PARTS = (
    "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount",
    "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable",
)  # fmt: skip
#: Whether it is a generator, takes any arguments, and so on.
_KIND = 0xFFF


def source_of(function: FunctionType) -> Source:
    """The function's definition in its file.

    Raises:
        BadInput: the file is gone, the definition cannot be found in it, or what is
            found there is not the code that runs.
    """
    code = function.__code__
    where = Location(code.co_filename, code.co_firstlineno, 1)
    name = function.__qualname__
    namespace = namespace_of(function)
    if namespace is not None:
        read = namespace.source(code)
        if read is None:
            raise BadInput(f"the code of {name} is not what was read", where)
        return read
    linecache.checkcache(code.co_filename)
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    if not lines:
        raise BadInput(
            f"the source of {name} cannot be read; define it in a file, or in a cell of a notebook "
            "that no magic (%%time) runs",
            where,
        )
    text = "".join(lines)
    try:
        module = ast.parse(text)
        # A cell of a notebook may await at its top; elsewhere such a module never ran.
        await_at_top = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        compiled = compile(text, code.co_filename, "exec", await_at_top, dont_inherit=True)
    except SyntaxError as error:
        raise BadInput(f"the source of {name} does not parse: {error.msg}", where) from None
    trees = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        and node.name == code.co_name
        and Source(code.co_filename, lines, node).first == where.line
    ]
    codes = [
        c for c in _nested(compiled) if c.co_name == code.co_name and c.co_firstlineno == where.line
    ]
    if len(trees) != 1 or not any(same_code(c, code) for c in codes):
        raise BadInput(
            f"the source of {name} is not the code that runs; the file has changed since it was "
            "imported, or the function was made in another way",
            where,
        )
    return Source(code.co_filename, lines, trees[0])


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def same_code(left: CodeType, right: CodeType) -> bool:
    """Whether two code objects do the same, constants and names included."""
    return (
        all(getattr(left, part) == getattr(right, part) for part in _PARTS)
        # Not the __future__ statements, which a notebook hands on from cell to cell.
        and left.co_flags & _KIND == right.co_flags & _KIND
        and len(left.co_consts) == len(right.co_consts)
        and all(map(_same_constant, left.co_consts, right.co_consts))
    )


def _same_constant(left: object, right: object) -> bool:
    if isinstance(left, CodeType) and isinstance(right, CodeType):
        return same_code(left, right)
    return type(left) is type(right) and repr(left) == repr(right)
