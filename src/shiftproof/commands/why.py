"""``shiftproof why``: what the code at the end of a reason stands for."""

from __future__ import annotations

import click

from ..dsl.errors import BadInput, did_you_mean
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
    from ..showing.codes import sections

    known = sections()
    if code is None:
        width = max(map(len, known))
        print_answer("\n".join(f"{name:<{width}}  {title}" for name, (title, _) in known.items()))
        return 0
    name = code.upper()
    name = name if name.startswith("SP-") else f"SP-{name}"
    if name not in known:
        inside = [repr(other) for other in known if name.removeprefix("SP-") in other]
        near = did_you_mean(name, known, "shiftproof why lists them")
        near = f"did you mean {' or '.join(inside)}?" if inside else near
        raise BadInput(f"{code}: there is no such code; {near}")
    title, text = known[name]
    print_answer(f"{title}\n{'=' * len(title)}\n\n{text}")
    return 0
