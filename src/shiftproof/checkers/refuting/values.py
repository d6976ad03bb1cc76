"""Enclosed numbers and released values, as files have them: numbers exact, as text."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from ..exact.numbers import Enclosure, Number
from ..exact.outcomes import Atom, Real, Slot, Tied


class Interval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number between two rationals; exact where they are the same."""

    low: str
    high: str

    @classmethod
    def of(cls, value: Number) -> Interval:
        """The tightest one with rational ends that holds a number."""
        enclosure = Enclosure.of(value)
        return cls(str(enclosure.low), str(enclosure.high))

    @property
    def enclosure(self) -> Enclosure:
        """The interval as numbers."""
        return Enclosure(Fraction(self.low), Fraction(self.high))

    def __str__(self) -> str:
        return str(self.enclosure)


class Released(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One released value.

    ``kind``: ``atom`` (a truth value, None or a string), ``int``, ``float`` (a real number of
    positive probability), ``real`` (one with a density), or ``tied`` (``value`` plus the
    released numbers at the places ``to`` times their factors).
    """

    kind: Literal["atom", "int", "float", "real", "tied"]
    value: bool | int | str | None
    to: dict[str, str] = {}

    @classmethod
    def of(cls, slot: Slot) -> Released:
        """A slot of an outcome."""
        if isinstance(slot, Tied):
            return cls("tied", str(slot.constant), {str(j): str(f) for j, f in slot.parts})
        if isinstance(slot, Real):
            return cls("real", str(slot.value))
        value = slot.value
        if isinstance(value, bool | str) or value is None:
            return cls("atom", value)
        return cls("int", value) if isinstance(value, int) else cls("float", str(value))

    @property
    def slot(self) -> Slot:
        """The value as a slot of an outcome."""
        value = self.value
        if self.kind == "atom" and (value is None or isinstance(value, bool | str)):
            return Atom(value)
        if self.kind == "int" and type(value) is int:
            return Atom(value)
        if self.kind in ("atom", "int") or not isinstance(value, str):
            raise TypeError(value)
        number = Fraction(value)
        if self.kind == "float":
            return Atom(number)
        if self.kind == "real":
            return Real(number)
        return Tied(tuple((int(j), Fraction(f)) for j, f in self.to.items()), number)

    def __str__(self) -> str:
        if self.kind == "tied":
            parts = [f"{f} · release {int(j) + 1}" for j, f in self.to.items()]
            return " + ".join([*parts, *([str(self.value)] if self.value != "0" else [])])
        if self.kind == "atom":
            return repr(self.value)
        return str(self.value)
