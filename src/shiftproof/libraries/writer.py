"""The text of a mechanism as it is written, line by line, with where each line comes from."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Names that generated text uses for what it imports, and that variables therefore do not have.
TAKEN = frozenset({
    "sample", "exp", "log", "sqrt", "floor", "ceil", "argmax", "top_k", "mechanism", "Annotated",
    "Sequence", "Iterable", "Iterator", *dir(builtins),
})  # fmt: skip


def is_taken(text: str) -> bool:
    """Whether generated text uses a name for something: laws and claims among them."""
    import shiftproof

    law = text[:1].isupper() and text in shiftproof.__all__
    return text in TAKEN or keyword.iskeyword(text) or law


@dataclass(slots=True)
class Line:
    """One line of the mechanism.

    Attributes:
        depth: how far it is indented.
        text: what it says; of a release ``values`` say what is released instead.
        at: the file and line of the library.
    """

    depth: int
    text: str
    at: tuple[str, int]
    values: tuple[str, ...] | None = None


@dataclass(slots=True)
class Writer:
    """Lines, and the names that they use."""

    reserved: set[str]
    lines: list[Line] = field(default_factory=list)
    depth: int = 1
    at: tuple[str, int] = ("", 0)
    drawn: bool = False
    imports: set[str] = field(default_factory=set)

    def say(self, text: str) -> None:
        """Write a line."""
        self.lines.append(Line(self.depth, text, self.at))

    def release(self, values: Iterable[str]) -> None:
        """The run ends with these values."""
        self.lines.append(Line(self.depth, "", self.at, tuple(values)))

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has, as close as possible to the wanted one."""
        base = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted).strip("_") or "v"
        if base[0].isdigit():
            base = f"v{base}"
        found, count = base, 1
        while found in self.reserved or is_taken(found):
            count += 1
            found = f"{base}_{count}"
        self.reserved.add(found)
        return found

    def draw(self, wanted: str, law: str) -> str:
        """Draw noise; the variable that holds it."""
        name = self.fresh(wanted)
        self.say(f"{name} = sample({law})")
        self.imports |= {"sample", law.partition("(")[0]}
        self.drawn = True
        return name

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """What is written meanwhile is the block under a line; ``pass`` if it is nothing."""
        self.say(head)
        before = len(self.lines)
        self.depth += 1
        try:
            yield
            if len(self.lines) == before:
                self.say("pass")
        finally:
            self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[Line]]:
        """What is written meanwhile goes into a list of its own, a block deeper."""
        kept, self.lines = self.lines, []
        found = self.lines
        self.depth += 1
        try:
            yield found
        finally:
            self.depth -= 1
            self.lines = kept

    def take(self, head: str, block: list[Line]) -> None:
        """Write a block that was written aside."""
        self.say(head)
        self.lines += block or [Line(self.depth + 1, "pass", self.at)]


def finished(lines: list[Line]) -> list[Line]:
    """The lines with their releases written out: as ``return`` if each is of as many values."""
    releases = [line.values for line in lines if line.values is not None]
    yields = any(line.text.startswith("yield ") for line in lines)
    plain = not yields and len({len(values) for values in releases}) == 1 and releases[0]
    found: list[Line] = []
    for k, line in enumerate(lines):
        if line.values is None:
            found.append(line)
        elif plain:
            found.append(Line(line.depth, f"return {', '.join(line.values)}", line.at))
        else:
            found += [Line(line.depth, f"yield {value}", line.at) for value in line.values]
            if k < len(lines) - 1:
                found.append(Line(line.depth, "return", line.at))
    return found
