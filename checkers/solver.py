"""Questions without loops: does a claim follow from some facts?

Z3 answers, under a resource limit; "unknown" is never an answer in favour of a proof.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dsl.formulas import Formula, Truth, negation
from ..dsl.smt import Answer, Questions, Writer


class Solver:
    """Decides consequences of facts; remembers its answers.

    ``searches`` counts how often loop invariants were searched for in its name.
    """

    def __init__(self) -> None:
        self.searches = 0
        self._linear = Questions(Writer())
        self._exact = Questions(Writer(exact_products=True))
        self._answers: dict[tuple[int, frozenset[str]], Answer] = {}

    def consistent(self, facts: Iterable[Formula]) -> bool:
        """Whether the facts can hold together, as far as is known."""
        return self._ask(self._linear, facts) != "unsat"

    def consistent_parameters(self, facts: Iterable[Formula]) -> bool:
        """The same for what is said of parameters alone, products written out."""
        return self._ask(self._exact, [f for f in facts if f.fixed]) != "unsat"

    def follows(self, facts: Iterable[Formula], claim: Formula) -> bool:
        """Whether the claim is proved to follow from the facts.

        A claim about parameters alone is taken with its products written out.
        """
        if isinstance(claim, Truth) and claim.value:
            return True
        against = [*facts, negation(claim)]
        if self._ask(self._linear, against) == "unsat":
            return True
        return claim.fixed and self._ask(self._exact, [f for f in against if f.fixed]) == "unsat"

    def _ask(self, questions: Questions, facts: Iterable[Formula]) -> Answer:
        facts = list(facts)
        key = id(questions), frozenset(f.key for f in facts)
        if key not in self._answers:
            self._answers[key] = questions.ask(facts)
        return self._answers[key]
