"""Neighbours under a rule of the user's own: values, and small steps that the rule allows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import Any, Literal, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.language.syntax import Constant, children
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import CountingQueries, InputKind, LocationCounts, Value
from ...dsl.privacy.policies import Policy, Record
from ...dsl.relations.pairs import Rule
from ...dsl.terms.values import NumberKind, exact
from .data_sets import Layout, changed_record, marked_record, one_record
from .numbers import between, ends, several

# Counts of neighbouring data sets: those of all other records, and the one that differs.

Sides: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
#: Where one data set has a record that the other has not: which one has it.
Present: TypeAlias = Literal["both", "left", "right"]
#: The record that differs, in D and in D'; ``None`` where it is not there.
Versions: TypeAlias = tuple[Record | None, Record | None]
#: How many others come and go in a stream.
ARRIVALS = 4


def policy_of(privacy: Privacy, counted: Sequence[int]) -> Policy:
    """The policy; without one all is protected, and there is a value that is not counted.

    Of a record that is replaced as a whole any value may change.
    """
    policy = privacy.policy_of_values
    if policy is not None:
        return Policy.everything(policy.universe) if privacy.whole else policy
    other = next(v for v in range(len(counted) + 1) if v not in counted)
    return Policy.everything((*counted, other))


def layout_of(
    kind: CountingQueries, length: int, places: Sequence[Hashable] | None = None
) -> Layout:
    """One attribute for each answer; where counts are one-hot, each is a place of its own."""
    if isinstance(kind, LocationCounts):
        assert places is not None
        return Layout(frozenset(kind.counted), tuple(places))
    groups = range(length) if kind.one_hot else (0,) * length
    return Layout(frozenset(kind.counted), tuple(groups))


@st.composite
def counts(
    draw: st.DrawFn,
    privacy: Privacy,
    kinds: Mapping[str, CountingQueries],
    layouts: Mapping[str, Layout],
    present: Present,
    largest: int,
) -> Sides:
    """Counts over one data set: a record has attributes for all the inputs.

    It may change in the attributes of one input or of several.
    """
    filled = [n for n in kinds if layouts[n].groups]
    sure = draw(st.sampled_from(filled)) if filled else ""
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for name, kind in kinds.items():
        layout = layouts[name]
        policy = policy_of(privacy, sorted(kind.counted))
        others = draw(_others(policy, layout, largest))
        versions: Versions = ((), ())
        if layout.groups:
            moves = name == sure or draw(st.booleans())
            versions = draw(_versions(policy, layout, present, moves))
        before, after = versions
        one = tuple(n + (v in layout.marked) for n, v in _zip(others, before))
        two = tuple(n + (v in layout.marked) for n, v in _zip(others, after))
        left[name], right[name] = (one, two) if kind.array else (one[0], two[0])
    return left, right


def _versions(
    policy: Policy, layout: Layout, present: Present, moves: bool
) -> st.SearchStrategy[Versions]:
    """The record that differs; where the input does not move, the same on both sides."""
    if present == "both" and moves:
        return changed_record(policy, layout)
    record = marked_record(policy, layout) if moves else one_record(policy, layout)
    versions = {"both": lambda r: (r, r), "left": lambda r: (r, None), "right": lambda r: (None, r)}
    return record.map(versions[present])


def _zip(others: Sequence[int], record: Record | None) -> list[tuple[int, int | None]]:
    """What all others count, beside the record's value (``None``: it has none)."""
    return list(zip(others, record or (None,) * len(others), strict=True))


def _others(policy: Policy, layout: Layout, largest: int) -> st.SearchStrategy[tuple[int, ...]]:
    """What all other records count: anything, as some count here and some there."""
    each = st.integers(0, largest)
    if set(policy.universe) <= layout.marked:
        return each.map(lambda n: (n,) * len(layout.groups))  # each of them counts everywhere
    return several(each, len(layout.groups))


@st.composite
def window_counts(
    draw: st.DrawFn,
    privacy: Privacy,
    width: int,
    length: int,
    present: Present,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts over time: who came at t counts from t to t + width − 1."""
    times = st.integers(1 - width, max(length - 1, 1 - width))
    came = draw(st.lists(times, max_size=ARRIVALS))
    visit = draw(_visits(privacy, times, present))
    sides = ([*came, t] if t is not None else came for t in visit)
    one, two = (
        tuple(sum(t <= step < t + width for t in side) for step in range(length)) for side in sides
    )
    return one, two


def _visits(
    privacy: Privacy, times: st.SearchStrategy[int], present: Present
) -> st.SearchStrategy[tuple[int | None, int | None]]:
    """When the record that differs counts, in D and in D'; ``None``: never."""
    leaves = times.map(lambda t: (t, None))
    comes = times.map(lambda t: (None, t))
    if present != "both":
        return leaves if present == "left" else comes
    policy = privacy.policy_of_values
    if policy is None or privacy.whole:
        # Another record takes its place, and may have come at another time.
        return leaves | comes | st.tuples(times, times)
    found: list[st.SearchStrategy[tuple[int | None, int | None]]] = []
    if 1 in policy.sensitive and set(policy.universe) - {1}:
        found.append(leaves)
    if policy.sensitive - {1}:
        found.append(comes)
    if not found:
        raise BadInput(f"no record has another one to hide among under {policy}")
    return st.one_of(found)


#: How often steps are drawn before all are gone through, and how many these are at most.
DRAWS, STEPS = 4, 400
#: How many values a range has at most of which all are tried; and how many edges are kept.
FEW = 20

#: The values of some inputs at one index, in D and in D'.
Both = dict[str, tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Ruled:
    """Private inputs under a rule; bounds are numbers.

    ``public`` holds the public inputs that the rule may name.  ``both_ways``: it may hold of D
    and D' or of D' and D.
    """

    rule: Rule
    kinds: Mapping[str, InputKind]
    public: Mapping[str, Any] = field(default_factory=dict)
    both_ways: bool = False

    @property
    def names(self) -> list[str]:
        """The private inputs of which it speaks."""
        return [n for n in self.rule.parameters if n in self.kinds]

    def holds(self, both: Both) -> bool:
        """Whether the rule holds of these values, and the inputs may have them.

        Floats are taken for what they hold, and for what they are written as.
        """
        if not all(_fits(self.kinds[n], v) for n, values in both.items() for v in values):
            return False
        numbers = [*(v for values in both.values() for v in values), *self._named.values()]
        one, two = (self._named | {n: both[n][side] for n in self.names} for side in (0, 1))
        readings = (Fraction,) if all(map(_is_plain, numbers)) else (Fraction, exact)
        return all(
            self.rule.holds(one, two, self._number_kinds, either_way=self.both_ways, reading=r)
            for r in readings
        )

    @cached_property
    def _named(self) -> dict[str, Any]:
        return {n: v for n, v in self.public.items() if n in self.rule.parameters}

    @cached_property
    def _number_kinds(self) -> dict[str, NumberKind]:
        whole = {n: isinstance(v, int) for n, v in self._named.items()}
        whole |= {n: k.whole for n, k in self.kinds.items()}
        return {n: "int" if w else "float" for n, w in whole.items()}

    @cached_property
    def constants(self) -> list[Fraction]:
        """The numbers that the rule names."""
        todo, found = [self.rule.condition], [Fraction(1), *map(Fraction, self._named.values())]
        while todo:
            e = todo.pop()
            todo += children(e)
            if isinstance(e, Constant):
                found.append(Fraction(e.value))
        return list(dict.fromkeys(found))

    @cached_property
    def steps(self) -> list[Fraction]:
        """By how much a value may move: the rule's own constants, and small numbers."""
        sizes = [part for c in self.constants for part in (abs(c), abs(c) / 2)]
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

    def lefts(self, name: str, largest: int) -> st.SearchStrategy[Any]:
        """Values from which to go."""
        anything = _value(self.kinds[name], largest)
        return anything | st.sampled_from(self._marks(name)) if self._marks(name) else anything

    def rights(self, name: str, value: Any) -> list[Any]:
        """Where a value may go: a step, to a number that the rule names, or nowhere."""
        found = [_down(value, s) for s in self.steps_of(name)] + self._marks(name)
        return [v for v in dict.fromkeys(found) if _fits(self.kinds[name], v)] or [value]

    def _marks(self, name: str) -> list[Any]:
        """The numbers that the rule names, and the ends of the range, as values of an input."""
        kind = self.kinds[name]
        found = [Fraction(0), *self.constants]
        if isinstance(kind, Value):
            low, high = map(Fraction, ends(kind))
            few = kind.whole and high - low <= FEW
            found += [low + k for k in range(int(high - low) + 1)] if few else [low, high]
        plain = [int(v) if kind.whole else float(v) for v in found if self._is_value(kind, v)]
        return list(dict.fromkeys(plain))

    def _is_value(self, kind: InputKind, value: Fraction) -> bool:
        known = value.denominator == 1 if kind.whole else Fraction(float(value)) == value
        return known and _fits(kind, value)

    @cached_property
    def edges(self) -> list[Both]:
        """Some pairs of different values, where that is what the rule speaks of."""
        lefts = [self._marks(n) for n in self.names]
        found: list[Both] = []
        for left in islice(product(*lefts), STEPS):
            rights = [self.rights(n, v) for n, v in zip(self.names, left, strict=True)]
            for right in islice(product(*rights), STEPS // 8):
                both = dict(zip(self.names, zip(left, right, strict=True), strict=True))
                if left != right and self.holds(both):
                    found.append(both)
            if len(found) >= FEW:
                break
        return found


def _fits(kind: InputKind, value: Any) -> bool:
    if isinstance(kind, Value):
        low, high = ends(kind)
        return bool(low <= value <= high)
    return kind.minimum is None or bool(value >= kind.minimum)


def _is_plain(value: Any) -> bool:
    """Whether a float is what it is written as."""
    return not isinstance(value, float) or exact(value) == Fraction(value)


def _down(value: Any, step: Fraction) -> Any:
    return value - int(step) if isinstance(value, int) else float(Fraction(value) - step)


@st.composite
def related(
    draw: st.DrawFn, ruled: Ruled, length: int, largest: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Neighbours under the rule, in which sequences have this length."""
    names = ruled.names
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
        return between(kind)
    values = st.integers(-largest if kind.minimum is None else kind.minimum, largest)
    if kind.whole:
        return values
    return values.map(float) | st.integers(-2 * largest, 2 * largest).map(lambda v: v / 2)
