"""``shiftproof why``: what the code at the end of a reason stands for."""

from __future__ import annotations

import click

from .common.answering import examples, print_answer


@click.command(
    epilog=examples("why SP-SUPPORT", "why same-output", "why"),
    short_help="Explain the code at the end of a reason.",
)
@click.argument("code", required=False)
def why(code: str | None) -> int:
    """Explain a reason that verify gives: what it means, an example, and what to write instead.

    CODE stands at the end of the reason, as in "the released values are equal [SP-SAME-OUTPUT]".
    Without one all codes are listed.

    \b
    Exit status:
      0  it is printed
      3  there is no such code
    """
    from ..showing.codes import all_codes, section_on

    print_answer(all_codes() if code is None else section_on(code))
    return 0
