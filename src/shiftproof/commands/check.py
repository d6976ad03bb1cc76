"""``shiftproof check``: certificates, checked again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from .common.answering import Output, examples, give, output_options
from .common.settings import check_named, gallery_option

DISAGREE = 4


@click.command(
    epilog=examples("check proofs", "check --gallery", "check proofs --source src --solver both")
)
@click.argument("places", nargs=-1, type=click.Path(path_type=Path), metavar="[PLACE]...")
@gallery_option
@click.option(
    "--source", "sources", multiple=True, type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="A file or folder with the mechanisms as they are now; by default each certificate "
    "says where its own is.",
)  # fmt: skip
@click.option(
    "--solver", type=click.Choice(["z3", "cvc5", "both"]), default="z3", show_default=True,
    help="Which solver must find every obligation valid; cvc5 is an extra.",
)  # fmt: skip
@output_options
@click.option("--trusted-base", is_flag=True, help="Print what a check rests on, in lines.")
def check(
    places: tuple[Path, ...],
    whole: bool,
    sources: tuple[Path, ...],
    solver: str,
    trusted_base: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Check certificates again, without the prover that made them.

    PLACE is a certificate or a folder of them.  Nothing of the mechanisms' files is executed.

    \b
    Exit status:
      0  every certificate is valid
      1  a certificate is invalid
      3  none is invalid, but one is unreadable, or the input is bad
      2  nothing worse than that a source has changed since
      4  two solvers contradict each other
    """
    if trusted_base:
        click.echo(trusted_base_text())
        return 0
    from ..checkers.recheck import Rechecker
    from ..checkers.walking.runs.discharge import Disagreement
    from ..checkers.walking.solvers import solvers_of
    from ..showing.formats.of_rechecks import of_rechecks
    from ..workspace.files import certificate_files, gallery_certificates

    check_named(places, whole, "certificates or a folder of them")
    files = certificate_files([*places, *([gallery_certificates()] if whole else [])])
    rechecker = Rechecker(solvers_of(solver), sources)
    try:
        return give(of_rechecks(rechecker.check_all(files)), form, outputs)
    except Disagreement as error:
        file = Path("disagreement.smt2")
        from ..workspace.files import write_whole

        write_whole(file, error.smtlib.encode())
        click.echo(f"Error: {error}; the obligation is in {file}", err=True)
        return DISAGREE


# What a check of a certificate rests on: the modules that it loads, and their lines.

#: Loads what `check` needs for proofs, and prints which modules of ours that brought in.
_LOADED = """
import sys
import shiftproof.checkers.recheck
import shiftproof.dsl.reading.parse
print("\\n".join(f"{n} {m.__file__}" for n, m in sorted(sys.modules.items())
      if n.startswith("shiftproof.") and getattr(m, "__file__", None)))
"""

_ROLES = {
    "shiftproof.checkers.walking": "the kernel: obligations, and putting them to a solver",
    "shiftproof.checkers": "files, claims in words, sources",
    "shiftproof.dsl.static": "reading a file without executing it",
    "shiftproof.dsl.noise": "distributions: support, density ratio",
    "shiftproof.dsl": "the language: syntax, meaning, neighbour relations",
}


def trusted_base() -> dict[str, tuple[int, int]]:
    """For each part of the trusted base, its files and its lines of code.

    Lines of code are those that are neither blank nor comment nor docstring.
    """
    said = subprocess.run(
        [sys.executable, "-c", _LOADED],
        check=True,
        capture_output=True,
        text=True,
        env=_environment(),
    ).stdout
    found: dict[str, tuple[int, int]] = dict.fromkeys(_ROLES, (0, 0))
    for line in said.splitlines():
        module, _, file = line.partition(" ")
        part = next((p for p in _ROLES if f"{module}.".startswith(f"{p}.")), None)
        if part is not None:
            files, lines = found[part]
            found[part] = files + 1, lines + lines_of_code(Path(file).read_text(encoding="utf-8"))
    return found


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def lines_of_code(text: str) -> int:
    """How many lines of a module hold code."""
    import ast

    covered: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not _is_text(node):
            first = getattr(node, "body", None)
            last = node.lineno if isinstance(first, list) else (node.end_lineno or node.lineno)
            covered.update(range(node.lineno, last + 1))
    return len(covered)


def _is_text(node: object) -> bool:
    import ast

    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def trusted_base_text() -> str:
    """The trusted base as a table."""
    rows = trusted_base()
    lines = [f"{'files':>6}{'lines':>7}  what"]
    lines += [f"{n:>6}{k:>7}  {part}: {_ROLES[part]}" for part, (n, k) in rows.items()]
    files, total = (sum(row[i] for row in rows.values()) for i in (0, 1))
    lines.append(f"{files:>6}{total:>7}  in all")
    lines += [
        "",
        "Besides: Python and its ast module, msgspec, and the solver. Refutations also rest on",
        "the exact likelihoods (shiftproof.checkers.exact, .refuting) and python-flint.",
    ]
    return "\n".join(lines)
