"""Two neighbours and an outcome; a bracket, which ends in one; the likelihood of an outcome."""

from __future__ import annotations

from ..checkers.bound import Bracket
from ..checkers.refuting.comparison import Comparison
from ..checkers.refuting.likelihood import Likelihood
from ..checkers.refuting.text import in_words
from ..counterexamples import TIGHT, bounds_text
from .card import Card, Fact, fact


def card_of(value: Comparison | Bracket | Likelihood) -> Card:
    """The card of one of them."""
    if isinstance(value, Bracket):
        return _bracket(value)
    return _likelihood(value) if isinstance(value, Likelihood) else _comparison(value)


def fact_of(line: str) -> Fact:
    """A line of a comparison in words: ``D: f = (1,)``, ``at eps = ln 2``, ``ratio 4; …``."""
    label, sign, rest = line.partition(" " if line.startswith(("at ", "ratio ")) else ": ")
    return fact(label, rest) if sign else fact("", line)


def _comparison(found: Comparison) -> Card:
    facts = (fact("claim", found.claim), *map(fact_of, in_words(found)))
    if found.breaks:
        return Card(found.mechanism, "refuted", "bad", facts=facts)
    return Card(found.mechanism, "within the claim", "plain", facts=facts)


def _bracket(bracket: Bracket) -> Card:
    upper, lower = bounds_text(bracket)
    found = [] if bracket.comparison is None else in_words(bracket.comparison)
    tight = (fact("tight", TIGHT),) if bracket.tight else ()
    bounds = (fact("claimed ε", bracket.claimed), fact("upper", upper), fact("lower", lower))
    return Card(
        bracket.mechanism,
        "tight" if bracket.tight else "bracket",
        "good" if bracket.tight else "plain",
        facts=(*bounds, *tight, *map(fact_of, found)),
    )


def _likelihood(likelihood: Likelihood) -> Card:
    numbers = f"a density by {likelihood.reals} released real numbers"
    of = "a density by one released real number" if likelihood.reals == 1 else numbers
    exact = "exact" if likelihood.value.exact else "enclosed"
    return Card(
        "likelihood",
        exact,
        facts=(
            fact("value", str(likelihood.value)),
            fact("of", of if likelihood.reals else "a probability"),
        ),
    )
