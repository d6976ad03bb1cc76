"""Mechanisms written down: as a text that is read back, and as the core text of certificates."""

from .core import core_text
from .text import fingerprint, normalised, read_normalised, same_program

__all__ = ["core_text", "fingerprint", "normalised", "read_normalised", "same_program"]
