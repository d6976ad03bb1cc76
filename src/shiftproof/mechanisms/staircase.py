"""Staircase-shaped noise: the least error on average that DP allows a real answer."""

from typing import Annotated

from shiftproof import DP, Epsilon, Public, Query, Staircase, mechanism, sample


@mechanism(DP())
def staircase(
    f: Annotated[float, Query(sensitivity="step")],
    step: Public[float],
    share: Public[float],
    eps: Epsilon,
) -> float:
    """Release an answer with noise whose density falls in stairs as wide as the sensitivity.

    Args:
        f: the answer; neighbours move it by at most the step.
        step: the sensitivity.
        share: where in a step the density falls, as a share of it.
        eps: the privacy parameter in nats; each step of the density costs it.

    Source: Geng and Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy
    (IEEE Transactions on Information Theory 2016).
    """
    assert step > 0 and 0 < share < 1
    noise = sample(Staircase(1 / eps, step, share))
    return f + noise
