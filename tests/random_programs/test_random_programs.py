"""Random programs and random certificates: nothing false is proved, and nothing crashes.

Here a fixed share; ``python -m tests.random_programs --programs 20000`` takes as many as one likes.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from shiftproof import ShiftproofError, Verdict, verify
from shiftproof.checkers.certify import Text
from shiftproof.dsl.normalise import read_normalised
from tests.random_programs.certificates import certificate_trial, judged, written
from tests.random_programs.false_programs import FALSE, REASSIGNED
from tests.random_programs.trials import trial
from tests.random_programs.writing import program

#: Which ones are tried here.
PROGRAMS, CERTIFICATES = range(40), range(60)
#: Words of the language that some program must have.
WORDS = (
    "while ", "break", "continue", "enumerate(", "zip(", "argmax(", "top_k(", "outcome()",
    "append(",
    "yield from", "part(", "Stream(", "WindowCounts(", "LocationCounts(", "Histogram", "DataSet(",
    "count(", "Categorical(", "DiscreteUniform(", "Bernoulli(", "Staircase(",
    "TwoSidedGeometric(",
    "OneSidedGeometric(", "Laplace(", "Exponential(", "ADP(", "DP()", "add-remove", "LDP()",
    "DPrivacy(", "Blowfish(", "ContextAwareLDP(", "InputDiscriminativeLDP(", "UtilityOptimizedLDP(",
    "OneSidedDP(", "Related(", "budget=", "ensure(", "align(", "min(", "max(", "abs(", "//", "%",
    "round(", "'above'", "None", "+=", "assert ", "exp(", "    T = ", "    x = ", "IntegerValues(",
)  # fmt: skip


def test_nothing_false_is_proved_of_random_programs() -> None:
    found = [trial(seed) for seed in PROGRAMS]
    assert not [(t.seed, t.problem, t.text) for t in found if t.problem]
    proved = [t for t in found if t.verdict == "proved"]
    assert len(proved) >= len(found) / 10
    assert sum(t.pairs > 0 for t in proved) >= 0.9 * len(proved)
    assert sum(t.verdict == "refused" for t in found) <= len(found) / 2


def test_the_kernel_alone_accepts_nothing_false() -> None:
    found = [certificate_trial(seed) for seed in CERTIFICATES]
    assert not [(t.seed, t.problem, t.text) for t in found if t.problem]
    verdicts = Counter(t.verdict for t in found)
    assert min(verdicts["accepted"], verdicts["rejected"]) >= len(found) / 40, verdicts


@pytest.mark.parametrize("name", FALSE)
def test_what_was_found_is_not_proved(name: str) -> None:
    assert verify(read_normalised(FALSE[name]), effort=0).verdict is not Verdict.PROVED


def test_no_certificate_reads_a_name_as_two_things() -> None:
    made = Text.of(read_normalised(REASSIGNED))
    for seed in range(60):
        rng = random.Random(seed)
        verdict, parts = judged(made, written(made, rng), None, rng)
        assert verdict == "rejected", parts


def test_programs_have_all_of_the_language() -> None:
    texts = [text[text.rfind("@mechanism") :] for text in map(program, range(600))]
    assert program(7) == program(7)
    assert not [word for word in WORDS if not any(word in text for text in texts)]
    read = 0
    for seed in range(60):
        try:
            read += bool(read_normalised(program(seed)).program.name)
        except (ShiftproofError, KeyError):
            continue
    assert read >= 30
