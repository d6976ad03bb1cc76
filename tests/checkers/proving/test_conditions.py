"""Each condition of the soundness theorem, broken on its own by an annotated alignment.

What the author wrote is judged: a wrong alignment is called wrong though another would do.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.loading import source
from tests.programs.checkers import broken_conditions
from tests.sampling import every

NAMES = {
    "support": "support",
    "same_samples": "same samples",
    "same_output": "same output",
    "cost": "cost",
    "measure": "measure",
    "definedness": "definedness and end",
    "preconditions": "preconditions and positivity",
}
BROKEN = {n: m for n, m in vars(broken_conditions).items() if isinstance(m, Mechanism)}
#: Here the alignment is not at fault; without it, the same condition fails.
HOPELESS = {
    "definedness_of_a_quotient",
    "definedness_of_an_index",
    "preconditions_of_a_coin",
    "preconditions_of_a_scale",
    "preconditions_of_an_interval",
}


def line_of(m: Mechanism, mark: str = "# here") -> int:
    lines, first = inspect.getsourcelines(m.function)
    (found,) = [first + k for k, text in enumerate(lines) if mark in text]
    return found


def without_alignments(m: Mechanism, folder: Path) -> Mechanism:
    """The same mechanism without its ``align`` statements."""
    module = inspect.getsource(broken_conditions)
    header = module[: module.index("@mechanism")]
    lines = inspect.getsource(m.function).splitlines(keepends=True)
    text = header + "".join(line for line in lines if "align(" not in line)
    return source(folder, text)[m.function.__name__]


@pytest.mark.parametrize("name", every(2, sorted(BROKEN)))
def test_the_condition_and_its_line_are_named(name: str) -> None:
    report = verify(BROKEN[name], effort=0)
    assert report.verdict is Verdict.UNKNOWN
    (condition,) = [c for prefix, c in NAMES.items() if name.startswith(prefix)]
    assert len([r for r in report.reasons if not r.startswith("proved ")]) == 1
    (reason,) = [r for r in report.reasons if not r.startswith("proved ")]
    assert f"'{condition}'" in reason
    assert f"broken_conditions.py:{line_of(BROKEN[name])}:" in reason
    assert ": the annotated alignment " in reason
    assert report.epsilon_upper is None and report.sizes == ""
    assert not report.as_expected


@pytest.mark.parametrize("name", every(4, sorted(set(BROKEN) - HOPELESS)))
def test_another_alignment_would_do(name: str, tmp_path: Path) -> None:
    mechanism = without_alignments(BROKEN[name], tmp_path)
    assert not any(node.step.shift for node in mechanism.program.flow.sites)
    report = verify(mechanism, replays=10)
    assert report.verdict is Verdict.PROVED, report.reasons


@pytest.mark.parametrize("name", sorted(HOPELESS))
def test_no_alignment_saves_what_is_undefined(name: str, tmp_path: Path) -> None:
    report = verify(without_alignments(BROKEN[name], tmp_path), effort=0)
    assert report.verdict is Verdict.UNKNOWN
    (condition,) = [c for prefix, c in NAMES.items() if name.startswith(prefix)]
    assert any(f"'{condition}'" in reason for reason in report.reasons)


@pytest.mark.parametrize("name", every(2, sorted(set(BROKEN) - HOPELESS)))
def test_what_another_alignment_proves_is_not_refuted(name: str) -> None:
    report = verify(BROKEN[name], effort=500)
    assert report.verdict is Verdict.UNKNOWN and report.refutation is None
    assert ": the annotated alignment " in report.reasons[0]
    assert report.reasons[-1].startswith("no counterexample found: ")


@pytest.mark.parametrize("name", sorted(HOPELESS))
def test_what_raises_is_unsupported(name: str) -> None:
    report = verify(BROKEN[name])
    assert report.verdict is Verdict.UNSUPPORTED and report.refutation is None
    reason = report.reasons[0]  # what follows is where, and what would help
    assert f"broken_conditions.py:{line_of(BROKEN[name])}:" in reason
    assert "it raises an exception with positive probability on " in reason


@pytest.mark.parametrize("prefix", sorted(NAMES))
def test_every_condition_is_broken_more_than_once(prefix: str) -> None:
    assert sum(name.startswith(prefix) for name in BROKEN) >= 2
