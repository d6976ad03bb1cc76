"""From the bytes of a file to its syntax tree and code objects: nothing of it is executed."""

from __future__ import annotations

import ast
import codecs
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from ..errors import BadInput, Location
from ..language.readings import Unreadable
from ..language.source import Source, span_of

#: Larger files hold data, not mechanisms.
LARGEST_FILE = 4_000_000
_DEEP = "nests too deep, or is too long, to be read"


@dataclass(slots=True)
class Text:
    """The text of one module, its tree, and the code of the functions at its top level."""

    file: str
    lines: tuple[str, ...]
    tree: ast.Module
    codes: dict[tuple[str, int], CodeType] = field(repr=False)

    def location(self, node: ast.AST) -> Location:
        """Where a node stands."""
        return Source(self.file, self.lines, _NOTHING).location(span_of(node))

    def unreadable(self, node: ast.AST, reason: str, module: str = "") -> Unreadable:
        """What stands at a node cannot be read."""
        return Unreadable(reason, self.location(node), module)

    def fails(self, node: ast.AST, message: str) -> BadInput:
        """Executing what stands at a node would surely fail."""
        return BadInput(f"cannot be imported: {message}", self.location(node))


def read_bytes(path: Path) -> bytes:
    """What a file holds.

    Raises:
        BadInput: it cannot be opened, or is far too large.
    """
    try:
        with path.open("rb") as stream:
            found = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    if len(found) > LARGEST_FILE:
        raise BadInput(f"{path}: is larger than {LARGEST_FILE} bytes; no mechanism is")
    return found


def parsed(content: str | bytes, file: str) -> Text:
    """The tree and the code of a module's text, or of the bytes of its file.

    Python itself turns bytes into text here, by the rules by which it imports them.

    Raises:
        BadInput: it is not Python, states another encoding than UTF-8, ASCII or Latin-1, or nests
            too deep.
    """
    text = content if isinstance(content, str) else _decoded(content, file)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content, file)
            code = compile(tree, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 1
        shown = (error.text or "").rstrip("\n")
        where = Location(file, line, max(1, error.offset or 1), shown)
        message = f"cannot be imported: {type(error).__name__}: {error.msg}"
        raise BadInput(message, where) from None
    except (RecursionError, MemoryError, OverflowError):
        raise BadInput(f"{file}: {_DEEP}") from None
    except ValueError as error:  # a null byte
        message = f"cannot be imported: SyntaxError: {error}"
        raise BadInput(message, Location(file, 1, 1)) from None
    # Lines as Python counts them: a form feed, for one, ends none.
    lines = tuple(io.StringIO(text, newline=None).readlines())
    return Text(file, lines, tree, {(c.co_name, c.co_firstlineno): c for c in _inside(code)})


def _decoded(content: bytes, file: str) -> str:
    """Source text in the encoding that it states, or UTF-8: lines for messages.

    Raises:
        BadInput: it is no text, or states an encoding that is not read.
    """
    # As Python does it: any end of a line is one before the encoding is looked for.
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    stated, line = _stated(content)
    if stated is not None and encoding_of(stated) is None:
        shown = content.splitlines()[line - 1].decode("ascii", "replace")
        where = Location(file, line, 1, shown, max(1, len(shown)))
        message = f"the encoding {stated!r} is stated; UTF-8, ASCII and Latin-1 are read"
        raise BadInput(f"{message}; save the file as UTF-8, without such a line", where)
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode(encoding_of(stated or "utf-8") or "")
    except UnicodeError as error:
        raise BadInput(f"cannot be imported: SyntaxError: {error}", Location(file, 1, 1)) from None


def _stated(content: bytes) -> tuple[str | None, int]:
    """The encoding that a comment in the first two lines states, and its line (PEP 263)."""
    for line, text in enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n")[:2], 1):
        if found := _COOKIE.match(text):
            return found[1].decode("ascii"), line
        if not _BLANK.match(text):
            break
    return None, 0


def encoding_of(stated: str) -> str | None:
    """The codec of a stated encoding; ``None`` for one that is not read."""
    name = stated.lower().replace("_", "-")
    for codec, names in _ENCODINGS.items():
        if name in names or any(name.startswith(f"{n}-") for n in names & _SUFFIXED):
            return codec
    return None


_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.DOTALL | re.ASCII)
_BLANK = re.compile(rb"[ \t\f]*(?:#.*)?$", re.DOTALL)
#: The names under which Python knows the encodings that are read.
_ENCODINGS: dict[str, set[str]] = {
    "utf-8": {"utf-8", "utf8", "u8", "utf"},
    "ascii": {"ascii", "us-ascii", "646", "ansi-x3.4-1968"},
    "latin-1": {"latin-1", "latin1", "latin", "l1", "iso-8859-1", "iso8859-1", "iso-latin-1",
                "8859", "cp819"},
}  # fmt: skip
#: With these, Python reads no further than a hyphen: ``utf-8-unix`` is ``utf-8``.
_SUFFIXED = {"utf-8", "latin-1", "iso-8859-1", "iso-latin-1"}


def expression(text: str) -> ast.expr | None:
    """The expression that a piece of text is, if it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def code_of_lambda(node: ast.Lambda, file: str) -> CodeType | None:
    """The code object of a lambda."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(ast.Expression(node), file, "eval", dont_inherit=True)
    return next((c for c in code.co_consts if isinstance(c, CodeType)), None)


def stand_in(name: str, where: Location, names: dict[str, Any]) -> FunctionType:
    """A function that does nothing, for one that is defined there and was not read."""
    code = compile("def _(): ...", where.file, "exec", dont_inherit=True).co_consts[0]
    code = code.replace(co_name=name, co_qualname=name, co_firstlineno=where.line)
    return FunctionType(code, names, name)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module's top level; Python 3.12 wraps those with type parameters."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            if constant.co_name.startswith("<generic parameters"):
                yield from _inside(constant)


_NOTHING = ast.FunctionDef(
    name="", args=ast.arguments([], [], None, [], [], None, []), body=[], decorator_list=[]
)
