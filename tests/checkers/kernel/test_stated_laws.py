"""Laws that a certificate states: what is printed, and what is refused."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest

from shiftproof import DP, Count, Epsilon, Logistic, Verdict, mechanism, sample, verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import check_file
from shiftproof.checkers.kernel.language.stated import stated
from shiftproof.checkers.walking.certificate import Certificate, certificate_text

LAW = {
    "parameters": ["scale"],
    "lattice": "reals",
    "exists": "scale > 0",
    "support": "True",
    "cost": ["abs(d)", "1 / scale"],
}


@mechanism(DP())
def noisy(f: Count, eps: Epsilon) -> float:
    noise = sample(Logistic(1 / eps))
    return f + noise


@cache
def text() -> str:
    report = verify(noisy)
    assert report.verdict is Verdict.PROVED and isinstance(report.certificate, Certificate)
    return certificate_text(report.certificate)


def changed(**said: Any) -> bytes:
    found = json.loads(text())
    found["laws"]["Logistic"] |= said
    return json.dumps(found).encode()


def test_it_is_what_the_class_states() -> None:
    assert json.loads(text())["laws"] == {"Logistic": LAW}
    assert check_file(changed()).questions > 0


@pytest.mark.parametrize(
    "name", ["Laplace", "Bernoulli", "sample", "abs", "x", "d", "a b", "ſ", "", "None"]
)
def test_no_name_has_a_second_meaning(name: str) -> None:
    with pytest.raises(Wrong, match="means something else"):
        stated({name: LAW})
    with pytest.raises(Wrong, match="means something else"):
        stated({"Own": {**LAW, "parameters": [name]}})


@pytest.mark.parametrize("name", ["f", "eps", "noise", "noisy"])
def test_no_name_of_the_text_is_a_law(name: str) -> None:
    found = json.loads(text())
    found["laws"][name] = LAW
    with pytest.raises(Wrong, match=r"two things|no new function"):
        check_file(json.dumps(found).encode())


@pytest.mark.parametrize(
    "said",
    [
        {"cost": ["-abs(d)", "1 / scale"]},
        {"cost": ["abs(d)", "-1 / scale"]},
        {"cost": ["-abs(d)", "-1 / scale"]},
        {"cost": ["abs(d) - 1", "1 / scale"]},
        {"cost": ["abs(d)", "1 / (scale - scale)"]},
        {"cost": ["2 * abs(d)", "1 / scale"]},
        {"support": "x >= 0"},
        {"support": "x > 0 and x < 1"},
        {"exists": "scale < 0"},
        {"exists": "False"},
        {"parameters": []},
        {"parameters": ["scale", "other_one"]},
        {"lattice": "integers"},
        {"lattice": "booleans"},
        {"lattice": "none"},
    ],
)  # fmt: skip
def test_a_law_that_does_not_fit_proves_nothing(said: dict[str, Any]) -> None:
    with pytest.raises(Wrong):
        check_file(changed(**said))


@pytest.mark.parametrize(
    "said",
    [
        "f", "eps", "noise", "other(d)", "len(f)", "f[0]", "cost", "exp(d)", "d if d > 0 else -d",
        "(lambda: 0)()", "__import__", "abs", "abs()", "x", "outcome()", "d.real", "[d]", "'d'",
        "d d", "None", "min(d, 0)", "count(1, f)",
    ],
)  # fmt: skip
def test_a_cost_speaks_of_parameters_and_the_shift_alone(said: str) -> None:
    with pytest.raises(Wrong):
        check_file(changed(cost=[said, "1 / scale"]))
    with pytest.raises(Wrong):
        check_file(changed(cost=["abs(d)", said]))


def test_a_law_that_costs_less_is_printed_as_it_was_stated() -> None:
    """The kernel cannot know it: whoever reads the statement sees what it rests on."""
    statement = check_file(changed(cost=["abs(d) / 2", "1 / scale"])).statement
    assert "it is assumed, and not checked" in statement
    assert "≤ (abs(d) / 2) * (1 / scale)" in statement


def test_a_law_is_not_believed_by_a_recheck_that_has_the_program(tmp_path: Any) -> None:
    from shiftproof.checkers.recheck import Rechecker, Standing

    file = tmp_path / "noisy.json"
    file.write_bytes(changed(cost=["abs(d) / 2", "1 / scale"]))
    (found,) = Rechecker().check_all([file])
    assert found.standing is Standing.INVALID
    assert "the laws are not those that the noise of the program states" in found.reasons


def test_what_is_stated_is_kept_as_it_is() -> None:
    law = copy.deepcopy(LAW)
    stated({"Own": law})
    assert law == LAW
