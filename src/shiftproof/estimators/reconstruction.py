"""From sanitised reports back to the distribution of the true values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..dsl.errors import BadInput
from ..dsl.showing import Shown
from .channels import Channel, Floats, checked_size
from .counts import count_reports, distribution_of, frequencies_of
from .em import Climb, expectation_maximisation
from .interior_point import interior_point
from .inversion import is_distribution
from .optimality import Optimality, certified

Method = Literal["interior-point", "em", "inverse"]

#: How many iterations at most, unless told.
LIMITS = {"interior-point": 200, "em": 100_000}


@dataclass(frozen=True, slots=True)
class Reconstruction(Shown):
    """An estimate of the distribution of the true values.

    Attributes:
        distribution: one entry a true value; sums to 1.  ``method="inverse"`` may give negative
            entries, the others never.
        method: how it was found.
        reports: how many reports there were: the sum of the counts.
        optimality: how far it is from maximum likelihood; ``None`` if it is no distribution.
        iterations: how many there were (for EM: how often the derivative was computed).
        converged: the gap of ``optimality`` is at most the tolerance.
        warnings: what to know before it is used, a sentence each; mostly none.
    """

    distribution: Floats
    method: Method
    reports: float
    optimality: Optimality | None
    iterations: int
    converged: bool
    warnings: tuple[str, ...] = ()


def reconstruct(
    channel: Channel,
    *,
    reports: ArrayLike | Iterable[int] | None = None,
    counts: ArrayLike | None = None,
    method: Method = "interior-point",
    tolerance: float = 1e-9,
    start: ArrayLike | None = None,
    limit: int | None = None,
    accelerate: bool = True,
) -> Reconstruction:
    """Estimate how the true values are distributed, from what users reported.

    Args:
        channel: what each true value went through, independently of all others.
        reports: the raw reports, one a user; or
        counts: how often each report came, or their shares, shape (``channel.reports``,).
        method: ``"interior-point"`` and ``"em"`` (the iterative Bayesian update) both find a
            distribution of maximum likelihood; the first takes some 20 steps, the second may take
            very many.  ``"inverse"`` is q C⁻¹: unbiased, and often not a distribution.
        tolerance: when to stop: the gap to the maximum of the log-likelihood, in nats per report.
        start: where EM starts; by default uniform.  What is 0 in it stays 0.
        limit: how many iterations at most; by default 200, for EM 100,000.
        accelerate: whether EM extrapolates.

    Returns:
        The estimate with its certificate.  It is the only one of maximum likelihood if C is
        invertible and every report came; the truncated geometric channel needs only the first.

    Raises:
        BadInput: both or neither of ``reports`` and ``counts`` are given, they do not fit the
            channel, the channel has no inverse and the method needs it, or an option is wrong.

    Source: Kacem and Palamidessi (PLAS 2018), section 4.
    """
    if method not in get_args(Method):
        raise BadInput(f"method = {method!r}: want one of {', '.join(get_args(Method))}")
    if (reports is None) == (counts is None):
        raise BadInput("give either reports= (one a user) or counts= (one a possible report)")
    if method != "em" and start is not None:
        raise BadInput(f"method {method!r} has no start; only 'em' has")
    _check_tolerance(tolerance)
    given = counts if reports is None else count_reports(reports, channel)
    shares, total = frequencies_of(given if given is not None else (), channel)
    if method == "inverse":
        return _inverted(shares, total, channel, tolerance)
    most = LIMITS[method] if limit is None else checked_size("limit", limit, 1)
    if method == "interior-point":
        climb = interior_point(shares, channel, tolerance=tolerance, limit=most)
        return _reached(climb, method, total, tolerance, [])
    first, warnings = _started(start, shares, channel)
    climb = expectation_maximisation(
        shares, channel, first, tolerance=tolerance, limit=most, accelerate=accelerate
    )
    return _reached(climb, method, total, tolerance, warnings)


def _inverted(shares: Floats, total: float, channel: Channel, tolerance: float) -> Reconstruction:
    x = channel.inverse(shares)
    if not is_distribution(x):
        below = f"{int((x < 0).sum())} entries are negative: not a distribution, so not the maximum"
        return Reconstruction(x, "inverse", total, None, 0, False, (f"{below} likelihood",))
    clipped = np.maximum(x, 0)
    p = clipped / clipped.sum()
    found = certified(p, shares, channel)
    return Reconstruction(p, "inverse", total, found, 0, found.gap <= tolerance)


def _started(start: ArrayLike | None, shares: Floats, channel: Channel) -> tuple[Floats, list[str]]:
    if start is None:
        return np.full(channel.inputs, 1 / channel.inputs), []
    first = distribution_of(start, channel, "start")
    never = np.flatnonzero((shares > 0) & ~(channel.forward(first) > 0))
    if len(never):
        raise BadInput(f"start makes report {never[0]} impossible, which came; want it positive")
    zeros = int((first == 0).sum())
    return first, [f"start is 0 at {zeros} true values, and so is every step"] if zeros else []


def _reached(
    climb: Climb, method: Method, total: float, tolerance: float, warnings: list[str]
) -> Reconstruction:
    gap = climb.optimality.gap
    if climb.stalled:
        warnings.append(f"EM stalled where the start is 0: the gap is {gap:.3g}; start elsewhere")
    elif gap > tolerance:
        warnings.append(
            f"the gap is {gap:.3g} after {climb.iterations:,} iterations, "
            f"above the tolerance {tolerance:.3g}"
        )
    return Reconstruction(
        climb.p, method, total, climb.optimality, climb.iterations, gap <= tolerance,
        tuple(warnings),
    )  # fmt: skip


def _check_tolerance(tolerance: object) -> None:
    if not isinstance(tolerance, int | float) or not 0 < tolerance < math.inf:
        raise BadInput(f"tolerance = {tolerance!r}: want a positive number of nats")
