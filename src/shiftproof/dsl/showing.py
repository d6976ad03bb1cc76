"""What a notebook asks an object for, and who answers.

The rooms hold no looks.  A class that notebooks can show derives from :class:`Shown`; how it
looks says a renderer that the front door names when it is imported.  So nothing here depends on
what stands above; without a renderer an object is shown by its ``repr``.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal, TypeAlias

Form: TypeAlias = Literal["html", "latex", "text"]

#: The module whose ``render(object, form)`` shows objects, or "" for none.  It is named, not
#: imported: a renderer that nobody asked for is no part of what a proof has to trust.
RENDERER = ""


class Shown:
    """Something that a notebook shows as HTML, or as LaTeX where it becomes a PDF.

    Showing computes nothing that was not asked for: no proof, no search, no run.
    """

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return _shown(self, "html")

    def _repr_latex_(self) -> str | None:
        return _shown(self, "latex")


def text_of(value: Shown) -> str:
    """An object as the command line prints it."""
    return _shown(value, "text") or repr(value)


def _shown(value: Shown, form: Form) -> str | None:
    if not RENDERER:
        return None
    renderer: Any = importlib.import_module(RENDERER)
    shown: str | None = renderer.render(value, form)
    return shown
