"""The checks of an account as HTML: the line where it begins, the obligations, the scripts."""

from __future__ import annotations

from importlib.resources import files

from ... import explaining
from ...words import plural
from .owed import Owed

_SCRIPTS = ("checking.js", "obligations.js")
_NOT_RUN = (
    "The {all} of this proof are not checked here: no script of this page has run in this browser."
)


def script() -> str:
    """The checker, and what says what it found; for pages that have obligations."""
    folder = files(explaining) / "checks"
    return "".join((folder / name).read_text("utf-8") for name in _SCRIPTS)


def status(identity: str, owed: Owed) -> str:
    """What is found, in a line; until a script says better, nothing is checked."""
    if owed.refused:
        return '<p class="checked bad">The kernel does not agree to this proof.</p>'
    if not owed.count:
        return '<p class="checked open">No part of this proof is checked in this browser.</p>'
    words = _NOT_RUN.format(all=plural(owed.count, "obligation"))
    return (
        f'<p class="checked open" id="{identity}" data-owed="{owed.count}" role="status">'
        f"{words}</p>"
    )


def obligations(identity: str, owed: Owed) -> str:
    """The obligations, in a list that a script fills when it is opened, and as it reads them."""
    if not owed.count:
        return ""
    # Whatever a name holds, no tag begins or ends in it; JSON reads the same text.
    data = owed.written().replace("<", "\\u003c")
    return (
        f'<details class="obligations" id="{identity}-list" hidden><summary>All obligations'
        "</summary></details>\n"
        f'<script type="application/json" id="{identity}-data">{data}</script>\n'
    )
