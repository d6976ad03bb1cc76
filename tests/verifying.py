"""Reports of programs that a test writes down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shiftproof import Report, verify
from tests.loading import source


def verified(tmp_path: Path, text: str, **options: Any) -> Report:
    """The report of the mechanism ``m``: no fault, and prover and kernel agree."""
    report = verify(source(tmp_path, text)["m"], **options)
    assert not report.fault and not any(r.startswith("alarm") for r in report.reasons)
    return report
