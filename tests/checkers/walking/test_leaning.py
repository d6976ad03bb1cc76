"""A proof about a mechanism that calls another leans on a proof of that one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from shiftproof.checkers.recheck import Rechecker, Standing
from tests.checkers.walking.certificates import (
    FILES,
    content,
    encoded,
    named,
    program_of,
    with_program,
)

COMPOSED = [
    c
    for c in map(content, FILES)
    if sum(line.startswith("@mechanism(") for line in c["program"]) > 1
]


def checked(folder: Path, *certificates: dict[str, Any]) -> list[Standing]:
    paths = []
    for k, certificate in enumerate(certificates):
        paths.append(folder / f"{k}.json")
        paths[-1].write_bytes(encoded(certificate))
    return [r.standing for r in Rechecker().check_all(paths)]


def test_there_are_some() -> None:
    assert len(COMPOSED) >= 3


def test_it_names_what_it_calls() -> None:
    for certificate in COMPOSED:
        if certificate["kind"] == "proof":
            names = re.findall(r"^def (\w+)", program_of(certificate), re.MULTILINE)
            assert certificate["leans_on"].keys() & set(names[:-1]), certificate["mechanism"]


def test_a_proof_that_hides_what_it_leans_on_is_invalid(tmp_path: Path) -> None:
    """The callee has a hundredth of the noise that it claims to have."""
    certificate = named("first_above_with_count") | {"leans_on": {}}
    weak = program_of(certificate).replace(
        "noise = sample(Laplace(1 / eps))", "noise = sample(Laplace(0.01 / eps))"
    )
    assert weak != program_of(certificate)
    assert checked(tmp_path, with_program(certificate, weak)) == [Standing.INVALID]


def test_what_it_says_that_it_leans_on_must_be_there(tmp_path: Path) -> None:
    one = named("laplace")
    two = named("geometric") | {"leans_on": {"laplace": one["fingerprint"]}}
    assert checked(tmp_path, two)[-1] is Standing.INVALID


@pytest.mark.parametrize("text", ["", "x", "sha256:", "\u2081"])
def test_a_fingerprint_of_nothing(tmp_path: Path, text: str) -> None:
    certificate = named("laplace") | {"leans_on": {"other": text}}
    assert checked(tmp_path, certificate, named("geometric"))[0] is Standing.INVALID


def test_a_circle_holds_nothing_up(tmp_path: Path) -> None:
    """A certificate that leans on itself."""
    one = named("laplace")
    certificate = one | {"leans_on": {"laplace": one["fingerprint"]}}
    assert checked(tmp_path, certificate) == [Standing.INVALID]


def test_leaning_on_what_leans_on_nothing(tmp_path: Path) -> None:
    one, two, three = named("laplace"), named("geometric"), named("laplace_parallel")
    two["leans_on"] = {"laplace": one["fingerprint"]}
    three["leans_on"] = {"geometric": two["fingerprint"]}
    assert checked(tmp_path, three, two) == [Standing.INVALID, Standing.INVALID]
