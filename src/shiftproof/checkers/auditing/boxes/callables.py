"""Any Python function as a mechanism: how it is called, and what becomes of its exceptions."""

from __future__ import annotations

import inspect
import linecache
import signal
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ....dsl.errors import BadInput, Location
from ..samples import Sample
from .boxes import Draw, Key
from .packing import Raised, brief, packed

T = TypeVar("T")

#: Names of parameters that take noise; and how many outputs are wanted: the first of these.
NOISE = ("rng", "seed")
SIZES = ("size", "n_samples", "samples", "n")
#: How many runs are made at once, by a function that gives many at a time and by another.
BATCHED, SINGLY = 2**14, 2**9
#: Seeds are below this, so that they fit the integers of any language.
SEEDS = 2**31

_OR_SINGLY = ", or say batched=False"
_REUSED = (list, set, dict, np.ndarray)
_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def generator(key: Key) -> np.random.Generator:
    """The noise of one block."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key[0], spawn_key=key[1:])))


@dataclass(frozen=True)
class CallableBox:
    """A Python function; it can be sent to workers if the function can be pickled.

    Its parameters are told apart by their names:

    * ``rng`` gets a NumPy generator, ``seed`` an integer from 0 to 2**31 - 1; both are made from
      the key of the block.
    * The first other positional one takes the input, whatever its name.
    * ``size``, ``n_samples``, ``samples`` or ``n`` gets how many outputs are wanted, if it has no
      default: one with a default may be anything.  ``batched`` names another one, or says
      whether there is any.  A function that has it returns so many outputs, as an array or a
      sequence.
    * All others are for the input too: for its parts, if it is a mapping.

    A mapping is taken apart, as in ``f(x=3, eps=1.0)``, if each of its keys is the name of a
    parameter for the input and no such parameter without a default is left out.  Otherwise it is
    the input as a whole, as anything else is.

    A function that gives one output is called for each run, with the generator of the block or a
    seed of its own; a run that raises is an output like others.  One that gives many must not.

    Attributes:
        batched: the parameter that gets how many outputs are wanted; or whether there is one;
            ``None`` if its parameters say so.
        timeout: how many seconds a block may take.  There is no limit outside the main thread, or
            where ``SIGALRM`` is used for something else.
    """

    function: Callable[..., Any]
    batched: bool | str | None = None
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise BadInput(f"got {brief(self.function)}; a function is needed")
        if not 0 < self.timeout <= threading.TIMEOUT_MAX:
            raise BadInput(f"{self.name}: got a timeout of {self.timeout!r}; want seconds, above 0")
        if self.batched in NOISE:
            raise BadInput(
                f"{self.name}: batched: {self.batched!r} gets the noise; name the parameter that "
                "gets how many outputs are wanted"
            )
        if self.batched and self._form.size is None:
            wanted = self.batched if isinstance(self.batched, str) else "size"
            raise BadInput(
                f"{self.name}: cannot give many outputs at a time, it takes no {wanted!r} beside "
                "its input"
            )

    @property
    def name(self) -> str:
        """What it is called in messages."""
        name = getattr(self._plain, "__qualname__", type(self._plain).__qualname__)
        return str(name).rpartition("<locals>.")[2]

    @property
    def batch(self) -> str:
        """The parameter that says how many outputs are wanted; empty if there is none."""
        return self._form.size or ""

    @property
    def seeded(self) -> bool:
        """Whether it takes its noise from the auditor."""
        return any(name in self._form.ours for name in NOISE)

    @property
    def block(self) -> int:
        """How many runs are made at once."""
        return SINGLY if self._form.size is None else BATCHED

    def on(self, data: Any) -> Draw:
        """The function on one input.

        Raises:
            BadInput: it cannot be called with it.
        """
        given, batched = self._given(data), self._form.size is not None

        def draw(size: int, key: Key) -> Sample:
            done: list[Any] = []
            runs = self._batch(given, size, key) if batched else self._singly(given, size, key)
            with ctrl_c() as pressed:
                try:
                    within(self.timeout, runs, done)
                except Exception:
                    raise
                except TooLong:
                    after = f" after {len(done)} of {size} runs" if done else ""
                    raise BadInput(
                        f"{self.name}: no answer within {self.timeout:g} s on the input "
                        f"{brief(data)}{after}; does it hang?"
                    ) from None
                except BaseException as error:
                    if isinstance(error, KeyboardInterrupt) and pressed:
                        raise
                    why = "; what a run raises is an output if it is an Exception, but not this"
                    raise self._blamed(error, why) from None
            return packed(done[0] if batched else done)

        return draw

    def failure(self, data: Any, key: Key) -> str:
        """What the first run that raises says, and where; empty if there is none among some."""
        if self._form.size is None:
            for args, kwargs in self._form.calls(self._given(data), SINGLY, generator(key)):
                try:
                    self.function(*args, **kwargs)
                except Exception as error:
                    return str(self._blamed(error))
        return ""

    def _singly(self, given: dict[str, Any], size: int, key: Key) -> Iterator[Any]:
        for args, kwargs in self._form.calls(given, size, generator(key)):
            try:
                output = self.function(*args, **kwargs)
            except Exception as error:
                output = Raised(type(error).__name__)
            # The next run may write into the same list or array.
            yield copy(output) if type(output) in _REUSED else output

    def _batch(self, given: dict[str, Any], size: int, key: Key) -> Iterator[Any]:
        given = {**given, str(self._form.size): size}
        args, kwargs = next(self._form.calls(given, 1, generator(key)))
        try:
            found = self.function(*args, **kwargs)
            if not isinstance(found, Sequence) and hasattr(found, "__array__"):
                found = np.asanyarray(found)
        except Exception as error:
            raise self._blamed(error, "; outputs that are made many at a time must not") from None
        if what := _no_batch(found, size):
            raise BadInput(
                f"{self.name}: returned {what}; wanted an array or a list of {size} outputs of "
                f"one shape, because it takes {self._form.size!r}; return these{_OR_SINGLY}"
            )
        yield found

    def _given(self, data: Any) -> dict[str, Any]:
        """The input as arguments."""
        form = self._form
        if isinstance(data, Mapping) and form.takes_apart(data):
            if clash := sorted(form.ours & {*data}):
                raise BadInput(
                    f"{self.name}: the input has {clash[0]!r}, and the parameter of this name is "
                    "not for inputs; rename it" + (_OR_SINGLY if clash[0] == form.size else "")
                )
            return dict(data)
        if form.first is not None and {*form.needed} <= {form.first}:
            return {form.first: data}
        wanted = f"a mapping with {', '.join(form.needed)}" if form.needed else "an empty mapping"
        others = [name for name in form.needed if name != form.first]
        if form.size is None and self.batched is None and len(others) == 1:
            wanted += (
                f"; or, if {others[0]!r} is how many outputs are wanted at once, "
                f"batched={others[0]!r} (--batch {others[0]})"
            )
        raise BadInput(f"{self.name}{form.signature}: got the input {brief(data)}; wanted {wanted}")

    @property
    def _form(self) -> _Form:
        return _Form.of(self.function, self.batched)

    @property
    def _plain(self) -> Any:
        return inspect.unwrap(getattr(self.function, "func", self.function))

    def _blamed(self, error: BaseException, why: str = "") -> BadInput:
        """An exception of the function as one message with its line, in place of a traceback."""
        try:
            said = str(error)
        except Exception:  # nobody else would have asked
            said = ""
        message = f"{self.name}: raises {type(error).__name__}: {said}".rstrip(": ") + why
        codes = [getattr(f, "__code__", None) for f in (self._plain, type(self._plain).__call__)]
        files = {code.co_filename for code in codes if code is not None}
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in files]
        if not frames or not (line := frames[-1].lineno):
            return BadInput(message)
        file, column, end = frames[-1].filename, frames[-1].colno or 0, frames[-1].end_colno or 0
        text = linecache.getline(file, line).rstrip("\n")
        return BadInput(message, Location(file, line, column + 1, text, end - column))


@dataclass(frozen=True, slots=True)
class _Form:
    """What the parameters of a function are for.

    Attributes:
        ours: those that are not for the input; one of them, ``size``, takes how many are wanted.
        first: the one that takes an input as a whole.
        wanted: all that are for the input; those without a default are ``needed``.
    """

    signature: inspect.Signature
    ours: frozenset[str]
    size: str | None
    first: str | None
    wanted: tuple[str, ...]
    needed: tuple[str, ...]

    @staticmethod
    def of(function: Callable[..., Any], batched: bool | str | None) -> _Form:
        """Of any function; one that hides its parameters has one for the input."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            signature = inspect.signature(lambda data, /: None)
        named = {n: p for n, p in signature.parameters.items() if p.kind not in _STARRED}
        positional = [n for n, p in named.items() if p.kind != p.KEYWORD_ONLY]
        first = next((n for n in positional if n not in NOISE), None)
        sizes = [n for n in _sizes(named, batched) if n in named and n != first][:1]
        ours = frozenset(n for n in (*NOISE, *sizes) if n in named)
        wanted = tuple(n for n in named if n not in ours)
        needed = tuple(n for n in wanted if named[n].default is inspect.Parameter.empty)
        return _Form(signature, ours, sizes[0] if sizes else None, first, wanted, needed)

    def takes_apart(self, data: Mapping[Any, Any]) -> bool:
        """Whether the parts of a mapping are what the parameters are called."""
        fitting = {*self.needed} <= {*data} <= {*self.wanted, *self.ours}
        return fitting and (len(data) > 0 or self.first is None)

    def calls(
        self, given: dict[str, Any], count: int, rng: np.random.Generator
    ) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
        """The arguments of each call, with its noise."""
        seeds = rng.integers(SEEDS, size=count).tolist() if "seed" in self.ours else [None] * count
        arguments = OrderedDict({**given, "rng": rng} if "rng" in self.ours else given)
        bound = inspect.BoundArguments(self.signature, arguments)
        args, kwargs = bound.args, bound.kwargs
        for seed in seeds:
            if seed is not None:
                arguments["seed"] = seed
                args, kwargs = bound.args, bound.kwargs
            yield args, kwargs


def _sizes(named: Mapping[str, inspect.Parameter], batched: bool | str | None) -> list[str]:
    """The names of parameters that may get how many outputs are wanted."""
    if isinstance(batched, str):
        return [batched]
    known = [n for n in SIZES if n in named]
    if batched is None:
        return [n for n in known if named[n].default is inspect.Parameter.empty]
    return known if batched else []


def _no_batch(found: Any, size: int) -> str:
    """What is there instead of so many outputs; nothing if they are."""
    if isinstance(found, np.ndarray):
        return "" if found.shape[:1] == (size,) else f"an array of shape {found.shape}"
    if not isinstance(found, Sequence) or isinstance(found, str | bytes | bytearray):
        return f"{brief(found)} of type {type(found).__name__}"
    if len(found) != size:
        return f"a {type(found).__name__} of length {len(found)}"
    rows = [o for o in found if isinstance(o, list | tuple | np.ndarray)]
    lengths = {o.shape[:1] if isinstance(o, np.ndarray) else (len(o),) for o in rows}
    return "outputs of different lengths" if len(lengths) > 1 else ""


class TooLong(BaseException):
    """The time is over; nobody's ``except Exception`` is to swallow it."""


def within(seconds: float, steps: Iterable[T], done: list[T]) -> None:
    """Append what comes to what is done; ``TooLong`` if all of it takes longer."""
    if not _alarm_is_free():
        done.extend(steps)
        return
    over = rang = False

    def ring(_signal: int, _frame: Any) -> None:
        nonlocal rang
        rang = True
        if not over:
            raise TooLong

    signal.signal(signal.SIGALRM, ring)
    try:
        try:
            # Again and again: a bare "except:" may swallow it.
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
            for step in steps:
                done.append(step)
                if rang:
                    raise TooLong
        finally:
            over = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def ctrl_c() -> Iterator[list[int]]:
    """A list that is not empty any more when a user has pressed it.

    A function may raise ``KeyboardInterrupt`` by itself, and that ends no audit.
    """
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield pressed
        return

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        if signal.getsignal(signal.SIGINT) is note:
            signal.signal(signal.SIGINT, before)


def _alarm_is_free() -> bool:
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return False
    used = signal.getsignal(signal.SIGALRM) != signal.SIG_DFL
    return not used and not signal.getitimer(signal.ITIMER_REAL)[0]
