"""The users' own numbers, from a file: one a line, or the sizes of market baskets."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput, Location
from ..files import read_whole
from .baskets import read_item_counts


def read_numbers(path: Path) -> NDArray[np.float64]:
    """One finite number a line, in the order of the file; blank lines may end it.

    Raises:
        BadInput: the file cannot be read or has none, or a line is no number; says where.
    """
    lines = read_whole(path, lambda content: content.decode(errors="replace").rstrip().splitlines())
    if not lines:
        raise BadInput("no number in the file: want one a line", Location(str(path), 1, 1))
    found = np.empty(len(lines))
    for k, line in enumerate(lines):
        try:
            found[k] = float(line)
        except ValueError:
            found[k] = math.nan
        if not math.isfinite(found[k]):
            raise BadInput(
                f"{line.strip()!r:.60} is no number: want one a line, as in '17.5'",
                Location(str(path), k + 1, 1),
            )
    return found


def read_basket_sizes(path: Path) -> NDArray[np.float64]:
    """How many items each basket of a FIMI file has, ascending.

    Raises:
        BadInput: it is no basket file; see :func:`.baskets.read_item_counts`.
    """
    sizes = sorted(read_item_counts(path).sizes.items())
    return np.repeat(*(np.array(column) for column in zip(*sizes, strict=True))).astype(float)
