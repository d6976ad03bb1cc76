"""Which ε a mechanism keeps, whatever it claims: an alignment is found, then its cost is bounded.

No claim limits the search: alignments that cost little on the recordings come first.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from ....dsl.errors import LimitReached, Unsupported
from ....dsl.relations.cases import Case
from ....dsl.relations.program import Program, plain_budget
from ....dsl.terms.allowance import allowed
from ....dsl.terms.linear import Linear, number
from ...walking.common import common_facts
from ..loops.budget import spent
from ..loops.system import Solver
from ..search import Search
from .pricing import Priced, is_less, priced, sizes, together

#: What an alignment may cost on a recording, in multiples of a plain ε, one after the other.
COSTS = tuple(Fraction(*f) for f in (
    (0, 1), (1, 4), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (8, 1), (16, 1), (64, 1),
    (10**6, 1),
))  # fmt: skip
#: How many alignments are tried in a case, and how many more once one is proved.
CANDIDATES, MORE_CANDIDATES = 6, 3
#: The work for all of a mechanism.
WORK = 12_000_000


def inferred(program: Program, work: int = WORK) -> tuple[Linear, ...]:
    """What alignments were found to keep, over public parameters and lengths, the least first.

    They are guesses, which stand if they are proved like claims.

    Args:
        program: of which the claim does not count.
        work: how much may be done.
    """
    step = program.one_step
    if step.privacy.speaks:
        return ()  # the budget of a pair is the definition's, not the mechanism's
    found: list[tuple[Priced, Priced]] = []
    with allowed(work, "the search for an ε that is kept"):
        try:
            for case in step.cases:
                cheap = _cheapest(step, case)
                if not cheap:
                    return ()
                found.append((cheap[0], cheap[-1]))
        except Unsupported:
            return ()  # of alignments, or this definition has none
    budgets = [spent(together(step, cases)) for cases in zip(*found, strict=True)]
    return tuple(dict.fromkeys(b.scaled(program.privacy.group_size) for b in budgets))


def _cheapest(program: Program, case: Case) -> list[Priced]:
    """The alignments that cost least: what is left to be proved, if that costs less; one proved."""
    most = max(COSTS)
    generous = replace(program, budget=plain_budget(program.inputs).scaled(most))
    facts = common_facts(program, case)
    search = Search(generous, case, facts, [cost / most for cost in COSTS])
    solver = Solver()
    best: Priced | None = None
    guess: Priced | None = None
    left = CANDIDATES
    with suppress(LimitReached):
        for alignment in search.candidates():
            one = priced(
                program, case, alignment, solver, likely=True, arrived=search.arrived(alignment)
            )
            if one is None:
                pass
            elif not one.proved:
                guess = one if guess is None or guess.budget == number(0) else guess
            elif best is None:
                best, left = one, min(left, MORE_CANDIDATES)
            elif is_less(one, best, solver):
                best = one
            left -= 1
            # One that grows with the input may cost less on small inputs only.
            if not left or (best is not None and not sizes(best.budget)):
                break
    if guess is not None and best is not None and not is_less(guess, best, solver):
        guess = None
    return [one for one in (guess, best) if one is not None]
