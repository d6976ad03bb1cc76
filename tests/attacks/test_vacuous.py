"""A claim about no two inputs that differ is never ``proved``, by whichever method."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, bound, verify
from shiftproof.checkers import verify as pipeline
from shiftproof.checkers.recheck import Rechecker, Standing
from shiftproof.checkers.walking import check as kernel
from shiftproof.showing.report import exit_status
from shiftproof.workspace.files import write_certificates
from tests.loading import load, source
from tests.places import PROGRAMS

VACUOUS = load(PROGRAMS / "attacks" / "claims" / "vacuous.py")
SAID = "no two different inputs are neighbours"
#: Those that a proof was found for, before the question was asked; one of each method.
ONCE_PROVED = ["nothing_is_sensitive", "by_sums", "nothing_in_a_vector", "sensitivity_zero"]
IMPORTS = "from shiftproof import *\n"
#: Claims about few inputs, or about few values of a parameter, are claims all the same.
FEW = {
    "two_values": "LDP())\ndef m(x: IntegerValue(0, 1), eps: Epsilon) -> float:",
    "a_range_that_may_be_one": "LDP())\n"
    "def m(x: IntegerValue(0, 'm'), m: Public[int], eps: Epsilon) -> float:\n    assert m <= 1",
    "a_sensitivity_that_may_be_zero": "DP())\n"
    "def m(x: Query(sensitivity='D'), D: Public[float], eps: Epsilon) -> float:\n"
    "    assert D >= 0\n    assert D <= 1",
    "one_pair_of_secrets": "Blowfish(meet))\ndef m(x: IntegerValue(0, 9), eps: Epsilon) -> float:",
    "one_of_two_inputs": "LDP())\n"
    "def m(y: IntegerValue(1, 1), x: IntegerValue(0, 1), eps: Epsilon) -> float:",
    "one_sensitive_value": "ADP(Policy({1})))\ndef m(x: Count, eps: Epsilon) -> float:",
    "a_rule": "Related(near))\ndef m(x: Private[float], eps: Epsilon) -> float:",
}
RULES = """
def meet(x: int) -> bool:
    return x == 3 and other(x) == 4
def near(x: float) -> bool:
    return x - other(x) <= 1 and other(x) - x <= 1
"""


@pytest.mark.parametrize("name", VACUOUS)
def test_nothing_is_compared(name: str) -> None:
    report = verify(VACUOUS[name])
    assert report.verdict is Verdict.UNSUPPORTED
    (reason,) = report.reasons
    assert SAID in reason and name in reason
    assert exit_status([report]) == 3


@pytest.mark.parametrize("name", FEW)
def test_few_inputs_are_some(tmp_path: Path, name: str) -> None:
    body = "\n    noise = sample(Laplace(1 / eps))\n    return x + noise\n"
    (mechanism,) = source(tmp_path, f"{IMPORTS}{RULES}@mechanism({FEW[name]}{body}").values()
    assert verify(mechanism, effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("name", ONCE_PROVED)
def test_the_kernel_asks_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover that forgets the question is not believed."""
    monkeypatch.setattr(pipeline, "nothing_compared", lambda program: None)
    report = verify(VACUOUS[name], effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert SAID in report.reasons[-1]


@pytest.mark.parametrize("name", ONCE_PROVED)
def test_a_certificate_of_nothing_is_invalid(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nor is one that was made while nobody asked."""
    with monkeypatch.context() as patch:
        for room in (pipeline, kernel):
            patch.setattr(room, "nothing_compared", lambda *arguments: None)
        report = verify(VACUOUS[name], effort=0)
        assert report.verdict is Verdict.PROVED
    (path,) = write_certificates([report], tmp_path)
    found = Rechecker().check(path)
    assert found.standing is Standing.INVALID
    assert any(SAID in reason for reason in found.reasons)


def test_no_bound_is_proved_of_nothing() -> None:
    with pytest.raises(ValueError, match=SAID):
        bound(VACUOUS["sensitivity_zero"], effort=10)
