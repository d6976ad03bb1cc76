"""The obligations that stand in a page: read, changed, and put before the kernel's own checker."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from shiftproof.checkers.kernel.arithmetic import (
    ZERO,
    Condition,
    Polynomial,
    Unknowns,
    Wrong,
    add,
    constant,
    start_work,
    times,
    unknown,
)
from shiftproof.checkers.kernel.trees import refute
from tests.showing.accounts import account

#: What stands in a page about one set of unknowns, and one obligation of it.
Part = dict[str, Any]
Owed = list[Any]

_DATA = re.compile(r'(?<=<script type="application/json" id="account-1-checked-data">).*?(?=</)')


@cache
def page_of(name: str) -> str:
    """The page of a certificate of the gallery."""
    return account(name).as_html()


def parts_of(page: str) -> list[Part]:
    """The obligations in the page of one account."""
    found = _DATA.search(page)
    assert found is not None
    parts: list[Part] = json.loads(found[0])
    return parts


def with_parts(page: str, parts: list[Part]) -> str:
    """The page with other obligations."""
    return _DATA.sub(lambda _: json.dumps(parts), page)


def problem(part: Part, owed: Owed) -> str:
    """Why the kernel refuses a tree; empty if it agrees."""
    known, numbers, tree = owed[:3]
    unknowns = Unknowns()
    unknowns.whole = _Whole(part, known)
    start_work()
    try:
        facts = [_Reader(list(unknowns.whole), part["facts"][k]).all() for k in numbers]
        refute(unknowns, facts, tree)
    except Wrong as error:
        return str(error)
    except (ValueError, StopIteration, IndexError, ZeroDivisionError):
        return "a condition that cannot be read"
    return ""


class _Whole(dict[str, bool]):
    """Which unknowns are whole; of which a tree can name those that were there when it was made."""

    def __init__(self, part: Part, known: int) -> None:
        super().__init__(zip(part["names"], (x == "1" for x in part["whole"]), strict=True))
        self._known = part["names"][:known]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)


class _Reader:
    """Reads a condition as ``owed.py`` writes it."""

    def __init__(self, names: list[str], text: str) -> None:
        self._names, self._words = names, iter(text.split())

    def all(self) -> Condition:
        found = self._condition()
        if next(self._words, None) is not None:
            raise ValueError
        return found

    def _natural(self) -> int:
        found = int(next(self._words))
        if found < 0:
            raise ValueError
        return found

    def _condition(self) -> Condition:
        kind = next(self._words)
        if kind in ("and", "or"):
            return (kind, tuple([self._condition() for _ in range(self._natural())]))
        if kind == "?":
            return (kind, self._names[self._natural()], self._natural() == 1)
        if kind not in (">=", ">", "="):
            raise ValueError
        return (kind, self._polynomial())

    def _polynomial(self) -> Polynomial:
        total = ZERO
        for _ in range(self._natural()):
            one = constant(Fraction(next(self._words)))
            for _ in range(self._natural()):
                one = times(one, unknown(self._names[self._natural()]))
            total = add(total, one)
        return total


def change(parts: list[Part], chance: random.Random) -> None:
    """Change one number of a tree or of a condition, where an obligation needs it."""
    part = chance.choice([part for part in parts for _ in part["owed"]])
    owed = chance.choice(part["owed"])
    if chance.random() < 0.5:
        owed[2] = _changed(owed[2], chance)
    else:
        k = chance.choice(owed[1])
        part["facts"][k] = _changed(part["facts"][k], chance)


def _changed(text: str, chance: random.Random) -> str:
    words = text.split()
    k = chance.choice([k for k, word in enumerate(words) if word.lstrip("-").isdigit()])
    value = int(words[k])
    others = {value + 1, value - 1, -value, 2 * value, 0, chance.randrange(100)} - {value}
    words[k] = str(chance.choice(sorted(others)))
    return " ".join(words)
