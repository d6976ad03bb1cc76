"""What is heavy is loaded by the command that needs it, and by nothing before."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import shiftproof

HEAVY = (
    "numpy",
    "z3",
    "sympy",
    "scipy",
    "flint",
    "hypothesis",
    "msgspec",
    "rich",
    "mcp",
    "pydantic",
)

#: What a server for assistants needs besides.
SERVED = {"mcp", "pydantic"}


def loaded(code: str) -> set[str]:
    """The heavy modules that a fresh Python has loaded after running ``code``."""
    script = f"import sys\n{code}\nprint([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    environment = {**os.environ, "PYTHONPATH": str(Path(shiftproof.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return set(ast.literal_eval(done.stderr.splitlines()[-1]))


def command(*arguments: str) -> str:
    return f"""
from shiftproof.commands.cli import main
try:
    main({list(arguments)})
except SystemExit as end:
    assert not end.code
"""


@pytest.mark.parametrize(
    "code",
    [
        "import shiftproof",
        "import shiftproof.commands.cli",
        command("--help"),
        command("--version"),
        "import shiftproof.showing.formats",
        command("verify", "--help"),
        command("mcp", "--help"),
        command("run", "--help"),
        command("simulate", "--help"),
        command("claims", "--help"),
        command("utility", "--help"),
        command("experiment", "top-k", "--help"),
        command("experiment", "monitor", "--help"),
    ],
)
def test_nothing_heavy_for_help(code: str) -> None:
    assert loaded(code) == set()


def test_declaring_and_running_a_mechanism_needs_no_solver() -> None:
    code = (
        "from shiftproof.mechanisms.asymmetric_sparse_vector import asymmetric_sparse_vector\n"
        "asymmetric_sparse_vector((1, 2), (3.0, 4.0), 1, 1.0)"
    )
    assert loaded(code) == set()


def test_checking_and_collecting_need_no_protocol(tmp_path: Path) -> None:
    """What only a server needs is loaded by no other command, nor by pytest's plugin."""
    certificate = Path(shiftproof.__file__).parent / "proofs" / "laplace.laplace.json"
    assert not loaded(command("check", str(certificate))) & SERVED
    (tmp_path / "test_one.py").write_text("from shiftproof import *\ndef test_one(): pass\n")
    code = f"import pytest\nassert not pytest.main(['--collect-only', {str(tmp_path)!r}])"
    assert not loaded(code) & SERVED


def test_strategies_are_an_attribute_that_is_loaded_when_it_is_used() -> None:
    code = "import shiftproof\nshiftproof.strategies.records\nshiftproof.assert_p_sensitivity"
    assert "hypothesis" in loaded(code)


def test_json_needs_no_terminal_library() -> None:
    code = command("verify", "--json", "shiftproof.mechanisms.asymmetric_sparse_vector")
    assert not loaded(code) & {"rich", "sympy", "scipy"}


@pytest.mark.parametrize("form", ["sarif", "junit", "github", "markdown"])
def test_formats_for_machines_need_no_terminal_library(form: str) -> None:
    code = command("verify", "--format", form, "shiftproof.mechanisms.laplace")
    assert "rich" not in loaded(code)
