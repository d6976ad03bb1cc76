"""The Python files of a folder, without those that git leaves alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..dsl.errors import BadInput
from .importing import with_mechanisms

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

#: What the ``.gitignore`` of a folder says.
Rules: TypeAlias = "tuple[Path, GitIgnoreSpec]"


def with_files(targets: Sequence[str]) -> list[str]:
    """The targets with the files that make mechanisms in the place of each folder, each once.

    Raises:
        BadInput: no file of a folder makes any.
    """
    found: list[str] = []
    for target in targets:
        if not Path(target).is_dir():
            found.append(target)
            continue
        files = with_mechanisms([str(file) for file in python_files(Path(target))])
        if not files:
            raise BadInput(
                f"{target}: no file in this folder makes a mechanism; @mechanism(…) makes one "
                "(what .gitignore names, hidden folders and environments are left out)"
            )
        found += files
    return list(dict.fromkeys(found))


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files of a folder and of those in it, in order.

    Left out are hidden ones, virtual environments, and what ``.gitignore`` files say, from the top
    of the repository down.
    """
    yield from _below(folder, _rules_above(folder.resolve()))


def _below(folder: Path, rules: Sequence[Rules]) -> Iterator[Path]:
    rules = [*rules, *_rules_of(folder)]
    for entry in sorted(folder.iterdir()):
        is_folder = entry.is_dir()
        if entry.name.startswith(".") or _is_ignored(entry, is_folder, rules):
            continue
        if is_folder:
            if not (entry / "pyvenv.cfg").exists() and not entry.is_symlink():
                yield from _below(entry, rules)
        elif entry.suffix == ".py":
            yield entry


def _rules_above(folder: Path) -> list[Rules]:
    """The rules of the folders around one, up to the top of its repository, if it is in one."""
    around = [folder, *folder.parents]
    top = next((k for k, place in enumerate(around) if (place / ".git").exists()), 0)
    return [rules for place in around[top:0:-1] for rules in _rules_of(place)]


def _rules_of(folder: Path) -> list[Rules]:
    from pathspec import GitIgnoreSpec

    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [(folder.resolve(), GitIgnoreSpec.from_lines(lines))]


def _is_ignored(entry: Path, is_folder: bool, rules: Sequence[Rules]) -> bool:
    """What the innermost rules say that speak of it."""
    place = entry.parent.resolve() / entry.name
    ignored = False
    for folder, spec in rules:
        said = spec.check_file(os.path.relpath(place, folder) + "/" * is_folder).include
        ignored = ignored if said is None else said
    return ignored
