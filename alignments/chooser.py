"""Coefficients of a template that meet what recordings ask: one solver call a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..dsl.formulas import Formula, at_least, choice, conjunction, equal, negation
from ..dsl.smt import Questions, Writer
from ..dsl.terms import Linear, Symbol, number, term
from .templates import Template

#: Coefficients lie between -COEFFICIENT and COEFFICIENT; their sizes sum to at most WEIGHT.
COEFFICIENT = 2
WEIGHT = 12
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


def _total(coefficients: Iterable[Linear]) -> Linear:
    """The sum of their sizes."""
    total = number(0)
    for x in coefficients:
        total = total + choice(at_least(x, number(0)), x, -x)
    return total


class Chooser:
    """Chooses coefficients that meet what all recordings ask."""

    def __init__(self, t: Template) -> None:
        self._unknowns = t.unknowns
        self._symbols = [term(Symbol(name, True)) for name in t.unknowns]
        self._questions = Questions(Writer(), CHOICE_RESOURCES)
        most = number(COEFFICIENT)
        for x in self._symbols:
            self._questions.add([at_least(x, -most), at_least(most, x)])
        self._weight = _total(self._symbols)
        self._constants = _total(term(Symbol(name, True)) for name in t.constants)
        self._known: set[str] = set()
        self._least = 0
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

    def choose(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """The lightest coefficients left that also meet these claims, if there are any.

        Those without pieces come first.
        """
        self._questions.push()
        self._questions.add(claims)
        found: dict[str, int] | None = None
        while found is None and self._least <= WEIGHT:
            light = at_least(number(self._least), self._weight)
            found = self._under([light, *self._uniform])
            if found is not None:
                break
            if self._least == 0 and self._questions.ask(self._uniform) != "sat":
                self._least = WEIGHT
            self._least += 1
            if self._least > WEIGHT and self._uniform:
                self._uniform, self._least = [], 0
        self._questions.pop()
        return found

    def choose_under(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """Coefficients that also meet these claims, light ones if there are any."""
        for weight in (2, WEIGHT):
            values = self._under([at_least(number(weight), self._weight), *claims])
            if values is not None:
                return values
        return None

    def _under(self, claims: Sequence[Formula]) -> dict[str, int] | None:
        """Coefficients that meet these claims, with as few constants as can be."""
        found: dict[str, int] | None = None
        self._questions.push()
        self._questions.add(claims)
        for allowed in (WEIGHT, 1, 0):
            self._questions.add([at_least(number(allowed), self._constants)])
            if self._questions.check() != "sat":
                break
            point = self._questions.point()
            found = {name: int(point.get(name) or 0) for name in self._unknowns}
        self._questions.pop()
        return found

    def exclude(self, values: Mapping[str, int]) -> None:
        """Do not choose these again."""
        same = (
            equal(x, number(values[n])) for n, x in zip(self._unknowns, self._symbols, strict=True)
        )
        self._questions.add([negation(conjunction(same))])
