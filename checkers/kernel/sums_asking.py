"""The questions of a check of sums: linear ones over the integers, others over the reals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...dsl.formulas import Formula, above, at_least, negation
from ...dsl.smt import Writer
from ...dsl.terms import Linear, number
from .solvers import Answer, Solver
from .sums_reals import Reals, tightened

#: cvc5's complete procedure for polynomials.
COVERINGS = "(set-option :nl-cov true)"


@dataclass(slots=True)
class Asking:
    """Every solver is asked; only what all of them exclude is impossible."""

    solvers: Sequence[Solver]
    asked: int = 0
    #: Facts that many questions share; what follows from them alone is asked once.
    common: tuple[Formula, ...] = ()
    _known: dict[tuple[frozenset[str], str], bool] = field(default_factory=dict)
    #: What a solver says, and another one denies.
    contradictions: list[str] = field(default_factory=list)

    def impossible(self, facts: Iterable[Formula]) -> bool:
        """Whether the conditions cannot hold together, by linear arithmetic or else over reals."""
        facts = list(dict.fromkeys(facts))
        key = frozenset(f.key for f in facts), ""
        if key not in self._known:
            self._known[key] = self._linear(facts) or self._real(facts, "")
        return self._known[key]

    def linearly_impossible(self, facts: Iterable[Formula]) -> bool:
        """The same by linear arithmetic alone."""
        facts = list(dict.fromkeys(facts))
        key = frozenset(f.key for f in facts), "linear"
        if key not in self._known:
            self._known[key] = self._linear(facts)
        return self._known[key]

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether a claim follows from the conditions."""
        return self.impossible([*facts, negation(claim)])

    def at_most(
        self,
        facts: Iterable[Formula],
        little: Sequence[Linear],
        factor: Linear,
        much: Sequence[Linear],
    ) -> bool:
        """Whether the one sum is at most the factor times the other, where the conditions hold."""
        facts = list(dict.fromkeys(facts))
        reals = Reals.about([*facts, *little, factor, *much])
        own, other = (f"(+ 0.0 0.0 {' '.join(map(reals.linear, side))})" for side in (little, much))
        broken = f"(> {own} (* {reals.linear(factor)} {other}))"
        return self._written(facts, reals, broken)

    def _surely(self, facts: Sequence[Formula], claim: Formula) -> bool:
        """Whether a claim follows by linear arithmetic, from what is shared or from all."""
        against = negation(claim)
        shared = set(self.common) <= set(facts)
        if shared and self.linearly_impossible([*self.common, against]):
            return True
        return self.linearly_impossible([*facts, against])

    def _linear(self, facts: Sequence[Formula]) -> bool:
        writer = Writer()
        texts = [writer.formula(f) for f in facts]
        declared = "".join(f"(declare-const {n} {s})" for n, s in writer.sorts.items())
        return self._answered(declared, texts)

    def _real(self, facts: Sequence[Formula], more: str) -> bool:
        return self._written(facts, Reals.about(facts), more)

    def _written(self, facts: Sequence[Formula], reals: Reals, more: str) -> bool:
        said = [more] if more else []
        texts = [reals.formula(tightened(f)) for f in facts]
        for name, base in list(reals.powers.values()):
            texts += self._of_power(facts, reals, name, base)
        for text, (name, value) in list(reals.inverses.items()):
            for relation, positive in ((">", above(value, number(0))), ("<", None)):
                claim = positive if positive is not None else above(number(0), value)
                if self._surely(facts, claim):
                    texts += [f"({relation} {text} 0.0)", f"({relation} {name} 0.0)"]
                    break
        known = list(reals.definitions())
        return self._answered(reals.declarations(), [*known, *texts, *said], real=True)

    def _of_power(
        self, facts: Sequence[Formula], reals: Reals, name: str, base: Linear
    ) -> list[str]:
        if base.is_constant:
            return []
        texts = []
        for claim, relation in ((above(base, number(0)), ">"), (at_least(base, number(0)), ">=")):
            if self._surely(facts, claim):
                texts.append(f"({relation} {name} 1.0)")
                break
        texts += [
            f"(>= {name} {another})"
            for another, power in list(reals.powers.values())
            if another != name and self._surely(facts, at_least(base, power))
        ]
        if all(atom.key in reals.plain for atom, _ in base.parts):
            texts.append(f"(>= {name} (+ 1.0 {reals.linear(base)}))")
        return texts

    def _answered(self, declared: str, texts: Sequence[str], real: bool = False) -> bool:
        answers: list[Answer] = []
        for solver in self.solvers:
            self.asked += 1
            session = solver.session()
            if real and solver.name == "cvc5":
                session.declare(COVERINGS)  # without it, cvc5 may go on for ever
            session.declare(declared)
            session.tell("".join(f"(assert {t})" for t in texts))
            answers.append(session.check())
        if {"sat", "unsat"} <= set(answers):
            self.contradictions.append("solvers contradict each other about a sum")
        return bool(answers) and set(answers) == {"unsat"}
