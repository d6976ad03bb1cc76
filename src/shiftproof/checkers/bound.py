"""``bound``: between which two numbers the true ε of a mechanism lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from ..dsl.errors import LimitReached, NoTruth
from ..dsl.language.declaration import INFER
from ..dsl.relations.program import Program
from ..dsl.showing import Shown
from ..dsl.terms.linear import Linear
from ..dsl.terms.pretty import pretty
from .exact.ties import OnBoundary
from .proving.budgets.inferring import inferred
from .refuting.comparison import Comparison, Interval, allowed, attains, compared
from .refuting.inputs import accepted
from .refuting.judge import Likelihoods
from .refuting.search import hunt
from .refuting.shrink import Candidate, shrunk
from .verify import proved_budget
from .walking.claims import budget_text

if TYPE_CHECKING:
    from ..dsl.mechanism import Mechanism

#: How far the largest log ratio is searched for.
EFFORT = 12_000
#: How close to the proved ε a log ratio must come, relative to it, to be looked at exactly.
CLOSE = 1e-9
#: Of which shares of a claim it is tried to be proved that they are kept: denominators up to this,
#: so near to the largest log ratio that was found.
LARGEST = 24
NEAR = 1e-7


@dataclass(frozen=True, slots=True)
class Bracket(Shown, NoTruth):
    """What is known of the smallest ε for which a mechanism is private.

    Attributes:
        mechanism: its name.
        claimed: the claimed ε, an expression in nats; "none" with ``budget=INFER``.
        upper: the least ε that was proved for all sizes; ``None`` without a proof.
        comparison: the pair and the outcome with the largest log ratio found, at concrete
            parameters, where ``comparison.budget`` is the upper bound (or, without a proof,
            the claimed ε) in nats.
        tight: the log ratio is the proved ε itself: at these parameters no less would do.
        letter: ``ε``, or ``ρ`` where that is claimed; then all of this is about the ρ that the
            largest divergence takes.
        delta: the δ that is claimed beside ε, an expression; empty if none is.  Then the upper
            bound is an ε that is kept with it, and what was found is how large δ has to be at
            that ε: of an ε alone it says nothing.
    """

    instead: ClassVar[str] = "ask for its upper bound, or whether it is tight"

    mechanism: str
    claimed: str
    upper: str | None
    comparison: Comparison | None
    tight: bool
    letter: str = "ε"
    delta: str = ""

    @property
    def epsilon_lower(self) -> Interval | None:
        """The largest log ratio found, in nats; ``None`` if it is infinite or there is none.

        Nor is there one beside a δ: see :attr:`delta_lower`.
        """
        if self.comparison is None or self.delta:
            return None
        least = self.comparison.least_rho
        if least is None:
            return self.comparison.log_ratio
        return Interval(str(least.low), str(least.high))

    @property
    def delta_lower(self) -> Interval | None:
        """How large δ has to be at the proved (or claimed) ε; ``None`` if none is claimed."""
        return None if self.comparison is None or not self.delta else self.comparison.log_ratio

    @property
    def share(self) -> float:
        """The lower bound as a share of the upper (or the claimed) one; of δ, if it is claimed."""
        if self.comparison is None:
            return 0.0
        if self.comparison.log_ratio is None:
            return float("inf") if self.comparison.infinite else 0.0
        budget = allowed(self.comparison).enclosure.high
        share = self.comparison.log_ratio.enclosure.low / budget if budget else 0
        try:
            return max(0.0, float(share))
        except OverflowError:  # of a δ that is as good as none
            return float("inf")


def bound(
    mechanism: Mechanism[..., Any],
    given: Mapping[str, Any] | None = None,
    *,
    effort: int = EFFORT,
) -> Bracket:
    """Bracket the true ε: the least one that is proved, and the largest exact log ratio found.

    Args:
        mechanism: what ``@mechanism`` made.
        given: public inputs that are to stay as they are; see :func:`refute`.
        effort: how far to search; see :func:`refute`.

    Raises:
        BadInput: a given input is not one of the mechanism's, or is of the wrong kind.
        Unsupported: the mechanism is outside the language.
    """
    program = mechanism.program
    program.check_frozen()
    accepted(program, given or {})  # what is wrong with it is said before anything is proved
    claims = mechanism.budget is not INFER
    upper = proved_budget(mechanism) if claims else None
    if upper is None:
        proofs = (_proved(mechanism, budget) for budget in inferred(program))
        upper = next((proved for proved in proofs if proved is not None), None)
    claim, best, fixed = _searched(program, upper, given, effort)
    # Beside a δ a loss is one of δ, which is no share of an ε.
    share = 1 if best is None or program.privacy.delta is not None else _simple(best.loss)
    better = _proved(mechanism, claim.budget.scaled(share)) if share not in (None, 1) else None
    if better is not None:
        upper = better
        claim, best, fixed = _searched(program, upper, given, effort)
    found = None if best is None else _reported(claim, best, fixed)
    return Bracket(
        mechanism=program.name,
        claimed=budget_text(program) if claims else "none",
        upper=None if upper is None else budget_text(program, upper),
        comparison=found,
        tight=upper is not None and found is not None and attains(found),
        letter=program.privacy.letter,
        delta="" if program.privacy.delta is None else pretty(program.delta),
    )


def _proved(mechanism: Mechanism[..., Any], budget: Linear) -> Linear | None:
    """The least ε that is proved, if this one is."""
    return proved_budget(mechanism.claiming(budget))


def _searched(
    program: Program, upper: Linear | None, given: Mapping[str, Any] | None, effort: int
) -> tuple[Program, Candidate | None, Mapping[str, Any]]:
    """The claim that the search was about, the worst pair and outcome, and what stays fixed."""
    claim = program if upper is None else replace(program, budget=upper)
    base, fixed = accepted(claim, given or {})
    goal = _met if upper is not None else _infinite
    return claim, hunt(claim, fixed, base, effort, goal=goal).best, fixed


def _simple(loss: float) -> Fraction | None:
    """The simple fraction that a loss is, if it is one: as likely the least share there is."""
    if not 0 < loss < LARGEST:
        return None
    share = Fraction(loss).limit_denominator(LARGEST)
    return share if abs(share - loss) < NEAR else None


def _met(likelihoods: Likelihoods) -> bool:
    return likelihoods.loss >= 1 - CLOSE


def _infinite(likelihoods: Likelihoods) -> bool:
    return likelihoods.infinite


def _reported(program: Program, best: Candidate, fixed: Mapping[str, Any]) -> Comparison | None:
    """The best candidate, made smaller as long as its log ratio stays what it is."""
    least = best.loss if best.loss == float("inf") else best.loss * (1 - CLOSE)
    for candidate in (shrunk(program, best, fixed, goal=lambda found: found.loss >= least), best):
        try:
            return compared(program, candidate.instance, candidate.outcome)
        except (OnBoundary, LimitReached):
            continue
    return None


#: What it means that a bracket is tight.
TIGHT = "the bounds meet at these parameters, so no smaller {letter} holds"


def bounds_text(bracket: Bracket) -> tuple[str, str]:
    """The upper and the lower bound."""
    letter = bracket.letter
    beside = f" with δ = {bracket.delta}" if bracket.delta else ""
    upper = (
        f"{letter} ≤ {bracket.upper}{beside}, proved" if bracket.upper else f"no {letter} is proved"
    )
    found = bracket.comparison
    if found is None:
        return upper, "no pair of inputs was compared"
    if found.log_ratio is None:
        return upper, "infinite"
    if bracket.delta:
        share = f"{100 * bracket.share:.6g} % of the claimed δ there"
        return upper, f"δ ≥ {bracket.delta_lower} at ε = {found.budget}, {share}"
    of = "the proved" if bracket.upper else "the claimed"
    unit = "" if found.order else " nats"
    lower = f"{bracket.epsilon_lower}{unit}"
    return upper, f"{lower}, {100 * bracket.share:.6g} % of {of} {letter} there"
