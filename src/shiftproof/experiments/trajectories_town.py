"""A day in a town that does not exist: who was where, as realistic as the experiments need.

People have homes and works; most take the train.  They eat, shop and go out, at places near
by, and most of all at those that most others go to: a popularity with a heavy tail.  So most
places have no visitor at a given time, and a few have very many.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .point import whole
from .trajectories import NOWHERE, Floats, Ints, Trajectories

#: The kinds of places, and their shares of all places.
KINDS = {
    "station": 0.012, "shop": 0.4, "restaurant": 0.33, "leisure": 0.11, "clinic": 0.09,
    "park": 0.058,
}  # fmt: skip
#: The centres of the districts are within a square of so many kilometres.
SIZE, DISTRICTS = 16.0, 30
#: The exponent of popularity's tail; the smaller, the heavier.
TAIL = 0.9
#: Districts so many kilometres away attract e times less.
REACH = 2.0
LARGEST = 1_000_000


def generate_trajectories(people: int = 10_000, places: int = 5_835, seed: int = 0) -> Trajectories:
    """A day of a generated town, from midnight to midnight, in minutes and kilometres.

    Args:
        people: how many, from 1 to a million.
        places: how many, from 6 (one of each kind) to a million; all are listed, visited or not.
        seed: not negative; the same seed gives the same town, with the same release of numpy.

    Raises:
        BadInput: a number is out of range.
    """
    for name, value, least in (("people", people, 1), ("places", places, len(KINDS))):
        whole(name, value, least, LARGEST)
    whole("seed", seed, 0)
    town = _Town(places, np.random.default_rng(seed))
    day = _Day(town, people)
    commutes = town.rng.random(people) < 0.7
    day.commute(np.flatnonzero(commutes))
    day.stay_around(np.flatnonzero(~commutes))
    person, time, x, y, place = day.table()
    names = tuple(f"person-{k + 1}" for k in range(people))
    return Trajectories(names, town.names, town.x, town.y, True, person, time, x, y, place)


class _Town:
    """The places, and how people choose among them."""

    def __init__(self, places: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.centres = rng.uniform(0, SIZE, (DISTRICTS, 2))
        self.weight = _heavy_tailed(rng, DISTRICTS)
        extra = places - len(KINDS)
        counts = {kind: 1 + int(share * extra) for kind, share in KINDS.items()}
        counts["shop"] += places - sum(counts.values())
        self.kind = np.repeat(np.arange(len(KINDS)), list(counts.values()))
        self.names = tuple(f"{k}-{n + 1:04}" for k, size in counts.items() for n in range(size))
        self.district = rng.choice(DISTRICTS, places, p=_root_share(self.weight))
        self.x, self.y = self.near(self.district, 1.0)
        self.popularity = _heavy_tailed(rng, places)

    def near(self, districts: Ints, spread: float) -> tuple[Floats, Floats]:
        """Points around the centres of districts, to the metre; ``spread`` is in kilometres."""
        off = self.rng.normal(0, spread, (len(districts), 2))
        x, y = np.round(self.centres[districts] + off, 3).T.copy()
        return x, y

    def chosen(self, kind: str, x: Floats, y: Floats) -> Ints:
        """A place of this kind for each point: first a district, by distance, then the place."""
        of_kind = np.flatnonzero(self.kind == _kind(kind))
        of_kind = of_kind[np.argsort(self.district[of_kind], kind="stable")]
        sums = np.cumsum(self.popularity[of_kind])
        ends = np.searchsorted(self.district[of_kind], np.arange(DISTRICTS), "right")
        highs = np.concatenate([[0.0], sums])[ends]
        lows = np.concatenate([[0.0], highs[:-1]])
        distance = np.hypot(x[:, None] - self.centres[:, 0], y[:, None] - self.centres[:, 1])
        attraction = np.cumsum(np.sqrt(highs - lows) * np.exp(-distance / REACH), axis=1)
        wanted = self.rng.random(len(x)) * attraction[:, -1]
        district = np.minimum((attraction <= wanted[:, None]).sum(axis=1), DISTRICTS - 1)
        place = lows[district] + self.rng.random(len(x)) * (highs - lows)[district]
        found: Ints = of_kind[np.minimum(np.searchsorted(sums, place, "right"), len(of_kind) - 1)]
        return found


def _kind(name: str) -> int:
    return list(KINDS).index(name)


def _heavy_tailed(rng: np.random.Generator, count: int) -> Floats:
    return np.asarray(1 + rng.pareto(TAIL, count))


def _root_share(weight: Floats) -> Floats:
    """Shares in which large weights count less."""
    return np.asarray(np.sqrt(weight) / np.sqrt(weight).sum())


@dataclass
class _Day:
    """What everybody does; each has a clock of their own, and a position."""

    town: _Town
    people: int
    clock: Ints = field(init=False)
    rows: list[tuple[Ints, Ints, Floats, Floats, Ints]] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng, town = self.town.rng, self.town
        home = rng.choice(DISTRICTS, self.people, p=_root_share(town.weight))
        work = rng.choice(DISTRICTS, self.people, p=town.weight / town.weight.sum())
        self.home = town.near(home, 2.0)
        self.work = town.near(work, 0.8)
        self.x, self.y = self.home[0].copy(), self.home[1].copy()
        self.clock = np.zeros(self.people, np.int64)
        self._write(np.arange(self.people), NOWHERE)

    def commute(self, who: Ints) -> None:
        """To work and back, most by train; lunch, and for some an evening out."""
        rng = self.town.rng
        by_train = who[rng.random(len(who)) < 0.8]
        boards = self.town.chosen("station", self.home[0][by_train], self.home[1][by_train])
        arrives = self.town.chosen("station", self.work[0][by_train], self.work[1][by_train])
        self._wait(who, 470, 40)
        self._visit(by_train, boards, 9)
        self._visit(by_train, arrives, 5)
        self._go(who, self.work)
        eat = self._some(who, 0.45)
        self._wait(eat, 735, 20)
        self._visit_near(eat, "restaurant", 35)
        self._go(eat, self.work)
        self._wait(who, 1085, 35)
        for kind, share, minutes in (
            ("shop", 0.35, 40), ("restaurant", 0.3, 70), ("leisure", 0.15, 80),
        ):  # fmt: skip
            self._visit_near(self._some(who, share), kind, minutes)
        self._visit(by_train, arrives, 9)
        self._visit(by_train, boards, 5)
        self._visit_near(self._some(who, 0.25), "shop", 20)
        self._go(who, self.home)

    def stay_around(self, who: Ints) -> None:
        """Out and home again, some times."""
        for begin in (600, 800, 960, 1110):
            out = self._some(who, 0.5)
            self._wait(out, begin, 40)
            kinds = self.town.rng.choice(
                ["shop", "restaurant", "clinic", "park", "leisure"], len(out),
                p=[0.5, 0.15, 0.12, 0.13, 0.1],
            )  # fmt: skip
            for kind in ("shop", "restaurant", "clinic", "park", "leisure"):
                self._visit_near(out[kinds == kind], kind, 40)
            self._go(out, self.home)

    def table(self) -> tuple[Ints, Floats, Floats, Floats, Ints]:
        """All rows, those of each person together and in order."""
        who, time, x, y, place = (np.concatenate(column) for column in zip(*self.rows, strict=True))
        order = np.lexsort((time, who))
        return who[order], time[order].astype(np.float64), x[order], y[order], place[order]

    def _some(self, who: Ints, share: float) -> Ints:
        return who[self.town.rng.random(len(who)) < share]

    def _wait(self, who: Ints, time: float, spread: float) -> None:
        """Until about this time of the day, unless it is later already."""
        wanted = self.town.rng.normal(time, spread, len(who)).astype(np.int64)
        self.clock[who] = np.maximum(self.clock[who], wanted)

    def _visit_near(self, who: Ints, kind: str, minutes: float) -> None:
        self._visit(who, self.town.chosen(kind, self.x[who], self.y[who]), minutes)

    def _visit(self, who: Ints, place: Ints, minutes: float) -> None:
        """Go to places, and stay there for about so many minutes."""
        self._travel(who, self.town.x[place], self.town.y[place])
        self._write(who, place)
        stay = self.town.rng.gamma(4, minutes / 4, len(who))
        self.clock[who] += np.maximum(1, stay.astype(np.int64))

    def _go(self, who: Ints, to: tuple[Floats, Floats]) -> None:
        """Go to a position that is no place."""
        self._travel(who, to[0][who], to[1][who])
        self._write(who, NOWHERE)
        self.clock[who] += 1

    def _travel(self, who: Ints, x: Floats, y: Floats) -> None:
        """Be on the way, a minute at least; on foot at first, then by wheels."""
        self.clock[who] += 1
        self._write(who, NOWHERE)
        distance = np.hypot(x - self.x[who], y - self.y[who])
        minutes = np.minimum(12 * distance, 8 + 2 * distance)
        self.clock[who] += 1 + minutes.astype(np.int64)
        self.x[who], self.y[who] = x, y

    def _write(self, who: Ints, place: Ints | int) -> None:
        places: NDArray[np.int64] = np.broadcast_to(np.int64(place), len(who)).copy()
        self.rows.append((who, self.clock[who], self.x[who], self.y[who], places))
