"""Certificates on disk: one JSON file a mechanism, written at once or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .dsl.cells import cell_of
from .dsl.errors import BadInput

if TYPE_CHECKING:
    from .checkers.verdicts import Report


def write_certificates(reports: Iterable[Report], folder: Path) -> list[Path]:
    """Write the certificate of each proof and each refutation.

    A file is called after the file and the name of its mechanism, ``laplace.laplace.json``; after
    ``notebook`` and the name if that stands in a cell of a notebook, and then it names no source.

    Args:
        reports: what ``verify`` found.
        folder: where to; it is made if there is none.

    Returns:
        The files.

    Raises:
        BadInput: the folder or a file cannot be written, or two mechanisms would share a file.
    """
    import msgspec

    from .checkers.kernel.certificate import certificate_text
    from .files import write_whole

    texts: dict[Path, bytes] = {}
    for report in reports:
        if report.certificate is None:
            continue
        stem = "notebook" if cell_of(report.file) else Path(report.file).stem
        path = folder / f"{stem}.{report.mechanism}.json"
        if path in texts:
            raise BadInput(
                f"{path}: two mechanisms would share this file; give their certificates "
                "different folders"
            )
        placed = msgspec.structs.replace(report.certificate, source=_seen(report.file, folder))
        texts[path] = certificate_text(placed).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made: {error.strerror}") from None
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def _seen(file: str, folder: Path) -> str:
    """The path of a file from a folder, with slashes; empty if there is none, or it is a cell."""
    if cell_of(file):
        return ""
    try:
        # Links are followed, so that a link to a folder is as good as the folder.
        return Path(os.path.relpath(os.path.realpath(file), os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return ""


def certificate_files(places: Sequence[Path]) -> list[Path]:
    """The certificates in folders, their folders included, and single files as they are.

    Raises:
        BadInput: a folder holds none, or a place does not exist.
    """
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = sorted(place.rglob("*.json"))
            if not inside:
                raise BadInput(f"{place}: holds no certificate; verify --certificates writes them")
            found += inside
        elif place.exists():
            found.append(place)
        else:
            raise BadInput(f"{place}: no such file or folder")
    return list(dict.fromkeys(found))


def gallery_certificates() -> Path:
    """The folder with the certificates of the gallery."""
    from . import proofs

    return Path(next(iter(proofs.__path__)))
