"""Whether the cases of a relation cover pairs of inputs, and inputs of every kind to ask it of."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

from shiftproof import (
    ADP,
    DP,
    LDP,
    Blowfish,
    ContextAwareLDP,
    DPrivacy,
    InputDiscriminativeLDP,
    OneSidedDP,
    Policy,
    Related,
    other,
)
from shiftproof.checkers.guarding.records import Data, Neighbours, neighbours
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.dsl.privacy.inputs import (
    CountingQueries,
    CountingQuery,
    DataSet,
    EpsilonInput,
    InputKind,
    IntegerQueries,
    IntegerQuery,
    IntegerValue,
    IntegerValues,
    LocationCounts,
    PublicFloat,
    PublicInt,
    PublicIntVector,
    Queries,
    Query,
    Secret,
    SecretInteger,
    Secrets,
    Stream,
    Value,
    Values,
    WindowCounts,
)
from shiftproof.dsl.privacy.records import AFTER, BEFORE, RECORD, attribute
from shiftproof.dsl.reading.rules import read_definition
from shiftproof.dsl.relations.cases import Case, Pair, cases_of
from shiftproof.dsl.relations.program import Program
from shiftproof.dsl.relations.unknowns import MOVE
from shiftproof.dsl.terms.formulas import FALSE, TRUE, Formula, Sign, conjunction, equal
from shiftproof.dsl.terms.linear import Linear, Symbol, number, term
from shiftproof.dsl.terms.smt import Questions, Writer
from shiftproof.dsl.terms.substitution import Substitution, symbols_of

Kinds = dict[str, InputKind]

#: Public inputs that the kinds name.
PUBLIC: dict[str, tuple[InputKind, Data]] = {
    "eps": (EpsilonInput(), Fraction(1)),
    "place": (PublicIntVector(), (0, 0, 1)),
    "s": (PublicFloat(), Fraction(1, 2)),
    "k": (PublicInt(), 1),
}


def close(x: float) -> bool:
    return abs(x - other(x)) <= 1


def upwards(x: float) -> bool:
    return other(x) - x == 1


def distance(x: float) -> float:
    return abs(x - other(x))


def of_pair(x: float, eps: float) -> float:
    return eps if x == 0 or other(x) == 0 else 2 * eps


def of_value(x: float, eps: float) -> float:
    return eps if x == 0 else 2 * eps


#: Every privacy definition, with policies of all shapes.
PRIVACIES: dict[str, Privacy] = {
    "ones": ADP(Policy({1})),
    "zeros": ADP(Policy({0})),
    "both": ADP(Policy({0, 1})),
    "nothing": ADP(Policy(set())),
    "one-of-three": ADP(Policy({1}, {0, 1, 2})),
    "two-of-three": ADP(Policy({1, 2}, {0, 1, 2})),
    "replacement": DP(),
    "add-remove": DP("add-remove"),
    "local": LDP(),
    "distance": DPrivacy(distance),
    "edges": Blowfish(close),
    "one-way-edges": Blowfish(upwards),
    "pairs": ContextAwareLDP(of_pair),
    "values": InputDiscriminativeLDP(of_value),
    "one-sided": OneSidedDP(Policy({1})),
    "one-sided-of-three": OneSidedDP(Policy({1}, {0, 1, 2})),
    "related": Related(close),
    "related-one-way": Related(upwards),
}

#: Every kind of private input; the rules above call it x.
ALONE: dict[str, InputKind] = {
    "count": CountingQuery(),
    "counts": CountingQueries(),
    "zeros": CountingQueries({0}),
    "two-values": CountingQueries({0, 1}),
    "histogram": CountingQueries(one_hot=True),
    "histogram-of-zeros": CountingQueries({0}, one_hot=True),
    "locations": LocationCounts(by="place"),
    "locations-of-zeros": LocationCounts({0}, by="place"),
    "windows": WindowCounts(2),
    "windows-of-k": WindowCounts("k"),
    "data-1": DataSet(1),
    "data-2": DataSet(2),
    "integer": IntegerValue(0, 1),
    "integer-to-k": IntegerValue(0, "k"),
    "value": Value(0, 1),
    "integers": IntegerValues(0, 1),
    "values": Values(0, 1),
    "secret": Secret(),
    "secret-integer": SecretInteger(),
    "secrets": Secrets(),
    "query": Query(Fraction(1, 2)),
    "query-down": Query("s", "decreasing"),
    "queries": Queries(1),
    "queries-up": Queries(1, "increasing"),
    "queries-one": Queries(1, "both", "one"),
    "stream": Stream(1, "decreasing"),
    "integer-query": IntegerQuery(2, "increasing"),
    "integer-queries": IntegerQueries(Fraction(3, 2)),
}

#: Kinds that stand together.
TOGETHER: dict[str, Kinds] = {
    "count+count": {"x": CountingQuery(), "y": CountingQuery({0})},
    "counts+count": {"x": CountingQueries(), "y": CountingQuery()},
    "histogram+count": {"x": CountingQueries(one_hot=True), "y": CountingQuery()},
    "locations+count": {"x": LocationCounts(by="place"), "y": CountingQuery()},
    "windows+count": {"x": WindowCounts(2), "y": CountingQuery()},
    "windows+windows": {"x": WindowCounts(1), "y": WindowCounts(2)},
    "data+count": {"x": DataSet(1), "y": CountingQuery()},
    "data+data": {"x": DataSet(1), "y": DataSet(1)},
    "integer+integer": {"x": IntegerValue(0, 1), "y": IntegerValue(0, 1)},
    "integer+value": {"x": IntegerValue(0, 1), "y": Value(0, 1)},
    "integers+integers": {"x": IntegerValues(0, 1), "y": IntegerValues(0, 1)},
    "integers+integer": {"x": IntegerValues(0, 1), "y": IntegerValue(0, 1)},
    "data+integer": {"x": DataSet(1), "y": IntegerValue(0, 1)},
    "count+integer": {"x": CountingQuery(), "y": IntegerValue(0, 1)},
    "count+query": {"x": CountingQuery(), "y": Query(1, "decreasing")},
}


@dataclass(frozen=True)
class Asked:
    """Some private inputs under a definition, at one size."""

    privacy: Privacy
    private: Kinds
    lengths: Mapping[str, int]
    records: int
    public: dict[str, Data] = field(default_factory=lambda: {n: v for n, (_, v) in PUBLIC.items()})

    @property
    def program(self) -> Program:
        """All of a program that a relation is about."""
        inputs = {**self.private, **{n: k for n, (k, _) in PUBLIC.items()}}
        budget = term(Symbol("eps", fixed=True))
        privacy = read_definition(self.privacy)
        return cast(Any, SimpleNamespace(name="m", privacy=privacy, inputs=inputs, budget=budget))

    def cases(self) -> tuple[Case, ...]:
        """The relation as a proof has it."""
        return cases_of(self.program.privacy, self.program.inputs)

    def pairs(self) -> list[Neighbours]:
        """The relation as records have it."""
        return list(neighbours(self.program, self.public, self.lengths, self.records))


def asked(privacy: Privacy, private: Kinds) -> Asked:
    """The sizes at which kinds of inputs are asked about."""
    many = len(private) > 1
    lengths = {}
    for name, kind in private.items():
        located = isinstance(kind, LocationCounts)
        if kind.array:
            lengths[name] = 3 if located or (isinstance(kind, WindowCounts) and not many) else 2
    large = many or any(isinstance(k, DataSet) and k.attributes > 1 for k in private.values())
    return Asked(privacy, private, lengths, 1 if large else 2)


class Coverage:
    """The cases of a relation, asked of concrete pairs."""

    def __init__(self, asked: Asked, cases: Sequence[Case] | None = None) -> None:
        self._asked = asked
        self._cases = asked.cases() if cases is None else cases
        self._public = dict(self._told_of_public())

    def _told_of_public(self) -> Iterator[tuple[str, Linear]]:
        for name, value in self._asked.public.items():
            if isinstance(value, tuple):
                yield from ((f"{name}[{i}]", number(cast(int, v))) for i, v in enumerate(value))
            else:
                yield name, number(value)
        yield from ((f"len({n})", number(size)) for n, size in self._asked.lengths.items())

    def covers(self, left: Mapping[str, Data], right: Mapping[str, Data]) -> bool:
        """Whether some case has unknowns with which all that it says is true of a pair."""
        return any(self._in_case(case, left, right) for case in self._cases)

    def _in_case(self, case: Case, left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
        known, facts = dict(self._public), list(case.facts)
        for pair, one, two, differs in self._seen(case, left, right):
            (symbol,) = symbols_of(pair.left) if len(pair.left.parts) == 1 else (None,)
            if symbol is not None and pair.left == term(symbol):
                known[symbol.key] = number(one)
                if differs:
                    known[MOVE + symbol.key] = number(one - two)
            facts += [*pair.facts, equal(pair.left, number(one)), equal(pair.right, number(two))]
        open_ = _settled(facts, known)
        if not open_ or FALSE in open_:
            return not open_
        likely = _settled(open_, self._guesses(case, left, right))
        places = [g.key for g in case.places]
        for at in itertools.product(range(3), repeat=len(places)):
            if not _settled(likely, {p: number(i) for p, i in zip(places, at, strict=True)}):
                return True
        answer = Questions(Writer()).ask(open_)
        assert answer != "unknown"
        return answer == "sat"

    def _guesses(
        self, case: Case, left: Mapping[str, Any], right: Mapping[str, Any]
    ) -> dict[str, Linear]:
        """The record that one data set has more than the other, and who left which window."""
        found = {}
        for name, kind in self._asked.private.items():
            one, two = left[name], right[name]
            if isinstance(kind, DataSet) and one and two:
                for word, a, b in ((BEFORE, one, two), (AFTER, two, one)):
                    record = next(iter(Counter(a) - Counter(b) or a))
                    found |= {f"{word}{name}[{k}]": number(v) for k, v in enumerate(record)}
            elif case.moves[name].where == "window":
                for i, gap in enumerate(a - b for a, b in zip(one, two, strict=True)):
                    falls = max(gap, 0) if case.moves[name].opposed else gap
                    found[f"{MOVE}{name}[{i}]"] = number(falls)
                    found[f"{MOVE}{name}, other[{i}]"] = number(gap - falls)
        return found

    def _seen(
        self, case: Case, left: Mapping[str, Any], right: Mapping[str, Any]
    ) -> Iterator[tuple[Pair, Any, Any, bool]]:
        """All that a mechanism can see of two inputs, and whether the case names the difference."""
        for name, kind in self._asked.private.items():
            one, two = left[name], right[name]
            differs = case.moves[name].where != "window"
            if isinstance(kind, DataSet):
                yield from ((*seen, False) for seen in _counted(case, name, kind, one, two))
            elif kind.array:
                for i, (a, b) in enumerate(zip(one, two, strict=True)):
                    yield case.cell(name, number(i)), a, b, differs
            else:
                yield case.scalar(name), one, two, differs


def _settled(facts: Sequence[Formula], known: Mapping[str, Linear]) -> list[Formula]:
    """What is left of conditions with values put in, and with those that equations give."""
    known, first = dict(known), True
    while known or first:
        put, known, first = Substitution(known), {}, False
        facts = [f for fact in facts if (f := put.formula(fact)) != TRUE]
        if FALSE in facts:
            return [FALSE]
        for f in facts:
            if isinstance(f, Sign) and f.relation == "==" and len(f.subject.parts) == 1:
                ((atom, factor),) = f.subject.parts
                if isinstance(atom, Symbol):
                    known[atom.key] = number(-f.subject.constant / Fraction(factor))
    return list(facts)


def _counted(
    case: Case, name: str, kind: DataSet, one: Sequence[Any], two: Sequence[Any]
) -> Iterator[tuple[Pair, int, int]]:
    """How often each record is there, which is all that can be asked; and how many there are."""
    own = [attribute(RECORD + name, number(k)) for k in range(kind.attributes)]
    anything = conjunction([])
    yield case.counted(name, anything), len(one), len(two)
    for record in sorted({*one, *two}):
        test = conjunction(equal(a, number(v)) for a, v in zip(own, record, strict=True))
        yield case.counted(name, test), one.count(record), two.count(record)


def uncovered(asked: Asked) -> list[Neighbours]:
    """Neighbours that no case covers; there must be none."""
    coverage = Coverage(asked)
    return [pair for pair in asked.pairs() if not coverage.covers(pair.left, pair.right)]


def sizes(asked: Asked) -> tuple[int, int]:
    """Of all pairs of the inputs that come up, how many the cases cover, and are neighbours.

    Those are neighbours that are so with one record more.
    """
    coverage, pairs = Coverage(asked), asked.pairs()
    more = replace(asked, records=asked.records + 1).pairs()
    lefts = {key(p.left): p.left for p in pairs}
    rights = {key(p.right): p.right for p in pairs}
    exact = {(a, b) for p in more if (a := key(p.left)) in lefts and (b := key(p.right)) in rights}
    covered = {
        (a, b)
        for (a, one), (b, two) in itertools.product(lefts.items(), rights.items())
        if a != b and coverage.covers(one, two)
    }
    assert exact <= covered
    return len(covered), len(exact)


def key(side: Mapping[str, Data]) -> tuple[Any, ...]:
    """An input; data sets are multisets of records."""
    return tuple(
        tuple(sorted(v)) if isinstance(v, tuple) and v and isinstance(v[0], tuple) else v
        for v in side.values()
    )


def all_asked() -> dict[str, Asked]:
    """Every kind and every combination under every definition, where that has a meaning."""
    return {
        f"{kinds}-{name}": one for name in PRIVACIES for kinds, one in asked_under(name).items()
    }


def asked_under(name: str) -> dict[str, Asked]:
    """Every kind and every combination under one definition, where that has a meaning."""
    found = {}
    for kinds, private in {**{n: {"x": k} for n, k in ALONE.items()}, **TOGETHER}.items():
        declared = all(isinstance(k, Queries) for k in private.values())
        if declared and name not in ("ones", "replacement", "related"):
            continue  # how they differ is said by the inputs, whatever the definition is
        one = asked(PRIVACIES[name], private)
        with suppress(BadInput):
            one.cases()
            found[kinds] = one
    return found
