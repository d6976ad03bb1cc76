"""How much likelier an outcome is on D than on D', exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ....checkers.exact.outcomes import Atom, Outcome, Real
from ....checkers.refuting.comparison import compared
from ....checkers.refuting.inputs import Input, Instance
from ..claim import Undecided
from .mechanisms import Mechanism


def ratio(
    mechanism: Mechanism,
    outcome: Sequence[bool | str | int | Fraction | None],
    left: Mapping[str, Input],
    right: Mapping[str, Input],
    /,
    eps: Fraction = Fraction(1),
    **public: Input,
) -> Fraction | None:
    """The ratio of the likelihoods of one outcome on two neighbouring inputs.

    Args:
        mechanism: with one ε, called ``eps``.
        outcome: all that one run releases; a ``Fraction`` is a released real number (then it
            is a ratio of densities), everything else a value of positive probability.
        left: the private inputs on the side of D.
        right: those of D'.
        eps: the privacy parameter in multiples of ln 2, so that its powers are rational.
        public: the other public inputs.

    Returns:
        The ratio; ``None`` if it is infinite.

    Raises:
        Undecided: the outcome is impossible on D, or a likelihood is not rational.
        BadInput: the inputs are no neighbours.
    """
    slots = tuple(Real(v) if isinstance(v, Fraction) else Atom(v) for v in outcome)
    instance = Instance("2", {"eps": eps, **public}, left, right)
    found = compared(mechanism.program, instance, Outcome(slots))
    if found.infinite:
        return None
    first, second = found.on_left.enclosure, found.on_right.enclosure
    if not (first.exact and second.exact) or not first.low:
        raise Undecided(f"the outcome {tuple(outcome)} has no exact ratio")
    return first.low / second.low
