"""Which of many invariants a proof needs: few enough to be read, and still inductive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..dsl.formulas import Formula, Truth, negation
from ..dsl.smt import Questions, Writer
from .horn import Query
from .invariants import substitution
from .system import Invariants, System


def needed_invariants(
    system: System, queries: Iterable[Query], known: Invariants
) -> Invariants | None:
    """The invariants that the queries rest on, and those that these rest on in turn.

    ``None`` if what is known is not enough, so that there is no proof to be written down.
    """
    kept: dict[str, dict[str, Formula]] = {name: {} for name in system.predicates}
    waiting: list[tuple[str, Formula]] = []

    def rest_on(source: str | None, facts: Sequence[Formula], claim: Formula) -> bool:
        core = _core(facts, known.get(source or "", ()), claim)
        for invariant in core or ():
            assert source is not None
            if invariant.key not in kept[source]:
                kept[source][invariant.key] = invariant
                waiting.append((source, invariant))
        return core is not None

    if not all(rest_on(q.source, q.facts, q.claim) for q in queries):
        return None
    while waiting:
        name, invariant = waiting.pop()
        for rule in system.rules:
            if rule.target == name:
                put = substitution(system.predicates[name], rule.arguments)
                if not rest_on(rule.source, rule.facts, put.formula(invariant)):
                    return None
    # In the order in which they were proposed, the simplest first.
    return {
        name: tuple(f for f in known.get(name, ()) if f.key in found)
        for name, found in kept.items()
    }


def _core(
    facts: Sequence[Formula], invariants: Sequence[Formula], claim: Formula
) -> list[Formula] | None:
    """Invariants that are enough for a claim; ``None`` if all of them are not."""
    if isinstance(claim, Truth) and claim.value:
        return []
    questions = Questions(Writer())
    questions.add([*facts, negation(claim)])
    names = {f"invariant {k}": f for k, f in enumerate(invariants)}
    found = questions.core(names)
    return None if found is None else [names[name] for name in found]
