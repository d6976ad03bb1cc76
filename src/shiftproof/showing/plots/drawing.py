"""Pictures: where they can be drawn, how they look, and how they come into a file."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any

from ...dsl.errors import BadInput
from ...workspace.files import writable, write_whole

SUFFIXES = (".png", ".svg", ".pdf")
BLUE, RED = "#31688e", "#b5402f"
#: One for each line; dark and light alternate, and lines differ in their style besides.
COLOURS = (BLUE, RED, "#5a9e6f", "#8c6bb1", "#e58a1f", "#666666")

#: What would tell one run from the next is left out of files.
_DATES: dict[str, dict[str, Any]] = {
    ".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None},
}  # fmt: skip


def check_drawable(file: Path) -> None:
    """Make sure, before long work, that a picture can be drawn there.

    Raises:
        BadInput: the suffix is none of :data:`SUFFIXES`, matplotlib is not installed, or there is
            no folder for the file.
    """
    _kind_of(file)
    writable(file)
    try:
        matplotlib()
    except BadInput as error:
        raise BadInput(f"{file}: {error.message}") from None


def _kind_of(file: Path) -> str:
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        wanted = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise BadInput(f"{file}: what kind of picture? want a name that ends in {wanted}")
    return suffix


def matplotlib(part: str = "") -> Any:
    """The library, or a module of it.

    Raises:
        BadInput: it is not installed.
    """
    try:
        return importlib.import_module(f"matplotlib.{part}" if part else "matplotlib")
    except ImportError:
        raise BadInput("matplotlib is not installed; pip install 'shiftproof[plot]'") from None


def new_figure(width: float, height: float) -> Any:
    """An empty figure of matplotlib, its size in inches; the global state stays as it is.

    Raises:
        BadInput: matplotlib is not installed.
    """
    return matplotlib("figure").Figure(figsize=(width, height), layout="constrained")


def panels(
    axes: Any, shape: tuple[int, int], size: tuple[float, float], heights: tuple[float, ...] = ()
) -> tuple[Any, Any]:
    """The figure, and its axes as an array of a shape: rows, columns.

    Args:
        axes: those of the caller, as many, in any shape; ``None`` for a new figure.
        shape: how many rows and columns there are.
        size: width and height of a new figure, in inches.
        heights: of the rows of a new figure, one to another; alike by default.

    Raises:
        BadInput: they are not as many, or matplotlib is not installed.
    """
    import numpy as np

    if axes is None:
        figure = new_figure(*size)
        ratios = heights or (1.0,) * shape[0]
        return figure, figure.subplots(*shape, squeeze=False, height_ratios=ratios)
    given = np.array(axes, dtype=object)
    if given.size != shape[0] * shape[1]:
        wanted = f"{shape[0]} × {shape[1]}, rows by columns"
        raise BadInput(f"axes: got {given.size}; this picture needs {wanted}")
    grid = given.reshape(shape)
    return grid[0, 0].figure, grid


def frame(ax: Any, title: str, across: str, up: str, size: float = 10) -> None:
    """Name a panel and its axes, mark round numbers, and leave out lines that say nothing."""
    ax.set_title(title, fontsize=size, parse_math=False)
    ax.set_xlabel(across, parse_math=False)
    ax.set_ylabel(up, parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    linear = matplotlib("ticker").MaxNLocator
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_locator(), linear):
            axis.get_major_locator().set_params(steps=[1, 2, 5, 10])


def mark_across(ax: Any) -> None:
    """Mark 1, 2 and 5 of each power of ten on a logarithmic axis, as plain numbers."""
    ticker = matplotlib("ticker")
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_locator(ticker.NullLocator())


def save(figure: Any, file: Path) -> None:
    """Write a figure; the file is written at once, or not at all.

    The same picture is the same file, with the same version of matplotlib.

    Raises:
        BadInput: the file cannot be written, or not as a picture of its suffix.
    """
    suffix = _kind_of(file)
    drawn = io.BytesIO()
    with matplotlib().rc_context({"svg.hashsalt": "shiftproof"}):
        figure.savefig(drawn, format=suffix[1:], dpi=150, metadata=_DATES[suffix])
    write_whole(file, drawn.getvalue())
