"""Which mechanism a call calls: one that may be called here, with a claim of the same kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from .declaration import Expected
from .parse_calls import Calls
from .privacy import ContextAwareLDP, InputDiscriminativeLDP, Privacy, UtilityOptimizedLDP
from .program import Program


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


#: Definitions whose claims do not add up to one of the same kind.
NOT_COMPOSED = ContextAwareLDP | InputDiscriminativeLDP | UtilityOptimizedLDP

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
    if found.privacy != caller.privacy:
        raise expressions.refuse(
            call,
            f"a call of '{name}', which claims {found.privacy} and not {caller.privacy}",
            "call a mechanism with the same privacy definition",
        )
    if isinstance(found.privacy, NOT_COMPOSED):
        raise expressions.refuse(
            call,
            f"a call of '{name}' under {type(found.privacy).__name__}, whose budgets do not add up",
            "write its body out",
        )
    return found.program, name
