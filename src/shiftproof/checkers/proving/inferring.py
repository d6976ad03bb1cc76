"""Which ε a mechanism keeps, whatever it claims: an alignment is found, then its cost is bounded.

No claim limits the search: alignments that cost little on the recordings come first.  What is
found is a guess until the kernel accepts its proof, like that of a claim.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction

from ...dsl.errors import LimitReached
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.allowance import allowed
from ...dsl.terms.linear import Linear, number, term
from ..walking.certificate import Part
from ..walking.common import common_facts
from .pricing import Priced, is_less, priced, sizes, spent, together
from .search import Search
from .system import Solver
from .tighten import accepted

#: What an alignment may cost on a recording, in multiples of a plain ε, one after the other.
COSTS = tuple(Fraction(*f) for f in (
    (0, 1), (1, 4), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (8, 1), (16, 1), (64, 1),
))  # fmt: skip
#: How many alignments are tried in a case.
CANDIDATES = 6
#: The work for all of a mechanism.
WORK = 12_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """An ε that is kept, over public parameters and sizes, and the parts of its proof."""

    budget: Linear
    parts: tuple[Part, ...]


def kept(program: Program) -> Kept | None:
    """The least ε that an alignment was found to prove, for all sizes; ``None`` if none was.

    Raises:
        Unsupported: a construct has no meaning in the paired run.
    """
    if program.privacy.speaks:
        return None  # the budget of a pair is the definition's, not the mechanism's
    try:
        with allowed(WORK, "the search for an ε that is kept"):
            found = [_cheapest(program, case) for case in program.cases]
    except LimitReached:
        return None
    cases = [one for one in found if one is not None]
    if len(cases) < len(found):
        return None
    budget = spent(together(program, cases))
    parts = accepted(program, budget, cases)
    return None if parts is None else Kept(budget, parts)


def _cheapest(program: Program, case: Case) -> Priced | None:
    """The first alignment that is proved, of those that cost least on recordings first."""
    most = max(COSTS)
    plain = _plain(program)
    generous = replace(program, budget=plain.scaled(most))
    facts = common_facts(program, case)
    search = Search(generous, case, facts, [cost / most for cost in COSTS])
    solver = Solver()
    best: Priced | None = None
    for alignment in itertools.islice(search.candidates(), CANDIDATES):
        found = priced(program, case, alignment, solver, quick=True)
        if found is not None and (best is None or is_less(found, best, solver)):
            best = found
        if best is not None and not sizes(best.budget):
            break  # one that grows with the input may cost less on small inputs only
    return best


def _plain(program: Program) -> Linear:
    """The sum of the privacy parameters: the measure of what is cheap."""
    total = number(0)
    for name in program.epsilons():
        total = total + term(program.parameter_symbol(name))
    return total if total != number(0) else number(1)
