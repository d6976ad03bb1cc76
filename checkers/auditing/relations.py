"""Relations by name: how answers may differ between neighbours, and the pairs that show it."""

from __future__ import annotations

import re
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.inputs import Queries, Query
from ...dsl.privacy import DP
from ..strategies.patterns import CornerPattern, corner_patterns

_FORM = re.compile(r"(number|all|one)(-falling|-rising)?(?::([0-9]{1,4}))?")
#: The largest sensitivity: inputs a few times as large are still numbers.
LARGEST = 1e100
_DIRECTIONS: dict[str | None, Any] = {
    None: "both", "-falling": "decreasing", "-rising": "increasing",
}  # fmt: skip


def pairs_of_relation(text: str, sensitivity: float = 1.0) -> tuple[CornerPattern, ...]:
    """The corner patterns of a relation between answers, as ordered pairs.

    Args:
        text: ``number`` (one answer), ``all:N`` (N answers, each may move), or ``one:N`` (N
            answers of which one may move); with ``-falling`` no answer is larger on D', with
            ``-rising`` none is smaller: ``all-falling:5``.
        sensitivity: by how much an answer moves at most.

    Raises:
        BadInput: it is no such relation, or the sensitivity is not positive.

    Source: the patterns of StatDP (CCS 2018) and DP-Sniper (S&P 2021).
    """
    if not isinstance(text, str):
        raise BadInput(f"relation: got {text!r:.80}; a text such as 'all:5' is needed")
    if not 0 < sensitivity <= LARGEST:
        raise BadInput(f"sensitivity: got {sensitivity!r}; want above 0 and at most {LARGEST:g}")
    found = _FORM.fullmatch(text)
    if not found or (found[1] == "number") != (found[3] is None) or found[3] == "0":
        raise BadInput(
            f"relation {text!r}: no such relation; want number, all:N or one:N (N answers, up to "
            "9999), each with -falling or -rising if answers move one way: all-falling:5"
        )
    direction = _DIRECTIONS[found[2]]
    if found[1] == "number":
        single = Query(sensitivity=sensitivity, direction=direction)
        return corner_patterns(single, DP(), 1)
    differing: Any = found[1]
    several = Queries(sensitivity=sensitivity, direction=direction, differing=differing)
    return corner_patterns(several, DP(), int(found[3]))
