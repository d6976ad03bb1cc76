"""What is averaged, compared or chosen is proved for all sizes, and refuted with less noise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.loading import source
from tests.programs.checkers import averaged_mechanisms
from tests.sampling import every

KNOWN = {n: m for n, m in vars(averaged_mechanisms).items() if isinstance(m, Mechanism)}
SCALE = re.compile(r"(sample\(\w+\()([0-9.]+)( / eps\))")


@pytest.fixture(scope="module")
def cheap(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mechanism]:
    """The same mechanisms, each with a tenth less noise."""
    text = Path(str(averaged_mechanisms.__file__)).read_text(encoding="utf-8")
    less, count = SCALE.subn(lambda m: f"{m[1]}{0.9 * float(m[2]):.4g}{m[3]}", text)
    assert count == text.count("sample(")
    return source(tmp_path_factory.mktemp("cheap"), less)


@pytest.mark.parametrize("name", every(3, KNOWN))
def test_it_is_proved(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is Verdict.PROVED and report.sizes == "all", report.reasons


@pytest.mark.parametrize("name", KNOWN)
def test_with_less_noise_it_is_refuted(cheap: dict[str, Mechanism], name: str) -> None:
    report = verify(cheap[name])
    assert report.verdict is Verdict.REFUTED, report.reasons
