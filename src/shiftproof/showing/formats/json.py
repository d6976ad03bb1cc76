"""Answers for programs: one JSON list, an object for each."""

from __future__ import annotations

from ..account import Answers
from ..report import json_text


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as JSON."""
    return json_text([account.plain for account in answers.accounts], printed)
