"""What every command needs of the terminal: to be stopped, and to print its answer."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the program, not just one question to the solver.

    Left to itself the solver takes it for a limit, or swallows it in a finalizer.
    """
    import z3

    interrupted = False

    def note(number: int, frame: object) -> None:
        nonlocal interrupted
        interrupted = True
        sys.unraisablehook = lambda _: None  # finalizers need not complain on the way out
        raise KeyboardInterrupt

    # Only the main thread gets signals, and only it may say what they do.
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    z3.set_param("ctrl_c", False)
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if interrupted:
            raise KeyboardInterrupt


def print_answer(text: str) -> None:
    """Print the answer; a reader that has seen enough of it (``| head``) is no error."""
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
