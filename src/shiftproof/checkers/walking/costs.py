"""What the shifts of a proof cost at most, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

from ...dsl.relations.program import Program
from ...dsl.terms.linear import number
from ...dsl.terms.pretty import pretty
from .certificate import Part
from .notation import term_of
from .runs.given_up import probability_at
from .runs.vocabulary import Vocabulary


def cost_texts(program: Program, parts: Sequence[Part]) -> tuple[str, ...]:
    """What the shifts cost at most in each case, as a sum over rates: ``c · eps/c = eps``.

    Empty where a budget depends on the pair, and where nothing is paid for.
    """
    costly = [part for part in parts if part.costs]  # of a proof by sums there are no cases
    cases = {case.name: case for case in program.cases} if costly else {}
    found: dict[str, None] = {}
    for part in costly:
        case = cases.get(part.case)
        if case is None or case.distance is not None:
            continue
        meaning = Vocabulary.of(program, case).meaning
        paid = [
            (found_rate, term_of(most, meaning))
            for rate, most in part.costs.items()
            if probability_at(found_rate := term_of(rate, meaning)) is None
        ]
        if not paid:
            continue
        total = sum((rate * most for rate, most in paid), number(0))
        shown = " + ".join(_product(pretty(most), pretty(rate)) for rate, most in paid)
        whole = pretty(total)
        plain = shown == whole or (len(paid) == 1 and "/" not in shown)  # n · eps is eps * n
        measure = f"{part.shown} " if part.shown else ""
        found[measure + (shown if plain else f"{shown} = {whole}")] = None
    return tuple(found)


def _product(most: str, rate: str) -> str:
    one, other = (f"({text})" if " " in text else text for text in (most, rate))
    return other if most == "1" else f"{one} · {other}"
