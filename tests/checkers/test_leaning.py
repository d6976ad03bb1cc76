"""A proof that leans on others is as good as they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.checkers.recheck import Recheck, Rechecker, Standing
from shiftproof.workspace.files import write_certificates
from tests.loading import source
from tests.programs.checkers.miscomposed_mechanisms import WRONG_BELOW

TEXT = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def one(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale} / eps))
    return q + noise

@mechanism(DP())
def two(q: Count, eps: Epsilon) -> tuple[float, float]:
    (a,) = one(q, eps / 2)
    (b,) = one(q, eps / 2)
    return a, b

@mechanism(DP())
def three(q: Count, eps: Epsilon) -> tuple[float, float, float]:
    a, b = two(q, eps / 2)
    (c,) = one(q, eps / 2)
    return a, b, c
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("leaning")
    found = source(folder, TEXT.format(scale=1))
    reports = [verify(found[name]) for name in ("one", "two", "three")]
    assert all(r.verdict is Verdict.PROVED for r in reports), [r.reasons for r in reports]
    write_certificates(reports, folder / "proofs")
    return folder


@pytest.fixture
def proofs(written: Path, tmp_path: Path) -> dict[str, Path]:
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    files = (tmp_path / "proofs").glob("*.json")
    return {json.loads(f.read_text())["mechanism"]: f for f in files}


def checked(*files: Path) -> dict[str, Recheck]:
    return {r.mechanism: r for r in Rechecker().check_all(files)}


def test_all_together_are_valid(proofs: dict[str, Path]) -> None:
    assert {r.standing for r in checked(*proofs.values()).values()} == {Standing.VALID}


def test_what_lies_beside_is_looked_at(proofs: dict[str, Path]) -> None:
    assert checked(proofs["three"])["three"].standing is Standing.VALID


def test_without_what_it_leans_on_a_proof_is_invalid(proofs: dict[str, Path]) -> None:
    proofs["one"].unlink()
    found = checked(proofs["two"], proofs["three"])
    assert {r.standing for r in found.values()} == {Standing.INVALID}
    assert "no valid certificate of one" in found["two"].reasons[0]
    # three's callee two has a certificate, which leans on one that is gone
    assert any("two" in reason for reason in found["three"].reasons)


def test_a_bad_proof_takes_what_leans_on_it_along(proofs: dict[str, Path]) -> None:
    text = proofs["one"].read_text()
    assert '"q - other(q)"' in text
    proofs["one"].write_text(text.replace('"q - other(q)"', '"0"'))
    found = checked(*proofs.values())
    assert {r.standing for r in found.values()} == {Standing.INVALID}


@pytest.mark.parametrize("edit", ["forgotten", "another", "more"])
def test_what_it_leans_on_is_named(proofs: dict[str, Path], edit: str) -> None:
    content = json.loads(proofs["two"].read_text())
    leans_on = {
        "forgotten": {},
        "another": {"one": "sha256:" + "0" * 64},
        "more": {**content["leans_on"], "three": "sha256:" + "0" * 64},
    }[edit]
    proofs["two"].write_text(json.dumps({**content, "leans_on": leans_on}))
    assert checked(*proofs.values())["two"].standing is Standing.INVALID


def test_a_call_of_what_is_not_proved_is_not_proved(tmp_path: Path) -> None:
    found = source(tmp_path, TEXT.format(scale=0.5))
    for name in ("one", "two", "three"):
        report = verify(found[name], effort=0)
        assert report.verdict is Verdict.UNKNOWN and report.certificate is None
        assert report.epsilon_upper is None
    assert "it calls one, which is not proved" in verify(found["two"], effort=0).reasons[0]


def test_the_callee_of_another_certificate_does_not_do(
    proofs: dict[str, Path], tmp_path: Path
) -> None:
    """A certificate of a mechanism of the same name, which is another one."""
    other = source(tmp_path, TEXT.format(scale=2).replace("def two", "def four"))
    write_certificates([verify(other["one"])], tmp_path / "others")
    (fresh,) = (tmp_path / "others").glob("*.json")
    proofs["one"].unlink()
    found = Rechecker().check_all([fresh, proofs["two"]])
    assert found[1].standing is Standing.INVALID


@pytest.mark.parametrize("mechanism", WRONG_BELOW, ids=lambda m: m.function.__name__)
def test_none_of_the_gallery_of_wrong_callees_is_proved(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.verdict not in (Verdict.PROVED, Verdict.BOUNDED)
    assert report.certificate is None or report.verdict is Verdict.REFUTED
