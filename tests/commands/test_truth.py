"""No answer is good by being there: as a condition it is an error; its text is the command's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof import Report, Verdict, audit, audit_one_sided, bound, recompute, refute, verify
from shiftproof.checkers.recheck import Rechecker
from shiftproof.commands.cli import main
from shiftproof.workspace.files import write_certificates
from shiftproof.workspace.targets import one_mechanism

TEXT = """from shiftproof import *
@mechanism(DP())
def fine(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
@mechanism(DP())
def weak(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return x + noise
@mechanism(DP(), expect="refuted")
def known(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return x + noise
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "own.py"
    path.write_text(TEXT)
    return path


def answers(file: Path) -> dict[str, Any]:
    """One object of each kind that says how something came out."""
    fine, weak = (one_mechanism(f"{file}::{name}") for name in ("fine", "weak"))
    good, bad = verify(fine), verify(weak)
    (certificate,) = write_certificates([good], file.parent / "proofs")
    recheck = Rechecker([file]).check(certificate)
    found = refute(weak)
    assert found is not None
    tested = audit(lambda x, rng, size: x + rng.laplace(size=size), epsilon=1.0,
                   pairs=[(0, 1)], samples=2_000, seed=1)  # fmt: skip
    right = one_mechanism("threshold_decision")
    return {
        "proved": good, "refuted": bad, "verdict": bad.verdict, "recheck": recheck,
        "standing": recheck.standing, "bracket": bound(fine, effort=100), "counterexample": found,
        "recomputed": recompute(found, weak), "audit": tested, "judgement": tested.judgement,
        "one-sided audit": audit_one_sided(right, samples=100, seed=1),
        "one-sided claim": verify(right, effort=0).one_sided[0],
    }  # fmt: skip


def test_no_answer_is_a_condition(file: Path) -> None:
    for name, answer in answers(file).items():
        with pytest.raises(TypeError, match=r"neither true nor false; ask ") as raised:
            bool(answer)
        assert "\n" not in str(raised.value), name


def test_what_to_ask_of_a_report(file: Path) -> None:
    fine, weak, known = (verify(one_mechanism(f"{file}::{n}")) for n in ("fine", "weak", "known"))
    assert (fine.holds, weak.holds, known.holds) == (True, False, False)
    assert (fine.as_expected, weak.as_expected, known.as_expected) == (True, False, True)
    with pytest.raises(TypeError, match=re.escape("as in 'assert verify(m).holds'")):
        assert fine
    with pytest.raises(TypeError, match=r"== Verdict\.PROVED"):
        assert weak.verdict


@pytest.mark.parametrize("name", ["fine", "weak", "known"])
def test_the_text_is_that_of_the_command(
    file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    report = verify(one_mechanism(f"{file}::{name}"))
    printed = CliRunner().invoke(main, ["verify", f"{file}::{name}"]).stdout
    assert _timeless(f"{report}\n") == _timeless(printed)
    assert repr(report).startswith("Report(mechanism=")


def test_a_report_of_nothing_has_a_text() -> None:
    report = Report("m", "", 0, "DP", (), Verdict.UNKNOWN, "proved")
    assert "m: unknown" in str(report) or "1 unknown; 1 not as expected" in str(report)


def _timeless(text: str) -> str:
    return re.sub(r" +[0-9]+\.[0-9]+ s$", "", text, flags=re.MULTILINE)
