"""Pages of the documentation that the package holds: links into docs here, files in a wheel.

They are for whoever has only what was installed: a person at a terminal, or an assistant.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...dsl.errors import BadInput, did_you_mean

#: Each page, and what it is about.
PAGES = {
    "language": "How a mechanism is written: claims, inputs, statements, noise; what is refused",
    "tutorial": "The first mechanism, from a wrong one to one that is proved",
    "verdicts": "What each verdict means, and what it does not say",
    "why_not_proved": "Why a mechanism is not proved, and what helps, with examples",
    "real_data": "Which mechanisms are safe to run on real data",
}
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


def page(name: str) -> str:
    """One of the ``PAGES``, in Markdown."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")


def section_of(name: str, title: str) -> str:
    """The section of a page that has a title, in any case, or of which the title begins so.

    Raises:
        BadInput: there is none.
    """
    _, *parts = _HEADING.split(page(name))
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    wanted = title.strip().lower()
    for heading, text in found.items():
        if heading.lower().startswith(wanted):
            return f"## {heading}\n{text}".rstrip()
    titles = f"want one of {', '.join(found)}"
    raise BadInput(f"{title!r}: there is no such section; {did_you_mean(title, found, titles)}")
