"""Probabilities on their way, and how they are spread over the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .crowd import bits
from .factors import Factors, merged, without
from .ratios import Frame, Number


class Share:
    """A probability that need not be in lowest terms; one of each spelling."""

    __slots__ = ("factors", "top")

    def __init__(self, top: Any, factors: Factors) -> None:
        self.top = top
        self.factors = factors


class Shares:
    """The arithmetic of shares; what was computed once is known."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._spelled: dict[tuple[str, Factors], Share] = {}
        self._products: dict[tuple[Share, Share], Share] = {}
        self._sums: dict[tuple[Share, Share], Share] = {}
        self._numbers: dict[Share, Number] = {}
        self.one = self.of(1)

    def of(self, value: Number | int) -> Share:
        """A number as a share."""
        return self._made(*self._frame.split(value))

    def _made(self, top: Any, factors: Factors) -> Share:
        key = str(top), factors
        known = self._spelled.get(key)
        if known is None:
            known = self._spelled[key] = Share(top, factors)
        return known

    def times(self, left: Share, right: Share) -> Share:
        """The product."""
        found = self._products.get((left, right))
        if found is None:
            found = self._made(left.top * right.top, merged(left.factors, right.factors, sum))
            self._products[left, right] = found
        return found

    def plus(self, left: Share, right: Share) -> Share:
        """The sum."""
        found = self._sums.get((left, right))
        if found is None:
            whole = merged(left.factors, right.factors, max)
            tops = [
                side.top * self._frame.product(without(whole, side.factors))
                for side in (left, right)
            ]
            found = self._sums[left, right] = self._made(tops[0] + tops[1], whole)
        return found

    def number(self, share: Share) -> Number:
        """A share in lowest terms."""
        found = self._numbers.get(share)
        if found is None:
            found = self._numbers[share] = self._frame.made(share.top, share.factors)
        return found


class Spread:
    """How likely something is on each input: the sum of all shares whose set the input is in.

    More than ``most`` sets are broken up.
    """

    __slots__ = ("_by_share", "_most", "_sets", "_shares")

    def __init__(self, shares: Shares, most: int) -> None:
        self._shares = shares
        self._most = most
        self._sets: dict[int, Share] = {}
        self._by_share: dict[Share, int] = {}

    @property
    def everyone(self) -> int:
        """All inputs that have a share."""
        found = 0
        for those in self._sets:
            found |= those
        return found

    def __len__(self) -> int:
        return len(self._sets)

    def items(self) -> Iterator[tuple[int, Share]]:
        """Sets of inputs, which may overlap, with their shares."""
        yield from self._sets.items()

    def add(self, those: int, share: Share) -> None:
        """Some inputs get a share more."""
        while True:
            before = self._sets.pop(those, None)
            if before is not None:
                if self._by_share.get(before) == those:
                    del self._by_share[before]
                share = self._shares.plus(before, share)
            others = self._by_share.get(share)
            if others is None or others & those:
                break
            # The same share of other inputs: they go on as one set.
            del self._sets[others], self._by_share[share]
            those |= others
        self._sets[those] = share
        self._by_share[share] = those
        if len(self._sets) > self._most:
            self._sets = {1 << i: total for i, total in self.each().items()}
            self._by_share.clear()

    def within(self, those: int) -> list[tuple[int, Share]]:
        """The shares of some of the inputs."""
        return [(met, share) for mine, share in self._sets.items() if (met := mine & those)]

    def each(self) -> dict[int, Share]:
        """The sums, input by input."""
        by_share: dict[Share, list[int]] = {}
        for those, share in self._sets.items():
            by_share.setdefault(share, []).append(those)
        plus = self._shares.plus
        found: dict[int, Share] = {}
        for share, sets in by_share.items():
            for those in sets:
                for i in bits(those):
                    before = found.get(i)
                    found[i] = share if before is None else plus(before, share)
        return found
