"""``shiftproof new``: a mechanism to begin with, and its test."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ..dsl.errors import BadInput
from .common.answering import examples, print_answer

_TEMPLATES = Path(__file__).parent / "common" / "templates"
_PLACEHOLDER = "NAME"
#: The models of privacy that there is a template of.
MODELS = {
    "adp": "asymmetric: only some values are sensitive",
    "dp": "central: who has the records answers",
    "ldp": "local: each user answers",
}


@click.command(
    epilog=examples("new visits", "new visits --model ldp"),
    short_help="Write a mechanism to begin with, and its test.",
)
@click.argument("name")
@click.option(
    "--model", type=click.Choice([*MODELS]),
    help="Asymmetric, central or local privacy; asked on a terminal, else adp.",
)  # fmt: skip
def new(name: str, model: str | None) -> int:
    """Write a mechanism to begin with, NAME.py, and its test, test_NAME.py.

    Both stand in the current folder.  The mechanism is proved as it is, with comments that say
    what to change.  No file is replaced.

    \b
    Exit status:
      0  both are written
      3  NAME does not do, or a file of that name is there
    """
    mechanism, test = Path(f"{name}.py"), Path(f"test_{name}.py")
    _check_name(name)
    for file in (mechanism, test):
        if os.path.lexists(file):
            raise BadInput(f"{file}: is there already; choose another name, or move it away")
    folder = _TEMPLATES / (model or _asked())
    texts = {
        file: (folder / f"{kind}.txt").read_text(encoding="utf-8")
        for file, kind in ((mechanism, "mechanism"), (test, "test"))
    }
    _check_free(name, texts[mechanism])
    _write_all({file: text.replace(_PLACEHOLDER, name) for file, text in texts.items()})
    print_answer(_next(mechanism, test))
    return 0


def _asked() -> str:
    """The model that somebody at a terminal chooses."""
    first = next(iter(MODELS))
    if not sys.stdin.isatty():
        return first
    for model, meaning in MODELS.items():
        click.echo(f"  {model:4} {meaning}", err=True)
    return str(click.prompt("model", default=first, type=click.Choice([*MODELS]), err=True))


def _check_name(name: str) -> None:
    """Refuse what cannot be the name of a function and of its module.

    Raises:
        BadInput: it cannot.
    """
    from keyword import iskeyword

    if not name.isascii() or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
        raise BadInput(
            f"{name!r}: want a name in Python, of a-z, A-Z, 0-9 and _ from a letter on, as in "
            "noisy_count"
        )
    if name.startswith("test") or name == "conftest":
        raise BadInput(f"{name!r}: pytest would take the mechanism for a test; want another name")


def _check_free(name: str, template: str) -> None:
    """Refuse a name that means something already, to Python or in the template.

    A random.py would be loaded by whatever wants the ``random`` of Python.

    Raises:
        BadInput: it does.
    """
    import builtins
    from importlib.util import find_spec

    if hasattr(builtins, name):
        raise BadInput(f"{name!r}: Python has a function of that name; want another one")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise BadInput(f"{name!r}: there is a module of that name; want another one")
    if name in _names(template):
        raise BadInput(f"{name!r}: the mechanism uses that name for a part; want another one")


def _names(source: str) -> set[str]:
    """The names that a module uses."""
    import ast

    nodes = list(ast.walk(ast.parse(source)))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.name for node in nodes if isinstance(node, ast.alias | ast.FunctionDef)}
    return used | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _write_all(texts: dict[Path, str]) -> None:
    """Write all files, or none.

    Raises:
        BadInput: one cannot be written.
    """
    from ..workspace.files import write_whole

    written: list[Path] = []
    try:
        for file, text in texts.items():
            write_whole(file, text.encode())
            written.append(file)
    except BaseException:
        for file in written:
            file.unlink()
        raise


def _next(mechanism: Path, test: Path) -> str:
    calls = {
        f"shiftproof verify {mechanism}": "prove it",
        f"shiftproof refute {mechanism}": "look for a counterexample, where that fails",
        f"python -m pytest {test}": "test it",
        f"shiftproof verify {mechanism} --certificates proofs": "write the proof down, to commit",
        "shiftproof check proofs": "check it again, as CI should",
    }
    width = max(map(len, calls))
    lines = [f"  {call:{width}}  {what}" for call, what in calls.items()]
    return "\n".join([f"{mechanism} and {test} are written.", "", *lines])
