"""The obligations of a proof with their trees, as the kernel asks for them, for others to check.

A condition is written as a tree writes polynomials, word by word, unknowns by their places:

  and n …     or n …     n conditions
  ? x b               the Boolean x is true (1) or false (0)
  >= P   > P   = P    the polynomial P compares with zero
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ....checkers.kernel.arithmetic import Condition, Wrong
from ....checkers.kernel.check import Check, check_of_laws, check_of_part, replay
from ....checkers.kernel.paired.powers import Registry
from ....checkers.kernel.paired.runs import Ask
from ....checkers.trees.confirming import Confirming
from ....checkers.walking.certificate import Certificate
from ....dsl.normalise import core_places, core_text
from ....dsl.relations.program import Program
from ...printable import short_name


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked about one set of unknowns.

    Attributes:
        unknowns: those of the kernel's walk.
        facts: each condition that was asked about, with its number.
        names: what obligations are called, each with its number.
        obligations: of each question that has a tree how many unknowns there were, the numbers of
            its conditions, the tree, and the number of its name.
    """

    unknowns: Registry
    facts: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    obligations: list[tuple[int, list[int], str, int]] = field(default_factory=list)

    def note(self, conditions: Sequence[Condition], tree: str, name: str) -> None:
        """One more obligation."""
        places = {name: place for place, name in enumerate(self.unknowns.whole)}
        texts = (" ".join(map(str, _words(f, places))) for f in conditions)
        numbers = [self.facts.setdefault(text, len(self.facts)) for text in texts]
        named = self.names.setdefault(name, len(self.names))
        self.obligations.append((len(places), numbers, tree, named))

    def plain(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return {
            "names": list(self.unknowns.whole),
            "whole": "".join(str(int(whole)) for whole in self.unknowns.whole.values()),
            "facts": list(self.facts),
            "called": list(self.names),
            "owed": self.obligations,
        }


@dataclass(slots=True)
class Owed:
    """The obligations of a proof.

    Attributes:
        lines: of lines of the core text how the page calls them.
        parts: in the order in which the kernel asked.
        questions: how many it asked; where one has no tree, nothing rests on the answer.
        refused: why the kernel does not agree to the proof; mostly empty.
    """

    lines: Mapping[int, str] = field(default_factory=dict)
    parts: list[Asked] = field(default_factory=list)
    questions: int = 0
    refused: str = ""

    @property
    def count(self) -> int:
        """How many questions have a tree."""
        return sum(len(part.obligations) for part in self.parts)

    def written(self) -> str:
        """All of it as JSON in one line."""
        parts = [part.plain() for part in self.parts]
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))

    def listening(self, ask: Ask) -> Ask:
        """What asks the same, and is heard here."""

        def heard(unknowns: Registry, conditions: Sequence[Condition]) -> str:
            tree = ask(unknowns, conditions)
            self.questions += 1
            if tree != "-":
                if not self.parts or self.parts[-1].unknowns is not unknowns:
                    self.parts.append(Asked(unknowns))
                self.parts[-1].note(conditions, tree, self._name(*unknowns.about))
            return tree

        return heard

    def _name(self, line: int, why: str) -> str:
        """In which line something is owed, and what: as the kernel says it."""
        at = self.lines.get(line, f"line {line} of the core text") if line else ""
        return ", ".join(filter(None, (at, why or "a case that cannot be")))


def owed_of(certificate: Certificate, program: Program | None = None) -> Owed:
    """What the kernel asks of a proof while it checks it once more.

    Enumeration without trees is not counted again: that takes long, and there is nothing to hear.

    Args:
        certificate: the proof.
        program: the one whose lines are told, if it is known.
    """
    found = Owed({} if program is None else _lines(certificate, program))
    try:
        kernel = Confirming(certificate.core, laws=certificate.laws)
        of_mechanism = kernel.mechanism, kernel.kinds
        counted = certificate.enumeration
        if counted is not None and counted.trees:
            part = _plain(counted)
            _replayed(found, part, check_of_laws(*of_mechanism, kernel.cases[:-1], part))
        cases = {case.name: case for case in kernel.cases}
        for part in map(_plain, certificate.parts):
            _replayed(found, part, check_of_part(*of_mechanism, cases[part["case"]], part))
    except Wrong as error:
        return Owed(refused=str(error))
    return found


def _lines(certificate: Certificate, program: Program) -> dict[int, str]:
    """How lines of the core text are called: as those that they come from, where that is known."""
    bodies = certificate.enumeration is not None
    if core_text(program, bodies=bodies) != certificate.core:
        return {}
    return {
        number: f"line {place.line}"
        + ("" if place.file == program.source.file else f" of {short_name(place.file)}")
        for number, place in core_places(program, bodies=bodies).items()
    }


def _replayed(found: Owed, part: Mapping[str, Any], check: Check) -> None:
    replay(part, lambda ask: check(found.listening(ask)))


def _plain(part: msgspec.Struct) -> dict[str, Any]:
    """A part as JSON has it, which is how the kernel reads it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(part))
    return found


def _words(condition: Condition, places: Mapping[str, int]) -> Iterator[object]:
    kind, what = condition[0], condition[1]
    yield kind
    if kind == "?":
        yield from (places[what], int(condition[2]))
        return
    yield len(what)
    for member in what:
        if kind in ("and", "or"):
            yield from _words(member, places)
        else:
            monomial, k = member
            yield from (k, len(monomial), *(places[name] for name in monomial))
