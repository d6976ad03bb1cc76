"""From the bytes of a file to its syntax tree and code objects: nothing of it is executed."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

from ..errors import BadInput, Location
from ..readings import Unreadable
from ..source import Source, span_of

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


def decoded(content: bytes, file: str) -> str:
    """Source text in the encoding that it states, or UTF-8.

    Raises:
        BadInput: it is no text.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError, ValueError) as error:
        raise BadInput(f"cannot be imported: SyntaxError: {error}", Location(file, 1, 1)) from None
    return io.StringIO(text, newline=None).read()


def parsed(text: str, file: str) -> Text:
    """The tree and the code of a module's text.

    Raises:
        BadInput: it is not Python, or nests too deep.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, file)
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
    lines = tuple(io.StringIO(text).readlines())
    return Text(file, lines, tree, {(c.co_name, c.co_firstlineno): c for c in _inside(code)})


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
