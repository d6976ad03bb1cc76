"""A program in any language as a mechanism, in a process of its own."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, ClassVar, NoReturn

import numpy as np

from ....dsl.errors import BadInput
from ..samples import Sample
from .boxes import Draw, Key
from .callables import SEEDS, generator
from .packing import SHOWN, Raised, brief, packed

#: How much is shown of a line, and of what a program wrote to its stderr last.
QUOTED, LAST_WORDS = 80, 500
#: How long a line may be, in bytes.
LONGEST = 2**24

#: For how many seconds a program is waited for, until it is looked whether it is stopped.
_LOOK = 1.0
#: How long a program that has closed its output may take to end, in seconds.
_GRACE = 1.0
_SAFE_PATH = "PYTHONSAFEPATH"


def _safe_path() -> str | None:
    return os.environ.get(_SAFE_PATH)


@dataclass(frozen=True)
class CommandBox:
    """A program that reads requests from its input and writes outputs.

    A request is a line with a JSON object::

        {"input": DATA, "runs": 1024, "seed": 12345}

    The program answers with as many lines as runs are wanted, each the output of one run: a JSON
    number, string, list or object, ``true``, ``false`` or ``null``; ``NaN``, ``Infinity`` and
    ``-Infinity`` are numbers too.  A line ``{"error": "Kind: what happened"}`` is a run that
    raised; what stands before the first colon is all that counts.  Then it flushes its output and
    waits for the next request, which has another seed, until its input is closed.  In Python::

        for line in sys.stdin:
            request = json.loads(line)
            rng = random.Random(request["seed"])
            for _ in range(request["runs"]):
                print(json.dumps(mechanism(request["input"], rng)))
            sys.stdout.flush()

    It is started for each input, and killed when nothing more is wanted of it.

    Attributes:
        command: the program and its arguments; no shell reads them.
        timeout: how many seconds an answer may take, but for those in which the program is stopped.
        block: how many runs are asked for at once.
    """

    command: tuple[str, ...]
    timeout: float = 60.0
    block: int = field(default=2**10, kw_only=True)
    #: A worker's own value is none of the user's, and a program in Python would heed it.
    safe_path: str | None = field(default_factory=_safe_path, repr=False, kw_only=True)

    seeded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.command or not all(isinstance(word, str) for word in self.command):
            raise BadInput(f"got the command {self.command!r}; want its words, as texts")
        if not 0 < self.timeout <= threading.TIMEOUT_MAX:
            raise BadInput(f"{self.name}: got a timeout of {self.timeout!r}; want seconds, above 0")

    @property
    def name(self) -> str:
        """What it is called in messages."""
        text = shlex.join(self.command)
        return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

    def on(self, data: Any) -> Draw:
        """The program on one input; it is started here.

        Raises:
            BadInput: it cannot be, or the input cannot be written as JSON.
        """
        return _Program(self, data)

    def failure(self, data: Any, key: Key) -> str:
        """What the first run that raises says; empty if there is none among some."""
        for answer in _Program(self, data).answers(self.block, key):
            if (error := _error(answer)) is not None:
                return f"{self.name}: raises {error}"
        return ""


class _Program:
    """A program that is running, until nobody has this any more or something goes wrong."""

    def __init__(self, box: CommandBox, data: Any) -> None:
        self._name, self._timeout, self._data = box.name, box.timeout, data
        try:
            self._input = json.dumps(data, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise BadInput(
                f"{self._name}: the input {brief(data)} cannot be JSON: {error}"
            ) from None
        self._process = self._started(box)
        self._end = weakref.finalize(self, _kill, self._process, os.getpid())
        self._asked = False
        self._values: list[Any] = []
        self._rest = bytearray()
        self._said = b""

    def __call__(self, size: int, key: Key) -> Sample:
        """The outputs of some runs."""
        outputs = []
        for answer in self.answers(size, key):
            error = _error(answer)
            outputs.append(answer if error is None else Raised(error.partition(":")[0].strip()))
        return packed(outputs)

    def answers(self, size: int, key: Key) -> list[Any]:
        """What the program writes for some runs."""
        seed = int(generator(key).integers(SEEDS))
        request = f'{{"input": {self._input}, "runs": {size}, "seed": {seed}}}\n'
        try:
            return self._exchange(request.encode(), size)
        except BaseException:
            self._end()
            raise

    def _exchange(self, request: bytes, size: int) -> list[Any]:
        """What stands in so many lines, after a request."""
        if not self._end.alive:
            raise BadInput(f"{self._name}: has been ended after an error")
        stdin, stdout, stderr = _pipes(self._process)
        waited = 0.0
        self._values, pending = [], memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            if self._asked and selector.select(0):
                self._read(size)
                if self._values or self._rest:
                    self._fail("wrote more lines than it was asked for")
            self._asked = True
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(stderr, selectors.EVENT_READ)
            while len(self._values) < size or pending:
                begun = time.monotonic()
                ready = selector.select(max(min(self._timeout - waited, _LOOK), 0))
                # Time in which this process or the program is stopped, by Ctrl-Z say, is no wait.
                if ready or not _stopped(self._process):
                    waited += min(time.monotonic() - begun, _LOOK)
                talks = any(key.fileobj is stdout for key, _ in ready)
                if waited >= self._timeout and not talks:
                    self._fail(
                        f"no answer within {self._timeout:g} s on the input {brief(self._data)}, "
                        f"after {len(self._values)} of {size} lines; does it hang, or keep its "
                        "output in a buffer?"
                    )
                for key, _ in ready:
                    if key.fileobj is stdin:
                        pending = _written(stdin, pending)
                        if not pending:
                            selector.unregister(stdin)
                    elif key.fileobj is stdout:
                        if not self._read(size):
                            pending = pending[:0]
                    elif not self._listen(stderr):
                        selector.unregister(stderr)
        if len(self._values) > size or self._rest:
            self._fail(f"wrote more lines than the {size} it was asked for")
        return self._values

    def _read(self, size: int) -> bool:
        """Take what there is of lines; whether there may be more."""
        _, stdout, _ = _pipes(self._process)
        chunk = os.read(stdout.fileno(), 2**16)
        self._rest += chunk
        if b"\n" in chunk:
            *lines, self._rest = self._rest.split(b"\n")
            self._values += map(self._value, lines)
        if len(self._rest) > LONGEST:
            self._fail(f"wrote a line of more than {LONGEST:,} bytes")
        if not chunk and self._rest:  # the last line needs no end
            self._values.append(self._value(self._rest))
            self._rest = bytearray()
        if not chunk and len(self._values) < size:
            self._fail(f"{self._ended()} after {len(self._values)} of {size} lines")
        return bool(chunk)

    def _listen(self, stderr: IO[bytes]) -> bool:
        """Keep the end of what it says; whether it may say more."""
        chunk = os.read(stderr.fileno(), 2**16)
        self._said = (self._said + chunk)[-4 * LAST_WORDS :]
        return bool(chunk)

    def _ended(self) -> str:
        """How it ended, once it has closed its output."""
        _, _, stderr = _pipes(self._process)
        deadline, open_still = time.monotonic() + _GRACE, True
        with selectors.DefaultSelector() as selector:
            selector.register(stderr, selectors.EVENT_READ)
            while open_still and (left := deadline - time.monotonic()) > 0:
                open_still = not selector.select(left) or self._listen(stderr)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(deadline - time.monotonic(), 0))
        status = self._process.returncode
        if status is None:
            return "closed its output"
        if open_still:  # its children live on
            _kill_group(self._process)
        if status < 0:
            return f"was killed by signal {-status} ({signal.strsignal(-status)})"
        return f"ended by itself, with exit status {status},"

    def _fail(self, what: str) -> NoReturn:
        text = self._said.decode(errors="replace").strip()[-LAST_WORDS:]
        words = "".join(f"\n    {line}" for line in text.splitlines())
        raise BadInput(f"{self._name}: {what}" + (f"; its last words:{words}" if words else ""))

    def _value(self, line: bytearray) -> Any:
        try:
            return json.loads(line.decode())
        except (ValueError, RecursionError):
            text = line.decode(errors="replace")
            quoted = repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}…")
            self._fail(f"wrote the line {quoted}; want one JSON value a line, and nothing else")

    def _started(self, box: CommandBox) -> subprocess.Popen[bytes]:
        if sys.platform == "win32":
            raise BadInput(f"{self._name}: programs cannot be audited on Windows")
        environment, pipe = {**os.environ, _SAFE_PATH: box.safe_path or ""}, subprocess.PIPE
        try:  # in a session of its own, out of reach of Ctrl-C
            process = subprocess.Popen(
                box.command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment,
                start_new_session=True,
            )  # fmt: skip
        except FileNotFoundError:
            what = "what its first line names" if os.path.exists(box.command[0]) else "it"
            raise BadInput(f"{self._name}: cannot be started: {what} is not there") from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise BadInput(f"{self._name}: cannot be started: {why}") from None
        os.set_blocking(_pipes(process)[0].fileno(), False)
        return process


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin and process.stdout and process.stderr
    return process.stdin, process.stdout, process.stderr


def _stopped(process: subprocess.Popen[bytes]) -> bool:
    """Whether a program is stopped and can go on, as far as the system tells."""
    try:
        state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state == "T"


def _written(stdin: IO[bytes], pending: memoryview) -> memoryview:
    """What is left to be written; nothing if nobody reads it."""
    try:
        return pending[os.write(stdin.fileno(), pending) :]
    except BrokenPipeError:
        return pending[:0]


def _kill(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and what it has started; only whoever started it does, no fork of theirs."""
    if os.getpid() != owner:
        return
    if process.returncode is None:
        _kill_group(process)
    for pipe in _pipes(process):
        with suppress(OSError):
            pipe.close()
    process.wait()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _error(answer: Any) -> str | None:
    """What a run says that raised; ``None`` if it did not."""
    if isinstance(answer, dict) and [*answer] == ["error"] and isinstance(answer["error"], str):
        return answer["error"]
    return None


def _plain(value: Any) -> Any:
    """What JSON has for a value that it does not know."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"it holds {brief(value)} of type {type(value).__name__}")
