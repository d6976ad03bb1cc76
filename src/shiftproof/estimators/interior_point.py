"""Maximum likelihood by a primal-dual interior-point method: some 20 steps whatever the size.

Primal: maximise Σ_j q_j ln (pC)_j − Σ_i p_i over p ≥ 0; its optimum is a distribution by itself.
Dual: maximise Σ_j q_j ln u_j over C u ≤ 1.  Optimal are p, u and s = 1 − C u ≥ 0 with
u_j (pC)_j = q_j and p_i s_i = 0.  Newton's method solves these with p_i s_i = μ instead, μ → 0,
by predictor and corrector.  The dual is linear, so u and s stay feasible; (Σ p_i s_i)/m is near μ,
and the gap of p, normalised, near m μ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .channels import Channel, Floats
from .em import Climb
from .optimality import certified, derivative

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
