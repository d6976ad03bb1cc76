"""A private integer under a rule of one's own, and a rule that is none."""

from shiftproof import Epsilon, Private, Related, TwoSidedGeometric, mechanism, other, sample


def by_one(x: int) -> bool:
    return abs(x - other(x)) <= 1


@mechanism(Related(by_one))
def good_integer(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(Related(by_one), expect="refuted")
def bad_integer(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return x + noise


@mechanism(Related(3), expect="refuted")  # type: ignore[arg-type]
def no_rule(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise
