"""Files that must be different ones: what is written must not replace what is read."""

from __future__ import annotations

import os
from pathlib import Path

from .dsl.errors import BadInput


def keep_apart(**files: Path | None) -> None:
    """Make sure, before long work, that no file is named for two things.

    Args:
        files: each file by what it is for, as messages call it; ``None`` if there is none.  What
            is no plain file, like a pipe, may be for many.

    Raises:
        BadInput: two are the same.
    """
    uses: dict[str, str] = {}
    for use, file in files.items():
        if file is None or (file.exists() and not file.is_file()):
            continue
        other = uses.setdefault(os.path.realpath(file), use)
        if other != use:
            raise BadInput(f"{file}: it is {other} and {use} at once; want another file for one")
