"""``assert_private``: the check of a mechanism as an assertion, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from ..dsl.mechanism import Mechanism

#: What pytest puts into the modules whose asserts it rewrites.
_REWRITTEN = "@pytest_ar"
_AS_WRITTEN = (
    "pytest rewrites the asserts of test files, and those of a mechanism are its preconditions: "
    "move the mechanism into a file that is no test, or put PYTEST_DONT_REWRITE into the "
    "docstring of this one"
)


def assert_private(
    mechanism: Mechanism[..., Any], *, replays: int = 0, cache: Path | None = None
) -> None:
    """Fail unless the claims of a mechanism hold; of a known-bad example, unless they fall.

    Args:
        mechanism: what ``@mechanism`` made.
        replays: as in :func:`verify`.
        cache: a folder with verdicts, from which that of an unchanged mechanism is taken; not
            with ``replays``.

    Raises:
        AssertionError: what is not as expected, the claim, where the mechanism stands, and the
            reasons, or for a refuted claim the two inputs, the outcome and both likelihoods.
        BadInput: it is no mechanism.
    """
    __tracebackhide__ = True
    problem = unmet(mechanism, replays=replays, cache=cache)
    if problem:
        raise AssertionError(problem)


def unmet(mechanism: Mechanism[..., Any], *, replays: int = 0, cache: Path | None = None) -> str:
    """What is not as expected of a mechanism, in full; empty if all is.

    Raises:
        BadInput: it is no mechanism.
    """
    __tracebackhide__ = True
    from dataclasses import replace

    from ..checkers.verify import verify
    from ..dsl.errors import BadInput
    from ..dsl.mechanism import Mechanism
    from ..workspace.interrupts import interruptible
    from .answers.reports import of_report
    from .printable import message

    if not isinstance(mechanism, Mechanism):
        raise BadInput(f"assert_private: got {mechanism!r:.80}; a mechanism is needed")
    with interruptible():
        if cache is None or replays:
            report = verify(mechanism, replays=replays)
        else:
            from ..workspace.cache import Cache

            report = Cache(cache).verified(mechanism, verify)
    differs = any("not the code that runs" in reason for reason in report.reasons)
    if differs and _REWRITTEN in mechanism.function.__globals__:
        report = replace(report, reasons=(*report.reasons, _AS_WRITTEN))
    account = of_report(report)
    return message(account) if account.status else ""
