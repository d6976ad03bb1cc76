"""Of many cases, every so-manieth by default; all of them with ``-m slow`` or SHIFTPROOF_FULL=1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def every(n: int, cases: Iterable[Any]) -> list[Any]:
    """The cases for ``parametrize``, of which the first of each n is not slow.

    A tuple is the arguments of one case, as it is there.
    """
    return [case if k % n == 0 else slow(case) for k, case in enumerate(cases)]


def slow(case: Any) -> Any:
    """A case of ``parametrize`` that does not run by default."""
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=(*case.marks, pytest.mark.slow), id=case.id)
    arguments = case if isinstance(case, tuple) else (case,)
    return pytest.param(*arguments, marks=pytest.mark.slow)
