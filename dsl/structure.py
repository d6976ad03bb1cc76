"""What a normalised text says, whichever version of Python wrote it down.

``ast.unparse`` differs in brackets and blanks from one version of Python to the next, and new
versions add fields to nodes; what is compared here is the tree without what is empty.
"""

from __future__ import annotations

import ast
import io
import tokenize
from functools import lru_cache

from .errors import BadInput


@lru_cache(maxsize=256)
def structure(text: str) -> str:
    """A text's syntax tree as text; two normalised texts with the same one say the same.

    Raises:
        BadInput: the text does not parse, or holds a comment, which says what no tree says.
    """
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, ValueError, MemoryError, RecursionError, tokenize.TokenError):
        raise BadInput("the text does not parse") from None
    if any(token.type == tokenize.COMMENT for token in tokens):
        raise BadInput("the text holds a comment; a normalised one has none")
    try:
        return _dump(tree)
    except RecursionError:
        raise BadInput("the text nests too deep") from None


def _dump(node: object) -> str:
    if isinstance(node, ast.AST):
        fields = ((name, getattr(node, name, None)) for name in node._fields)
        kept = [f"{name}={_dump(value)}" for name, value in fields if value not in (None, [])]
        return f"{type(node).__name__}({','.join(kept)})"
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    return repr(node)
