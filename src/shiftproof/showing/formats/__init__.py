"""The formats of answers: for people, for programs, and for what runs in continuous integration.

One file a format; each prints accounts, so every command that
answers mechanism by mechanism has all of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..account import Answers

#: What ``--format`` takes, and the module here that renders it.
_RENDERERS = {
    "table": "text",
    "text": "text",
    "json": "json",
    "sarif": "sarif",
    "junit": "junit",
    "github": "github",
    "markdown": "markdown",
}
FORMATS = tuple(_RENDERERS)


def rendered(answers: Answers, form: str, *, printed: bool = False) -> str:
    """The answers in one of the ``FORMATS``.

    Args:
        answers: those of a command.
        form: the name of the format.
        printed: whether it goes to standard output, and adapts to its width, its encoding
            and its colours; otherwise it is for a file in UTF-8.
    """
    module = importlib.import_module(f".{_RENDERERS[form]}", __name__)
    text: str = module.render(answers, printed)
    return text
