"""Claims of ρ and with a δ: the gallery has them proved, and siblings a little off are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Report, Verdict, verify
from shiftproof.workspace.gallery_index import gallery_index
from shiftproof.workspace.targets import resolve
from tests.sampling import every

ENTRIES = {entry.name: entry for entry in gallery_index()}

#: What is changed in whom: half of the variance, a δ that is too small by a factor, a threshold
#: that is off by one, neighbours that are others, a part that is not paid for.
SIBLINGS = [
    ("gaussian_sum", "2 * rho", "3 * rho"),
    ("gaussian_sum", "D / sqrt", "D / 2 / sqrt"),
    ("discrete_gaussian_count", "2 * rho", "4 * rho"),
    ("gaussian_counts", "sqrt(len(f)) / sqrt", "1 / sqrt"),
    ("gaussian_histogram_replacement", "sqrt(rho)", "sqrt(2 * rho)"),
    ("discrete_gaussian_histogram", '"add-remove"', ""),
    ("asymmetric_gaussian_histogram", "ADP(visited, zcdp=True)", "ZCDP()"),
    ("one_sided_concentrated_count", "ADP(visited, zcdp=True)", "ZCDP()"),
    ("one_sided_concentrated_count", "1 / rho", "1 / sqrt(2 * rho)"),
    ("gaussian_value", "(high - low)", "high"),
    ("gaussian_mean", "rho_total + rho_count", "rho_total"),
    ("gaussian_prefix_sum", "OneMoves", "AllMove"),
    ("gaussian_prefix_sum_all", "n * rho", "n * rho / 2"),
    ("gaussian_smart_sum", "lambda rho: 2 * rho", "lambda rho: rho"),
    ("gaussian_two_level_sum", "blocks += block + q[i] + noise", "blocks += block + q[i]"),
    ("adaptive_question", "if first > T", "if f > T"),
    ("count_in_concentrated_rounds", "rho / k", "rho"),
    ("most_frequent_measured", "eps * eps / 2 + rho", "eps * eps / 4 + rho"),
    ("concentrated_noisy_max", "eps * eps / 2", "eps * eps / 3"),
    ("concentrated_noisy_max", "Laplace(2 / eps)", "Gaussian(2 / eps)"),
    ("concentrated_sparse_vector", "                return\n", "                pass\n"),
    ("clamped_laplace", "(1 + exp(eps)) / 2", "(1 + exp(eps)) / 3"),
    ("clamped_geometric", "exp(-eps * A)", "exp(-eps * (A + 1))"),
    ("clamped_exponential", "(A - 1)", "A"),
    ("clamped_exponential", "ADP(visited, ", "DP("),
    ("clamped_one_sided_geometric", "exp(-eps * A)", "exp(-eps * (A + 1))"),
    ("uniform_count", "2 * delta", "3 * delta"),
    ("whole_uniform_count", "2 * A + 1", "2 * A + 2"),
    ("uniform_value", "Value(0, 1)", "Value(0, 2)"),
    ("exponential_count", "1 - exp(-eps)", "(1 - exp(-eps)) / 2"),
    ("gaussian_count", "/ 2) / 2", "/ 2) / 3"),
    ("gaussian_count", "2 * sigma * sigma * eps >= 1", "eps >= 1"),
    ("classical_gaussian", " and eps <= 1 and delta <= 9 / 10", ""),
    ("classical_gaussian", "D * sqrt", "sqrt"),
    ("classical_gaussian", "2 * log(5", "log(5"),
    ("noisy_threshold", "(T - 1)", "T"),
    ("noisy_threshold", "if q > 0 and", "if q > 1 and"),
    ("partition_selection", "T = 1 + log", "T = log"),
    ("partition_selection", "1 / (2 * delta)", "1 / (3 * delta)"),
    ("partition_selection_geometric", "x + noise > T", "x + noise >= T"),
    ("stability_histogram", "(T - 1) / 2", "(T - 1)"),
    ("stability_histogram", "Laplace(2 / eps)", "Laplace(1 / eps)"),
    ("asymmetric_partition_selection", "1 / delta", "1 / (2 * delta)"),
    ("asymmetric_threshold", "exp(-eps * T)", "exp(-eps * (T + 1))"),
    ("asymmetric_thresholds", "len(f) * exp", "exp"),
    ("two_noisy_thresholds", "exp(-eps * (T - 1))", "exp(-eps * (T - 1)) / 2"),
    ("propose_test_release", "2 * eps", "eps"),
    ("propose_test_release", "if d > 0 and", "if d > -1 and"),
]


def report_of(name: str, old: str, new: str, folder: Path) -> Report:
    """Of a mechanism of the gallery, in which a piece of its text is another one."""
    entry = ENTRIES[name]
    before, found, own = entry.file.read_text(encoding="utf-8").partition(f"def {name}(")
    begins = before.rindex("\n@mechanism(") + 1
    ends = own.find("\n\n\n")
    rest = own[ends:] if ends >= 0 else ""
    text = before[begins:] + found + own.removesuffix(rest)
    assert old in text, text
    extra = "from shiftproof import DP, Gaussian, ZCDP\n" if new and new != old else ""
    file = folder / "siblings.py"
    file.write_text(f"{before[:begins]}{extra}{text.replace(old, new)}{rest}", encoding="utf-8")
    (mechanism,) = resolve(f"{file}::{name}")
    return verify(mechanism, effort=0)


NAMES = sorted({name for name, _, _ in SIBLINGS})


@pytest.mark.parametrize("name", every(6, NAMES))
def test_as_it_stands_it_is_proved(name: str, tmp_path: Path) -> None:
    assert report_of(name, name, name, tmp_path).verdict is Verdict.PROVED


@pytest.mark.parametrize(("name", "old", "new"), every(6, SIBLINGS))
def test_a_sibling_is_not(name: str, old: str, new: str, tmp_path: Path) -> None:
    report = report_of(name, old, new, tmp_path)
    assert report.verdict is not Verdict.PROVED
    assert report.verdict is not Verdict.UNSUPPORTED, report.reasons
    assert not any("alarm" in reason for reason in report.reasons), report.reasons


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("gaussian_sum", "2 * rho", "rho"),  # more noise than it needs
        ("gaussian_counts", "2 * rho", "rho"),
        ("noisy_threshold", "/ 2))", "))"),  # a δ with room to spare
        ("partition_selection", "1 / (2 * delta)", "1 / delta"),
        ("two_noisy_thresholds", "2 * eps", "3 * eps"),
        ("noisy_threshold", '"add-remove", ', ""),  # one count moves no further
    ],
)
def test_what_costs_less_is_proved(name: str, old: str, new: str, tmp_path: Path) -> None:
    assert report_of(name, old, new, tmp_path).verdict is Verdict.PROVED
