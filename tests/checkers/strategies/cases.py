"""What the tests of strategies share: drawing examples, and relations and kinds to draw under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from shiftproof import DP, Policy, Related, WindowCounts, other
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.refuting.relation import Relation
from shiftproof.dsl.privacy.inputs import InputKind
from shiftproof.dsl.reading.rules import read_definition

T = TypeVar("T")

visited = Policy(sensitive={1})
absent = Policy(sensitive={0})
grades = Policy(sensitive={2}, universe={0, 1, 2})
uneven = Policy(sensitive={0, 2}, universe={0, 1, 2, 5})
POLICIES = [visited, absent, grades, uneven, Policy.everything(), Policy.everything({1, 2, 3})]


def close(x: float) -> bool:
    return abs(x - other(x)) <= 1


def one_more(x: float) -> bool:
    return x == other(x) + 3


def by_two(x: int) -> bool:
    return abs(x - other(x)) <= 2


RULES = [Related(close), Related(one_more)]


#: Without the phase that explains: what it tries would be taken for what was found.
searching = settings(
    max_examples=500,
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
)


def drawn(strategy: st.SearchStrategy[T], examples: int = 100, at_once: int = 1) -> list[T]:
    """So many examples; the same ones in each run.

    ``at_once``: several in one run, which is faster, and finds less of what is rare.
    """
    found: list[T] = []

    @settings(
        max_examples=examples // at_once,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*[strategy] * at_once))
    def collect(several: tuple[T, ...]) -> None:
        found.extend(several)

    collect()
    return found


def judged(
    privacy: Any, kinds: Mapping[str, InputKind], left: Mapping[str, Any], right: Mapping[str, Any]
) -> bool:
    """Whether two inputs are neighbours, by the judge of counterexamples; windows by hand."""
    known = dict(kinds)
    public = {n: exactly(v) for n, v in left.items() if n not in kinds or kinds[n].public}
    for name, kind in kinds.items():
        if isinstance(kind, WindowCounts):
            del known[name]
            if not of_visits(privacy, kind.steps(public), left[name], right[name]):
                return False
    sides = [{n: exactly(side[n]) for n in known if n not in public} for side in (left, right)]
    program = SimpleNamespace(privacy=read_definition(privacy), inputs=known)
    return Relation(cast(Any, program)).witnesses(Instance("e", public, *sides)) is not None


def of_visits(privacy: Any, width: int, left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether one visit that is there in one of the two, or in both at other times, is all."""
    if left == right and could_be(left, width):
        return True
    times: list[int | None] = [None, *range(1 - width, len(left))]
    for one, two in product(times, times):
        without = [
            tuple(n - (t is not None and t <= i < t + width) for i, n in enumerate(side))
            for side, t in ((left, one), (right, two))
        ]
        if without[0] == without[1] and could_be(without[0], width):
            if isinstance(privacy, DP):
                known = privacy.neighbours == "replacement" or None in (one, two)
            else:
                policy = privacy.policy
                goes = 1 in policy.sensitive and two is None
                comes = policy.sensitive - {1} and one is None
                known = bool(goes or comes)
            if known:
                return True
    return False


def could_be(counts: Sequence[int], width: int) -> bool:
    """Whether visits have these counts: who came at t + width is who came at t, and the change."""
    if not counts:
        return True
    least = 0
    for start in range(1 - width, 1):
        total, lowest = 0, 0
        for t in range(start + width, len(counts), width):
            total += counts[t] - counts[t - 1]
            lowest = min(lowest, total)
        least -= lowest
    return least <= counts[0]


def exactly(value: Any) -> Any:
    """Floats as the fractions that they are."""
    if isinstance(value, tuple):
        return tuple(map(exactly, value))
    return Fraction(value) if isinstance(value, float) else value
