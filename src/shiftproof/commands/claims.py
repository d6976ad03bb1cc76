"""``shiftproof claims``: what the papers claim, decided by machine, and as pages to read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..dsl.errors import BadInput, did_you_mean
from .common.answering import examples, give
from .common.options import Output, output_options

if TYPE_CHECKING:
    from ..proofs.claims import Claim, Settled

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
    help="Write everything as pages to read, in Markdown: FILE, and a folder beside it.",
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

    --page claims.md writes the contents to claims.md, and a page for each topic to claims/.

    \b
    Exit status:
      0  every verdict is the recorded one
      1  a verdict is another one
      3  the input is bad
    """
    if page is not None:
        from ..workspace.files import keep_apart, writable

        if not page.suffix:
            raise BadInput(f"{page}: want a name like claims.md; its pages go to a folder claims")
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
        _write_pages(settled, page)
    return give(of_claims(settled, details or bool(names)), form, outputs)


def _write_pages(settled: Sequence[Settled], contents: Path) -> None:
    """The contents, and the pages of the topics beside it."""
    from ..showing.answers.claims_pages import contents_of, topic_pages
    from ..workspace.files import make_folder, write_whole

    folder = contents.with_suffix("")
    make_folder(folder)
    for name, text in topic_pages(settled).items():
        write_whole(folder / f"{name}.md", text.encode())
    write_whole(contents, contents_of(settled, folder.name).encode())


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
