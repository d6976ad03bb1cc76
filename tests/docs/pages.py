"""What the tests of documentation share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any


def commands_of(page: Path, command: str) -> list[tuple[str, str]]:
    """Each call of a command that a page shows, and what the page says that it prints."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"```console\n\$ shiftproof ({command} [^\n]*)\n(.*?)```", text, re.DOTALL)


def documented_keys(page: Path) -> set[str]:
    """The keys that the table of JSON output names."""
    table = page.read_text(encoding="utf-8").partition("## JSON")[2]
    return set(re.findall(r"`([a-z_]+)`", table)) - {"null"}


def keys(value: Any, closed: Set[str]) -> Iterator[str]:
    """The keys of objects, inside of them too; not those inside of what ``closed`` names."""
    if isinstance(value, list):
        for inner in value:
            yield from keys(inner, closed)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in closed:
                yield from keys(inner, closed)
