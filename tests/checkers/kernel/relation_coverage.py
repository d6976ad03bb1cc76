"""Whether the cases of the table cover pairs of neighbours that records give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import z3

from shiftproof.checkers.guarding.records import Neighbours, budget_of
from shiftproof.checkers.kernel.claim.policies import Case, Kind, cases, kinds
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.guarding.relation_records import Asked
from tests.checkers.kernel.relation_texts import Meaning, all_of, core, number


class TextCoverage:
    """The cases that the table has for some inputs, asked of concrete pairs."""

    def __init__(
        self, asked: Asked, changed: Callable[[list[Case]], list[Case]] = lambda found: found
    ) -> None:
        mechanism = read(core(asked.privacy, asked.program.inputs))
        self._asked = asked
        self._kinds = kinds(mechanism.header)
        self._public: dict[str, Any] = {}
        for name, value in asked.public.items():
            whole = isinstance(value, tuple)
            for i, v in enumerate(value) if isinstance(value, tuple) else ():
                self._public[f"{name}[{i}]"] = number(v)
            if not whole:
                self._public[name] = number(value)
        self._public |= {f"len({n})": z3.IntVal(size) for n, size in asked.lengths.items()}
        self._cases = [
            _Case(asked, self._kinds, self._public, case) for case in changed(cases(mechanism))
        ]

    def covered(self) -> int:
        """Of all pairs of inputs that are in some pair of neighbours, how many the cases cover."""
        pairs = self._asked.pairs()
        lefts = {str(p.left): p.left for p in pairs}.values()
        rights = {str(p.right): p.right for p in pairs}.values()
        both = (Neighbours(one, two, "") for one in lefts for two in rights if one != two)
        return sum(any(case.covers(pair) for case in self._cases) for pair in both)

    def uncovered(self) -> Iterator[Neighbours]:
        """The pairs of neighbours that no case covers with the budget that they have."""
        for pair in self._asked.pairs():
            if not any(case.covers(pair) for case in self._cases):
                yield pair


class _Case:
    """One case, whose conditions at all places wait for the values of a pair."""

    def __init__(
        self, asked: Asked, kinds: Mapping[str, Kind], public: Mapping[str, Any], case: Case
    ) -> None:
        self._asked, self._case = asked, case
        self._solver = z3.SolverFor("QF_LIRA")
        known = dict(public)
        for name, (value, *told) in case.inputs.items():
            if kinds[name].attributes:
                indices: Sequence[object] = range(kinds[name].attributes)
            else:
                indices = range(asked.lengths[name]) if kinds[name].array else ["i"]
                for j in indices:
                    meaning = Meaning(kinds, j, known)
                    q = meaning.here(f"{name}[any]" if kinds[name].array else name)
                    known[q] = meaning.new(q, f"left of {q}")
                    known[f"other({q})"] = meaning.new(q, f"right of {q}")
        facts = list(case.facts)
        for name, (value, *told) in case.inputs.items():
            if kinds[name].attributes:
                for k in range(kinds[name].attributes):
                    self._solver.add([Meaning(kinds, k, known).of(t) for t in told])
                continue
            indices = range(asked.lengths[name]) if kinds[name].array else ["i"]
            for j in indices:
                meaning = Meaning(kinds, j, known)
                q = meaning.here(f"{name}[any]" if kinds[name].array else name)
                self._solver.add(known[f"other({q})"] == meaning.of(value))
                self._solver.add([meaning.of(t) for t in told])
        meaning = Meaning(kinds, "i", known)
        self._solver.add([meaning.of(f) for f in facts])
        self._known = known
        # A budget of the case is that of the pair, with the distance in it.
        own = case.budget or "eps"
        self._budget = meaning.of(f"({own}) * ({case.distance})" if case.distance else own)

    def covers(self, pair: Neighbours) -> bool:
        """Whether the unknowns can be chosen such that all is true of a pair."""
        given = [self._budget == number(budget_of(self._asked.program, self._asked.public, pair))]
        for name, (word, *_) in self._case.inputs.items():
            one: Any = pair.left[name]
            two: Any = pair.right[name]
            if word in ("replaced", "removed", "added", "same"):
                given.append(_records(name, word, one, two))
            elif isinstance(one, tuple):
                for i, (a, b) in enumerate(zip(one, two, strict=True)):
                    given.append(self._known[f"{name}[{i}]"] == number(a))
                    given.append(self._known[f"other({name}[{i}])"] == number(b))
            else:
                given.append(self._known[name] == number(one))
                given.append(self._known[f"other({name})"] == number(two))
        self._solver.push()
        self._solver.add(given)
        answer = self._solver.check()
        self._solver.pop()
        assert answer != z3.unknown
        return bool(answer == z3.sat)


def _records(name: str, word: str, one: Sequence[Any], two: Sequence[Any]) -> Any:
    """What records of a data set may have been changed into what; order does not matter."""
    left, right = Counter(one), Counter(two)
    if word == "same":
        return z3.BoolVal(left == right)
    ways = []
    for before in left if word != "added" else [None]:
        for after in right if word != "removed" else [None]:
            if left - Counter([before]) == right - Counter([after]):
                told = [z3.BoolVal(True)]
                for said, record in (("before", before), ("after", after)):
                    for k, v in enumerate(record or ()):
                        told.append(z3.Int(f"{said}({name})[{k}]") == number(v))
                ways.append(all_of(told))
    return z3.Or(ways) if ways else z3.BoolVal(False)
