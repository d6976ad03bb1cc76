"""The paths of one input by what they release, so that few are looked at for one outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .affine import Affine
from .outcomes import Atom, Outcome
from .paths import Finished


class Sorted:
    """The paths of one input, those that release atoms only by what they release."""

    def __init__(self, paths: Sequence[Finished]) -> None:
        self._plain: dict[object, list[Finished]] = {}
        self._others: list[Finished] = []
        self._all = paths
        for path in paths:
            if any(isinstance(value, Affine) for value in path.releases):
                self._others.append(path)
            else:
                self._plain.setdefault(_exactly(path.ending, path.releases), []).append(path)

    def to(self, outcome: Outcome) -> Sequence[Finished]:
        """The paths that may come to an outcome, or next to one of its real numbers."""
        if not all(isinstance(slot, Atom) for slot in outcome.slots):
            return self._all
        here = self._plain.get(_exactly(outcome.ending, outcome.atoms), ())
        return [*here, *self._others]


def _exactly(ending: str, values: Iterable[object]) -> object:
    """A key that is the same for the same values of the same types."""
    return (ending, *((type(value), value) for value in values))
