"""Proofs of claims of ρ, or from ρ, are held against runs, in the measure that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest

from shiftproof import (
    ADP,
    DP,
    ZCDP,
    Count,
    Epsilon,
    Exponential,
    Gaussian,
    Laplace,
    Mechanism,
    Policy,
    Rho,
    Verdict,
    mechanism,
    sample,
    verify,
)
from shiftproof.checkers.guarding.hold import alignments_of, guarded
from shiftproof.checkers.walking.certificate import Certificate
from shiftproof.dsl.normalise import read_normalised
from shiftproof.workspace.targets import one_mechanism
from tests.sampling import every


@mechanism(ZCDP(), budget=lambda eps: eps * eps / 2)
def laplace_in_rho(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(ADP(Policy({1}), zcdp=True))
def one_sided(f: Count, rho: Rho) -> float:
    noise = sample(Exponential(1 / rho))
    return f + noise


@mechanism(DP())
def pure_count(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(ZCDP(), budget=lambda eps, rho: eps * eps / 2 + rho)
def two_counts(f: Count, g: Count, eps: Epsilon, rho: Rho) -> tuple[float, float]:
    (first,) = pure_count(f, eps)
    noise = sample(Gaussian(1 / sqrt(2 * rho)))
    return first, g + noise


@mechanism(DP(delta=1e-6), budget=1.0)
def ten_counts(f: Count) -> Iterator[float]:
    for _ in range(10):
        noise = sample(Gaussian(20.0))
        yield f + noise


KNOWN = [laplace_in_rho, one_sided, two_counts, ten_counts, *map(one_mechanism, (
    "concentrated_noisy_max", "concentrated_sparse_vector", "gaussian_counts",
    "noisy_threshold", "clamped_geometric", "asymmetric_thresholds",
))]  # fmt: skip


@pytest.mark.parametrize("claimed", every(3, KNOWN), ids=lambda m: m.function.__name__)
def test_runs_have_nothing_against_them(claimed: Mechanism[..., object]) -> None:
    report = verify(claimed)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert not any("no run was held" in said for said in report.assumptions), report.assumptions


def certificate_of(claimed: Mechanism[..., object]) -> Certificate:
    found = verify(claimed).certificate
    assert isinstance(found, Certificate)
    return found


@pytest.mark.parametrize(
    ("claimed", "old", "new"),
    [
        (laplace_in_rho, "eps * eps / 2", "eps * eps / 3"),
        (laplace_in_rho, "Laplace(1 / eps)", "Laplace(1 / eps / 2)"),
        (one_sided, "1 / rho", "1 / rho / 2"),
        (two_counts, "eps * eps / 2 + rho", "eps * eps / 4 + rho"),
        (ten_counts, "Gaussian(20.0)", "Gaussian(10.0)"),
        (ten_counts, "budget=1.0", "budget=0.8"),
        (ten_counts, "delta=1e-06", "delta=1e-12"),
    ],
)
def test_and_something_against_others(claimed: Mechanism[..., object], old: str, new: str) -> None:
    """The text of a proof is changed, and its shifts are kept."""
    certificate = certificate_of(claimed)
    assert old in certificate.text
    text = certificate.text.replace(old, new)
    program = read_normalised(text).program
    alignments = list(alignments_of(program, certificate))
    assert "costs" in guarded(program, text, alignments, shown=certificate.shown).alarm
