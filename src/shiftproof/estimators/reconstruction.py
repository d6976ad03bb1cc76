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
from .channels import Channel, Floats, checked_size, count_reports, distribution_of, frequencies_of
from .em import Climb, Optimality, certified, derivative, expectation_maximisation
from .inversion import is_distribution

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


# Maximum likelihood by a primal-dual interior-point method: some 20 steps whatever the size.
#
# Primal: maximise Σ_j q_j ln (pC)_j − Σ_i p_i over p ≥ 0; its optimum is a distribution by itself.
# Dual: maximise Σ_j q_j ln u_j over C u ≤ 1.  Optimal are p, u and s = 1 − C u ≥ 0 with
# u_j (pC)_j = q_j and p_i s_i = 0.  Newton's method solves these with p_i s_i = μ instead, μ → 0,
# by predictor and corrector.  The dual is linear, so u and s stay feasible; (Σ p_i s_i)/m is
# near μ, and the gap of p, normalised, near m μ.

#: How far a step goes towards the boundary, and how many steps without progress end it.
NEARLY, PATIENCE = 0.99, 8


def interior_point(q: Floats, channel: Channel, *, tolerance: float, limit: int) -> Climb:
    """Iterate until the gap of the certificate is at most ``tolerance``.

    Where rounding allows no smaller gap it ends with the best distribution that it saw.

    Args:
        q: the share of each report; the channel can make every report that came.
        channel: what the reports went through.
        tolerance: of the gap, in nats per report.
        limit: how many steps at most.

    Source: Mehrotra, *On the implementation of a primal-dual interior point method* (1992).
    """
    p = np.full(channel.inputs, 1 / channel.inputs)
    point = _start(p, q, channel)
    best, steps, last = Climb(p, certified(p, q, channel), 0), 0, 0
    while best.optimality.gap > tolerance and steps < limit and steps - last < PATIENCE:
        try:
            with np.errstate(all="ignore"):  # what overflows is seen below
                point = _stepped(point, q, channel)
        except np.linalg.LinAlgError:
            break
        steps += 1
        if not (np.isfinite(point.p).all() and point.p.sum() > 0):
            break
        p = point.p / point.p.sum()
        found = certified(p, q, channel)
        if found.gap < best.optimality.gap:
            best, last = Climb(p, found, steps), steps
    return Climb(best.p, best.optimality, steps)


@dataclass(frozen=True, slots=True)
class _Point:
    p: Floats
    u: Floats
    s: Floats


@dataclass(frozen=True, slots=True)
class _Direction:
    p: Floats
    law: Floats
    u: Floats
    s: Floats


def _start(p: Floats, q: Floats, channel: Channel) -> _Point:
    """A multiple of ``p`` that is so large that its dual point is feasible."""
    ratios, _ = derivative(p, q, channel)
    times = 2 * float(ratios.max())
    law = channel.forward(p) * times
    u = np.divide(q, law, out=np.zeros_like(q), where=q > 0)
    return _Point(p * times, u, 1 - channel.adjoint(u))


def _stepped(now: _Point, q: Floats, channel: Channel) -> _Point:
    """One step: where Newton would go to, and then a step that allows for its curvature."""
    newton = _Newton(now, q, channel)
    mean = float(now.p @ now.s) / len(now.p)
    zero = np.zeros(1)
    ahead = newton.direction(0.0, zero, zero)
    primal, dual = newton.lengths(ahead)
    reached = float((now.p + primal * ahead.p) @ (now.s + dual * ahead.s)) / len(now.p)
    target = mean * (reached / mean) ** 3
    step = newton.direction(target, ahead.u * ahead.law, ahead.p * ahead.s)
    primal, dual = newton.lengths(step)
    return _Point(now.p + primal * step.p, now.u + dual * step.u, now.s + dual * step.s)


class _Newton:
    """The linear equations at one point, solved for several right-hand sides."""

    def __init__(self, now: _Point, q: Floats, channel: Channel) -> None:
        self._now, self._q, self._channel = now, q, channel
        self._came = q > 0
        self._law = channel.forward(now.p)
        self._weights = self._divided(now.u)
        self._diagonal = now.s / now.p
        self._solve = channel.normal_solver(self._weights, self._diagonal)

    def direction(self, target: float, bend_law: Floats, bend_p: Floats) -> _Direction:
        """Towards p_i s_i = ``target``; the bends are the products that Newton neglects."""
        now, channel = self._now, self._channel
        push = self._divided(self._q - now.u * self._law - bend_law)
        right = (target - bend_p) / now.p - now.s + channel.adjoint(push)
        p = self._solve(right)
        left = channel.adjoint(self._weights * channel.forward(p)) + self._diagonal * p
        p = p + self._solve(right - left)  # what rounding lost, once
        law = channel.forward(p)
        u = push - self._weights * law
        return _Direction(p, law, u, -channel.adjoint(u))

    def lengths(self, step: _Direction) -> tuple[float, float]:
        """How much of a step p takes, and how much u and s: nearly to the boundary, at most 1."""
        now, came = self._now, self._came
        dual = min(_longest(now.u[came], step.u[came]), _longest(now.s, step.s))
        return _longest(now.p, step.p), dual

    def _divided(self, v: Floats) -> Floats:
        """``v`` over pC, and 0 at the reports that never came."""
        return np.divide(v, self._law, out=np.zeros_like(self._law), where=self._came)


def _longest(at: Floats, step: Floats) -> float:
    down = step < 0
    return min(1.0, NEARLY * float((-at[down] / step[down]).min())) if down.any() else 1.0
