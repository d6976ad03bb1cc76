"""Mechanisms from files that are read and never executed."""

from .definitions import UnreadMechanism
from .reader import Named, Reader, read_file, read_text

__all__ = ["Named", "Reader", "UnreadMechanism", "read_file", "read_text"]
