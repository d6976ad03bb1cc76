"""A small campaign of changed certificates, the same in each run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shiftproof import verify
from shiftproof.mechanisms.laplace import laplace
from shiftproof.mechanisms.noisy_max import noisy_max
from shiftproof.mechanisms.sparse_vector import sparse_vector
from shiftproof.workspace.files import write_certificates
from tests.checkers.kernel.mutating import Campaign, Certificate, counterexample, read_folder

WRONG = """\
@mechanism(DP())
def twice(q: Count, eps: Epsilon):
    x = sample(Laplace(1 / eps))
    yield q + x
    yield q
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Certificate]:
    folder: Path = tmp_path_factory.mktemp("certificates")
    write_certificates([verify(m) for m in (laplace, noisy_max, sparse_vector)], folder)
    found = read_folder(folder)
    assert len(found) == 3
    return found


def test_changed_certificates(good: list[Certificate]) -> None:
    campaign = Campaign(good, seed=1)
    campaign.certificates(150, anew=0.02)
    assert campaign.finds == []
    assert campaign.figures["accepted, the same text"] > 0


def test_weakened_questions(good: list[Certificate]) -> None:
    campaign = Campaign(good, seed=1)
    campaign.trees(15, 3)
    assert campaign.finds == [] and campaign.figures["weakened questions"] == 45


def test_files_that_are_no_certificates(good: list[Certificate]) -> None:
    campaign = Campaign(good, seed=1)
    campaign.files(300)
    assert campaign.finds == []


def test_what_decides_finds_a_wrong_text() -> None:
    assert counterexample(WRONG.splitlines()).startswith("refuted")


def test_the_seed_says_it_all(good: list[Certificate]) -> None:
    one, two = (Campaign(good, seed=3).mutator for _ in range(2))
    assert json.dumps(one.certificate(good[0])) == json.dumps(two.certificate(good[0]))
