"""``shiftproof check``: certificates, checked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common.answering import examples, give
from .common.options import Output, gallery_option, output_options
from .common.settings import check_named

if TYPE_CHECKING:
    from ..dsl.static import Reading


@click.command(epilog=examples("check proofs", "check --gallery", "check proofs --source src"))
@click.argument("places", nargs=-1, type=click.Path(path_type=Path), metavar="[PLACE]...")
@gallery_option
@click.option(
    "--source", "sources", multiple=True, type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="A file or folder with the mechanisms as they are now; by default each certificate "
    "says where its own is.",
)  # fmt: skip
@output_options
@click.option("--trusted-base", is_flag=True, help="Print what a check rests on, in lines.")
@click.option(
    "--standalone", is_flag=True,
    help="Print the kernel as one file, which any Python from 3.11 on runs: kernel.py PLACE...",
)  # fmt: skip
def check(
    places: tuple[Path, ...],
    whole: bool,
    sources: tuple[Path, ...],
    trusted_base: bool,
    standalone: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Check certificates again, without the prover that made them, and without a solver.

    PLACE is a certificate or a folder of them.  Nothing of the mechanisms' files is executed.

    \b
    Exit status:
      0  every certificate is valid
      1  a certificate is invalid
      3  none is invalid, but one is unreadable, or the input is bad
      2  nothing worse than that a source has changed since, or the format of certificates
    """
    if trusted_base or standalone:
        click.echo(trusted_base_text() if trusted_base else standalone_text(), nl=trusted_base)
        return 0
    from ..checkers.recheck import Rechecker
    from ..showing.answers.rechecks import of_rechecks
    from ..workspace.files import certificate_files, gallery_certificates

    check_named(places, whole, "certificates or a folder of them")
    files = certificate_files([*places, *([gallery_certificates()] if whole else [])])
    return give(of_rechecks(Rechecker(sources, _read).check_all(files)), form, outputs)


def _read(file: Path) -> Reading:
    """What a file of mechanisms holds; of functions of libraries what they are read as."""
    if file.suffix == ".py":
        from ..dsl.static import read_path

        return read_path(file)
    from ..libraries.mechanisms import read_any

    return read_any(file)


# What a check of a certificate rests on: the files of the kernel, and their lines.

#: In the order in which they build on each other; those of some proofs only come last.
_FILES = {
    "arithmetic": "polynomials over named unknowns, conditions on them",
    "trees": "refutation trees",
    "language/syntax": "the syntax of texts",
    "language/stated": "laws that are stated and in no table",
    "language/steps": "the steps of a mechanism",
    "language/text": "a text, read as steps",
    "claim/declared": "privacy definitions and kinds of inputs, as they are declared",
    "claim/pairs": "functions of a claim",
    "claim/moving": "how one input may differ",
    "claim/policies": "the facts of neighbours",
    "paired/powers": "quotients and powers of e",
    "paired/expressions": "expressions",
    "paired/relation": "the facts of neighbours, read",
    "paired/runs": "two runs side by side, and what is owed of them",
    "paired/elements": "elements of lists",
    "paired/sides": "expressions in one of the two runs",
    "paired/lists": "lists, picks, what is foretold",
    "paired/heads": "loop heads",
    "paired/gaps": "noise of which only an order and gaps are told",
    "paired/laws": "the laws of noise",
    "paired/concentrated": "what shifts cost in ρ",
    "paired/given_up": "what is given up of a draw, and δ",
    "paired/draws": "distributions, shifts, costs",
    "paired/calls": "calls of other mechanisms",
    "paired/walk": "the walk, and the budget",
    "sums/cleared": "questions without fractions",
    "sums/rows": "all ways to an outcome, with their probabilities",
    "sums/comparison": "sums of probabilities, compared",
    "sums/stretch": "which steps are summed together",
    "sums/blocks": "a walk past draws that are summed",
    "enumeration/signs": "signs of polynomials in one unknown",
    "enumeration/quotients": "exact numbers",
    "enumeration/concrete": "expressions of known values",
    "enumeration/neighbours": "neighbours, and their budgets",
    "enumeration/runs": "all runs on all inputs",
    "enumeration/sizes": "which sizes the preconditions allow",
    "enumeration/counting": "size by size, what is compared",
    "check": "certificates, and the statement",
}


def _kernel() -> Path:
    from ..checkers import kernel

    return Path(next(iter(kernel.__path__)))


def trusted_base() -> dict[str, int]:
    """For each file of the kernel its lines of code.

    Lines of code are those that are neither blank nor comment nor docstring.
    """
    return {
        name: lines_of_code((_kernel() / f"{name}.py").read_text(encoding="utf-8"))
        for name in _FILES
    }


def standalone_text() -> str:
    """The kernel as one file that needs nothing but Python."""
    import ast

    found = ['"""The kernel of shiftproof: python kernel.py CERTIFICATE..."""\n']
    found.append("from __future__ import annotations\n")
    for name in _FILES:
        text = (_kernel() / f"{name}.py").read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.level or node.module == "__future__"):
                first, after = node.lineno - 1, node.end_lineno or node.lineno
                lines[first:after] = [""] * (after - first)
        found.append(f"\n\n# {name}.py\n\n" + "".join(lines))
    found.append("\n\nif __name__ == '__main__':\n    sys.exit(main(sys.argv[1:]))\n")
    return "".join(found)


def lines_of_code(text: str) -> int:
    """How many lines of a module hold code."""
    import ast

    covered: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.stmt():
                whole = not isinstance(getattr(node, "body", None), list)
                last = (node.end_lineno or node.lineno) if whole else node.lineno
                covered.update(range(node.lineno, last + 1))
    return len(covered)


def trusted_base_text() -> str:
    """The trusted base as a table."""
    rows = trusted_base()
    lines = [f"{'lines':>6}  what is in checkers/kernel"]
    lines += [f"{k:>6}  {name}.py: {_FILES[name]}" for name, k in rows.items()]
    lines += [f"{sum(rows.values()):>6}  in all"]
    lines += [
        "",
        "Besides: Python, of its library ast, fractions, json, math and re for what is read and",
        "counted, and the theorem of docs/theory.md. No solver, no package. What is proved is",
        "printed by 'python -m shiftproof.checkers.kernel CERTIFICATE'; that the text in it is the",
        "program that you see rests on reading it, or on the reader of the language",
        "(shiftproof.dsl).",
    ]
    return "\n".join(lines)
