"""Files that are written at once, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .dsl.errors import BadInput


def write_whole(file: Path, text: bytes) -> None:
    """Write a file at once, or not at all.

    What is no plain file, like a pipe, is written to as it is.

    Raises:
        BadInput: it cannot be written.
    """
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(text)
            return
        target = Path(os.path.realpath(file))  # a link stays one
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text)
            os.chmod(temporary, 0o644)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise BadInput(f"{file}: cannot be written: {error.strerror}") from None


def writable(file: Path) -> None:
    """Make sure, before long work, that its answer will have a place.

    Raises:
        BadInput: there is no folder for it, or it is one itself, or its owner permits nobody else
            to write there.
    """
    if file.is_dir():
        raise BadInput(f"{file}: cannot be written: it is a folder")
    if not file.parent.is_dir():
        raise BadInput(f"{file}: cannot be written: there is no folder {file.parent}")
    # A file is written anew, so it is the folder that counts; what is no plain file stays.
    special = file.exists() and not file.is_file()
    place = file if special else Path(os.path.realpath(file)).parent
    if not os.access(place, os.W_OK if special else os.W_OK | os.X_OK):
        raise BadInput(f"{file}: cannot be written: no permission to write to {place}")
