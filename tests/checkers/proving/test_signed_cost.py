"""What a shift down of one-sided noise earns may be spent, and nothing else earns anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.checkers.counterexamples import check
from tests.loading import source
from tests.programs.checkers import signed_mechanisms

KNOWN = {n: m for n, m in vars(signed_mechanisms).items() if isinstance(m, Mechanism)}
RIGHT, WRONG = ([n for n in KNOWN if n.startswith(start)] for start in ("right", "wrong"))
ANNOTATED = ("two_sided_noise", "laplace_noise")


def discrete(folder: Path) -> dict[str, Mechanism]:
    """The same mechanisms with noise on the integers, of which probabilities are exact."""
    text = Path(str(signed_mechanisms.__file__)).read_text(encoding="utf-8")
    for real, whole in (("Laplace", "TwoSidedGeometric"), ("Exponential", "OneSidedGeometric")):
        text = text.replace(f"sample({real}(", f"sample({whole}(")
    return source(folder, text)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_earned_may_be_spent(name: str) -> None:
    report = verify(KNOWN[name], replays=20)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.epsilon_upper == ("2*eps" if name == "right_when_both_are_paid" else "eps")


@pytest.mark.parametrize("name", [*WRONG, "unearned_by_two_sided_noise"])
def test_what_is_not_earned_is_not_proved(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is (Verdict.REFUTED if name in WRONG else Verdict.UNKNOWN)
    assert (report.refutation is not None) == (name in WRONG)
    if name.endswith(ANNOTATED):  # everything else about these shifts is right
        (reason,) = verify(KNOWN[name], effort=0).reasons
        assert "fails on 'cost'" in reason


def test_the_arguments_are_right(tmp_path: Path) -> None:
    """By exact enumeration: which of them are private, whatever is proved."""
    found = {name: check(m) for name, m in discrete(tmp_path).items()}
    assert found.keys() == KNOWN.keys()
    broken = {name for name, checked in found.items() if checked.violation}
    assert broken == set(WRONG)
    assert all(found[n].pairs and len(found[n].multiples) >= 2 for n in found.keys() - broken)
