"""Coefficients of a template that meet what recordings ask: one solver call a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..dsl.terms.formulas import (
    Formula,
    at_least,
    choice,
    conjunction,
    equal,
    negation,
)
from ..dsl.terms.linear import Linear, Symbol, number, term
from ..dsl.terms.phases import phase
from ..dsl.terms.smt import Questions, Writer
from .templates import Template

#: Coefficients lie between -COEFFICIENT and COEFFICIENT; their sizes sum to at most WEIGHT.
COEFFICIENT = 2
WEIGHT = 12
SITE_WEIGHT = 4
#: By how much one choice should be lighter than the one before, where there is much to choose.
LIGHTER = 2
#: Resources (z3 "rlimit" units) for one choice of coefficients.
CHOICE_RESOURCES = 3_000_000


def _uniform(unknowns: Sequence[str]) -> Iterator[Formula]:
    """The coefficients of a feature are the same on every piece of its site."""
    first: dict[tuple[str, str], str] = {}
    for name in unknowns:
        site_and_piece, _, feature = name.partition(".")
        known = first.setdefault((site_and_piece.rstrip("+-"), feature), name)
        if known != name:
            yield equal(term(Symbol(name, True)), term(Symbol(known, True)))


def _alike(unknowns: Sequence[str]) -> Iterator[Formula]:
    """Samples whose shifts have the same pieces have the same coefficients in them."""
    sites: dict[str, dict[str, str]] = {}
    for name in unknowns:
        piece, _, feature = name.partition(".")
        site = piece.rstrip("+-")
        if site != piece:
            sites.setdefault(site, {})[f"{piece[len(site) :]}.{feature}"] = name
    first: dict[tuple[str, ...], dict[str, str]] = {}
    for own in sites.values():
        known = first.setdefault(tuple(own), own)
        for place, name in own.items() if known is not own else ():
            yield equal(term(Symbol(name, True)), term(Symbol(known[place], True)))


def _total(coefficients: Iterable[Linear]) -> Linear:
    """The sum of their sizes."""
    total = number(0)
    for x in coefficients:
        total = total + choice(at_least(x, number(0)), x, -x)
    return total


def _pieced(unknowns: Sequence[str]) -> Linear:
    """The sizes of coefficients; pieces that are alike count once, and so does each parting."""
    sites: dict[str, dict[str, list[Linear]]] = {}
    for name in unknowns:
        whole, _, _ = name.partition(".")
        site = whole.rstrip("+-")
        sites.setdefault(site, {}).setdefault(whole[len(site) :], []).append(
            term(Symbol(name, True))
        )
    return sum((_of_pieces(pieces, "") for pieces in sites.values()), number(0))


def _of_pieces(pieces: Mapping[str, Sequence[Linear]], at: str) -> Linear:
    """The same for the pieces of one site below a place in its tree."""
    if at in pieces:
        return _total(pieces[at])
    yes, no = _of_pieces(pieces, at + "+"), _of_pieces(pieces, at + "-")
    under = [
        [x for name, xs in pieces.items() if name.startswith(at + s) for x in xs] for s in "+-"
    ]
    alike = conjunction(equal(a, b) for a, b in zip(*under, strict=True))
    return choice(alike, yes, yes + no + number(1))


class Chooser:
    """Chooses coefficients that meet what all recordings ask."""

    def __init__(self, t: Template) -> None:
        self._unknowns = t.unknowns
        self._symbols = [term(Symbol(name, True)) for name in t.unknowns]
        self._questions = Questions(Writer(), CHOICE_RESOURCES)
        most = number(COEFFICIENT)
        for x in self._symbols:
            self._questions.add([at_least(x, -most), at_least(most, x)])
        self._weight = _pieced(t.unknowns) if t.parted else _total(self._symbols)
        self._constants = _total(term(Symbol(name, True)) for name in t.constants)
        self._known: set[str] = set()
        self._least = 0
        self._parted = t.parted
        self._alike = list(_alike(t.unknowns)) if t.parted else []
        self._most = max(WEIGHT, SITE_WEIGHT * t.sites) if t.parted else WEIGHT
        self._same = list(_uniform(t.unknowns))
        self._uniform = self._same

    def learn(self, asked: Iterable[Formula]) -> None:
        """Take in what more recordings ask."""
        claims = {claim.key: claim for claim in asked}
        self._questions.add([c for key, c in claims.items() if key not in self._known])
        self._known.update(claims)

    def restart(self) -> None:
        """Begin again with the lightest coefficients."""
        self._uniform, self._least = self._same, 0

    @phase("solve")
    def choose(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """The lightest coefficients left that also meet these claims, if there are any.

        Those without pieces come first.
        """
        self._questions.push()
        self._questions.add(claims)
        found = self._nearly_lightest() if self._parted else self._lightest()
        self._questions.pop()
        return found

    def _lightest(self) -> dict[str, int] | None:
        while self._least <= self._most:
            light = at_least(number(self._least), self._weight)
            found = self._under([light, *self._uniform])
            if found is not None:
                return found
            if self._least == 0 and self._questions.ask(self._uniform) != "sat":
                self._least = self._most
            self._least += 1
            if self._least > self._most and self._uniform:
                self._uniform, self._least = [], 0
        return None

    def _nearly_lightest(self) -> dict[str, int] | None:
        """Many samples with pieces of their own have heavy shifts: not one step at a time."""
        for also in (self._alike, []) if self._alike else ([],):
            found = self._by_halves(also)
            if found is not None:
                return found
            self._alike, self._least = [], 0
        return None

    def _by_halves(self, also: Sequence[Formula]) -> dict[str, int] | None:
        found, most = None, self._most
        while self._least <= most:
            middle = most if found is None else (self._least + most) // 2
            light = self._under([at_least(number(middle), self._weight), *also])
            if light is not None:
                found, most = light, middle - LIGHTER
            elif found is None:
                break
            else:
                self._least = middle + 1
        return found

    @phase("solve")
    def choose_under(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """Coefficients that also meet these claims, light ones if there are any.

        Of all that do, which one it is would be for the solver to say; of light ones there are few.
        """
        for weight in (1, 2, self._most):
            values = self._under([at_least(number(weight), self._weight), *claims])
            if values is not None:
                return values
        return None

    def _under(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """Coefficients that meet these claims, with as few constants as can be."""
        found: dict[str, int] | None = None
        self._questions.push()
        self._questions.add(claims)
        for most in (self._most, 1, 0):
            self._questions.add([at_least(number(most), self._constants)])
            if self._questions.check() != "sat":
                break
            point = self._questions.point(set(self._unknowns))
            found = {name: int(point.get(name) or 0) for name in self._unknowns}
        self._questions.pop()
        return found

    def exclude(self, values: Mapping[str, int]) -> None:
        """Do not choose these again."""
        same = (
            equal(x, number(values[n])) for n, x in zip(self._unknowns, self._symbols, strict=True)
        )
        self._questions.add([negation(conjunction(same))])
