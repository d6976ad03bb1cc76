"""An audit as a picture, in a file."""

from __future__ import annotations

from pathlib import Path

from ..checkers.auditing.result import Audit
from ..drawing import save
from ..plots.audit import plot_audit


def draw(audit: Audit, file: Path) -> None:
    """Draw the events; the file is written at once, or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    save(plot_audit(audit), file)
