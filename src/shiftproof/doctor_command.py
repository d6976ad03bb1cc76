"""``shiftproof doctor``: whether all that is needed is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from .examples import examples
from .terminal import print_answer

if TYPE_CHECKING:
    from .health import Finding


@click.command(
    epilog=examples("doctor", "doctor --json"),
    short_help="Look whether the installation is whole.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> int:
    """Look whether the installation is whole, and say what is missing and what brings it.

    Packages with their versions, solvers (asked small questions), extras and what they are for,
    the rooms of the package, and the certificates of the gallery.

    \b
    Exit status:
      0  all that is needed is there; extras may be missing
      1  something is not, or does not work
    """
    from .health import findings
    from .report import json_text

    found = list(findings())
    hurts = any(finding.hurts for finding in found)
    print_answer(json_text(_plain(found, hurts)) if as_json else _as_text(found))
    return 1 if hurts else 0


def _plain(found: Sequence[Finding], hurts: bool) -> dict[str, object]:
    from dataclasses import asdict

    return {"ok": not hurts, "findings": [asdict(finding) for finding in found]}


def _as_text(found: Sequence[Finding]) -> str:
    lines: list[str] = []
    for part, its in groupby(found, key=lambda finding: finding.part):
        inside = list(its)
        lines.append(part)
        for it in inside:
            cells = [it.state.ljust(7), it.name.ljust(max(len(other.name) for other in inside))]
            width = max(len(other.version) for other in inside)
            cells += [it.version.ljust(width)] if width else []
            lines.append("  ".join(["", *cells, it.note]))
        lines.append("")
    hurting = [finding.name for finding in found if finding.hurts]
    closing = f"Not as it should be: {', '.join(hurting)}" if hurting else "All needed is there."
    return "\n".join([*lines, closing])
