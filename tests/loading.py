"""Mechanisms from files, the way the command line loads a user's file."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

from shiftproof import Mechanism

_count = itertools.count()


def load(path: Path) -> dict[str, Mechanism]:
    """The mechanisms that a file defines, by name; of the gallery, as a member of its package."""
    if path.parent.name == "mechanisms":
        member = importlib.import_module(f"shiftproof.mechanisms.{path.stem}")
        return {n: m for n, m in vars(member).items() if isinstance(m, Mechanism)}
    name = f"loaded_{next(_count)}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return {n: m for n, m in vars(module).items() if isinstance(m, Mechanism)}


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
