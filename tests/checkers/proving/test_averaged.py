"""What is averaged, compared or chosen is proved for all sizes, and refuted with less noise."""

from __future__ import annotations

import pytest

from shiftproof import Mechanism, verify
from tests.programs.checkers import averaged_mechanisms

KNOWN = {n: m for n, m in vars(averaged_mechanisms).items() if isinstance(m, Mechanism)}


@pytest.mark.parametrize("name", KNOWN)
def test_it_is_decided(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.as_expected, report.reasons
    assert report.sizes == ("" if name.endswith("_cheaply") else "all")
