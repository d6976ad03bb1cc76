"""What a check of a certificate rests on: the modules that it loads, and their lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

#: Loads what `check` needs for proofs, and prints which modules of ours that brought in.
_LOADED = """
import sys
import shiftproof.checkers.recheck
import shiftproof.dsl.parse
print("\\n".join(f"{n} {m.__file__}" for n, m in sorted(sys.modules.items())
      if n.startswith("shiftproof.") and getattr(m, "__file__", None)))
"""

_ROLES = {
    "shiftproof.checkers.kernel": "the kernel: obligations, and putting them to a solver",
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
