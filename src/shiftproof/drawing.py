"""Pictures: where they can be drawn, and how they come into a file."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any

from .dsl.errors import BadInput
from .files import writable, write_whole

SUFFIXES = (".png", ".svg", ".pdf")
BLUE, RED = "#31688e", "#b5402f"


def check_drawable(file: Path) -> None:
    """Make sure, before long work, that a picture can be drawn there.

    Raises:
        BadInput: the suffix is none of :data:`SUFFIXES`, matplotlib is not installed, or there is
            no folder for the file.
    """
    if file.suffix.lower() not in SUFFIXES:
        raise BadInput(f"{file}: what kind of picture? want a name that ends in {_or(SUFFIXES)}")
    writable(file)
    try:
        importlib.import_module("matplotlib")
    except ImportError:
        raise BadInput(
            f"{file}: matplotlib is not installed; pip install 'shiftproof[plot]'"
        ) from None


def _or(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def new_figure(width: float, height: float) -> Any:
    """An empty figure of matplotlib, its size in inches."""
    figures: Any = importlib.import_module("matplotlib.figure")
    return figures.Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, file: Path) -> None:
    """Write a figure; the file is written at once, or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    drawn = io.BytesIO()
    figure.savefig(drawn, format=file.suffix.lower()[1:], dpi=150)
    write_whole(file, drawn.getvalue())
