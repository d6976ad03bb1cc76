"""Expectation maximisation for channels, and how far from maximum likelihood an estimate is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .channels import Channel, Floats, distribution_of, frequencies_of

# The iterative Bayesian update: expectation maximisation for the distribution of true values.
#
# One step is p_i ← p_i D(i), D as in :mod:`.optimality`: every report is shared among the true
# values by Bayes' rule with prior p, and the shares of each true value are summed. A step never
# lowers the likelihood and never leaves the simplex. What is 0 stays 0, so a start with zeros may
# end at less than the maximum; every point mass is a fixed point. The certificate tells.

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


# How far a distribution is from maximum likelihood: a certificate that needs no optimiser.
#
# For reports with shares q and a distribution p over true values let ℓ(p) = Σ_j q_j ln (pC)_j, the
# log-likelihood per report, and D(i) = Σ_j q_j C_ij/(pC)_j, its derivative in p_i.
#
# * p is a maximum likelihood estimate iff D(i) ≤ 1 for all i (Kuhn and Tucker; ℓ is concave).
# * For every p': ℓ(p') − ℓ(p) = Σ_j q_j ln((p'C)_j/(pC)_j) ≤ ln Σ_j q_j (p'C)_j/(pC)_j
#   = ln Σ_i p'_i D(i) ≤ ln max_i D(i), by Jensen.  So ln max D bounds what p lacks.
# * Σ_i p_i D(i) = Σ_j q_j = 1 for every p.  So "D(i) = 1 where p_i > 0" follows from D ≤ 1; if D
#   ≤ e^g only, then Σ_i p_i max(0, 1 − D(i)) = Σ_i p_i max(0, D(i) − 1) ≤ e^g − 1, and no more than
#   (e^g − 1)/(e^g − 1 + t) of the mass of p is where D(i) < 1 − t.


@dataclass(frozen=True, slots=True)
class Optimality:
    """The certificate of one distribution p.

    Attributes:
        gap: ln max_i D(i), in nats per report, ≥ 0: no distribution has a log-likelihood per
            report that is larger than that of p by more.  Times the number of reports it bounds
            the log-likelihood ratio of the whole data.  ``inf`` if p makes some report that came
            impossible, or so rare that D overflows.  Computed in floating point: below
            about 1e-14 it is rounding.
        slack: Σ_i p_i max(0, 1 − D(i)) ≤ e^gap − 1: how much "D = 1 on the support" fails.
        log_likelihood: ℓ(p), in nats per report.

    Source: Kuhn–Tucker conditions; Kacem and Palamidessi (PLAS 2018), Lemma 4.3 repaired (as
    printed it asks for a fixed point, and every point mass is one).
    """

    gap: float
    slack: float
    log_likelihood: float


def optimality(p: ArrayLike, counts: ArrayLike, channel: Channel) -> Optimality:
    """Certify any distribution, however it was found.

    Args:
        p: a distribution over the true values, shape (``channel.inputs``,).
        counts: how often each report came, shape (``channel.reports``,); or their shares.
        channel: what the reports went through.

    Raises:
        BadInput: ``p`` is no distribution, or the counts do not fit the channel.
    """
    shares, _ = frequencies_of(counts, channel)
    return certified(distribution_of(p, channel), shares, channel)


def certified(p: Floats, q: Floats, channel: Channel) -> Optimality:
    """The certificate of ``p`` for report shares ``q``; both are checked already."""
    ratios, likelihood = derivative(p, q, channel)
    steepest = float(ratios.max())
    if not (likelihood > -math.inf and steepest < math.inf):  # nor if it is no number
        return Optimality(math.inf, 1.0, likelihood)
    return Optimality(
        gap=max(0.0, math.log(steepest)),
        slack=float(p @ np.maximum(0, 1 - ratios)),
        log_likelihood=likelihood,
    )


def derivative(p: Floats, q: Floats, channel: Channel) -> tuple[Floats, float]:
    """D and ℓ(p); where ``p`` makes a report that came impossible, ℓ is −∞ and D useless."""
    came = q > 0
    law = channel.forward(p)
    if not (law[came] > 0).all():
        return np.full(channel.inputs, np.inf), -math.inf
    with np.errstate(over="ignore", invalid="ignore"):
        ratios = np.divide(q, law, out=np.zeros_like(q), where=came)
        return channel.adjoint(ratios), float(q[came] @ np.log(law[came]))
