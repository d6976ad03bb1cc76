"""Neighbours under a rule of the user's own: values, and small steps that the rule allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from ...dsl.formulas import TRUE
from ...dsl.inputs import InputKind, Value
from ...dsl.privacy import Related
from ...dsl.rules import Rule, rule_of
from ...dsl.syntax import Constant, children
from ...dsl.terms import number
from ...dsl.values import NumberKind
from .numbers import between

#: How often steps are drawn before all are gone through, and how many these are at most.
DRAWS, STEPS = 4, 400

#: The values of some inputs at one index, in D and in D'.
Both = dict[str, tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Ruled:
    """The private inputs of a mechanism under a rule."""

    rule: Rule
    kinds: Mapping[str, InputKind]

    @classmethod
    def of(cls, privacy: Related, kinds: Mapping[str, InputKind]) -> Ruled:
        """Under this privacy definition."""
        return cls(rule_of(privacy.rule), kinds)

    def holds(self, both: Both) -> bool:
        """Whether the rule holds of these values, and the inputs may have them."""
        if not all(_fits(self.kinds[n], v) for n, values in both.items() for v in values):
            return False
        left, right = (
            {n: number(Fraction(both[n][side])) for n in self.rule.parameters} for side in (0, 1)
        )
        return all(fact == TRUE for fact in self.rule.facts(left, right, self._number_kinds))

    @cached_property
    def _number_kinds(self) -> dict[str, NumberKind]:
        return {n: "int" if k.whole else "float" for n, k in self.kinds.items()}

    @cached_property
    def steps(self) -> list[Fraction]:
        """By how much a value may move: the rule's own constants, and small numbers."""
        todo, found = [self.rule.condition], [Fraction(1)]
        while todo:
            e = todo.pop()
            todo += children(e)
            if isinstance(e, Constant):
                found.append(Fraction(e.value))
        sizes = [part for c in found for part in (abs(c), abs(c) / 2)]
        return list(dict.fromkeys(s * size for size in (Fraction(0), *sizes) for s in (1, -1)))

    def steps_of(self, name: str) -> list[Fraction]:
        """Those that an input of this kind can take."""
        whole = self.kinds[name].whole
        return [s for s in self.steps if not whole or s.denominator == 1]

    def all_moves(self, left: Mapping[str, Any], given: Both) -> Iterator[Both]:
        """Where these values may move, beside values that are given."""
        options = [self.steps_of(n) for n in left]
        for steps in islice(product(*options), STEPS):
            both = given | {
                n: (v, _down(v, s)) for (n, v), s in zip(left.items(), steps, strict=True)
            }
            if self.holds(both):
                yield both


def _fits(kind: InputKind, value: Any) -> bool:
    if isinstance(kind, Value):
        return bool(kind.low <= value <= kind.high)
    return kind.minimum is None or bool(value >= kind.minimum)


def _down(value: Any, step: Fraction) -> Any:
    return value - int(step) if isinstance(value, int) else float(Fraction(value) - step)


@st.composite
def related(
    draw: st.DrawFn, ruled: Ruled, length: int, largest: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Neighbours under the rule, in which sequences have this length."""
    names = ruled.rule.parameters
    arrays = [n for n in names if ruled.kinds[n].array]
    single = [n for n in names if n not in arrays]
    if not arrays:
        return _sides(draw(_element(ruled, single, {}, largest)), {})
    if not length:
        return _sides(draw(_alone(ruled, single, largest)), {n: [] for n in arrays})
    first = draw(_element(ruled, list(names), {}, largest))
    given = {n: first[n] for n in single}
    elements = [first, *(draw(_element(ruled, arrays, given, largest)) for _ in range(length - 1))]
    return _sides(given, {n: [e[n] for e in elements] for n in arrays})


def _sides(
    single: Both, arrays: Mapping[str, Sequence[tuple[Any, Any]]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    one, two = (
        {n: v[k] for n, v in single.items()}
        | {n: tuple(pair[k] for pair in pairs) for n, pairs in arrays.items()}
        for k in (0, 1)
    )
    return one, two


@st.composite
def _element(
    draw: st.DrawFn, ruled: Ruled, names: Sequence[str], given: Both, largest: int
) -> Both:
    """Values of these inputs at one index that the rule allows beside the given ones."""
    left = {n: draw(_value(ruled.kinds[n], largest)) for n in names}
    for _ in range(DRAWS):
        steps = [draw(st.sampled_from(ruled.steps_of(n))) for n in names]
        both = given | {n: (left[n], _down(left[n], s)) for n, s in zip(names, steps, strict=True)}
        if ruled.holds(both):
            return both
    found = list(ruled.all_moves(left, given))
    if not found:
        reject()
    return draw(st.sampled_from(found))


@st.composite
def _alone(draw: st.DrawFn, ruled: Ruled, names: Sequence[str], largest: int) -> Both:
    """Values of which the rule says nothing, as there is no element to say it of."""
    left = {n: draw(_value(ruled.kinds[n], largest)) for n in names}
    return {n: (v, v) for n, v in left.items()}


def _value(kind: InputKind, largest: int) -> st.SearchStrategy[Any]:
    """Whole numbers and, where there are such, halves: their differences are exact as floats."""
    if isinstance(kind, Value):
        return between(kind.low, kind.high, kind.whole)
    values = st.integers(-largest if kind.minimum is None else kind.minimum, largest)
    if kind.whole:
        return values
    return values.map(float) | st.integers(-2 * largest, 2 * largest).map(lambda v: v / 2)
