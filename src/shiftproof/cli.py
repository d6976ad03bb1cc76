"""The command line: ``shiftproof verify``, ``refute``, ``recompute``, ``bound`` and ``run``.

Everything heavy is imported by the command that needs it, so ``--help`` is instant.
Exit status of ``verify``: 3 unsupported or bad input, else 1 a wrong claim, else 2
unknown or bounded, else 0; of ``refute`` and ``recompute``: 3, else 1 if a claim is refuted,
else 0; of ``bound`` and ``run``: 3 or 0.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .dsl.errors import ShiftproofError

if TYPE_CHECKING:
    from .checkers.bound import Bracket
    from .checkers.verdicts import Report

BAD_INPUT = 3
CRASHED = 70  # EX_SOFTWARE: a fault of shiftproof, and no verdict
INTERRUPTED = 130


class CommandLine(click.Group):
    """A group of commands that return their exit status and fail with one message."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit with its status."""
        sys.stdout = sys.stdout or io.StringIO()  # None if closed, as by >&-
        sys.stderr = sys.stderr or io.StringIO()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            extra = {"prog_name": self.name, **extra, "standalone_mode": False}
            status = super().main(*args, **extra)
        except click.ClickException as error:
            error.show()
            status = BAD_INPUT
        except click.Abort:
            status = INTERRUPTED
        except ShiftproofError as error:
            from .report import shortened

            click.echo(f"Error: {shortened(str(error))}", err=True)
            status = BAD_INPUT
        except Exception:
            traceback.print_exc()
            click.echo("Error: a fault of shiftproof itself; please report it", err=True)
            status = CRASHED
        sys.exit(status)


@click.group(cls=CommandLine, name="shiftproof", context_settings={"max_content_width": 100})
@click.version_option(__version__, prog_name="shiftproof")
def main() -> None:
    """Prove the differential privacy of mechanisms that are written as Python functions.

    What is not private is refuted by two neighbouring inputs and an outcome.
    """


@main.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option(
    "--format", "output", type=click.Choice(["table", "json"]), default="table",
    show_default=True, help="What to print.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option(
    "--replay", "replays", type=click.IntRange(min=0), default=0, metavar="N",
    help="Test each proof on N runs of the real function.",
)  # fmt: skip
def verify(targets: tuple[str, ...], output: str, as_json: bool, replays: int) -> int:
    """Prove the claims of mechanisms, refute them, or say what is in the way.

    TARGET is a file, file.py::name, a dotted module or module::name; without any, the
    gallery of known mechanisms is verified.

    \b
    Exit status:
      0  every claim is proved, and nothing that should fall is
      1  a claim is refuted, or what should fall is proved
      2  a claim is neither proved nor refuted, or only up to a size
      3  a mechanism is unsupported, or the input is bad
    """
    from .checkers.verify import verify as decide
    from .report import exit_status, json_text, progress, table_text
    from .targets import gallery, resolve

    with redirect_stdout(sys.stderr):  # what users' files print is no part of the answer
        found = [m for target in targets for m in resolve(target)] if targets else gallery()
        reports: list[Report] = []
        with progress(len(found)) as show:
            for mechanism in found:
                show(len(reports), mechanism.function.__name__)
                with _interruptible():
                    reports.append(decide(mechanism, replays=replays))
    machine = as_json or output == "json"
    _print(json_text([r.as_json() for r in reports]) if machine else table_text(reports))
    return exit_status(reports)


_SETTINGS = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE",
    help="Keep a public input at a value; an ε may be a multiple of ln 2: eps='2 ln 2'.",
)  # fmt: skip


@main.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@_SETTINGS
@click.option(
    "--effort", type=click.IntRange(min=1), default=20_000, show_default=True, metavar="N",
    help="How many integrals a search may compute.",
)  # fmt: skip
@click.option("--save", type=click.Path(path_type=Path), help="Save the counterexample.")
@click.option(
    "--write-test", type=click.Path(path_type=Path),
    help="Write a pytest file that fails as long as the counterexamples hold.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def refute(
    targets: tuple[str, ...],
    settings: tuple[str, ...],
    effort: int,
    save: Path | None,
    write_test: Path | None,
    as_json: bool,
) -> int:
    """Look for counterexamples: two neighbouring inputs and an outcome that break a claim.

    Both probabilities are exact or enclosed; nothing is sampled.  TARGET is as for verify.

    \b
    Exit status:
      0  no counterexample was found, which proves nothing
      1  a claim is refuted
      3  a mechanism is unsupported, or the input is bad
    """
    import msgspec

    from .checkers.refuting.refute import refute as search
    from .counterexamples import found_text, given_inputs, target_of, test_source, write_whole
    from .report import json_text
    from .targets import resolve

    with redirect_stdout(sys.stderr):
        mechanisms = [m for target in targets for m in resolve(target)]
        if save is not None and len(mechanisms) != 1:
            raise click.UsageError(f"--save is for one mechanism; there are {len(mechanisms)}")
        found = {}
        texts = []
        for mechanism in mechanisms:
            given = given_inputs(settings, mechanism)
            comparison = search(mechanism, given, effort=effort)
            texts.append(found_text(mechanism, comparison))
            if comparison is not None:
                target = target_of(mechanism)
                found[target] = msgspec.structs.replace(comparison, target=target)
    if save is not None and found:
        write_whole(save, next(iter(found.values())).as_json())
    if write_test is not None and found:
        write_whole(write_test, test_source(found, write_test).encode())
    everything = [msgspec.to_builtins(comparison) for comparison in found.values()]
    _print(json_text(everything) if as_json else "\n\n".join(texts))
    return 1 if found else 0


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--target", help="The mechanism, where it is not where it was.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recompute(file: Path, target: str | None, as_json: bool) -> int:
    """Compute a saved counterexample again, for the mechanism as it is now.

    \b
    Exit status:
      0  it does not break the claim any more
      1  it still does
      3  the mechanism's inputs are others now, or the input is bad
    """
    import msgspec

    from .checkers.refuting.refute import recompute as compute
    from .counterexamples import load, recomputed_text
    from .report import json_text
    from .targets import one_mechanism

    with redirect_stdout(sys.stderr):
        comparison = load(file)
        now = compute(comparison, one_mechanism(target or comparison.target))
    text = json_text(msgspec.to_builtins(now)) if as_json else recomputed_text(comparison, now)
    _print(text)
    return 1 if now.breaks else 0


@main.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@_SETTINGS
@click.option(
    "--effort", type=click.IntRange(min=1), default=12_000, show_default=True, metavar="N",
    help="How many integrals a search may compute.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bound(targets: tuple[str, ...], settings: tuple[str, ...], effort: int, as_json: bool) -> int:
    """Bracket the true ε: the least one proved, and the largest exact log ratio found.

    TARGET is as for verify; without any, the correct mechanisms of the gallery are bounded.
    """
    from .checkers.bound import bound as bracket
    from .counterexamples import bracket_json, bracket_text, given_inputs
    from .report import json_text, progress
    from .targets import gallery, resolve

    with redirect_stdout(sys.stderr):
        found = [m for target in targets for m in resolve(target)]
        found = found or [m for m in gallery() if m.expect == "proved"]
        brackets: list[Bracket] = []
        with progress(len(found)) as show:
            for mechanism in found:
                show(len(brackets), mechanism.function.__name__)
                with _interruptible():
                    given = given_inputs(settings, mechanism)
                    brackets.append(bracket(mechanism, given, effort=effort))
    if as_json:
        _print(json_text([bracket_json(b) for b in brackets]))
    else:
        _print("\n\n".join(map(bracket_text, brackets)))
    return 0


@main.command()
@click.argument("mechanism")
@click.option(
    "--data", "file", type=click.Path(path_type=Path), required=True,
    help="Baskets in the FIMI format: one a line, item ids separated by blanks.",
)  # fmt: skip
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE",
    help="A public parameter; one number for a vector is repeated for every item.",
)  # fmt: skip
@click.option("--seed", type=int, help="Draw reproducible noise, for demonstrations only.")
@click.option("--limit", type=click.IntRange(min=0), metavar="K", help="Print at most K values.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def run(
    mechanism: str,
    file: Path,
    settings: tuple[str, ...],
    seed: int | None,
    limit: int | None,
    as_json: bool,
) -> int:
    """Run a mechanism on the item counts of real baskets.

    Prints what it releases: each value with its item, and how often it released nothing.
    MECHANISM is file.py::name, module::name, or the name of a mechanism of the gallery.
    It must have one private input, a sequence: the counts, by ascending item id.
    """
    from .report import json_text
    from .running import run_on_baskets

    with redirect_stdout(sys.stderr):
        outcome = run_on_baskets(mechanism, file, settings, seed)
    for warning in outcome.warnings:
        click.echo(warning, err=True)
    _print(json_text(outcome.as_json(limit)) if as_json else outcome.as_text(limit))
    return 0


@contextmanager
def _interruptible() -> Iterator[None]:
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

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
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


def _print(text: str) -> None:
    """Print the answer; a reader that has seen enough of it (``| head``) is no error."""
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
