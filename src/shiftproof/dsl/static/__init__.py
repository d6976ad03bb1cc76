"""Mechanisms from files that are read and never executed."""

from .definitions import UnreadMechanism
from .left_out import LeftOut, left_out_of_made
from .places import Reading, read_file, read_module, read_path, read_source, text_of
from .reader import Named, Reader, read_text

__all__ = [
    "LeftOut",
    "Named",
    "Reader",
    "Reading",
    "UnreadMechanism",
    "left_out_of_made",
    "read_file",
    "read_module",
    "read_path",
    "read_source",
    "read_text",
    "text_of",
]
