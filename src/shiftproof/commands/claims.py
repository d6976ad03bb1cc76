"""``shiftproof claims``: what the papers claim, decided by machine, and as a page to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..dsl.errors import BadInput, did_you_mean
from .common.answering import examples, give
from .common.options import Output, output_options

if TYPE_CHECKING:
    from ..proofs.claims import Check, Claim, Finding, Settled

_PAPERS = ("asymmetric-dp", "minimum-finding", "geometric-noise")


@click.command(
    epilog=examples(
        "claims --paper asymmetric-dp", 'claims "Theorem 9"', "claims --page claims.md"
    ),
    short_help="Decide what the papers claim.",
)
@click.argument("names", nargs=-1, metavar="[CLAIM]...")
@click.option("--paper", type=click.Choice(_PAPERS), help="Only the claims of this paper.")
@click.option("--details", is_flag=True, help="Show each check, and what it found.")
@click.option(
    "--page", type=click.Path(path_type=Path), metavar="FILE",
    help="Write everything as a page to read, in Markdown.",
)  # fmt: skip
@output_options
def claims(
    names: tuple[str, ...],
    paper: str | None,
    details: bool,
    page: Path | None,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Decide what the papers claim: each statement by checks that could come out otherwise.

    CLAIM is the name of a claim or a part of it, as "Theorem 9"; with any, the checks are shown.
    Without, all claims of all papers are decided.

    \b
    Exit status:
      0  every verdict is the recorded one
      1  a verdict is another one
      3  the input is bad
    """
    if page is not None:
        from ..workspace.files import keep_apart, writable

        writable(page)
        for _, file in outputs:
            keep_apart(**{"--page": page, "--output": file})
    from ..proofs.claims import settle
    from ..showing.answers.claims import of_claims
    from ..showing.report import progress
    from ..workspace.interrupts import interruptible

    chosen = _chosen(names, paper)
    settled: list[Settled] = []
    with progress(len(chosen)) as show, interruptible():
        for claim in chosen:
            show(len(settled), claim.name)
            settled.append(settle(claim))
    if page is not None:
        from ..workspace.files import write_whole

        write_whole(page, page_of(settled).encode())
    return give(of_claims(settled, details or bool(names)), form, outputs)


def _chosen(names: Sequence[str], paper: str | None) -> list[Claim]:
    """The claims that are asked for, in the order of the papers."""
    from ..proofs.claims import Paper
    from ..proofs.claims import claims as all_claims

    found = all_claims(next((each for each in Paper if each.key == paper), None))
    if not names:
        return list(found)
    chosen: set[str] = set()
    for name in names:
        wanted = name.strip().casefold()
        if not wanted:
            raise BadInput("a claim without a name; shiftproof claims lists all")
        exact = [c.name for c in found if c.name.casefold() == wanted]
        named = exact or [c.name for c in found if wanted in c.name.casefold()]
        if not named:
            known = [c.name for c in found]
            hint = did_you_mean(name, known, "shiftproof claims lists all", most=3)
            raise BadInput(f"no claim is called {name!r}; {hint}")
        chosen.update(named)
    return [claim for claim in found if claim.name in chosen]


# The papers' claims as a page to read.

#: What would be read as Markdown or HTML; an underscore inside a word would not.
_SPECIAL = re.compile(r"([\\`*\[\]~|]|<(?=[A-Za-z/!?])|_(?!\w)|(?<!\w)_)")
_CODE = re.compile(r"``([^`]+)``")
_OPENING = """\
# What the papers claim, decided by machine

`shiftproof claims` decides each statement below by checks that could come out otherwise, and
`shiftproof claims --page FILE` writes this page. The verdict is about the statement as it is
printed; where the formulas of a text are lost, it is about what was restored, and the reading says
so. Constants can be changed in the checks (`proofs/claims/`), and tests do so: the finding
must then turn around.
"""


def page_of(settled: Sequence[Settled]) -> str:
    """All claims: what the verdicts mean, a table a paper, and a section a claim."""
    from ..proofs.claims import Paper, Verdict

    lines = [_OPENING, "| verdict | means | claims |", "| --- | --- | --- |"]
    counts = Counter(each.verdict for each in settled)
    lines += [f"| {v.text} | {v.meaning} | {counts[v]} |" for v in Verdict if counts[v]]
    for paper in Paper:
        own = [each for each in settled if each.claim.paper is paper]
        if not own:
            continue
        lines += ["", f"## {paper.title}", "", "| claim | verdict |", "| --- | --- |"]
        lines += [f"| {plain(each.claim.name)} | {each.verdict.text} |" for each in own]
        lines += [section_of(each) for each in own]
    return "\n".join([*lines, ""])


def section_of(settled: Settled) -> str:
    """One claim: what is stated, how it is read, each check and what it found."""
    claim = settled.claim
    lines = ["", f"### {plain(claim.name)}: {settled.verdict.text}", "", f"> {plain(claim.states)}"]
    if claim.reading:
        lines += ["", f"Reading: {plain(claim.reading)}."]
    if settled.findings:
        lines.append("")
    lines += [_item(check, finding) for check, finding in settled.findings]
    if claim.argument:
        lines += ["", f"By hand: {plain(claim.argument)}"]
    return "\n".join(lines)


def _item(check: Check, finding: Finding) -> str:
    answer = "holds" if finding.holds else "fails"
    lines = [
        f"- *{check.role.value}*: {plain(check.says)} ({plain(check.method)})",
        f"  {plain(check.how)}",
        f"  **{answer}**: {plain(finding.detail)}",
    ]
    return "\\\n".join(lines)  # a backslash ends a line for the reader, too


def plain(text: str) -> str:
    """A text on one line that means nothing but itself in Markdown; ``code`` stays code."""
    parts = _CODE.split(" ".join(text.split()))  # every other part is code
    return "".join(
        f"`{part}`" if number % 2 else _SPECIAL.sub(r"\\\1", part)
        for number, part in enumerate(parts)
    )
