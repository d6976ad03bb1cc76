"""Every neighbour relation: what is private under it is proved, what is not stays unproved."""

from __future__ import annotations

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.checkers import related_mechanisms, related_mechanisms_more

KNOWN = {
    n: m
    for module in (related_mechanisms, related_mechanisms_more)
    for n, m in vars(module).items()
    if isinstance(m, Mechanism)
}
GOOD = sorted(n for n in KNOWN if n.startswith("good_"))
BAD = sorted(n for n in KNOWN if n.startswith("bad_"))


@pytest.mark.parametrize("name", GOOD)
def test_private_ones_are_proved(name: str) -> None:
    report = verify(KNOWN[name], replays=10)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.epsilon_upper == "eps"


@pytest.mark.parametrize("name", BAD)
def test_their_neighbours_are_not(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is Verdict.UNKNOWN
    assert report.reasons


@pytest.mark.parametrize("name", GOOD)
def test_every_private_one_has_a_neighbour(name: str) -> None:
    assert any(bad.startswith(name.replace("good_", "bad_")) for bad in BAD)
