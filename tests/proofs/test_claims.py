"""The papers' claims: each comes to the verdict that is recorded, by checks that can fail."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from shiftproof.proofs.claims import TOPICS, Claim, Role, Verdict, claims, claims_on, settle
from shiftproof.proofs.claims.claim import verdict_of
from shiftproof.showing.answers.claims_pages import section_of
from tests.places import ROOT
from tests.sampling import every

from . import controls

ALL = claims()
PAGES = {page.stem: page.read_text() for page in (ROOT / "docs" / "claims").glob("*.md")}
CONTROLS = [
    pytest.param(check, constants, id=f"{module.name}: {check.decide.__name__} {number}")
    for module in pkgutil.iter_modules(controls.__path__)
    for number, (check, constants) in enumerate(
        importlib.import_module(f"{controls.__name__}.{module.name}").CONTROLS
    )
]


@pytest.mark.parametrize("claim", every(2, ALL), ids=lambda c: f"{c.paper.key}: {c.name}")
def test_verdict_is_the_recorded_one(claim: Claim) -> None:
    settled = settle(claim)
    assert settled.verdict is claim.verdict, [f.detail for _, f in settled.findings]
    (topic,) = (topic for topic in TOPICS if claim in claims_on(topic))
    # Findings may differ by solver.
    assert section_of(settled).partition("\n- ")[0] in PAGES[topic.key]


@pytest.mark.parametrize(("check", "constants"), every(12, CONTROLS))
def test_other_constants_turn_the_finding_around(check: Any, constants: dict[str, Any]) -> None:
    assert check(**constants).holds is not check().holds


@pytest.mark.parametrize("claim", ALL, ids=lambda c: f"{c.paper.key}: {c.name}")
def test_entries_say_what_a_reader_needs(claim: Claim) -> None:
    assert claim.states
    if claim.verdict is Verdict.NOT_CHECKED:
        assert claim.argument and not claim.checks
    for check in claim.checks:
        assert check.says and check.method and check.how
    roles = {check.role for check in claim.checks}
    if claim.verdict is Verdict.FALSE:
        assert Role.REPAIRED in roles or claim.argument
    if claim.verdict is Verdict.TRUE_UNDER:
        assert Role.UNDER in roles


def test_every_check_has_a_control() -> None:
    controlled = {id(control.values[0]) for control in CONTROLS}
    assert not [c.says for claim in ALL for c in claim.checks if id(c) not in controlled]


def test_every_topic_has_its_page_and_no_other_page_is_left() -> None:
    assert set(PAGES) == {topic.key for topic in TOPICS}
    contents = (ROOT / "docs" / "claims.md").read_text()
    for topic in TOPICS:
        row = f"| [{topic.title}](claims/{topic.key}.md) | {len(claims_on(topic))} | "
        assert row in contents
        assert len(PAGES[topic.key].splitlines()) < 400, "a page that nobody reads to its end"


def test_names_are_unique() -> None:
    names = [(claim.paper, claim.name) for claim in ALL]
    assert len(set(names)) == len(names)


P, R, U, S, M = Role.PRINTED, Role.READING, Role.UNDER, Role.REPAIRED, Role.MOREOVER


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([], Verdict.NOT_CHECKED),
        ([(P, True)], Verdict.TRUE),
        ([(P, True), (P, False)], Verdict.FALSE),
        ([(P, False), (S, True)], Verdict.FALSE),
        ([(P, False), (S, False)], Verdict.UNSETTLED),
        ([(P, True), (S, False)], Verdict.UNSETTLED),
        ([(P, True), (M, False)], Verdict.UNSETTLED),
        ([(P, False), (U, True)], Verdict.TRUE_UNDER),
        ([(P, False), (U, False)], Verdict.UNSETTLED),
        ([(R, True), (R, False)], Verdict.AMBIGUOUS),
        ([(R, True), (R, True)], Verdict.TRUE),
        ([(R, False), (R, False), (S, True)], Verdict.FALSE),
        ([(S, True)], Verdict.UNSETTLED),
    ],
)
def test_verdict_follows_from_findings(found: list[tuple[Role, bool]], verdict: Verdict) -> None:
    assert verdict_of(found) is verdict
