"""Staircase-shaped noise with stairs that are too narrow."""

from typing import Annotated

from shiftproof import DP, Epsilon, Public, Query, Staircase, mechanism, sample


@mechanism(DP(), expect="refuted")
def staircase_narrow(
    f: Annotated[float, Query(sensitivity="step")],
    step: Public[float],
    share: Public[float],
    eps: Epsilon,
) -> float:
    """Release an answer with noise whose stairs are half as wide as the sensitivity.

    Wrong: neighbours are two stairs apart, which cost 2 eps.

    Args:
        f: the answer; neighbours move it by at most the step.
        step: the sensitivity.
        share: where in a step the density falls, as a share of it.
        eps: the privacy parameter in nats; each step of the density costs it.

    Source: Geng and Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy
    (IEEE Transactions on Information Theory 2016), for half the sensitivity.
    """
    assert step > 0 and 0 < share < 1
    noise = sample(Staircase(1 / eps, step / 2, share))
    return f + noise
