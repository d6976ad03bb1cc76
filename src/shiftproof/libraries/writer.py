"""The text of a mechanism as it is written, line by line, with where each line comes from."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..dsl.errors import Location, Unsupported
from .versions import Stale, Versions

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


class Block(list[Line]):
    """Lines that are written aside, and what variables and lists hold at their end."""

    versions: dict[str, int]


@dataclass(slots=True)
class Writer:
    """Lines, and the names that they use."""

    reserved: set[str]
    lines: list[Line] = field(default_factory=list)
    depth: int = 1
    at: tuple[str, int] = ("", 0)
    drawn: bool = False
    imports: set[str] = field(default_factory=set)
    versions: Versions = field(default_factory=Versions)

    def say(self, text: str) -> None:
        """Write a line."""
        self.lines.append(Line(self.depth, self.checked(text), self.at))

    def release(self, values: Iterable[str]) -> None:
        """The run ends with these values."""
        shown = tuple(self.checked(value) for value in values)
        self.lines.append(Line(self.depth, "", self.at, shown))

    def checked(self, text: str) -> str:
        """A line with plain names; all that it speaks of is as it was when it was worked out."""
        with self._late():
            return self.versions.checked(text)

    def change(self, name: str, text: str) -> str:
        """Write a line that changes a variable or a list; how it is spoken of from here on."""
        self.say(text)
        return self.versions.change(name)

    def grow(self, name: str, item: str) -> None:
        """Append to a list."""
        with self._late():
            self.versions.grow(name)
        self.change(name, f"{name}.append({item})")

    @contextmanager
    def rounds(self) -> Iterator[None]:
        """Inside a loop: what is read there is read in all its rounds."""
        with self._late(), self.versions.rounds():
            yield

    @contextmanager
    def _late(self) -> Iterator[None]:
        try:
            yield
        except Stale as error:
            raise Unsupported(
                f"{error.args[0]!r} changes while something that is used later depends on it",
                Location(*self.at, 1),
                "work out what is needed later before it changes",
            ) from None

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
        """What is written meanwhile are the rounds of a loop; ``pass`` if it is nothing."""
        self.say(head)
        before = len(self.lines)
        self.depth += 1
        try:
            with self.rounds():
                yield
            if len(self.lines) == before:
                self.say("pass")
        finally:
            self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[Block]:
        """What is written meanwhile goes into a list of its own, a block deeper."""
        block = Block()
        block.versions = dict(self.versions.now)
        with self.more(block):
            yield block

    @contextmanager
    def more(self, block: Block) -> Iterator[None]:
        """What is written meanwhile goes to the end of a block."""
        kept, now = self.lines, self.versions.now
        self.lines, self.versions.now = block, block.versions
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            block.versions = self.versions.now
            self.lines, self.versions.now = kept, now

    def take(self, head: str, block: Block) -> None:
        """Write a block that was written aside: in some runs, or rounds, it is gone through."""
        self.say(head)
        self.lines += block or [Line(self.depth + 1, "pass", self.at)]
        self.versions.join(block.versions)


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
