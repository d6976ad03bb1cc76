"""``shiftproof claims``: the table, the details, the formats, the page, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.cli import main
from shiftproof.proofs.claims import Claim, Finding, Paper, Settled, Verdict, claims, settle
from shiftproof.proofs.claims.claim import Undecided, printed, repaired
from shiftproof.showing.answers.claims import of_claims
from shiftproof.showing.answers.claims_pages import plain, section_of, topic_pages
from shiftproof.showing.formats import FORMATS, rendered


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["claims", *arguments])


@printed("all is well", by="a look")
def well(so: bool = True) -> Finding:
    """One looks."""
    return Finding(so, "one looked")


@printed("nothing is well", by="a look")
def never() -> Finding:
    """One looks."""
    return Finding(False, "all | was *well*")


@repaired("some is well", by="Z3")
def unsure() -> Finding:
    """One asks."""
    raise Undecided("Z3 gave up")


def settled(verdict: Verdict, *checks: Any) -> Settled:
    paper = Paper.ASYMMETRIC_DP
    return settle(Claim(paper, "Theorem 0", "all is well", verdict, "of today", checks, "see"))


def test_a_claim_by_name_is_shown_with_its_checks() -> None:
    result = run("theorem 8", "--paper", "asymmetric-dp")
    assert result.exit_code == 0
    assert "as printed  Pr[OTP]" in result.stdout and "Z3, induction" in result.stdout
    assert "1 true; all as recorded" in result.stdout
    assert "reading" not in run("theorem 8", "--paper", "geometric-noise").stdout


def test_json_says_everything() -> None:
    (found,) = json.loads(run("Theorem 8", "--json").stdout)
    assert (found["paper"], found["verdict"], found["recorded"]) == (
        "asymmetric-dp", "true", "true",
    )  # fmt: skip
    assert all(check["how"] and check["holds"] for check in found["checks"])


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_another_verdict(form: str) -> None:
    answers = of_claims([settled(Verdict.TRUE, well, unsure)])
    assert answers.status == 1
    assert "unsettled" in rendered(answers, form)


def test_another_verdict_is_shown_with_its_checks() -> None:
    text = rendered(of_claims([settled(Verdict.TRUE, never)]), "table")
    assert "fails: all | was *well*" in text and "1 not as recorded" in text


def test_an_undecided_check_leaves_the_claim_unsettled() -> None:
    for checks in ([well, unsure], [unsure, well], [never, unsure]):
        assert settled(Verdict.FALSE, *checks).verdict is Verdict.UNSETTLED


def test_a_section_says_what_each_check_found() -> None:
    section = section_of(settled(Verdict.FALSE, never))
    assert section.startswith("\n## Theorem 0: false\n")
    assert "**fails**: all \\| was \\*well\\*" in section and "Reading: of today." in section


def test_pages_are_contents_and_a_page_for_each_topic(tmp_path: Path) -> None:
    contents = tmp_path / "said.md"
    assert run("Theorem 8", "Example 3", "--page", str(contents)).exit_code == 0
    topics = ["asymmetric_noise", "asymmetric_policies"]
    assert sorted(page.stem for page in (tmp_path / "said").iterdir()) == topics
    assert "\n## Theorem 8: true\n" in (tmp_path / "said" / "asymmetric_noise.md").read_text()
    text = contents.read_text()
    assert "[Example 3](said/asymmetric_policies.md#example-3-false)" in text
    assert "| true | the statement holds as it is printed | 1 |" in text
    assert "Fukuchi" not in text


def test_links_of_a_page_lead_to_its_sections() -> None:
    """As GitHub has them: letters, figures, dashes for spaces."""
    (claim,) = (c for c in claims(Paper.GEOMETRIC_NOISE) if c.name == "Theorem 4.2, proof")
    (page,) = topic_pages([settle(claim)]).values()
    assert "| [Theorem 4.2, proof](#theorem-42-proof-false) | false |" in page
    assert "\n## Theorem 4.2, proof: false\n" in page


def test_plain_text_means_nothing_in_markdown() -> None:
    assert plain("a_i * b\n <c>") == r"a_i \* b \<c>"
    assert plain("``a_i * b`` is *") == r"`a_i * b` is \*"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["theorm 8"], "did you mean 'Theorem 8"),
        (["qqqqqqqqqqqqqqqq"], "shiftproof claims lists all"),
        ([""], "a claim without a name"),
        (["--paper", "none"], "is not one of"),
        (["--page", "/nowhere/page.md"], "/nowhere"),
        (["--page", "claims"], "want a name like claims.md"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 3 and message in result.stderr


def test_a_page_is_no_other_output(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    result = run("Theorem 8", "--page", str(page), "--output", str(page))
    assert result.exit_code == 3 and "it is --page and --output at once" in result.stderr
    assert not page.exists()
