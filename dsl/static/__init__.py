"""Mechanisms from files that are read and never executed."""

from .definitions import UnreadMechanism
from .places import Reading, read_file, read_module, read_path
from .reader import Named, Reader, read_text

__all__ = [
    "Named",
    "Reader",
    "Reading",
    "UnreadMechanism",
    "read_file",
    "read_module",
    "read_path",
    "read_text",
]
