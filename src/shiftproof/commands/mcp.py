"""``shiftproof mcp``: a server for assistants that write or review mechanisms."""

from __future__ import annotations

import signal
from importlib.util import find_spec

import click

from ..dsl.errors import BadInput
from .common.answering import examples


@click.command(epilog=examples("mcp"), short_help="Serve assistants that write mechanisms.")
def mcp() -> int:
    """Serve assistants that write or review mechanisms: the Model Context Protocol, over stdio.

    A client starts it, asks on standard input and reads answers on standard output.  Its tools are
    verify, refute, bound, explain, audit, language and why; the pages of the documentation are
    resources.  Files are read and never executed.

    \b
    Exit status:
      0  the input has ended
      3  the package for it is not installed
    """
    check_servable()
    from .assistants.server import serve

    # The server waits for input in a thread that no exception reaches: Ctrl-C ends all of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve()
    return 0


def check_servable() -> None:
    """Make sure that the package for servers is installed, in a version that has them.

    Raises:
        BadInput: it is not.
    """
    if find_spec("mcp") is None or find_spec("mcp.server.mcpserver") is None:
        raise BadInput("mcp needs the package mcp: pip install 'shiftproof[mcp]'")
