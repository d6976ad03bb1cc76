"""Geometric noise of the wrong size."""

from shiftproof import DP, Count, Epsilon, Nat, Public, TwoSidedGeometric, mechanism, sample


@mechanism(DP(), expect="refuted")
def truncated_geometric_half_noise(f: Count, n: Public[Nat], eps: Epsilon) -> int:
    """A count with half the noise that it needs, moved to the nearest number that it could be.

    Wrong: at n >= 1, from the count 0 to 1, the released 0 is e^(2 eps) times as likely.

    Args:
        f: a count over the records; replacing one moves it by at most 1.
        n: how many records there are, which is public.
        eps: the privacy parameter in nats; each further unit of noise is e^(-2 eps) times as
            likely, where e^(-eps) is needed.

    Source: Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy
    Mechanisms (STOC 2009), Definition 2.2, with half its scale.
    """
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return max(0, min(n, f + noise))
