"""Programs that a careless checker proves.  None of them may ever be proved.

By default every second one, with a search every third; SHIFTPROOF_FULL=1 takes all.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Report, Unsupported, Verdict, verify
from tests.loading import load
from tests.places import ATTACKS as FILES
from tests.sampling import every, slow

#: Only the alignment is wrong: these are private.
PRIVATE = {"right_in_one_direction", "pays_below_too"}
#: No counterexample is found with the effort of verify: runs that never end, inputs that are not
#: small and round, long or empty sequences; an output of which no bound is owed.
OPEN = PRIVATE | {
    "budget_of_nothing", "budget_with_roots", "counted_large_and_negative", "counts_in_a_row",
    "counts_its_rejections", "endless_unless_above", "gap_of_two", "helper_with_a_jump",
    "private_at_a_head", "real_number_of_answers", "row03b_through_the_released_sum",
    "row05_steps_over", "row13_int",
    "row13_round_half_to_even", "row13_round_up_at_half", "threshold_drawn_again", "w10_hang_raw",
    "w1_min",
    "two_parameters", "parameter_and_number", "sum_and_parameter", "two_multiples",
    "two_real_parameters", "two_distances", "now_and_then", "protected_above",
    "parameter_among_draws", "value_where_the_range_is_empty",
    "rule_in_a_choice", "rule_in_an_answer", "rule_after_and", "rule_after_or", "rule_further_on",
    "rule_in_a_shift", "rule_in_a_helper", "picked_in_a_choice", "picked_after_and",
    "range_of_nobody", "range_of_nobody_local", "counts_that_are_not_there",
    "difference_of_sizes", "same_size", "three_sizes", "query_beside_nobody", "value_beside_nobody",
    "w7_overshoot", "w8_svt_no_stop", "w9_noise_only_prefix", "wm1_stride", "wm4_c_times",
}  # fmt: skip
TRUTH = re.compile(r"# truth: (.*(?:\n# .*)*)\n(?:@.*\n)+def (\w+)")


@cache
def attacks(path: Path) -> dict[str, Mechanism]:
    """Those of a file; none if it does not even load."""
    try:
        mechanisms = load(path)
    except (BadInput, Unsupported):
        return {}
    found = {n: m for n, m in mechanisms.items() if not n.startswith("_")}
    assert found, path
    return found


@pytest.mark.parametrize("path", [p for p in FILES if not attacks(p)], ids=lambda path: path.stem)
def test_what_does_not_load_says_why(path: Path) -> None:
    with pytest.raises((BadInput, Unsupported)) as refused:
        load(path)
    assert str(refused.value)


ALL = [(path, name) for path in FILES for name in attacks(path)]


def identified(attack: tuple[Path, str]) -> Any:
    path, name = attack
    return pytest.param(path, name, id=f"{path.stem}-{name}")


@pytest.mark.parametrize(("path", "name"), every(2, [identified(attack) for attack in ALL]))
def test_no_attack_is_proved(path: Path, name: str) -> None:
    report = verify(attacks(path)[name], effort=0)
    assert report.verdict not in (Verdict.PROVED, Verdict.BOUNDED), report.alignment
    assert report.verdict is Verdict.UNKNOWN or name not in OPEN, report.reasons
    assert report.reasons


@pytest.mark.parametrize(
    ("path", "name"), every(9, [identified(attack) for attack in ALL if attack[1] not in OPEN])
)
def test_attacks_are_refuted(path: Path, name: str) -> None:
    """Each is refuted, or unsupported with its place; but for a few that stay open."""
    truths = {name: truth for truth, name in TRUTH.findall(path.read_text(encoding="utf-8"))}
    report = verify(attacks(path)[name])
    assert report.verdict in (Verdict.REFUTED, Verdict.UNSUPPORTED), report.reasons
    if report.verdict is Verdict.UNSUPPORTED:
        assert f"{path.name}:" in report.reasons[0] or name in report.reasons[0], report.reasons
    else:
        check_truth(report, truths.get(name, ""))


def check_truth(report: Report, truth: str) -> None:
    """No ratio is above what the comment says is the largest one."""
    assert report.refutation is not None and report.refutation.breaks
    exactly = re.search(r"exactly (\d+) eps", truth)
    if exactly and "ε = eps;" in report.claim:
        assert report.refutation.log_ratio is not None, truth
        most = int(exactly[1]) * report.refutation.budget.enclosure.high
        assert report.refutation.log_ratio.enclosure.low <= most, truth


@pytest.mark.parametrize("name", [*sorted(PRIVATE), *map(slow, sorted(OPEN - PRIVATE))])
def test_what_is_open_is_not_proved_after_a_search(name: str) -> None:
    (mechanism,) = [m for path in FILES for n, m in attacks(path).items() if n == name]
    report = verify(mechanism)
    assert report.verdict in (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.UNSUPPORTED)
    if name in PRIVATE:
        assert report.verdict is Verdict.UNKNOWN


def test_there_are_many_attacks() -> None:
    """The list of attacks is not lost by accident."""
    truths = sum(path.read_text().count("# truth:") for path in FILES)
    assert truths >= 300


def test_a_global_changed_after_verify_stops_the_mechanism(tmp_path: Path) -> None:
    """Attack 16: the scale that was verified is the scale that runs."""
    path = tmp_path / "changing.py"
    path.write_text(
        "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
        "FACTOR = 1\n"
        "@mechanism(DP())\n"
        "def noisy(x: Count, eps: Epsilon) -> float:\n"
        "    noise = sample(Laplace(FACTOR / eps))\n"
        "    return x + noise\n"
    )
    noisy: Mechanism = load(path)["noisy"]
    assert verify(noisy).verdict is Verdict.PROVED
    noisy.function.__globals__["FACTOR"] = 0.001
    with pytest.raises(BadInput, match="FACTOR"):
        noisy(3, 1.0)
    assert verify(noisy).verdict is Verdict.UNSUPPORTED
