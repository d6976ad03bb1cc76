"""The laws of all inputs of one choice of sizes, compared for all neighbours and outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...dsl.privacy import UtilityOptimizedLDP
from ..kernel.enumeration_table import EnumeratedSizes
from ..kernel.enumeration_text import MOST_ROWS, outcome_text, row_text, value_text
from .inputs import Inputs, Neighbours, Private
from .outputs import utility_of
from .ratios import Declined, Number, Ratio
from .setting import Setting
from .text import ratio_text
from .walk import Walker

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: How many outcomes of pairs are compared in all, and how many at once.
COMPARISONS, AT_ONCE = 40_000_000, 2_000_000


@dataclass(frozen=True, slots=True)
class Broken:
    """A comparison that does not hold, or is not known to: probabilities and what they owe."""

    left: Private
    right: Private
    outcome: str
    one: Number
    two: Number
    factor: Number
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Probabilities by number: of each input (row) and outcome (column) which one it is.

    Number 0 is zero.  Of pairs of inputs, ``which`` is the factor that they may differ by.
    """

    cells: NDArray[Any]
    columns: list[int]
    probabilities: list[Number]
    which: NDArray[Any]
    factors: list[Number]

    def code(self, factor: Any, one: Any, two: Any) -> Any:
        """A comparison as one number."""
        base = len(self.probabilities)
        return (factor * base + one) * base + two

    def decoded(self, code: int) -> tuple[Number, Number, Number]:
        """The probabilities of a comparison, and the factor."""
        base = len(self.probabilities)
        left, two = divmod(code, base)
        factor, one = divmod(left, base)
        return self.probabilities[one], self.probabilities[two], self.factors[factor]


class Comparing:
    """The comparisons at one choice of sizes."""

    def __init__(
        self, setting: Setting, inputs: Inputs, neighbours: Neighbours, walker: Walker
    ) -> None:
        self._setting = setting
        self._frame = setting.frame
        self._inputs = inputs
        self._neighbours = neighbours
        self._walker = walker

    def outcome(self) -> EnumeratedSizes | Broken:
        """What was counted, if every comparison holds.

        Raises:
            Failure, Declined, Exhausted, Finer: as the walk.
        """
        self._divisors()
        laws = self._walker.laws(self._setting.public)
        columns = list(dict.fromkeys(z for law in laws for z in law))
        cells, probabilities = _cells(laws, columns)
        kept = columns
        if isinstance(self._setting.program.privacy, UtilityOptimizedLDP):
            released = [self._walker.outcomes.values(z) for z in columns]
            utility = utility_of(
                self._setting.program, self._setting.sizes, self._inputs, released, cells
            )
            if utility.why:
                i, j, c = utility.where
                one, two = (probabilities[cells[k, c]] for k in (i, j))
                return self._broken(i, j, columns[c], (one, two, Fraction(1)), utility.why)
            cells = cells[:, utility.protected]
            kept = [columns[c] for c in utility.protected]
        table = _Table(cells, kept, probabilities, *self._factors())
        comparisons = self._compared(table)
        if isinstance(comparisons, Broken):
            return comparisons
        return EnumeratedSizes(
            sizes=dict(self._setting.sizes),
            inputs=len(laws),
            outcomes=len(columns),
            pairs=int(self._neighbours.matrix.sum()),
            comparisons=comparisons,
            laws=self._rows(laws),
        )

    def _divisors(self) -> None:
        """The budget never divides by zero."""
        frame = self._frame
        for divisor in self._setting.program.divisors:
            value = self._setting.number(self._neighbours.at_sizes(divisor))
            if True not in (frame.sign_of(value, True), frame.sign_of(value, False)):
                value = frame.subtract(Fraction(0), value)
            if frame.sign_of(value, True) is not True:
                raise Declined("the budget may divide by zero")

    def _factors(self) -> tuple[NDArray[Any], list[Number]]:
        """Which factor each pair has, and all of them."""
        import numpy as np

        budgets, by_pair = self._neighbours.budgets()
        factors = [self._frame.exponential(self._setting.number(b)) for b in budgets]
        # Equal factors may come from budgets that are written differently.
        same = {f: k for k, f in enumerate(dict.fromkeys(factors))}
        return np.array([same[f] for f in factors], np.int64)[by_pair], list(same)

    def _compared(self, table: _Table) -> int | Broken:
        """How many different comparisons there are, or one that is not shown."""
        import numpy as np

        seen: dict[int, None] = {}
        for codes, positive, _ in self._codes(table):
            seen.update(dict.fromkeys(np.unique(codes[positive]).tolist()))
        for code in seen:
            if not self._holds(*table.decoded(code)):
                return self._first(table, code)
        return len(seen)

    def _holds(self, one: Number, two: Number, factor: Number) -> bool:
        if one == two and factor == 1:
            return True
        gap = self._frame.subtract(self._frame.multiply(factor, two), one)
        return self._frame.sign_of(gap, False) is True

    def _codes(
        self, table: _Table
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any], tuple[NDArray[Any], NDArray[Any]]]]:
        """Every comparison, some pairs at a time; only those of something positive count."""
        lefts, rights = self._neighbours.matrix.nonzero()
        width = table.cells.shape[1]
        if len(lefts) * width > COMPARISONS:
            raise Declined(f"there are more than {COMPARISONS} comparisons")
        rows = max(AT_ONCE // max(width, 1), 1)
        for start in range(0, len(lefts), rows):
            i, j = lefts[start : start + rows], rights[start : start + rows]
            one = table.cells[i]
            yield table.code(table.which[i, j][:, None], one, table.cells[j]), one > 0, (i, j)

    def _first(self, table: _Table, code: int) -> Broken:
        """The first pair and outcome of a comparison."""
        for codes, positive, (lefts, rights) in self._codes(table):
            rows, places = ((codes == code) & positive).nonzero()
            if len(rows):
                i, j = int(lefts[rows[0]]), int(rights[rows[0]])
                return self._broken(i, j, table.columns[int(places[0])], table.decoded(code))
        raise AssertionError(code)

    def _broken(
        self, i: int, j: int, outcome: int, numbers: tuple[Number, Number, Number], why: str = ""
    ) -> Broken:
        left, right = self._inputs.all[i], self._inputs.all[j]
        return Broken(left, right, self._outcome(outcome), *numbers, why)

    def _outcome(self, z: int) -> str:
        return outcome_text(
            ratio_text(v, self._frame) if isinstance(v, Ratio) else value_text(v)
            for v in self._walker.outcomes.values(z)
        )

    def _rows(self, laws: Sequence[Mapping[int, Number]]) -> tuple[str, ...]:
        if sum(map(len, laws)) > MOST_ROWS:
            return ()
        return tuple(
            line
            for k, law in enumerate(laws)
            for line in sorted(
                row_text(self._inputs.named(k), self._outcome(z), ratio_text(p, self._frame))
                for z, p in law.items()
            )
        )


def _cells(
    laws: Sequence[Mapping[int, Number]], columns: Sequence[int]
) -> tuple[NDArray[Any], list[Number]]:
    """The table of probabilities by number, and the numbers."""
    import numpy as np

    places = {z: c for c, z in enumerate(columns)}
    numbers: dict[Number, int] = {}
    cells = np.zeros((len(laws), max(len(columns), 1)), np.int64)
    for i, law in enumerate(laws):
        for z, p in law.items():
            cells[i, places[z]] = numbers.setdefault(p, len(numbers) + 1)
    return cells, [Fraction(0), *numbers]
