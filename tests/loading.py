"""Mechanisms from files, the way the command line loads a user's file."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from shiftproof import Mechanism

_count = itertools.count()


def load(path: Path) -> dict[str, Mechanism]:
    """The mechanisms that a file defines, by name; of the gallery, as a member of its package."""
    if path.parent.name == "mechanisms":
        member = importlib.import_module(f"shiftproof.mechanisms.{path.stem}")
        return {n: m for n, m in vars(member).items() if isinstance(m, Mechanism)}
    module = executed(path, f"loaded_{next(_count)}_{path.stem}")
    return {n: m for n, m in vars(module).items() if isinstance(m, Mechanism)}


class _AsItIs(importlib.machinery.SourceFileLoader):
    """Reads no bytecode: a test may write a file twice in a second."""

    def path_stats(self, path: object) -> dict[str, float]:
        raise OSError(f"{path}: its age does not matter")


def executed(path: Path, name: str) -> ModuleType:
    """The module in a file, imported under this name."""
    loader = _AsItIs(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def source(tmp_path: Path, text: str) -> dict[str, Mechanism]:
    """The mechanisms of a piece of source text."""
    path = tmp_path / f"source_{next(_count)}.py"
    path.write_text(text, encoding="utf-8")
    return load(path)


def everything(folder: Path, pattern: str) -> Iterator[tuple[str, Mechanism]]:
    """All mechanisms of the files in a folder, as ``file::name``."""
    for path in sorted(folder.glob(pattern)):
        for name, mechanism in load(path).items():
            yield f"{path.stem}::{name}", mechanism
