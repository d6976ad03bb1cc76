"""Answers for programs: one JSON list, an object for each."""

from __future__ import annotations

from ..report import json_text
from .record import Answers


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as JSON."""
    return json_text([record.plain for record in answers.records], printed)
