"""The iterative Bayesian update: expectation maximisation for the distribution of true values.

One step is p_i ← p_i D(i), D as in :mod:`.optimality`: every report is shared among the true values
by Bayes' rule with prior p, and the shares of each true value are summed.  A step never lowers the
likelihood and never leaves the simplex.  What is 0 stays 0, so a start with zeros may end at less
than the maximum; every point mass is a fixed point.  The certificate tells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .channels import Channel, Floats
from .optimality import Optimality, certified, derivative

#: An extrapolated entry is not below this part of the plain step's, so none is set to 0.
FLOOR = 0.01


@dataclass(frozen=True, slots=True)
class Climb:
    """Where an iterative method came to.

    Attributes:
        p: the distribution.
        optimality: its certificate.
        iterations: how many steps were taken; for EM how often D was computed.
        stalled: it is optimal among the distributions that are 0 where the start is, to the
            tolerance asked for, and not among all.
    """

    p: Floats
    optimality: Optimality
    iterations: int
    stalled: bool = False


def expectation_maximisation(
    q: Floats,
    channel: Channel,
    start: Floats,
    *,
    tolerance: float,
    limit: int,
    accelerate: bool = True,
) -> Climb:
    """Iterate until the gap of the certificate is at most ``tolerance``.

    Args:
        q: the share of each report.
        channel: what the reports went through.
        start: a distribution that makes every report that came possible.
        tolerance: of the gap, in nats per report.
        limit: how many iterations at most.
        accelerate: extrapolate after every second step (SQUAREM).  An extrapolation that is less
            likely than the plain step is dropped, so the likelihood never falls.

    Source: Kacem and Palamidessi (PLAS 2018), Definition 4.1, its sum over h as repaired; Theorem
    4.2.  Varadhan and Roland, *Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm* (2008), step length S3.
    """
    p, iterations = start, 0
    while True:
        ratios, _ = derivative(p, q, channel)
        iterations += 1
        inside = float(np.log(ratios[p > 0].max()))
        if not tolerance < inside < math.inf or iterations >= limit:
            break
        once = _normalised(p * ratios)
        if not accelerate or iterations + 2 >= limit:
            p = once
            continue
        ratios, likelihood = derivative(once, q, channel)
        twice = _normalised(once * ratios)
        far = _extrapolated(p, once, twice)
        far_ratios, far_likelihood = derivative(far, q, channel)
        p = _normalised(far * far_ratios) if far_likelihood >= likelihood else twice
        iterations += 2
    found = certified(p, q, channel)
    return Climb(p, found, iterations, stalled=inside <= tolerance < found.gap)


def _extrapolated(p: Floats, once: Floats, twice: Floats) -> Floats:
    step = once - p
    bend = (twice - once) - step
    curved = math.sqrt(float(bend @ bend))
    length = max(1.0, math.sqrt(float(step @ step)) / curved) if curved > 0 else 1.0
    return _normalised(np.maximum(p + 2 * length * step + length**2 * bend, FLOOR * twice))


def _normalised(p: Floats) -> Floats:
    normalised: Floats = p / p.sum()
    return normalised
