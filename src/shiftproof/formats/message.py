"""One answer in full as plain lines, where there is room for a single mechanism's."""

from __future__ import annotations

from .names import cleaned
from .record import Record


def message(record: Record) -> str:
    """What is to be looked at, the claim, where it stands, and the witness or the reasons."""
    headlines = [finding.headline for finding in record.unexpected]
    first = headlines[0] if headlines else f"{record.name}: {record.answer}"
    lines = [first, *headlines[1:], f"  at: {cleaned(str(record.place))}"]
    for label in ("certificate", "claim", "if"):
        if label in record.details:
            lines.append(f"  {label}: {record.details[label]}")
    for text in record.explanation:
        lines += [f"  {line}" for line in text.splitlines()]
    return "\n".join(lines)
