"""A ``while True`` is left by its breaks: what all of them assign has a value afterwards."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shiftproof import Unsupported
from tests.loading import load

HEAD = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample


@mechanism(DP())
def leaves(f: Count, eps: Epsilon) -> float:
    y = sample(Laplace(1 / eps))
"""


def made(tmp_path: Path, body: str) -> object:
    path = tmp_path / "leaves.py"
    path.write_text(HEAD + textwrap.indent(textwrap.dedent(body), "    "), encoding="utf-8")
    return load(path)["leaves"].program


@pytest.mark.parametrize(
    "body",
    [
        """
        while True:
            x = sample(Laplace(1 / eps))
            if x > 0:
                break
        return f + x
        """,
        """
        while True:
            if y > 0:
                x = 1
                break
            else:
                x = 2
            if y < -3:
                break
        return f + y + x
        """,
    ],
)
def test_what_every_break_assigns(body: str, tmp_path: Path) -> None:
    assert made(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        """
        while True:
            if f > 3:
                break
            x = 1
            break
        return f + y + x
        """,
        """
        while True:
            for i in range(2):
                x = 1
                break
            break
        return f + y + x
        """,
        """
        while y > 0:
            x = 1
            break
        return f + y + x
        """,
    ],
)
def test_what_one_way_out_does_not(body: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="'x' may be used before it has a value"):
        made(tmp_path, body)
