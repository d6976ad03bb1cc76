"""How far a distribution is from maximum likelihood: a certificate that needs no optimiser.

For reports with shares q and a distribution p over true values let ℓ(p) = Σ_j q_j ln (pC)_j, the
log-likelihood per report, and D(i) = Σ_j q_j C_ij/(pC)_j, its derivative in p_i.

* p is a maximum likelihood estimate iff D(i) ≤ 1 for all i (Kuhn and Tucker; ℓ is concave).
* For every p': ℓ(p') − ℓ(p) = Σ_j q_j ln((p'C)_j/(pC)_j) ≤ ln Σ_j q_j (p'C)_j/(pC)_j
  = ln Σ_i p'_i D(i) ≤ ln max_i D(i), by Jensen.  So ln max D bounds what p lacks.
* Σ_i p_i D(i) = Σ_j q_j = 1 for every p.  So "D(i) = 1 where p_i > 0" follows from D ≤ 1; if D
  ≤ e^g only, then Σ_i p_i max(0, 1 − D(i)) = Σ_i p_i max(0, D(i) − 1) ≤ e^g − 1, and no more than
  (e^g − 1)/(e^g − 1 + t) of the mass of p is where D(i) < 1 − t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .channels import Channel, Floats
from .counts import distribution_of, frequencies_of


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
