"""Advice works: with the line that is told, the mechanism is proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shiftproof import verify
from shiftproof.checkers.verdicts import Verdict
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS
from tests.sampling import every

FILE = PROGRAMS / "checkers" / "advised_mechanisms.py"
ASSERTS = {
    "lengths": "assert len(f) >= 1",
    "mean": "assert n >= 1",
    "scale": "assert w > 0",
    "answers": "assert c >= 1",
    "named": "assert D > 0",
    "element": "assert n < len(f)",
    "mean_of_values": "assert len(x) >= 1",
    "first_ones": "assert k <= len(f) and k >= 1",
}


def advice_of(name: str) -> list[str]:
    (mechanism,) = resolve(f"{FILE}::{name}")
    report = verify(mechanism, effort=500)
    assert report.verdict in (Verdict.UNKNOWN, Verdict.UNSUPPORTED)
    return [reason for reason in report.reasons if reason.startswith("proved ")]


def verdict_of(text: str, name: str, folder: Path) -> Verdict:
    (folder / "edited.py").write_text(text)
    (mechanism,) = resolve(f"{folder / 'edited.py'}::{name}")
    return verify(mechanism, effort=0).verdict


@pytest.mark.parametrize("name", every(4, ASSERTS))
def test_a_precondition_to_paste(name: str, tmp_path: Path) -> None:
    (said,) = advice_of(name)
    line = said.removeprefix("proved with this line at the beginning: ")
    assert line == ASSERTS[name]
    head = re.compile(rf"(def {name}\(.*?:\n)(    )", re.DOTALL)
    edited = head.sub(rf"\1    {line}\n\2", FILE.read_text(), count=1)
    assert verdict_of(edited, name, tmp_path) is Verdict.PROVED


def test_noise_that_is_drawn_too_early(tmp_path: Path) -> None:
    (said,) = advice_of("noise_first")
    found = re.search(r"draw 'noise' \(line (\d+)\) right before line (\d+)", said)
    assert found is not None
    draw, before = (int(place) - 1 for place in found.groups())
    lines = FILE.read_text().split("\n")
    lines.insert(before, lines[draw])
    del lines[draw]
    assert verdict_of("\n".join(lines), "noise_first", tmp_path) is Verdict.PROVED


def test_nothing_is_said_where_no_line_helps() -> None:
    assert advice_of("private_test") == []
