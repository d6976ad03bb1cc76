"""``shiftproof claims``: the table, the details, the formats, the page, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.claims import page_of, plain
from shiftproof.commands.cli import main
from shiftproof.proofs.claims import Claim, Finding, Paper, Settled, Verdict, settle
from shiftproof.proofs.claims.claim import Undecided, printed, repaired
from shiftproof.showing.answers.claims import of_claims
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


def test_the_page_has_a_section_for_each(tmp_path: Path) -> None:
    page = page_of([settled(Verdict.FALSE, never), settled(Verdict.TRUE, well)])
    assert page.count("### Theorem 0: ") == 2
    assert "**fails**: all \\| was \\*well\\*" in page and "Reading: of today." in page
    file = tmp_path / "page.md"
    assert run("Theorem 8", "--paper", "asymmetric-dp", "--page", str(file)).exit_code == 0
    assert "### Theorem 8: true" in file.read_text()


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
