"""Verdicts of many mechanisms: one after the other, or side by side in processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..checkers.verdicts import Report
from ..checkers.verify import verify
from .executors import cores, worker_processes
from .importing import AnyMechanism
from .interrupts import interruptible

if TYPE_CHECKING:
    from concurrent.futures import Future

#: For how many mechanisms it is worth while to start one more process.
WORTH = 8


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be verified: what every process makes the same mechanisms of, in one order.

    Attributes:
        targets: as :func:`.targets.resolved` takes them.
        whole: whether the gallery is meant, too.
        execute: whether files are executed, and not only read.
        replays: how many runs of the real function each proof is held against.
        cache: where verdicts are kept, if anywhere.
    """

    targets: tuple[str, ...]
    whole: bool = False
    execute: bool = False
    replays: int = 0
    cache: Path | None = None

    def mechanisms(self) -> list[AnyMechanism]:
        """All of them.

        Raises:
            BadInput: there is nothing of a name.
        """
        from .targets import gallery, resolved

        found = resolved(self.targets, self.execute)
        return found + (gallery(run=self.execute or self.replays > 0) if self.whole else [])

    def report(self, mechanism: AnyMechanism) -> Report:
        """The verdict of one."""
        judge = partial(verify, replays=self.replays)
        if self.cache is None or self.replays:
            return judge(mechanism)
        from .cache import Cache

        return Cache(self.cache).verified(mechanism, judge)


def processes_for(mechanisms: Sequence[AnyMechanism], wanted: Wanted) -> int:
    """How many processes there are if nobody says how many; files are executed in this one only."""
    return 1 if wanted.execute else max(1, min(cores(), len(mechanisms) // WORTH))


def reports(
    mechanisms: Sequence[AnyMechanism], wanted: Wanted, processes: int
) -> Iterator[tuple[int, Report]]:
    """The report of each mechanism with its place, as soon as it is there."""
    if processes < 2:
        for k, mechanism in enumerate(mechanisms):
            with interruptible():
                found = wanted.report(mechanism)
            yield k, found
        return
    with worker_processes(min(processes, len(mechanisms))) as executor:
        waiting: dict[Future[Report], int] = {
            executor.submit(_report, wanted, k): k for k in range(len(mechanisms))
        }
        for done in as_completed(waiting):
            k = waiting[done]
            yield k, replace(done.result(), subject=mechanisms[k])


@cache
def _mechanisms(wanted: Wanted) -> list[AnyMechanism]:
    return wanted.mechanisms()


def _report(wanted: Wanted, k: int) -> Report:
    """In a worker: the report of the k-th mechanism."""
    return wanted.report(_mechanisms(wanted)[k])


def collected(
    found: Iterator[tuple[int, Report]], note: Callable[[Report], None]
) -> tuple[dict[int, Report], bool]:
    """The reports by place, each noted as it comes; and whether Ctrl-C ended it."""
    got: dict[int, Report] = {}
    try:
        for k, report in found:
            got[k] = report
            note(report)
    except KeyboardInterrupt:
        return got, True
    return got, False
