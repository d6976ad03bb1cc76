"""Which of many invariants a proof needs: few enough to be read, and still inductive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....dsl.terms.formulas import Formula, Junction, Truth, conjunction, negation
from ....dsl.terms.smt import Questions, Writer
from .horn import Query
from .invariants import substitution
from .system import Invariants, System


def needed_invariants(
    system: System, queries: Iterable[Query], known: Invariants
) -> Invariants | None:
    """The invariants that the queries rest on, and those that these rest on in turn.

    ``None`` if what is known is not enough, so that there is no proof to be written down.
    """
    closure = _Closure(system, known)
    for query in queries:
        if not closure.rests_on(query.source, query.facts, query.claim):
            return None
    while closure.waiting:
        name, fresh = closure.waiting.popitem()
        for rule in system.rules:
            if rule.target == name:
                put = substitution(system.predicates[name], rule.arguments)
                claim = conjunction(map(put.formula, fresh))
                if not closure.rests_on(rule.source, rule.facts, claim):
                    return None
    # In the order in which they were proposed, the simplest first.
    return {
        name: tuple(f for f in known.get(name, ()) if f.key in kept)
        for name, kept in closure.kept.items()
    }


class _Closure:
    """What is needed so far; ``waiting`` are those of which it is not settled what they need."""

    def __init__(self, system: System, known: Invariants) -> None:
        self.kept: dict[str, set[str]] = {name: set() for name in system.predicates}
        self.waiting: dict[str, list[Formula]] = {}
        self._known = known
        self._questions = Questions(Writer())

    def rests_on(self, source: str | None, facts: Sequence[Formula], claim: Formula) -> bool:
        """Add what a claim needs of a head's invariants; whether they are enough."""
        if isinstance(claim, Truth) and claim.value:
            return True
        invariants = self._known.get(source or "", ())
        # What is needed anyway comes free.
        free = [f for f in invariants if f.key in self.kept.get(source or "", ())]
        rest = {f"needed {k}": f for k, f in enumerate(invariants) if f not in free}
        # Those that hold in all cases are easier to read.
        plain = {name: f for name, f in rest.items() if not isinstance(f, Junction)}
        self._questions.push()
        self._questions.add([*facts, *free, negation(claim)])
        core = self._questions.core(plain)
        if core is None and len(plain) < len(rest):
            core = self._questions.core(rest)
        self._questions.pop()
        for name in core or ():
            assert source is not None
            self.kept[source].add(rest[name].key)
            self.waiting.setdefault(source, []).append(rest[name])
        return core is not None
