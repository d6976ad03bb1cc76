"""Where only one answer differs, that answer's index takes part in ``argmax`` and ``top_k``."""

from __future__ import annotations

import pytest

from shiftproof import Mechanism, verify
from tests.programs.checkers import picked_mechanisms

KNOWN = {n: m for n, m in vars(picked_mechanisms).items() if isinstance(m, Mechanism)}


@pytest.mark.parametrize("name", KNOWN)
def test_the_index_that_differs_is_not_forgotten(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.as_expected, (report.verdict, report.reasons)
    assert str(report.verdict) == KNOWN[name].expect
