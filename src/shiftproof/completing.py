"""What the Tab key offers for a TARGET: mechanisms of the gallery, or else files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def complete_target(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of the gallery that go on as typed; the shell's own files if none does."""
    from .gallery_index import gallery_index

    named = [entry for entry in gallery_index() if entry.name.startswith(incomplete)]
    if not incomplete or not named:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(entry.name, help=f"{entry.claim}, {entry.expected}") for entry in named]
