"""Several findings as one."""

from __future__ import annotations

from ..claim import Finding


def together(*findings: Finding) -> Finding:
    """All of them hold; the detail is that of the first that does not."""
    for finding in findings:
        if not finding.holds:
            return finding
    return Finding(True, "; ".join(dict.fromkeys(finding.detail for finding in findings)))
