"""Why a run of the text was broken off."""

from __future__ import annotations


class Beyond(Exception):
    """The text, or the work that it takes, is more than this process does: no disagreement."""


class Stopped(BaseException):
    """The recorded noise is used up, or enough was released; the run so far counts."""
