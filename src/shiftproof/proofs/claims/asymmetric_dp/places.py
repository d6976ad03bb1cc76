"""Section 5.3.2: alarms about many locations at one time, Algorithm 4."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from ....mechanisms.incorrect_location_monitor import location_monitor_two_visits
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired, restored
from ..ways.mechanisms import private
from ..ways.small import ratio, worst_ratio
from .alarms import Batch, Jump, algorithm_4, answered, hidden, small

#: A record that is at no location.
NOWHERE = -1
#: e^ε in the models.
ALLOWED = 2
#: The jumps of Algorithm 4 after which a run goes on.
JUMPS: tuple[Jump, ...] = ("next location", "next batch")
#: Somebody at location 0 in the first batch; nobody at location 1, and nobody new later.
ONE_VISIT: tuple[Batch, ...] = ((0,), (), ())


# Algorithm 4.


def _answers_all(jump: Jump, threshold: int) -> Finding:
    """Whether location 1, which is never marked, is answered after each batch."""
    updates = [at for at, place in answered(ONE_VISIT, 2, threshold, jump) if place == 1]
    shown = (
        f"alarm at location 0 in update 0; location 1 is answered in {sorted(updates)} of 0, 1, 2"
    )
    return Finding(len(updates) == len(ONE_VISIT), shown)


@printed("after an alarm at one location the others are still answered", by="counterexample, a run")
def algorithm_4_as_printed(threshold: int = 1) -> Finding:
    """Line 4 appends the batch again and starts with the first location: it never gets further.

    The run with noise 0, which has positive probability if noise is geometric; what it marks
    stays marked, so nothing gets it out of the loop.
    """
    return _answers_all("line 4", threshold)


@read_as("back to line 3, the next batch", by="counterexample, a run")
def algorithm_4_to_next_batch(threshold: int = 1) -> Finding:
    """All locations after the marked one are passed over for ever."""
    return _answers_all("next batch", threshold)


@repaired("they are if the loop goes on with the next location", by="a run")
def algorithm_4_to_next_location(jump: Jump = "next location") -> Finding:
    """The same run; a location is passed over if it is marked itself, and only then."""
    return _answers_all(jump, threshold=1)


ALGORITHM_4 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Algorithm 4",
    states="if l.mark = True then back to line 4",
    verdict=Verdict.FALSE,
    reading='that it does what the text says of it, "skip the output for l"',
    checks=(algorithm_4_as_printed, algorithm_4_to_next_batch, algorithm_4_to_next_location),
)


# Theorem 15.


@restored("it is (P, ε)-ADP if everybody is at one location at a time", by="a certificate")
def theorem_15_for_one_place(name: str = "location_monitor.location_monitor") -> Finding:
    """An alignment whose obligations the kernel finds valid, for all numbers of locations."""
    return private(name)


@moreover("at v locations the ratio is e^(vε) (v <= 4)", by="exact densities")
def visits_add_up(
    output: Fraction | str = Fraction(2), threshold: Fraction = Fraction(0)
) -> Finding:
    """T = 0: an alarm at each location, of a record that was at all of them and then at none."""
    found = [
        ratio(
            location_monitor_two_visits,
            (output,) * v,
            {"f": (1,) * v},
            {"f": (0,) * v},
            place=tuple(range(v)),
            places=v,
            T=threshold,
        )
        for v in range(1, 5)
    ]
    shown = f"ε = ln 2: ratios {', '.join(map(str, found))}"
    return Finding(found == [2**v for v in range(1, 5)], shown)


def _largest(jump: Jump, times: int) -> Fraction | None:
    """The largest ratio of Algorithm 4 over all pairs of batches of at most 2 records."""
    worst = Fraction(0)
    for batches, threshold in product(small(2, 2, (NOWHERE, 0, 1)), (1, 2)):
        law = algorithm_4(batches, 2, threshold, jump)
        for changed in _changed(batches, times):
            found = worst_ratio(law, algorithm_4(changed, 2, threshold, jump))
            if found is None:
                return None
            worst = max(worst, found)
    return worst


def _changed(batches: Sequence[Batch], times: int) -> set[tuple[Batch, ...]]:
    """The data with so many records taken away from their location."""
    found = {tuple(batches)}
    for _ in range(times):
        found = {changed for data in found for changed in hidden(data, NOWHERE)}
    return found


@moreover(
    "the largest ratio is e^ε, for a jump to the next batch too (small data)", by="enumeration"
)
def theorem_15_is_attained(times: int = 1) -> Finding:
    """Algorithm 4 line by line, with geometric noise: 2 batches of <= 2 records, 2 locations."""
    found = {jump: _largest(jump, times) for jump in JUMPS}
    shown = ", ".join(f"{jump}: {worst}" for jump, worst in found.items())
    return Finding(set(found.values()) == {ALLOWED}, f"e^ε = {ALLOWED}; {shown}")


@moreover("a person with two records costs 2ε (small data)", by="enumeration")
def two_records_cost_twice(times: int = 2) -> Finding:
    """The same where two records change at once: e^(2ε) is attained."""
    worst = _largest("next location", times)
    return Finding(worst == ALLOWED**2, f"e^ε = {ALLOWED}; the largest ratio is {worst}")


THEOREM_15 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 15",
    states="Algorithm 4 satisfies (P, ε)-ADP",
    verdict=Verdict.RESTORED,
    reading="Algorithm 4 as repaired; a person has one record and is at one place at a time, as "
    "the text says and the proof uses; Definition 7 would let every attribute be 1",
    checks=(
        theorem_15_for_one_place,
        visits_add_up,
        theorem_15_is_attained,
        two_records_cost_twice,
    ),
)

CLAIMS = (ALGORITHM_4, THEOREM_15)
