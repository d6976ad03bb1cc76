"""What a mechanism declares before anyone reads its body: its function, claim and inputs."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any, Literal

from .annotations import input_kind
from .errors import BadInput, Location
from .inputs import InputKind
from .privacy import Privacy
from .readings import namespace_of

Budget = Callable[..., Any] | int | float | Fraction
Expected = Literal["proved", "bounded", "refuted"]


class Declaration:
    """A declared mechanism.

    Attributes:
        function: the Python function.
        privacy: the privacy definition that it claims.
        budget: ε as a function of public parameters or a number, or ``None`` for its ``Epsilon``
            parameter.
        expect: what ``verify`` should find: ``proved``, or ``refuted`` for a known-bad example.
        inputs: the kind of each parameter.
    """

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
            raise BadInput(f"{function.__qualname__}: '{parameter}' is no plain parameter", where)
        if parameter.default is not inspect.Parameter.empty:
            raise BadInput(
                f"{function.__qualname__}: parameter '{parameter.name}' has a default; give none",
                where,
            )
        if kind is None:
            raise BadInput(
                f"{called} does not say what it is; use Counts, Queries, Value, … for private "
                "inputs, and Public[…] or Epsilon for public ones",
                where,
            )
        inputs[parameter.name] = kind
    return inputs
