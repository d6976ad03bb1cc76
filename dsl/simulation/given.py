"""A sequence or data set that all runs are called with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .values import Array, plain


class Given:
    """A sequence of numbers, or of records; whoever reads it takes what form is best."""

    def __init__(self, elements: Sequence[Any]) -> None:
        self.elements = list(elements)

    @cached_property
    def array(self) -> Array:
        """The numbers as an array, of ints if all are.

        Raises:
            LimitReached: a whole number is too large.
        """
        whole = all(isinstance(v, int) for v in self.elements)
        return np.array([plain(v) for v in self.elements], np.int64 if whole else np.float64)

    @cached_property
    def records(self) -> Counter[Sequence[int]]:
        """The records, each with how often it is there."""
        return Counter(self.elements)
