"""Lines of Python as HTML in which words, strings, numbers and comments have a class each.

before:  return x + 1
after:   <span class="py-word">return</span> x + <span class="py-number">1</span>

Python's own tokenizer says what is what.  A text that it cannot read has no classes.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Callable, Iterator, Sequence
from html import escape

#: A line and a column in it, the first line being 1 and the first column 0.
_Place = tuple[int, int]
#: f-strings come in pieces from Python 3.12 on; they are coloured as a whole on any.
_BEGINS, _ENDS = (getattr(tokenize, f"FSTRING_{end}", None) for end in ("START", "END"))
_KINDS = {tokenize.STRING: "text", tokenize.NUMBER: "number", tokenize.COMMENT: "comment"}
#: After these stands a name that is given there, or what is wrapped around it.
_BEFORE_NAMES = frozenset({"def", "class", "@"})


def coloured(lines: Sequence[str], text: Callable[[str], str] = escape) -> list[str]:
    """The lines as HTML.

    Args:
        lines: of a program, or of a part of it that stands for itself.
        text: writes what stands between tags.
    """
    #: Of each line from which column to which it has a class; long strings are on several.
    spans: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    try:
        for (first, start), (last, end), kind in _tokens("\n".join([*lines, ""])):
            for k in range(first, last + 1):
                stop = end if k == last else len(lines[k - 1])
                spans[k - 1].append((start if k == first else 0, stop, kind))
    except (tokenize.TokenError, SyntaxError):
        return [text(line) for line in lines]
    return [_written(line, own, text) for line, own in zip(lines, spans, strict=True)]


def _written(line: str, spans: Sequence[tuple[int, int, str]], text: Callable[[str], str]) -> str:
    found, done = "", 0
    for start, end, kind in spans:
        inner = text(line[start:end])
        found += text(line[done:start])
        found += f'<span class="py-{kind}">{inner}</span>' if inner else ""
        done = end
    return found + text(line[done:])


def _tokens(program: str) -> Iterator[tuple[_Place, _Place, str]]:
    """What has a class: where it begins and ends, and which."""
    begun: list[_Place] = []
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type == _BEGINS:
            begun.append(token.start)
        elif token.type == _ENDS:
            start = begun.pop()
            if not begun:
                yield start, token.end, "text"
        elif not begun and (kind := _kind(token, before)):
            yield token.start, token.end, kind
        before = token.string


def _kind(token: tokenize.TokenInfo, before: str) -> str:
    if token.type != tokenize.NAME:
        return _KINDS.get(token.type, "")
    if keyword.iskeyword(token.string):
        return "word"
    return "name" if before in _BEFORE_NAMES else ""
