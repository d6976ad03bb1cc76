"""``shiftproof claims``: what the papers claim, decided by machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .answering import Output, give, output_options
from .dsl.errors import BadInput
from .examples import examples
from .near import did_you_mean

if TYPE_CHECKING:
    from .proofs.claims import Claim

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
        from .apart import keep_apart
        from .files import writable

        writable(page)
        for _, file in outputs:
            keep_apart(**{"--page": page, "--output": file})
    from .formats.of_claims import of_claims
    from .proofs.claims import Settled, settle
    from .report import progress
    from .terminal import interruptible

    chosen = _chosen(names, paper)
    settled: list[Settled] = []
    with progress(len(chosen)) as show, interruptible():
        for claim in chosen:
            show(len(settled), claim.name)
            settled.append(settle(claim))
    if page is not None:
        from .claims_page import page_of
        from .files import write_whole

        write_whole(page, page_of(settled).encode())
    return give(of_claims(settled, details or bool(names)), form, outputs)


def _chosen(names: Sequence[str], paper: str | None) -> list[Claim]:
    """The claims that are asked for, in the order of the papers."""
    from .proofs.claims import Paper
    from .proofs.claims import claims as all_claims

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
