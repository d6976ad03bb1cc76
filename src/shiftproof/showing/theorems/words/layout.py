"""How files for Rocq are laid out: lines of a width, comments, brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH = 100


def argument(shown: str) -> str:
    """A term as an argument."""
    return f"({shown})" if " " in shown else shown


def closes(shown: str) -> bool:
    """Whether the bracket at the beginning ends at the end (or before a scope)."""
    depth = 0
    for k, letter in enumerate(shown):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return "(" not in shown[k:] and " " not in shown[k:]
    return False


def sequence_of(values: Sequence[str], width: int = WIDTH, indent: int = 2) -> str:
    """Pieces in lines of a width."""
    lines, line = [], ""
    for piece in values:
        if line and len(line) + 1 + len(piece) > width - indent:
            lines.append(line)
            line = ""
        line = f"{line} {piece}" if line else piece
    lines.append(line)
    return "\n".join(" " * indent + one for one in lines)


def folded(line: str) -> Iterator[str]:
    """A line, in several if it is long."""
    pieces = line.split(" ")
    yield sequence_of(pieces, WIDTH - 4, 2)[2:]


def commented(line: str, source: str) -> Iterator[str]:
    """A line with its source behind it, or below it where there is no room."""
    for sign, instead in (("(*", "( *"), ("*)", "* )"), ('"', "''")):
        source = source.replace(sign, instead)
    comment = f"(* {source} *)" if source else ""
    *first, last = [f"{'    ' if k else ''}{part}" for k, part in enumerate(parts(line))]
    yield from first
    if comment and len(last) + len(comment) + 2 <= WIDTH:
        yield f"{last}  {comment}"
        return
    yield last
    if comment:
        yield from (f"      {part}" for part in parts(comment, WIDTH - 8))


def parts(line: str, width: int = WIDTH - 6) -> list[str]:
    """A line in pieces of a width, broken where there are spaces."""
    indent = len(line) - len(line.lstrip())
    return sequence_of(line.split(), width + indent, indent).splitlines()


def wrapped(conjuncts: Sequence[str]) -> Iterator[str]:
    """A conjunction, in lines."""
    line = " /\\ ".join(conjuncts)
    yield from parts(f"    {line}.", WIDTH - 4)
