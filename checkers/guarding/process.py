"""The other process: started once, asked over pipes, given no more than a text and numbers."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

#: The folder that the worker is a package of; nothing else of the library can be imported there.
_FOLDER = Path(__file__).resolve().parent
_PROGRAM = f"import sys; sys.path.insert(0, {str(_FOLDER)!r}); import worker.main as m; m.main()"


class Gone(Exception):
    """The other process does not answer."""


def packed(value: Any) -> Any:
    """A value as JSON has it: ``["q", n, d]`` is a fraction, ``["t", …]`` a tuple."""
    if isinstance(value, Fraction):
        return ["q", value.numerator, value.denominator]
    if isinstance(value, tuple | list):
        return ["t", *map(packed, value)]
    if isinstance(value, Mapping):
        return {name: packed(v) for name, v in value.items()}
    return value


class Process:
    """A worker process; it ends with its input, so with this process at the latest."""

    def __init__(self) -> None:
        keeps = ("SYSTEMROOT",) if sys.platform == "win32" else ()
        self._lock = threading.Lock()
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-E", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in keeps if name in os.environ},
            cwd=os.sep,
            start_new_session=True,
            encoding="utf-8",
        )

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request.

        Raises:
            Gone: there is none, or it is more than the process does.
        """
        assert self._child.stdin is not None and self._child.stdout is not None
        try:
            with self._lock:
                self._child.stdin.write(json.dumps(request) + "\n")
                self._child.stdin.flush()
                line = self._child.stdout.readline()
            answer = json.loads(line)
        except (OSError, ValueError):
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise Gone("the process that runs it ended")
        if "beyond" in answer:
            raise Gone(answer["beyond"])
        return answer

    @property
    def ended(self) -> bool:
        """Whether it is gone."""
        return self._child.poll() is not None

    def close(self) -> None:
        """End it."""
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        self._child.kill()
        self._child.wait()


_started: dict[int, Process] = {}
_starting = threading.Lock()


def worker() -> Process:
    """The worker of this process; the first call starts it, and does not wait for it.

    Raises:
        Gone: it cannot be started.
    """
    own = os.getpid()  # that of a parent is not asked from here
    with _starting:
        if own not in _started or _started[own].ended:
            try:
                _started[own] = Process()
            except OSError as error:
                raise Gone(str(error)) from None
            atexit.register(ended, own)
        return _started[own]


def ended(own: int) -> None:
    """End the worker that a process has started, where this is that process."""
    if own == os.getpid() and own in _started:
        _started.pop(own).close()
