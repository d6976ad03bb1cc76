"""Files that are read, and written at once or not at all; certificates among them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..dsl.errors import BadInput, cell_of

if TYPE_CHECKING:
    from ..checkers.verdicts import Report
    from ..dsl.mechanism import Mechanism


T = TypeVar("T")


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


def read_whole(file: Path, read: Callable[[bytes], T]) -> T:
    """What a file says, to a reader of its bytes.

    Raises:
        BadInput: it cannot be read, or the reader refuses it.
    """
    try:
        return read(file.read_bytes())
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except BadInput as error:
        raise BadInput(f"{file}: {error.message}") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: is no JSON: {error}") from None


def make_folder(folder: Path) -> None:
    """Make a folder if there is none.

    Raises:
        BadInput: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made: {error.strerror}") from None


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


# Files that must be different ones: what is written must not replace what is read.


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


# Certificates on disk: one JSON file a mechanism, written at once or not at all.


def check_certificates_apart(mechanisms: Iterable[Mechanism[..., Any]], folder: Path) -> None:
    """Make sure, before long work, that each mechanism would have a file of its own.

    Raises:
        BadInput: two would share one.
    """
    known: set[Path] = set()
    for mechanism in mechanisms:
        path = _place(mechanism.location.file, mechanism.function.__name__, folder)
        _refuse_shared(path, known)
        known.add(path)


def _refuse_shared(path: Path, known: Container[Path]) -> None:
    """Refuse the place of a certificate that another mechanism has."""
    if path in known:
        raise BadInput(
            f"{path}: two mechanisms would share this file; give their certificates "
            "different folders"
        )


def _place(file: str, name: str, folder: Path) -> Path:
    """Where the certificate of a mechanism is."""
    stem = "notebook" if cell_of(file) else Path(file).stem
    return folder / f"{stem}.{name}.json"


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

    from ..checkers.walking.certificate import certificate_text

    texts: dict[Path, bytes] = {}
    for report in reports:
        if report.certificate is None:
            continue
        path = _place(report.file, report.mechanism, folder)
        _refuse_shared(path, texts)
        placed = msgspec.structs.replace(report.certificate, source=_seen(report.file, folder))
        texts[path] = certificate_text(placed).encode()
    make_folder(folder)
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
    from .. import proofs

    return Path(next(iter(proofs.__path__)))
