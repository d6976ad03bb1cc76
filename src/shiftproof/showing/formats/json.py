"""Answers for programs: a JSON list with an object for each, or the one that there is."""

from __future__ import annotations

from ..account import Answers
from ..report import json_text


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as JSON."""
    found = [account.plain for account in answers.accounts if account.plain]
    return json_text(found[0] if answers.single else found, printed)
