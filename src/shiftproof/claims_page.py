"""The papers' claims as a page to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .proofs.claims import Check, Finding, Settled

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
    from .proofs.claims import Paper, Verdict

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
