"""Mechanisms written down: as a text that is read back, and as the core text of certificates."""

from .core import core_places, core_text, in_the_file
from .text import fingerprint, normalised, read_normalised, same_program

__all__ = [
    "core_places",
    "core_text",
    "fingerprint",
    "in_the_file",
    "normalised",
    "read_normalised",
    "same_program",
]
