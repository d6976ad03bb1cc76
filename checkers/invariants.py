"""Loop invariants by elimination: propose many, drop what some step breaks, keep the rest.

What is left when no step breaks anything holds whenever the head is reached, whatever
the proposals were; so proposals may be as wild as they like.  They come from the
program's own comparisons, from where its variables start, and from the bound that the
cost must meet.  Most mechanisms need nothing else; Spacer starts from what is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..dsl.formulas import Formula
from ..dsl.smt import Questions, Writer
from ..dsl.substitution import Substitution
from ..dsl.terms import Linear
from .budget import Bounds
from .heads import StateVariable
from .proposals import proposals
from .system import Invariants, Rule, System

Proposer = Callable[[System, str, Bounds], Iterator[Formula]]


def invariants(
    system: System, bounds: Bounds, propose: Proposer = proposals, known: Invariants | None = None
) -> Invariants:
    """Conditions on the state variables that hold at each loop head, ``known`` ones included."""
    known = known or {}
    kept = {
        name: list(
            {f.key: f for f in (*known.get(name, ()), *propose(system, name, bounds))}.values()
        )
        for name in system.predicates
    }
    steps = [_Step(system, rule) for rule in system.rules]
    questions = Questions(Writer())
    waiting = list(steps)
    while waiting:
        step = waiting.pop(0)
        if kept[step.rule.target] and step.eliminate(kept, questions):
            # What was taken for granted at this head is no more: its steps are tried again.
            again = (s for s in steps if s.rule.source == step.rule.target)
            waiting += [s for s in again if s not in waiting]
    return {name: tuple(found) for name, found in kept.items()}


def strengthened(system: System, known: Invariants) -> System:
    """The system with each head's invariants among the facts of the rules that leave it."""
    rules = [replace(r, facts=(*r.facts, *known.get(r.source or "", ()))) for r in system.rules]
    return replace(system, rules=rules)


class _Step:
    """One step into a loop head, and what each condition there means before it."""

    def __init__(self, system: System, rule: Rule) -> None:
        self.rule = rule
        self._put = substitution(system.predicates[rule.target], rule.arguments)
        self._before: dict[str, Formula] = {}

    def _claim(self, condition: Formula) -> Formula:
        if condition.key not in self._before:
            self._before[condition.key] = self._put.formula(condition)
        return self._before[condition.key]

    def eliminate(self, kept: dict[str, list[Formula]], questions: Questions) -> bool:
        """Drop what this step breaks; whether anything was dropped."""
        target = self.rule.target
        claims = {f"kept {k}": (f, self._claim(f)) for k, f in enumerate(kept[target])}
        questions.push()
        questions.add([*self.rule.facts, *kept.get(self.rule.source or "", ())])
        # Each claim has a name, so that a model says at once which of them it breaks.
        open_names = questions.define({name: claim for name, (_, claim) in claims.items()})
        dropped: set[str] = set()
        while open_names:
            answer, broken = questions.broken(open_names)
            if answer == "unsat":
                break
            # Without a usable counterexample, all of them go: they are only proposals.
            gone = broken if answer == "sat" and broken else set(open_names)
            open_names = [name for name in open_names if name not in gone]
            dropped |= gone
        questions.pop()
        if dropped:
            kept[target] = [f for name, (f, _) in claims.items() if name not in dropped]
        return bool(dropped)


def substitution(
    state: Sequence[StateVariable], arguments: Sequence[Linear | Formula]
) -> Substitution:
    """What an arrival puts in for the state variables of a head."""
    pairs = list(zip(state, arguments, strict=True))
    return Substitution(
        {v.symbol.key: a for v, a in pairs if isinstance(a, Linear)},
        {v.symbol.key: a for v, a in pairs if isinstance(a, Formula)},
    )
