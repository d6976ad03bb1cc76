"""Section 5.3.1: alarms about one location, Algorithm 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import z3

from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired
from ..ways.algebra import together, valid
from ..ways.mechanisms import private
from ..ways.small import worst_ratio
from .alarms import (
    ABSENT,
    BEFORE,
    NOW,
    SAFE,
    SILENT,
    Batch,
    Reading,
    algorithm_3,
    hidden,
    runs,
    small,
)

#: e^ε in the models.
ALLOWED = 2
WINDOW = 2
THRESHOLDS = (1, 2)
VISITS = {"all records": (ABSENT, NOW), "visitors only": (ABSENT, NOW)}


def _data(reading: Reading, steps: int, size: int) -> Iterator[tuple[Batch, ...]]:
    return small(steps, size, VISITS.get(reading, (ABSENT, NOW, BEFORE)))


# Algorithm 3: the silence.


def _silence_tells_nothing(reading: Reading, window: int = WINDOW) -> Finding:
    """Whether, given the sizes of batches, the outputs before say when it is silent.

    All data of at most 2 batches of at most 2 records; T = 1.
    """
    known: dict[tuple[object, ...], tuple[bool, tuple[Batch, ...]]] = {}
    for batches in _data(reading, steps=2, size=2):
        for outputs in runs(algorithm_3(batches, 1, window, reading)):
            for t, output in enumerate(outputs):
                seen = (tuple(map(len, batches)), outputs[:t])
                silent, other = known.setdefault(seen, (output == SILENT, batches))
                if silent != (output == SILENT):
                    shown = f"after {outputs[:t]}: {other} and {batches}, one of them silent"
                    return Finding(False, shown)
    return Finding(True, f"{len(known)} outputs so far, each with silence next or with none")


@read_as("all records are queued and expire by their batch (2 batches of <= 2)", by="enumeration")
def silence_of_all(window: int = WINDOW, reading: Reading = "all records") -> Finding:
    """All runs of Algorithm 3, line by line, on all data: what comes next after equal outputs.

    A mark depends on the batch of its record and on the alarms since, not on the record's value.
    """
    return _silence_tells_nothing(reading, window)


@read_as("the queue holds visitors only", by="counterexample")
def silence_of_visitors(window: int = WINDOW) -> Finding:
    """The same with a queue of the records that the query counts."""
    return _silence_tells_nothing("visitors only", window)


@read_as("records expire a while after their visit, which is private", by="counterexample")
def silence_by_visits(window: int = WINDOW, reading: Reading = "private expiry") -> Finding:
    """The same with visits in the step of the batch, or in the step before it."""
    return _silence_tells_nothing(reading, window)


ALGORITHM_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Algorithm 3",
    states="if any data in the queue is marked, back to line 2 without an output",
    verdict=Verdict.AMBIGUOUS,
    reading="that the silence says nothing that the outputs before it do not; the sizes of the "
    "batches are public",
    checks=(silence_of_all, silence_of_visitors, silence_by_visits),
)


@printed("f(D) < T wherever the output is safe", by="Z3")
def safe_is_safe(least_noise: Fraction = Fraction(0)) -> Finding:
    """Safe is said if f + λ < T, and λ >= 0."""
    count, noise, threshold = z3.Reals("f λ T")
    said = z3.And(noise >= z3.RealVal(str(least_noise)), count + noise < threshold)
    return valid(z3.Implies(said, count < threshold), "f <= f + λ < T")


SAFE_ANSWERS = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.3.1, safe",
    states="output 0 is OTP (i.e. safe information is accurate)",
    verdict=Verdict.TRUE,
    reading="of Algorithms 3 and 4, for decreasing f",
    checks=(safe_is_safe,),
)


# Theorem 14.


def _worst(reading: Reading, steps: int, size: int) -> Finding:
    """The largest ratio over all small data and their neighbours; the first infinite one."""
    worst, where = Fraction(0), ""
    for batches, threshold in product(_data(reading, steps, size), THRESHOLDS):
        law = algorithm_3(batches, threshold, WINDOW, reading)
        for changed in hidden(batches, ABSENT):
            found = worst_ratio(law, algorithm_3(changed, threshold, WINDOW, reading))
            if found is None:
                shown = f"T = {threshold}, batches {batches} → {changed}: a ratio is infinite"
                return Finding(False, shown)
            if found > worst:
                worst, where = found, f"T = {threshold}, {batches} → {changed}"
    return Finding(worst <= ALLOWED, f"the largest ratio at e^ε = {ALLOWED} is {worst}: {where}")


@read_as("all records are queued for W batches, for every W", by="a certificate of the gallery")
def theorem_14_for_all(name: str = "stream_monitor.stream_monitor") -> Finding:
    """An alignment whose obligations the kernel finds valid, for all streams of batches.

    Being marked means that an alarm is that recent.
    """
    return private(name)


@read_as("the queue holds visitors only", by="counterexample, exact")
def theorem_14_for_visitors(reading: Reading = "visitors only") -> Finding:
    """Algorithm 3 line by line, with geometric noise: an alarm marks nobody where nobody was."""
    return _worst(reading, steps=2, size=1)


@read_as("records expire a while after their visit, which is private", by="counterexample, exact")
def theorem_14_for_private_expiry(reading: Reading = "private expiry") -> Finding:
    """The same where the end of the silence shows when somebody came."""
    return _worst(reading, steps=2, size=1)


@moreover("in a window of 2 the largest ratio is e^ε (3 batches of <= 2)", by="enumeration")
def theorem_14_is_attained(reading: Reading = "all records") -> Finding:
    """Algorithm 3 line by line, queues that run empty included, on all data of this size."""
    found = _worst(reading, steps=3, size=2)
    return Finding(found.holds and f"is {ALLOWED}:" in found.detail, found.detail)


@moreover("who is recorded at all is not protected", by="counterexample, exact")
def batch_sizes_show(window: int = WINDOW) -> Finding:
    """T = 0, so there is an alarm at once; only a record that is there makes it silent then."""
    silences = []
    for batches in (((ABSENT,), ()), ((), ())):
        law = algorithm_3(batches, 0, window, "all records")
        silences.append({tuple(output == SILENT for output in run) for run in runs(law)})
    shown = f"silent with one record: {silences[0]}, with none: {silences[1]}"
    return Finding(not silences[0] & silences[1], shown)


THEOREM_14 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 14",
    states="Algorithm 3 satisfies (P, ε)-ADP",
    verdict=Verdict.AMBIGUOUS,
    reading="one record changes from a visit to none; the text says that data expire two weeks "
    "after the visit, which is the third reading",
    checks=(
        theorem_14_for_all,
        theorem_14_for_visitors,
        theorem_14_for_private_expiry,
        theorem_14_is_attained,
        batch_sizes_show,
    ),
)


def _answers_while_queued(window: int, alarms: bool, reading: Reading) -> int:
    """The most answers, or alarms, in the time of one record; all runs of <= 3 batches."""
    most = 0
    for batches in small(3, 1, VISITS["all records"]):
        for outputs in runs(algorithm_3(batches, 1, window, reading)):
            for t, batch in enumerate(batches):
                span = outputs[t : t + window] if batch else ()
                passed = (SILENT, SAFE) if alarms else (SILENT,)
                most = max(most, sum(output not in passed for output in span))
    return most


@printed("one answer at most is given while a record is in the queue", by="enumeration")
def theorem_14_proof_as_printed(window: int = WINDOW) -> Finding:
    """Answers in the time of one record, in the reading in which the theorem holds."""
    most = _answers_while_queued(window, False, "all records")
    return Finding(most <= 1, f"up to {most} answers, in a window of {window}")


@repaired("one alarm at most, which is what costs (3 batches of <= 1)", by="enumeration")
def theorem_14_proof_repaired(reading: Reading = "all records") -> Finding:
    """The same of alarms; safe answers are free."""
    most = _answers_while_queued(WINDOW, True, reading)
    return Finding(most <= 1, f"up to {most} alarms, in a window of {WINDOW}")


THEOREM_14_PROOF = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 14, proof",
    states="a change of one record only affects one query answer",
    verdict=Verdict.FALSE,
    reading="an answer is affected if the record is in the queue that it counts",
    checks=(theorem_14_proof_as_printed, theorem_14_proof_repaired),
)


@printed("three monitors with ε/3 each are (P, ε)-ADP", by="a certificate of the gallery, Z3")
def a_third_each(monitors: int = 3) -> Finding:
    """Each is (P, ε')-ADP for every ε' > 0, so for ε/3, as its certificate shows.

    Their noise is independent, so the likelihoods of their outputs multiply and log ratios add.
    """
    losses, budget = z3.RealVector("loss", monitors), z3.Real("ε")
    each = [loss <= budget / 3 for loss in losses]
    return together(
        private("stream_monitor.stream_monitor"),
        valid(z3.Implies(z3.And(each), z3.Sum(losses) <= budget), "the losses add up to ε"),
    )


@moreover("not needed if a record visits one location at most (2 locations)", by="enumeration")
def whole_for_one_visit(visits: Sequence[tuple[int, int]] = ((0, 0), (0, 1), (1, 0))) -> Finding:
    """Two monitors with ε each, on all pairs of batches of one record with these visits.

    Their noise is independent, so ratios multiply.
    """
    worst = Fraction(0)
    for records in product(visits, repeat=2):
        for t, threshold in product(range(2), THRESHOLDS):
            both = Fraction(1)
            for place in range(2):
                batches = tuple((record[place],) for record in records)
                changed = (*batches[:t], (ABSENT,), *batches[t + 1 :])
                found = worst_ratio(*(
                    algorithm_3(b, threshold, WINDOW, "all records") for b in (batches, changed)
                ))  # fmt: skip
                if found is None:
                    return Finding(False, f"batches {batches} → {changed}: a ratio is infinite")
                both *= found
            worst = max(worst, both)
    return Finding(worst == ALLOWED, f"the largest ratio at e^ε = {ALLOWED} is {worst}")


SECTION_5_3_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.3.1, ε/3",
    states="to monitor three locations, we need to use ε/3 for each",
    verdict=Verdict.TRUE,
    reading="that it suffices; a record may visit all of them",
    checks=(a_third_each, whole_for_one_visit),
)

CLAIMS = (
    ALGORITHM_3,
    SAFE_ANSWERS,
    SECTION_5_3_1,
    THEOREM_14,
    THEOREM_14_PROOF,
)
