"""``refute``: look for two neighbouring inputs and an outcome that break a claim."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from ...alignments.examples import Example
from ...dsl.errors import BadInput, LimitReached
from ...dsl.language.syntax import Span
from ...dsl.relations.program import Program
from ..exact.numbers import Base
from ..exact.outcomes import Outcome
from ..exact.ties import OnBoundary
from . import EFFORT
from .comparison import Comparison, compared
from .inputs import Input, Inputs, Instance, accepted, as_kind
from .judge import LARGE
from .likelihood import inputs_in_words
from .search import Hunt, hunt
from .shrink import Candidate, shrunk

#: By how much more than 1 time the claimed ε a ratio is no matter of rounding.
CLOSE = 1e-6
#: The effort of a search that somebody asks for; that of ``verify`` is smaller.
THOROUGH = 20_000

if TYPE_CHECKING:
    from ...dsl.mechanism import Mechanism


def refute(
    mechanism: Mechanism[..., Any],
    given: Mapping[str, Any] | None = None,
    *,
    effort: int = THOROUGH,
) -> Comparison | None:
    """Look for a counterexample to a mechanism's privacy claim.

    Args:
        mechanism: what ``@mechanism`` made.
        given: public inputs that are to stay as they are; an ε is a number in nats or a
            multiple of ln 2 such as ``"2 ln 2"``, at which many probabilities are rational.
        effort: how far to search, in units of work of a third of a millisecond or so: a small
            integral is one unit.

    Returns:
        Two neighbouring inputs and an outcome whose likelihood ratio is above e^ε for certain,
        or, of a claim of ρ, whose Rényi divergence of an order α is above αρ; made as small as
        could be; ``None`` if none was found, which proves nothing.

    Raises:
        BadInput: a given input is not one of the mechanism's, or is of the wrong kind.
        Unsupported: the mechanism is outside the language.

    Source: Definition 10 of Asymmetric Differential Privacy, for one outcome.
    """
    program = mechanism.program
    program.check_frozen()
    return refutation(program, given or {}, effort).comparison


@dataclass(frozen=True, slots=True)
class Search:
    """What a search came to: a counterexample, or why there is none.

    ``raises``: where and on which input the mechanism raises, in words, if it does.
    """

    comparison: Comparison | None
    why: str = ""
    raises: str = ""


def refutation(
    program: Program,
    given: Mapping[str, Any] | None = None,
    effort: int = EFFORT,
    starts: Iterable[Instance] = (),
) -> Search:
    """Search for a counterexample, from these pairs first."""
    program.check_claims()
    base, fixed = accepted(program, given or {})
    if program.privacy.is_relaxed and base == "2":
        what = "a ρ" if program.privacy.zcdp else "beside a δ an ε"
        raise BadInput(f"{program.name}: {what} is a number, and no multiple of ln 2")
    search = hunt(program, fixed, base, effort, starts=starts)
    best, doubts = search.best, list[str]()
    if best is not None and (best.loss > 1 or best.likelihoods.broken):
        whole = (shrunk(program, best, fixed), best) if best.likelihoods.broken else ()
        pairs = [(c.instance, c.outcome) for c in whole]
        for instance, outcome in (*pairs, *_with_small_epsilon(program, best, fixed)):
            try:
                found = compared(program, instance, outcome)
            except (OnBoundary, LimitReached) as doubt:
                doubts.append(str(doubt))
                continue
            if found.breaks:
                return Search(found)
    raises = "" if search.raises is None else _raises(program, *search.raises)
    return Search(None, _why(search, doubts), raises)


def _with_small_epsilon(
    program: Program, best: Candidate, fixed: Inputs
) -> Iterator[tuple[Instance, Outcome]]:
    """The same pair at an ε at which a large ratio is a number that can be written down."""
    names = [name for name in program.epsilons() if name not in fixed]
    if names and LARGE < best.loss < math.inf:
        share = Fraction(1, math.ceil(best.loss))
        public = best.instance.public
        less = {name: cast(Fraction, public[name]) * share for name in names}
        yield replace(best.instance, public={**public, **less}), best.outcome


def _why(search: Hunt, doubts: Iterable[str]) -> str:
    """How far the search came, in words."""
    limits = "; ".join(dict.fromkeys(search.limits))
    best = search.best
    if best is None and search.looked_at:
        return limits or f"no outcome was found that can be compared ({search.looked})"
    if best is None:
        return limits or "no neighbours within the preconditions were found"
    how = f"{search.looked}; {limits}" if limits else search.looked
    rho = search.program.privacy.zcdp
    claimed = "what is claimed" if rho else "the claimed ε"
    if best.loss > 1 + CLOSE:
        one, two = (
            inputs_in_words(search.program, best.instance.base, best.instance.public, side)
            for side in (best.instance.left, best.instance.right)
        )
        why = "; ".join(dict.fromkeys(doubts)) or "it is too close to call"
        what = "divergence" if rho else "ratio"
        seen = f"a {what} that can neither be confirmed nor ruled out"
        return f"{seen}: {best.loss:.3g} times {claimed} on {one} beside {two} ({why})"
    if best.loss <= 0:
        return f"no difference was seen ({how})"
    what = "divergence of any order tried" if rho else "log ratio"
    return f"the largest {what} was {best.loss:.3g} times {claimed} ({how})"


def _raises(program: Program, instance: Instance, place: Span) -> str:
    where = inputs_in_words(program, instance.base, instance.public, instance.left)
    return (
        f"{program.location(place)}: it raises an exception with positive probability on {where}; "
        "a mechanism must not: assert at its beginning what it needs"
    )


def instance_of(program: Program, example: Example, base: Base = "2") -> Instance:
    """An example of the prover as a pair; by default its ε is in multiples of ln 2."""
    kinds = program.inputs

    def side(values: Mapping[str, Any], public: bool) -> dict[str, Input]:
        return {n: as_kind(kinds[n], v) for n, v in values.items() if kinds[n].public == public}

    public = side(example.left, True)
    return Instance(base, public, side(example.left, False), side(example.right, False))
