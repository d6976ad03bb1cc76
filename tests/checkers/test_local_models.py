"""Definitions whose neighbours or budgets depend on the pair: what is proved, and what never is."""

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.programs.checkers import local_models
from tests.sampling import every

MECHANISMS = {n: m for n, m in vars(local_models).items() if isinstance(m, Mechanism)}
PRIVATE = [n for n, m in MECHANISMS.items() if m.expect == "proved"]
LEAKING = [n for n, m in MECHANISMS.items() if m.expect == "refuted"]


@pytest.mark.parametrize("name", every(8, PRIVATE))
def test_what_is_private_is_proved_for_all_sizes(name: str) -> None:
    report = verify(MECHANISMS[name], effort=0)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.certificate is not None


@pytest.mark.parametrize("name", every(6, LEAKING))
def test_what_is_not_is_never_proved(name: str) -> None:
    report = verify(MECHANISMS[name], effort=0)
    assert report.verdict is Verdict.UNKNOWN, report.reasons


@pytest.mark.parametrize("name", every(2, LEAKING))
def test_what_is_not_is_refuted(name: str) -> None:
    report = verify(MECHANISMS[name])
    assert report.verdict is Verdict.REFUTED, report.reasons
    assert report.refutation is not None and report.refutation.breaks
