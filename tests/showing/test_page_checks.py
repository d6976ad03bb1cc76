"""What a page says of the obligations of its proof: as many as the kernel asks, in plain words."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from shiftproof.checkers.kernel import check as kernel
from shiftproof.checkers.walking.certificate import Certificate
from shiftproof.showing.explaining import checks
from shiftproof.showing.explaining.as_html import as_html
from shiftproof.showing.explaining.checks.owed import owed_of
from tests.sampling import every
from tests.showing.accounts import FILES, account
from tests.showing.page_obligations import parts_of, problem

PROVED = [name for name, file in FILES.items() if b'"kind": "proof"' in file.read_bytes()]


def certificate_of(name: str) -> Certificate:
    about = account(name).about
    assert about is not None and isinstance(about.report.certificate, Certificate)
    return about.report.certificate


@pytest.mark.parametrize("name", every(10, PROVED))
def test_as_many_as_the_kernel_asks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refuted: list[str] = []
    for module in ("paired.runs", "sums.cleared", "enumeration.quotients"):
        place = f"shiftproof.checkers.kernel.{module}.refute"
        monkeypatch.setattr(place, lambda unknowns, conditions, tree: refuted.append(tree))
    asked = kernel.check_file(FILES[name].read_bytes()).questions
    monkeypatch.undo()
    certificate = certificate_of(name)
    owed = owed_of(certificate)
    assert owed.count == len(refuted)
    assert [tree for part in owed.parts for _, _, tree in part.obligations] == refuted
    if certificate.enumeration is None:
        assert owed.questions == asked
    page = account(name).as_html()
    if not owed.count:
        assert "application/json" not in page
        return
    parts = parts_of(page)
    assert f'data-owed="{sum(len(part["owed"]) for part in parts)}"' in page
    assert sum(len(part["owed"]) for part in parts) == owed.count
    assert not any(problem(part, one) for part in parts for one in part["owed"])


def test_each_kind_of_proof_says_what_is_not_checked() -> None:
    for name, said in {
        "asymmetric_sparse_vector": "Which obligations the program owes is the kernel's word",
        "k_ary_response": "Not checked here: which ways a run has",
        "optimised_unary_encoding": "Not checked here: which ways the draws have",
        "permute_and_flip": "The browser does not check that",
        "histogram_in_parallel": "has a proof of its own",
    }.items():
        assert said in html.unescape(account(name).as_html()), name
    assert "No part of this proof is checked" in account("permute_and_flip").as_html()
    refuted = next(name for name in FILES if name not in PROVED)
    assert "What this browser checks" not in account(refuted).as_html()


def test_the_checker_is_short_enough_to_be_read() -> None:
    text = Path(checks.__path__[0], "checking.js").read_text("utf-8")
    assert len(text.splitlines()) <= 250
    assert text in account("noisy_count").as_html()


def test_a_proof_that_the_kernel_refuses_is_loud() -> None:
    found = account("noisy_count")
    assert found.about is not None
    (part,) = certificate_of("noisy_count").parts
    wrong = structs.replace(part, trees=(*part.trees[:-1], "f 0"))
    certificate = structs.replace(certificate_of("noisy_count"), parts=(wrong,))
    report = replace(found.about.report, certificate=certificate)
    text = as_html([replace(found, about=replace(found.about, report=report))])
    assert '<p class="checked bad">The kernel does not agree to this proof.</p>' in text
    assert "a sum of facts is not false" in text and "application/json" not in text
