"""Laws of noise that a file defines itself: read, and their cost decided."""

from .laws import STATED, TAKEN, own_law

__all__ = ["STATED", "TAKEN", "own_law"]
