"""One-sided claims about logarithms, roots and quotients.

No run on rounded numbers breaks one by itself, and where one has no value it is not true.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import verify
from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.check import as_json, check_of_part, find_trees, relation_of
from shiftproof.checkers.kernel.language.stated import stated
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.kernel.finding import finder
from tests.loading import source

TEXT = """
from math import log, sqrt
from shiftproof import DP, Count, Epsilon, Laplace, Public, ensure, mechanism, sample

@mechanism(DP())
def m(q: Count, x: Public[float], eps: Epsilon) -> float:
    assert x > 0
    noise = sample(Laplace(1 / eps))
    ensure(SAID)
    return q + noise
"""


def _outcome(tmp_path: Path, said: str) -> str:
    (claim,) = verify(source(tmp_path, TEXT.replace("SAID", said))["m"]).one_sided
    return claim.outcome


@pytest.mark.parametrize(
    "said",
    [
        "log(x) <= x - 1",
        "sqrt(x) * sqrt(x) == x",
        "sqrt(x) >= 0",
        "sqrt(x) <= x + 1 / 4",
        "log(1 + x) >= 0",
        "noise > 0 or sqrt(x + 1) <= 1 + x",
    ],
)
def test_what_is_true_is_not_broken(tmp_path: Path, said: str) -> None:
    assert _outcome(tmp_path, said) != "broken"


@pytest.mark.parametrize(
    "said", ["log(x) <= x - 2", "sqrt(x) <= 1", "sqrt(x) >= x", "noise > 0 or log(x + 1) >= x"]
)
def test_what_is_false_is(tmp_path: Path, said: str) -> None:
    assert _outcome(tmp_path, said) == "broken"


UNDEFINED = """
from math import exp, log, sqrt
from typing import Annotated
from shiftproof import LDP, Epsilon, Laplace, Value, ensure, mechanism, sample

@mechanism(LDP())
def m(v: Annotated[float, Value(-1, 4)], eps: Epsilon) -> float:
    noise = sample(Laplace(5 / eps))
    ensure(SAID)
    return ANSWER
"""


@pytest.mark.parametrize("answer", ["0.0", "v + noise"])
@pytest.mark.parametrize(
    "said",
    [
        "sqrt(v) >= 0",
        "sqrt(v) >= 0 and v >= 0",
        "sqrt(v) * sqrt(v) == v",
        "log(v) <= 0 or v > 1",
        "exp(log(v)) > 0",
        "1 / v > 0 or 1 / v < 0",
        "1 / (v * v) > 0",
    ],
)
def test_what_has_no_value_somewhere_is_broken_there(
    tmp_path: Path, said: str, answer: str
) -> None:
    text = UNDEFINED.replace("SAID", said).replace("ANSWER", answer)
    report = verify(source(tmp_path, text)["m"])
    (claim,) = report.one_sided
    assert claim.outcome == "broken" and "probability" not in claim.witness and not report.fault


def test_what_has_a_value_wherever_it_is_read_is_proved(tmp_path: Path) -> None:
    text = UNDEFINED.replace("SAID", "v < 0 or sqrt(v) >= 0").replace("ANSWER", "v + noise")
    (claim,) = verify(source(tmp_path, text)["m"]).one_sided
    assert claim.outcome == "proved"


ALONE = """
@mechanism(LDP())
def m(v: Annotated[float, Value(low=-1, high=4)], eps: Epsilon):
    noise = sample(Laplace(5 / eps))
    ensure(SAID)
    yield 0.0
"""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("sqrt(v) >= 0 and v >= 0", "a sqrt"),
        ("log(v) <= 0 or v > 1", "a log"),
        ("1 / v > 0 or 1 / v < 0", "a divisor is not zero"),
        ("v >= 0", "what is ensured is so"),
    ],
)
def test_the_kernel_asks_for_a_value_too(said: str, why: str) -> None:
    """It took for known, of one run, that what is ensured has one, before it asked for it."""
    start_work()
    mechanism = read(ALONE.strip().replace("SAID", said), stated({}))
    kinds, cases = relation_of(mechanism)
    part = {"case": cases[-1].name, "relation": as_json(cases[-1]), "ensures": [4]}
    with pytest.raises(Wrong, match=f"one-sided claim: {why}"):
        find_trees(check_of_part(mechanism, kinds, cases[-1], part), finder())
