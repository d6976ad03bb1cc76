"""``shiftproof lsp``: verdicts in an editor."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ..dsl.errors import BadInput
from .common.answering import examples


@click.command(epilog=examples("lsp"), short_help="Verdicts in an editor: a language server.")
def lsp() -> int:
    """Answer an editor over standard input and output, in the Language Server Protocol.

    Files are verified when they are opened and saved; nothing in them is executed.  Needs the
    extra lsp; docs/editors.md says how editors start it.

    \b
    Exit status:
      0  the editor has ended it
      3  pygls is not installed
    """
    if find_spec("pygls") is None:
        raise BadInput("lsp needs pygls: pip install 'shiftproof[lsp]'")
    from .editors.server import server

    streams = sys.stdin.buffer, sys.stdout.buffer
    with TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
        server(Path(folder)).start_io(*streams)
    return 0
