"""``shiftproof list``: what the gallery holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from .common.answering import examples, print_answer
from .common.options import json_option

if TYPE_CHECKING:
    from ..workspace.gallery_index import Entry


@click.command(
    name="list",
    epilog=examples("list", "list noisy_max", 'list --refuted "sparse vector"', "list --json"),
    short_help="List the gallery, with claims and expected verdicts.",
)
@click.argument("text", required=False)
@click.option("--proved", "expected", flag_value="proved", help="Only what should be proved.")
@click.option("--refuted", "expected", flag_value="refuted", help="Only what should fall.")
@json_option
def list_gallery(text: str | None, expected: str | None, as_json: bool) -> int:
    """List the gallery: mechanisms of the literature, with their claims and expected verdicts.

    TEXT is looked for in names, claims, file names and descriptions, in any case; what has it is
    shown with its description.  Nothing is verified, and no solver is loaded.

    \b
    Exit status:
      0  it is printed
      3  nothing has TEXT
    """
    from ..workspace.gallery_index import gallery_index

    everything = gallery_index()
    chosen = everything if text is None else _with(text, everything)
    chosen = [entry for entry in chosen if expected in (None, entry.expected)]
    if as_json:
        from ..showing.printable import relative
        from ..showing.report import json_text

        print_answer(json_text([_plain(entry, relative(str(entry.file))) for entry in chosen]))
    else:
        print_answer(_as_text(chosen, len(everything), described=text is not None))
    return 0


def _with(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """The mechanisms that have a text somewhere.

    Raises:
        BadInput: none has.
    """
    found = [entry for entry in entries if _plainly(text) in _plainly(_all_of(entry))]
    if not found:
        from ..dsl.errors import BadInput, did_you_mean

        names = [entry.name for entry in entries]
        words = [word for name in names for word in name.split("_")]
        hint = did_you_mean(text, names + words, "shiftproof list shows all of it")
        raise BadInput(f"nothing in the gallery has {text!r}; {hint}")
    return found


def _all_of(entry: Entry) -> str:
    return "\n".join((entry.name, entry.module, entry.claim, entry.summary))


def _plainly(text: str) -> str:
    """A text as it is looked for: ``sparse vector`` finds ``sparse_vector``."""
    return text.casefold().replace("_", " ")


def _plain(entry: Entry, file: str) -> dict[str, str | int]:
    return {
        "name": entry.name,
        "target": entry.target,
        "file": file,
        "line": entry.line,
        "claim": entry.claim,
        "expected": entry.expected,
        "summary": entry.summary,
    }


def _as_text(entries: Sequence[Entry], all_of_them: int, described: bool) -> str:
    """The mechanisms, file by file; ``described``: each with what it does."""
    width = max((len(entry.name) for entry in entries), default=0)
    lines: list[str] = []
    for module, inside in groupby(entries, key=lambda entry: entry.module):
        lines.append(f"{module}.py")
        for entry in inside:
            lines.append(f"  {entry.name:{width}}  {entry.expected:8} {entry.claim}")
            lines += [f"    {entry.summary}"] if described else []
        lines.append("")
    return "\n".join([*lines, f"{len(entries)} of {all_of_them} mechanisms"])
