"""Which ε is kept is found without a claim, proved like one, and never less than is true."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Verdict, bound, refute, verify
from shiftproof.dsl.language.declaration import INFER
from shiftproof.dsl.terms.linear import Symbol, term
from tests.checkers.counterexamples import check
from tests.checkers.proving.test_tighten import claiming
from tests.programs.checkers import inferred_mechanisms
from tests.sampling import every

FOUND = {n: m for n, m in vars(inferred_mechanisms).items() if isinstance(m, Mechanism)}
#: What each keeps.
KEPT = {
    "two_releases": "eps1 + eps2/2",
    "plain_number": "2/5",
    "sensitivity_of_ten": "10*eps",
    "sensitivity_by_name": "D*eps",
    "weighted": "5*eps",
    "each_answer": "eps*len(f)",
    "sparse_vector": "2*eps",
    "sparse_vector_half_noise": "3*eps/2",
    "one_answer_more": "eps/c + eps",
    "for_three": "3*eps",
    "the_dearer_branch": "2*eps",
    "three_to_one": "10987/10000",
    "most_likely_of_four": "513/200",
}
CLAIMING_NOTHING = sorted(n for n in KEPT if FOUND[n].budget is INFER)
FALSE_CLAIMS = ("sparse_vector_half_noise", "one_answer_more", "the_dearer_branch")


@pytest.mark.parametrize("name", every(4, CLAIMING_NOTHING))
def test_what_claims_nothing_is_verified_with_what_it_keeps(name: str) -> None:
    report = verify(FOUND[name])
    assert report.verdict is Verdict.PROVED, report
    assert report.epsilon_upper == KEPT[name]
    assert report.certificate is not None


@pytest.mark.parametrize("name", FALSE_CLAIMS)
def test_who_claims_too_little_is_told_what_is_kept(name: str) -> None:
    report = verify(FOUND[name])
    assert report.verdict is Verdict.REFUTED
    assert report.keeps == KEPT[name]
    assert f"ε ≤ {KEPT[name]}, proved" in str(report)


@pytest.mark.parametrize("name", every(4, sorted(KEPT)))
def test_a_bracket_has_both_sides(name: str) -> None:
    bracket = bound(FOUND[name], effort=2_000)
    assert bracket.upper == KEPT[name]
    assert bracket.comparison is not None and 0.4 < bracket.share <= 1


def test_less_than_is_kept_is_refuted() -> None:
    """By exact enumeration, which shares nothing with the prover."""
    mechanism = FOUND["the_dearer_branch"]
    assert not check(claiming(mechanism, "2 * eps")).violation
    assert check(claiming(mechanism, "7 * eps / 4")).violation
    eps = term(Symbol("eps", fixed=True))
    for factor, verdict in ((2, Verdict.PROVED), (1, Verdict.REFUTED)):
        assert verify(mechanism.claiming(eps.scaled(factor))).verdict is verdict


def test_what_has_no_alignment_keeps_nothing() -> None:
    report = verify(inferred_mechanisms.raw)
    assert report.verdict is Verdict.UNKNOWN
    assert report.reasons[0] == "no ε was found that is kept" and len(report.reasons) > 1


def test_what_claims_nothing_cannot_be_refuted() -> None:
    with pytest.raises(BadInput, match="claims no ε"):
        refute(inferred_mechanisms.two_releases)


def test_simple_shares_of_finite_noise_are_found() -> None:
    found: Any = bound(inferred_mechanisms.three_to_one)
    assert found.upper == "10987/10000" and not found.tight
