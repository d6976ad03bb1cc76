"""The loop of the process: a request is a line of JSON, and so is its answer.

``{"text": …, "name": …, "do": …}`` and what the work needs:

- ``choose``: the numbers of those ``settings`` that meet the preconditions, ``most`` at most;
- ``runs``: what recorded ``cases`` disagree about, with their numbers, and wrong ``claims``;
- ``laws``: what the probabilities of ``pairs`` of neighbours disagree about.

The answer has ``work``, or ``beyond``: why nothing can be said.
"""

from __future__ import annotations

import json
import sys
import unicodedata  # noqa: F401  (for names that are not ASCII; later no file can be opened)
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .checks import Case, Law, Pair, broken, unlike
from .noise import Beyond, told
from .text import Code, Text, read
from .words import Words

#: The most memory, in bytes, and the processor time of one request, in seconds: last resorts, as
#: work is counted.
MEMORY = 2 << 30
SECONDS = 120


def unpacked(value: Any) -> Any:
    """``["t", …]`` is a tuple, ``["q", n, d]`` a fraction; the rest is plain."""
    if isinstance(value, list):
        tag, *parts = value
        return Fraction(*parts) if tag == "q" else tuple(map(unpacked, parts))
    if isinstance(value, dict):
        return {name: unpacked(v) for name, v in value.items()}
    return value


class Worker:
    """Answers requests about texts; the last text is kept."""

    def __init__(self) -> None:
        self._words = Words()
        self._last: tuple[str, Text] | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One request."""
        self._words.begin()
        try:
            text = self._text(request["text"], request.get("laws", {}))
            code = text.mechanisms.get(request["name"])
            if code is None:
                raise Beyond(f"no mechanism {request['name']}")
            found = getattr(self, f"_{request['do']}")(request, code, text)
        except Beyond as error:
            return {"beyond": str(error)}
        except Exception as error:  # a fault of this process is no disagreement
            return {"beyond": f"{type(error).__name__}: {error}"}
        return {**found, "work": self._words.work}

    def _text(self, text: str, laws: Mapping[str, Any]) -> Text:
        if self._last is None or self._last[0] != text:
            self._last = text, read(text, self._words, told(laws))
        return self._last[1]

    def _choose(self, request: Mapping[str, Any], code: Code, text: Text) -> dict[str, Any]:
        chosen: list[int] = []
        for k, packed in enumerate(request["settings"]):
            try:
                if code.asserts(**code.arguments(unpacked(packed))):
                    chosen.append(k)
            except (AssertionError, ArithmeticError, LookupError):
                continue
            if len(chosen) == request["most"]:
                break
        return {"chosen": chosen}

    def _runs(self, request: Mapping[str, Any], code: Code, text: Text) -> dict[str, Any]:
        found, claims = [], set[int]()
        for k, packed in enumerate(request["cases"]):
            case = Case(**{name: unpacked(v) for name, v in packed.items()})
            wrong = next(broken(self._words, code, case, claims, rounded=text.rounded), None)
            if wrong is not None:
                found.append([k, wrong])
        return {"broken": found, "claims": sorted(claims)}

    def _laws(self, request: Mapping[str, Any], code: Code, text: Text) -> dict[str, Any]:
        found, laws = [], dict[str, Law]()
        public = unpacked(request["public"])
        for k, packed in enumerate(request["pairs"]):
            pair = Pair(**{name: unpacked(v) for name, v in packed.items()})
            wrong = next(unlike(self._words, code, pair, laws, public), None)
            if wrong is not None:
                found.append([k, wrong])
        return {"broken": found, "inputs": len(laws)}


def confined() -> None:
    """Give up what is not needed: files, processes, memory."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such limits
    for name, most in (("NOFILE", 0), ("NPROC", 0), ("FSIZE", 0), ("CORE", 0), ("AS", MEMORY)):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            try:
                resource.setrlimit(kind, (most, most))
            except (ValueError, OSError):
                continue  # it cannot be had here


def renewed() -> None:
    """Another ``SECONDS`` of processor time, for the next request."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + SECONDS, hard))


def main() -> None:
    """Answer until the input ends."""
    worker = Worker()
    confined()
    for line in sys.stdin:
        renewed()
        answer = worker.answer(json.loads(line))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
