"""What the papers claim, as pages to read: the contents, and a page for each topic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...proofs.claims import Check, Finding, Settled, Topic

#: What would be read as Markdown or HTML; an underscore inside a word would not.
_SPECIAL = re.compile(r"([\\`*\[\]~|]|<(?=[A-Za-z/!?])|_(?!\w)|(?<!\w)_)")
_CODE = re.compile(r"``([^`]+)``")
_OPENING = """\
# What the papers claim, decided by machine

`shiftproof claims` decides each statement by checks that could come out otherwise, and
`shiftproof claims --page FILE` writes this page and those of the topics. The verdict is about the
statement as it is printed; where the formulas of a text are lost, it is about what was restored,
and the reading says so. Constants can be changed in the checks (`proofs/claims/`), and tests do so:
the finding must then turn around.
"""


def contents_of(settled: Sequence[Settled], folder: str) -> str:
    """What the verdicts mean, the topics of each paper, and links to all that is false.

    Args:
        settled: the claims after their checks have run.
        folder: where the pages of the topics are, from here.
    """
    from ...proofs.claims import Paper, Verdict

    lines = [_OPENING, "| verdict | means | claims |", "| --- | --- | --- |"]
    counts = Counter(each.verdict for each in settled)
    lines += [f"| {v.text} | {v.meaning} | {counts[v]} |" for v in Verdict if counts[v]]
    topics = _by_topic(settled)
    for paper in Paper:
        own = {topic: found for topic, found in topics.items() if topic.paper is paper}
        if own:
            lines += [
                "",
                f"## {paper.title}",
                "",
                "| topic | claims | false |",
                "| --- | --- | --- |",
            ]
            lines += [_row(topic, found, folder) for topic, found in own.items()]
    return "\n".join([*lines, "", *_toctree(topics, folder), ""])


def _row(topic: Topic, found: Sequence[Settled], folder: str) -> str:
    from ...proofs.claims import Verdict

    page = f"{folder}/{topic.key}.md"
    wrong = [
        f"[{plain(each.claim.name)}]({page}#{_anchor(each)})"
        for each in found
        if each.verdict is Verdict.FALSE
    ]
    return f"| [{topic.title}]({page}) | {len(found)} | {'; '.join(wrong) or '–'} |"


def _toctree(topics: Iterable[Topic], folder: str) -> list[str]:
    """The pages, for Sphinx."""
    pages = [f"{folder}/{topic.key}" for topic in topics]
    return ["```{toctree}", ":hidden:", "", *pages, "```"]


def topic_pages(settled: Sequence[Settled]) -> dict[str, str]:
    """The page of each topic that one of the claims is on: a table of them, and a section each."""
    return {topic.key: _page(topic, found) for topic, found in _by_topic(settled).items()}


def _page(topic: Topic, found: Sequence[Settled]) -> str:
    lines = [f"# {topic.title}", "", f"{topic.paper.title}.", ""]
    lines += ["| claim | verdict |", "| --- | --- |"]
    lines += [
        f"| [{plain(each.claim.name)}](#{_anchor(each)}) | {each.verdict.text} |" for each in found
    ]
    return "\n".join([*lines, *map(section_of, found), ""])


def _by_topic(settled: Sequence[Settled]) -> dict[Topic, list[Settled]]:
    """The claims on each topic that has any, in the order of the papers."""
    from ...proofs.claims import TOPICS, claims_on

    found: dict[Topic, list[Settled]] = {}
    for topic in TOPICS:
        names = {claim.name for claim in claims_on(topic)}
        own = [s for s in settled if s.claim.paper is topic.paper and s.claim.name in names]
        if own:
            found[topic] = own
    return found


def section_of(settled: Settled) -> str:
    """One claim: what is stated, how it is read, each check and what it found."""
    claim = settled.claim
    lines = ["", f"## {plain(_title(settled))}", "", f"> {plain(claim.states)}"]
    if claim.reading:
        lines += ["", f"Reading: {plain(claim.reading)}."]
    if settled.findings:
        lines.append("")
    lines += [_item(check, finding) for check, finding in settled.findings]
    if claim.argument:
        lines += ["", f"By hand: {plain(claim.argument)}"]
    return "\n".join(lines)


def _title(settled: Settled) -> str:
    return f"{settled.claim.name}: {settled.verdict.text}"


def _anchor(settled: Settled) -> str:
    """Where a claim stands on its page, as GitHub and MyST call it."""
    return re.sub(r"[^\w\- ]", "", _title(settled).lower()).replace(" ", "-")


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
