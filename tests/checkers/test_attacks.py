"""Programs that a careless checker proves.  None of them may ever be proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import BadInput, Mechanism, Unsupported, Verdict, verify
from tests.loading import load

FOLDER = Path(__file__).parent.parent / "attacks"
FILES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_attack_is_proved(path: Path) -> None:
    """Each is unsupported with its place, or unknown with a reason; or it does not even load."""
    try:
        mechanisms = load(path)
    except (BadInput, Unsupported) as error:
        assert str(error)
        return
    attacks = {n: m for n, m in mechanisms.items() if not n.startswith("_")}
    assert attacks, path
    for name, mechanism in attacks.items():
        report = verify(mechanism)
        assert report.verdict not in (Verdict.PROVED, Verdict.BOUNDED), (name, report.alignment)
        assert report.reasons, name
        if report.verdict is Verdict.UNSUPPORTED:
            assert f"{path.name}:" in report.reasons[0] or name in report.reasons[0], report.reasons


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
