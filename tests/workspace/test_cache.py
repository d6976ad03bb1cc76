"""``verify --cache``: unchanged mechanisms are not proved again, changed ones are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main

FILE = """
from shiftproof import DP, Counts, Epsilon, Value, Laplace, mechanism, sample
from typing import Annotated

@mechanism(DP())
def noisy(q: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise

@mechanism(DP(), expect="refuted")
def too_noisy(q: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (2 * eps)))
    return q + noise
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(FILE, encoding="utf-8")
    return tmp_path


def verified() -> tuple[int, list[str]]:
    result = CliRunner().invoke(main, ["verify", "m.py", "--cache", "kept", "--format", "text"])
    shown = [line[:70].rstrip() for line in result.output.splitlines()]
    return result.exit_code, [line for line in shown if "noisy" in line or "line " in line]


def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mechanisms that are searched for alignments from here on."""
    from shiftproof.checkers.proving import aligned as module

    seen: list[str] = []
    real = module.findings_of

    def spy(program):  # type: ignore[no-untyped-def]
        seen.append(program.name)
        return real(program)

    monkeypatch.setattr(module, "findings_of", spy)
    return seen


def test_an_unchanged_mechanism_is_not_proved_again(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = verified()
    seen = searches(monkeypatch)
    assert verified() == first
    assert first[0] == 0 and seen == []


def test_places_move_with_the_file_and_comments_do_not_count(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, before = verified()
    seen = searches(monkeypatch)
    (work / "m.py").write_text("# a comment\n" * 5 + FILE, encoding="utf-8")
    _, after = verified()
    assert seen == []
    assert any("(line 7)" in line for line in before)
    assert any("(line 12)" in line for line in after)


def test_a_changed_mechanism_is_decided_anew(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verified()
    seen = searches(monkeypatch)
    (work / "m.py").write_text(FILE.replace("Laplace(1 / eps)", "Laplace(0.5 / eps)"))
    status, lines = verified()
    assert set(seen) == {"noisy"} and status == 1
    assert any("refuted" in line for line in lines if line.startswith("noisy"))


def test_a_broken_entry_is_as_good_as_none(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verified()
    for entry in (work / "kept").glob("*.json"):
        entry.write_text(entry.read_text()[:-40])
    seen = searches(monkeypatch)
    assert verified() == first
    assert sorted(seen) == ["noisy", "too_noisy"]


def test_what_was_not_decided_is_not_kept(work: Path) -> None:
    (work / "m.py").write_text(FILE.replace("return q + noise", "return q + noise % 1"))
    assert verified()[0] == 2
    assert not list(work.glob("kept/*.json"))


def test_assert_private_takes_kept_verdicts(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shiftproof import assert_private, one_mechanism

    noisy = one_mechanism("m.py::noisy")
    assert_private(noisy, cache=work / "kept")
    seen = searches(monkeypatch)
    assert_private(noisy, cache=work / "kept")
    assert seen == []


def test_what_is_taken_on_trust_is_kept(work: Path) -> None:
    """That of a mechanism which is called, too."""
    from shiftproof import one_mechanism, verify
    from shiftproof.workspace.cache import Cache

    (work / "m.py").write_text(
        "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
        "@mechanism(DP())\n"
        "def inner(q: Count, eps: Epsilon) -> float:\n"
        "    noise = sample(Laplace(1 / eps))\n"
        "    return q + noise\n"
        "@mechanism(DP())\n"
        "def outer(h: Count, eps: Epsilon) -> float:\n"
        "    (a,) = inner(h, eps)\n"
        "    return a\n"
    )
    fresh, kept = (
        Cache(work / "kept").verified(one_mechanism("m.py::outer"), verify) for _ in range(2)
    )
    assert "sensitivity assumed: q counts values [1]" in fresh.assumptions
    assert kept.assumptions == fresh.assumptions
