"""A claim about no two inputs that differ is never ``proved``, by whichever method.

``verify`` asks. The kernel does not: of no pairs at all its statement is true, and it prints it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, bound, verify
from shiftproof.showing.report import exit_status
from tests.loading import load, source
from tests.places import PROGRAMS

VACUOUS = load(PROGRAMS / "attacks" / "claims" / "vacuous.py")
SAID = "no two different inputs are neighbours"
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


def test_no_bound_is_proved_of_nothing() -> None:
    with pytest.raises(ValueError, match=SAID):
        bound(VACUOUS["sensitivity_zero"], effort=10)
