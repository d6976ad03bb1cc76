"""The table of sources: which mechanisms a paper or a library has here.

``python -m tests.literature.sources`` writes it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.py"))
TABLE = FOLDER / "sources.md"
#: A source's name: up to its first year, or else to its first comma or colon.
NAME = re.compile(r"(.*?\b(?:19|20)\d\d\)?|[^,:]*)")


def sources() -> dict[str, str]:
    """What the docstring of each mechanism says after "Source:", by name."""
    found = {}
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            text = isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
            if text and node.decorator_list:
                found[node.name] = " ".join(text.split()).removeprefix("Source: ")
    return found


def source_table() -> str:
    papers = defaultdict(list)
    for name, source in sources().items():
        match = NAME.match(source)
        assert match is not None
        papers[match.group().strip()].append(name)
    rows = [f"| {paper} | {', '.join(papers[paper])} |" for paper in sorted(papers)]
    return "\n".join(["| source | mechanisms |", "|---|---|", *rows, ""])


if __name__ == "__main__":
    TABLE.write_text(source_table(), encoding="utf-8")
