"""The decorator that makes a Python function a mechanism, and what happens when it is called."""

from __future__ import annotations

import contextlib
import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Protocol, TypeVar, overload

from .errors import BadInput, Unsupported
from .language.declaration import Budget, Declaration, Expected, Infer
from .language.readings import namespace_of
from .privacy.definitions import Privacy
from .showing import Shown

if TYPE_CHECKING:
    from .relations.program import Program
    from .terms.linear import Linear


P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


#: Whoever wants to know which mechanisms are made meanwhile; each is told of all.
_WATCHING: list[list[Mechanism[..., Any]]] = []


@contextlib.contextmanager
def made_meanwhile() -> Iterator[list[Mechanism[..., Any]]]:
    """The mechanisms that are made inside, by whatever code, in order."""
    made: list[Mechanism[..., Any]] = []
    _WATCHING.append(made)
    try:
        yield made
    finally:
        _WATCHING[:] = [watching for watching in _WATCHING if watching is not made]


class Mechanism(Declaration, Shown, Generic[P, R]):
    """A randomised mechanism: call it and it runs; hand it to ``verify`` and it is read.

    Attributes: those of a declaration, among them ``function``, ``privacy`` and ``inputs``.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        privacy: Privacy,
        budget: Budget | None,
        expect: Expected,
    ) -> None:
        super().__init__(function, privacy, budget, expect)
        functools.update_wrapper(self, function)
        for watching in _WATCHING:
            watching.append(self)

    def __repr__(self) -> str:
        return f"<mechanism {self.function.__qualname__}: {self.privacy}>"

    @functools.cached_property
    def program(self) -> Program:
        """The mechanism as read from its source.

        Raises:
            Unsupported: it uses something outside the language.
            BadInput: its source and its code differ, or cannot be found.
        """
        from .reading.parse import parse

        try:
            return parse(self, _recognised)
        except RecursionError:
            raise Unsupported(
                "an expression or block that nests too deep",
                self.location,
                "use variables or helper functions for parts of it",
            ) from None

    def claiming(self, budget: Linear | Infer) -> Mechanism[P, R]:
        """The same mechanism with another claim.

        Args:
            budget: ε in nats, a term over its public parameters and lengths; or ``INFER``.
        """
        return Mechanism(self.function, self.privacy, budget, "proved")

    def convert(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        """The inputs of a call by parameter name, as Python numbers, checked.

        Raises:
            BadInput: an input is missing, of the wrong kind, or breaks a precondition.
        """
        try:
            bound = inspect.signature(self.function).bind(*args, **kwargs)
        except TypeError as error:
            raise BadInput(f"{self.function.__name__}: {error}") from None
        bound.apply_defaults()
        values = {name: self.inputs[name].accept(name, v) for name, v in bound.arguments.items()}
        try:
            program = self.program
        except Unsupported:
            return values  # it can run though it cannot be read; its own asserts still hold
        program.check_frozen()
        program.check_preconditions(values)
        return values

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run on real noise; the tuple of everything that was released."""
        values = self.convert(*args, **kwargs)
        try:
            return typing.cast(R, self.run(values))
        except AssertionError as error:
            raise BadInput(
                f"{self.function.__name__}: a precondition does not hold for these floats",
                self.location,
            ) from error

    def releases(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[Any]:
        """Run on real noise, one release at a time: what comes next may depend on it.

        For mechanisms that read a ``Stream``: the next answer is taken when the next release
        is asked for, so whoever supplies the stream may look at the last release first.

        Raises:
            BadInput: as for a call; at once, not at the first release.
        """
        self._check_executed()
        result = self.function(**self.convert(*args, **kwargs))
        several = inspect.isgenerator(result) or isinstance(result, tuple)
        return map(_plain, result if several else (result,))

    def run(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Run on inputs that :meth:`convert` has accepted.

        Raises:
            BadInput: its file was read and never executed.
        """
        self._check_executed()
        result = self.function(**values)
        if inspect.isgenerator(result):
            return tuple(map(_plain, result))
        return tuple(map(_plain, result)) if isinstance(result, tuple) else (_plain(result),)

    def _check_executed(self) -> None:
        if namespace_of(self.function) is not None:
            raise BadInput(
                f"{self.function.__name__}: its file was read and not executed, so it cannot run; "
                "import it (on the command line: --import)",
                self.location,
            )


def _recognised(found: object) -> Mechanism[..., Any] | None:
    """An object as a mechanism that others may call; not as one of a class of its own.

    Such a class could run something else than was read.
    """
    return found if type(found) is Mechanism else None


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | str | Fraction):
        return value
    raise BadInput(
        f"released a {type(value).__name__}; numbers, Booleans, strings and None can be released"
    )


class Decorator(Protocol):
    """Turns a function into a mechanism with the same parameters."""

    # The overlaps are meant: a generator and a tuple are released piece by piece.
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, function: Callable[P, Iterator[T]], /
    ) -> Mechanism[P, tuple[T, ...]]: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, function: Callable[P, tuple[T, ...]], /
    ) -> Mechanism[P, tuple[T, ...]]: ...
    @overload
    def __call__(self, function: Callable[P, T], /) -> Mechanism[P, tuple[T]]: ...


def mechanism(
    privacy: Privacy, *, budget: Budget | None = None, expect: Expected = "proved"
) -> Decorator:
    """Declare a mechanism and the privacy that it claims.

    Args:
        privacy: the privacy definition, such as ``ADP(policy)`` or ``DP()``.
        budget: ε in nats as a function of public parameters by name, as in
            ``lambda eps, c: 2 * eps``; by default the ``Epsilon`` parameter itself.  The length
            of a sequence is public, as in ``lambda eps, f: len(f) * eps``.  ``INFER`` claims
            nothing: ``verify`` finds an ε that is kept, and proves it.
        expect: ``refuted`` marks a known-bad example; ``bounded`` is content with a proof up to
            some size.

    Raises:
        BadInput: a parameter's annotation does not say what it is.
    """
    if not isinstance(privacy, Privacy):
        raise BadInput(f"mechanism: got {privacy!r}; a privacy definition such as DP() is needed")
    if expect not in ("proved", "bounded", "refuted"):
        raise BadInput(f"mechanism: expect={expect!r}; 'proved', 'bounded' or 'refuted' is needed")

    def decorate(function: Callable[..., Any]) -> Mechanism[Any, Any]:
        return Mechanism(function, privacy, budget, expect)

    return typing.cast(Decorator, decorate)
