"""What a mechanism gives on two inputs, in pieces, and the Rényi divergence between them.

A piece is all that can be seen of an output but for the values of noisy numbers: how the run ends,
and plain values.  Where noise meets no condition on the way, a piece has the law ``c + F X`` with
independent draws X, and the divergence of two such is that of their shifts.  Elsewhere noisy
numbers are only seen as lying in one of some cells: that is less than what is released, and
post-processing makes no divergence larger (van Erven and Harremoës 2014, theorem 9).
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from ....dsl.errors import LimitReached
from ...exact.affine import Affine
from ...exact.irrational import nearby
from ...exact.laws import Normal
from ...exact.numbers import ZERO, Number
from ...exact.paths import Finished
from ...exact.state import Condition
from .pieces import Chance, Piece, blocks, shifted, solvable

#: How many cells there are at most for all noisy numbers of a path together.
CELLS = 256
#: From how many places cells are tried at most.
PLACES = 6

Cuts: TypeAlias = tuple[Fraction, ...]


# From paths to pieces.

#: What stands for a noisy number; for a float, and for an int.
_NOISY = {False: "a noisy float", True: "a noisy int"}
_Key: TypeAlias = tuple[object, ...]
#: What is seen of an output: its key, or in which cells its numbers lie.
Seen: TypeAlias = tuple[_Key, _Key]


@dataclass(frozen=True, slots=True)
class Outputs:
    """The paths on D and D', by what can be seen of them; ``rough``: the keys that need cells."""

    left: dict[_Key, list[Finished]]
    right: dict[_Key, list[Finished]]
    rough: frozenset[_Key]

    @classmethod
    def of(cls, left: Iterable[Finished], right: Iterable[Finished]) -> Outputs:
        """All paths of a pair.

        Raises:
            LimitReached: a run may go on for ever.
        """
        here, there = _by_key(left), _by_key(right)
        keys = [*dict.fromkeys((*here, *there))]
        rough = set()
        for key in keys:
            if not _noisy(key):
                continue
            both = here.get(key, []), there.get(key, [])
            if not all(map(_free, both)) or (all(both) and not _comparable(both[0][0], both[1][0])):
                rough.add(key)
        return cls(here, there, frozenset(rough | _mixed(here, there)))

    @classmethod
    def in_cells(cls, left: Iterable[Finished], right: Iterable[Finished]) -> Outputs:
        """The same where all noisy numbers are told by cells.

        Raises:
            LimitReached: a run may go on for ever.
        """
        here, there = _by_key(left), _by_key(right)
        noisy = frozenset(filter(_noisy, (*here, *there)))
        return cls(here, there, noisy | _mixed(here, there))

    def places(self, epsilon: float | None = None) -> list[Fraction]:
        """Where cells may begin: around the middles of noisy numbers, and at plain ones.

        With an ε, at first where the densities of normal noise are e^ε apart, and where noise ends.
        """
        found = dict[Fraction, None]()
        if epsilon is not None:
            found.update(dict.fromkeys(self._apart(epsilon)))
        for side in (self.left, self.right):
            for key in self.rough:
                for path in side.get(key, ()):
                    for value in path.releases:
                        if isinstance(value, Affine):
                            found[nearby(value.constant)] = None
                        elif type(value) in (int, Fraction):
                            found[Fraction(cast(Fraction, value))] = None
        middles = [(a + b) / 2 for a, b in itertools.pairwise(sorted(found))]
        beyond = [x + 1 for x in found]
        return [*dict.fromkeys((*found, *beyond, *middles))][:PLACES]

    def _apart(self, epsilon: float) -> Iterator[Fraction]:
        """Where a number of D is e^ε times as likely as one of D', or becomes impossible."""
        for key in self.rough:
            for one, two in itertools.product(self.left.get(key, ()), self.right.get(key, ())):
                for a, b in zip(one.releases, two.releases, strict=True):
                    if isinstance(a, Affine) and isinstance(b, Affine):
                        yield from _where_apart(one, a, b, epsilon)

    def cuts(self, epsilon: float | None = None) -> Iterator[Cuts]:
        """Cells to try; where none are needed, only none."""
        yield ()
        if self.rough:
            places = self.places(epsilon)
            yield tuple(sorted(places))
            yield from ((place,) for place in places)

    def pieces(self, chance: Chance, cuts: Cuts) -> list[Piece]:
        """The pieces, with noisy numbers told by cells between these cuts where that is needed."""
        return [*self.free(chance), *(Piece(p, q) for p, q in self.masses(chance, cuts).values())]

    def free(self, chance: Chance) -> list[Piece]:
        """The pieces in which noise meets no condition."""
        return [
            shifted(self.left.get(key, []), self.right.get(key, []), chance)
            for key in self._keys()
            if _noisy(key) and key not in self.rough
        ]

    def _keys(self) -> Iterable[_Key]:
        return dict.fromkeys((*self.left, *self.right))

    def masses(self, chance: Chance, cuts: Cuts) -> dict[Seen, tuple[Number, Number]]:
        """How likely it is on D and D' what is seen, but for numbers that are seen as they are."""
        masses: list[dict[Seen, Number]] = [{}, {}]
        for key in self._keys():
            both = self.left.get(key, []), self.right.get(key, [])
            if _noisy(key) and key not in self.rough:
                continue
            for side, paths in zip(masses, both, strict=True):
                for path in paths:
                    options: list[tuple[Seen, tuple[Condition, ...]]] = [((key, ()), ())]
                    if key in self.rough:
                        options = [(((), seen), more) for seen, more in _cells(path, cuts)]
                    for seen, conditions in options:
                        mass = chance(path, conditions)
                        side[seen] = side.get(seen, ZERO) + mass
        here, there = masses
        return {
            seen: (here.get(seen, ZERO), there.get(seen, ZERO))
            for seen in dict.fromkeys((*here, *there))
        }


def _where_apart(path: Finished, a: Affine, b: Affine, epsilon: float) -> Iterator[Fraction]:
    laws = [path.laws[draw] for draw in a.parts]
    one, two = nearby(a.constant), nearby(b.constant)
    gap = one - two
    if gap and all(isinstance(law, Normal) for law in laws):
        widths = [nearby(cast(Normal, law).variance) for law in laws]
        factors = [nearby(k) for k in a.parts.values()]
        spread = sum((k * k * w for k, w in zip(factors, widths, strict=True)), Fraction(0))
        yield (one + two) / 2 + spread * Fraction(epsilon).limit_denominator(1000) / gap
    for law in laws if len(laws) == 1 else ():
        for side, end in itertools.product((one, two), getattr(law, "support", ())):
            if not math.isinf(end):
                yield side + nearby(end)


def _mixed(here: dict[_Key, list[Finished]], there: dict[_Key, list[Finished]]) -> frozenset[_Key]:
    """Where a plain number may also be what integer noise comes to: it is told by its cell, too.

    Whoever sees the output does not see the path.
    """
    alike: dict[_Key, list[_Key]] = {}
    for key in dict.fromkeys((*here, *there)):
        alike.setdefault(_frame(key), []).append(key)
    found: set[_Key] = set()
    for members in alike.values():
        paths = [p for k in members for p in (*here.get(k, ()), *there.get(k, ()))]
        if len(members) > 1 and any(map(_on_lattice, paths)):
            found.update(members)
    return frozenset(found)


def _by_key(paths: Iterable[Finished]) -> dict[_Key, list[Finished]]:
    found: dict[_Key, list[Finished]] = {}
    for path in paths:
        if path.ending == "forever":
            raise LimitReached("STEPS", "a run may go on for ever")
        forms = (_NOISY[v.whole] if isinstance(v, Affine) else (type(v), v) for v in path.releases)
        found.setdefault((path.ending, *forms), []).append(path)
    return found


def _frame(key: _Key) -> _Key:
    """What is the same of outputs that differ in numbers only."""

    def kind(form: object) -> object:
        for whole, noisy in _NOISY.items():
            if form == noisy or (isinstance(form, tuple) and form[0] is (Fraction, int)[whole]):
                return noisy
        return form

    return (key[0], *map(kind, key[1:]))


def _noisy(key: _Key) -> bool:
    return any(form in _NOISY.values() for form in key[1:] if isinstance(form, str))


def _free(paths: Sequence[Finished]) -> bool:
    """Whether noise meets no condition."""
    return not paths or (len(paths) == 1 and not paths[0].conditions and not paths[0].repeats)


def _comparable(left: Finished, right: Finished) -> bool:
    """Whether both release the same noise, in a way of which the divergence is known."""
    for one, two in zip(left.releases, right.releases, strict=True):
        if isinstance(one, Affine) and isinstance(two, Affine):
            if one.parts != two.parts or not (one.is_rational and two.is_rational):
                return False
            if any(left.laws[d] != right.laws[d] for d in one.parts):
                return False
    return all(solvable(left, block) for block in blocks(left))


def _on_lattice(path: Finished) -> bool:
    """Whether a number is released that integer noise alone is in."""
    return any(
        isinstance(v, Affine) and all(path.laws[d].lattice for d in v.parts) for v in path.releases
    )


def _cells(path: Finished, cuts: Cuts) -> list[tuple[_Key, tuple[Condition, ...]]]:
    """In which cells the numbers of a path may lie, and on which conditions."""
    options: list[list[tuple[object, tuple[Condition, ...]]]] = []
    for value in path.releases:
        if isinstance(value, Affine):
            lattice = all(path.laws[d].lattice for d in value.parts)
            options.append([
                ((value.whole, i), _inside(value, cuts, i, lattice)) for i in range(len(cuts) + 1)
            ])  # fmt: skip
        elif type(value) in (int, Fraction):
            number = cast(Fraction, value)
            options.append([((type(value) is int, bisect.bisect_right(cuts, number)), ())])
        else:
            options.append([((type(value), value), ())])
    if math.prod(map(len, options)) > CELLS:
        raise LimitReached("CELLS", f"noisy numbers in more than {CELLS} cells")
    return [
        ((path.ending, *(seen for seen, _ in ways)), tuple(c for _, cs in ways for c in cs))
        for ways in itertools.product(*options)
    ]


def _inside(value: Affine, cuts: Cuts, i: int, lattice: bool) -> tuple[Condition, ...]:
    """That a noisy number is at least the cut before a cell, and below the one after it."""
    found = []
    if i > 0:
        found.append(Condition(cast(Affine, value - cuts[i - 1]), False))
    if i < len(cuts):
        found.append(Condition(cast(Affine, cuts[i] - value), lattice))
    return tuple(found)
