"""What a page says of the obligations of its proof: as many as the kernel asks, in plain words."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from shiftproof.checkers.kernel import check as kernel
from shiftproof.checkers.walking.certificate import Certificate
from shiftproof.showing.explaining import checks
from shiftproof.showing.explaining.as_html import as_html
from shiftproof.showing.explaining.checks.owed import owed_of
from shiftproof.showing.explaining.explain import explain
from shiftproof.workspace.targets import one_mechanism
from tests.places import ROOT
from tests.sampling import every
from tests.showing.accounts import FILES, account
from tests.showing.page_obligations import parts_of, problem

ASYMMETRIC = ROOT / "src/shiftproof/mechanisms/asymmetric_sparse_vector.py"
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
    assert [tree for part in owed.parts for _, _, tree, _ in part.obligations] == refuted
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


def test_obligations_are_called_by_their_line_and_condition() -> None:
    named = explain(one_mechanism("asymmetric_sparse_vector")).as_html()
    lines = dict(enumerate(ASYMMETRIC.read_text("utf-8").split("\n"), start=1))
    found = [part["called"][one[3]] for part in parts_of(named) for one in part["owed"]]
    at: dict[str, set[str]] = {}
    for name in found:
        if placed := re.fullmatch("line ([0-9]+), (.*)", name):
            at.setdefault(placed[2], set()).add(lines[int(placed[1])].strip())
    assert at["support: the shifted noise is in the support"] == {
        "noise = sample(Exponential(c / eps))"
    }
    assert at["same samples: both runs take the same branch"] == {"if f[i] + noise >= T[i]:"}
    assert at["same output: the released values are equal"] == {"yield f[i] + noise"}
    assert at["cost: the shifts cost at most their bound in eps/c"] <= {
        "return",
        "for i in range(len(f)):",
    }
    assert at["one-sided claim: what is ensured is so"] == {"ensure(f[i] < T[i])"}
    assert "cost: eps/c is not negative" in found  # of no line


def test_lines_that_are_not_those_of_the_core_text_are_called_so() -> None:
    certificate, other = certificate_of("asymmetric_sparse_vector"), one_mechanism("laplace")
    for program in (None, other.program):
        names = {name for part in owed_of(certificate, program).parts for name in part.names}
        assert "line 9 of the core text, support: the shifted noise is in the support" in names


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
