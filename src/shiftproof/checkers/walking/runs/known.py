"""Lists of recorded runs, of which every element is known, and those that keep their gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ....dsl.errors import LimitReached
from ....dsl.language.statements import Pick
from ....dsl.terms.formulas import truth
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.values import Num
from ..gaps import Kept
from .elements import Ground, length_name
from .lists import charge_gaps, differing
from .run import Run
from .state import State

#: The longest list of a run.
LONGEST = 200
#: Stands for all indices of a list at which nothing was stored: what it was filled with.
FILL = term(Symbol("fill", True))


class Known(Ground):
    """Every element of a list is known."""

    def places(self, length: Linear) -> Iterable[Linear]:
        """All indices, and the one that stands for those out of range."""
        if length.constant > LONGEST:
            raise LimitReached("list", f"a recorded list of more than {LONGEST} elements")
        return (FILL, *map(number, range(int(length.constant))))

    def place_of(self, state: State, array: str, index: Linear) -> Linear | None:
        """The index itself; out of range, which is a failed duty already, any."""
        length = state.left[length_name(array)]
        assert isinstance(length, Num)
        inside = index.is_constant and 0 <= index.constant < length.term.constant
        return index if inside else FILL


class RecordedGaps:
    """The draws of a list that keeps its gaps, by their numbers, and what moves them.

    A first run shows what the noisy values are, a second one moves them (docs/theory.md, Lemma 5).
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._places: dict[int, int] = {}
        self._moves: dict[int, Fraction] | None = None

    def begin(self, *, again: bool) -> None:
        """A run begins."""
        self._places = {}
        if not again:
            self._moves = None

    def is_of(self, array: str) -> bool:
        """Whether a list is this one."""
        return array == self._kept.array

    def stored(self, draw: int, index: Linear) -> None:
        """A draw is in the element at an index; what was there before is no more."""
        place = int(index.constant)
        self._places = {d: at for d, at in self._places.items() if at != place}
        self._places[draw] = place

    def moved(self, draw: int) -> Fraction:
        """By how much a draw is moved; not at all before the first pick."""
        return (self._moves or {}).get(draw, Fraction(0))

    def pick(
        self,
        run: Run,
        state: State,
        pick: Pick,
        pairs: Sequence[tuple[Linear, Linear]],
        best: Sequence[int],
    ) -> list[tuple[int, int]]:
        """What both runs pick: the same but for the last one."""
        if not all(a.is_constant and b.is_constant for a, b in pairs):
            raise LimitReached("gaps", "the gaps of what is not known")
        values = [(Fraction(a.constant), Fraction(b.constant)) for a, b in pairs]
        alike = max(0, len(best) - 1)
        detail = "a value with noise differs by as much as the shift says"
        by = {at: self.moved(draw) for draw, at in self._places.items()}
        for i, (left, right) in enumerate(values):
            inside = differing(run, state, self._kept, number(left + by.get(i, 0) - right))
            run.owe(state, inside if i in by else truth(False), "cost", detail, pick.span)
        charge_gaps(run, state, self._kept, number(alike))
        if self._moves is None:
            moves = moves_for_gaps(values, alike)
            self._moves = {draw: moves[at] for draw, at in self._places.items()}
            return [(i, i) for i in best]
        others = sorted(range(len(values)), key=lambda i: (-values[i][1], i))
        found = list(zip(best, others, strict=False))
        same = all(i == j for i, j in found[:alike])
        kept = len({values[j][1] - values[i][0] for i, j in found}) <= 1
        ties = len({left for left, _ in values}) < len(values)
        detail = "both runs pick the same but for the last, and with the same gaps"
        run.owe(state, truth(ties or (same and kept)), "prophecy", detail, pick.span)
        return found


def moves_for_gaps(values: Sequence[tuple[Fraction, Fraction]], alike: int) -> list[Fraction]:
    """By how much to move each noisy value of D' for the order and the gaps to be those of D.

    The values are those of D and of D' with the same noise; ``alike`` of them win.
    """
    order = sorted(range(len(values)), key=lambda i: (-values[i][0], i))
    won, lost = order[:alike], order[alike:]
    falls = [left - right for left, right in values]
    found = [Fraction(0)] * len(values)
    if not won or not lost:
        return found
    behind = max(values[i][0] for i in lost) - max(values[i][1] for i in lost)
    least = min(falls[i] for i in won)
    for i in won:
        found[i] = falls[i] - min(behind, least)
    if behind > least:
        found[lost[0]] = falls[lost[0]] - least
    return found
