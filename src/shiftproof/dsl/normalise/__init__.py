"""Mechanisms written down: as a text that is read back, and as the core text of certificates."""

from .text import fingerprint, normalised, read_normalised, same_program

__all__ = ["fingerprint", "normalised", "read_normalised", "same_program"]
