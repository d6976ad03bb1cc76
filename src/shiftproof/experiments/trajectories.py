"""Where people were and when: trajectories as steps from place to place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

#: Stands for being at no place.
NOWHERE = -1

#: Times and coordinates are at most so large: then their sums and differences still mean something.
LARGEST = 1e15


@dataclass(frozen=True, eq=False, slots=True)
class Trajectories:
    """The trajectories of n people among m places.

    A row says where a person is from its time on, up to the person's next row.  So at any time
    each person is at one place at most.

    Attributes:
        people: their names, n of them.
        places: their names, m of them.
        place_x: shape (m,); where the places are, for maps.
        place_y: shape (m,).
        listed: whether the list of places was given; else it is that of the places where
            somebody was.
        person: one entry a row, as those below: whose row it is, from 0 to n - 1; ascending.
        time: in minutes, up to :data:`LARGEST`; ascending for each person, no two equal.
        x: where the person is.
        y: where the person is.
        place: at which place, from 0 to m - 1, or :data:`NOWHERE`.
    """

    people: tuple[str, ...]
    places: tuple[str, ...]
    place_x: Floats
    place_y: Floats
    listed: bool
    person: Ints
    time: Floats
    x: Floats
    y: Floats
    place: Ints

    def at(self, time: float) -> Ints:
        """At which place each person is at a time; shape (n,).

        It is the place of the person's last row up to then; :data:`NOWHERE` if there is none.
        So the records of people are one-hot, as Theorem 15 asks for.

        Args:
            time: in minutes.

        Source: Asymmetric Differential Privacy, section 5.3.2.
        """
        rows = np.bincount(self.person, minlength=len(self.people))
        passed = np.bincount(self.person[self.time <= time], minlength=len(self.people))
        last = np.cumsum(rows) - rows + passed - 1
        return np.where(passed > 0, self.place[last], NOWHERE)

    def busiest(self) -> float:
        """The first time, in minutes, at which the most people are at some place; 0 if never."""
        there = (self.place != NOWHERE).astype(np.int64)
        same = self.person[1:] == self.person[:-1]
        before = np.concatenate([[0], np.where(same, there[:-1], 0)])
        times, which = np.unique(self.time, return_inverse=True)
        change = np.bincount(which, weights=there - before)
        return float(times[np.argmax(np.cumsum(change))]) if there.any() else 0.0


def clock(time: float) -> str:
    """A time for people: ``18:05``, and from the second day on ``1 d 18:05``."""
    days, minutes = divmod(int(time), 24 * 60)
    return f"{f'{days} d ' if days else ''}{minutes // 60:02}:{minutes % 60:02}"
