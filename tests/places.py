"""Where the files are that tests read."""

from __future__ import annotations

from pathlib import Path

#: The repository, or wherever the tests were copied to.
ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "tests" / "programs"
ATTACKS = sorted((PROGRAMS / "attacks").rglob("*.py"))
REWRITES = sorted((PROGRAMS / "rewrites").glob("*.py"))
