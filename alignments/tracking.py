"""Where an index stands among the tracked ones, and what two runs owe of an index."""

from __future__ import annotations

from collections.abc import Iterator

from ..dsl.formulas import equal
from ..dsl.syntax import Span
from ..dsl.terms import Linear, term
from .elements import TrackedElements
from .obligations import Condition, Reason
from .paths import Path
from .run import Run


def placed(
    run: Run, path: Path, indices: list[Linear], elements: TrackedElements
) -> Iterator[Path]:
    """The path once for each tracked index that the first index may be, and once for none."""
    if not indices:
        yield path
        return
    rest: Path | None = path
    for place in elements.tracked:
        after = None
        same = equal(indices[0], term(place))
        for fork, here in list(run.forks(rest, same)) if rest is not None else ():
            if here:
                yield from placed(run, fork, indices[1:], elements)
            else:
                after = fork
        rest = after
    if rest is not None:
        yield from placed(run, rest, indices[1:], elements)


def owe_same(run: Run, path: Path, left: Linear, right: Linear, detail: str, span: Span) -> None:
    """Both runs have the same number here: it decides what is sampled and where values go."""
    run.owe(path, equal(left, right), Reason(Condition.SAME_SAMPLES, detail, span))
