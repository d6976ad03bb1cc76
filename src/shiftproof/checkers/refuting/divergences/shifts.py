"""The Rényi divergence of a draw that is shifted from the draw itself, law by law.

Of order 1 it is the Kullback–Leibler divergence, to which the others fall: α ρ bounds them for all
α > 1 only if ρ bounds that one.  ``None`` stands for an infinite divergence.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....dsl.terms.linear import Rational
from ...exact.irrational import ball
from ...exact.laws import Law, Normal
from ...exact.numbers import ZERO, Number, exactly, rational


class Unknown(Exception):
    """There is no closed form."""


def of_shift(law: Law, shift: Rational, order: Fraction) -> Number | None:
    """D_α(X + shift ‖ X) for a draw X of this law; rates are in nats.

    Raises:
        Unknown: there is no closed form at this order.
    """
    d = Fraction(shift)
    if d == 0:
        return ZERO
    if law.lattice and d.denominator != 1:
        return None  # no value is possible under both
    if isinstance(law, Normal):
        return _normal(law, d, order)
    if law.rate is None:
        return None  # on an interval, some values of the shifted draw are outside of it
    below, above = law.support[0] < 0, law.support[1] > 0
    cost = exactly(abs(d) * law.rate)
    if below and above:
        return _two_sided(law, abs(d), order)
    # The density falls away from its end: moved further out, it is e^cost times as large where
    # it is not zero; moved the other way, values come up that were impossible.
    return cost if (d > 0) == above else None


def _normal(law: Normal, d: Fraction, order: Fraction) -> Number:
    """α d² / (2 σ²) (Gil, Alajaji and Linder 2013, table 2).

    On the integers, with θ(x) = Σ_k exp(-(k - x)² / (2σ²)), completing the square gives

        Σ_k exp(-α (k - d)² / (2σ²) - (1 - α) k² / (2σ²)) = exp(α (α - 1) d² / (2σ²)) θ(α d),

    and the normalising sum is θ(0): θ has the period 1, so the same holds where α d is whole.
    (Of order 1 it is E[(2 d X + d²) / (2σ²)] = d² / (2σ²), as E X = 0.)
    """
    if law.lattice and (order * d).denominator != 1:
        raise Unknown
    return exactly(order * d * d / (2 * law.variance))


def _two_sided(law: Law, d: Fraction, order: Fraction) -> Number:
    """For p(x) ∝ exp(-|x| / b), on the reals or on the integers, and d > 0."""
    assert law.rate is not None
    rate = ball(law.rate)
    one, cost = arb(1), rate * rational(d)
    a = (-rate).exp()  # by which the weights of the integers fall
    if order == 1:
        if not law.lattice:
            return cost - one + (-cost).exp()  # E|X + d| - E|X|, by the scale
        # E|X + d| - E|X| = d - 2a (1 - a^d) / (1 - a²): both sides grow by 1 - 2 P(X >= d + 1).
        gained = arb(rational(d)) - 2 * a * (one - (-cost).exp()) / (one - a * a)
        return gained * rate
    alpha = arb(rational(order))
    up, down = ((alpha - one) * cost).exp(), (-alpha * cost).exp()
    if not law.lattice:  # Mironov, "Rényi differential privacy" (2017), Proposition 6
        total = (alpha * up + (alpha - one) * down) / (2 * alpha - one)
        return total.log() / (alpha - one)
    # The sums over k <= 0, over k >= d, and over the integers in between, of which the ratio is
    # a^(1 - 2α) > 1 from one to the next.
    step = a ** (one - 2 * alpha)
    between = down * step * (step ** arb(rational(d - 1)) - one) / (step - one)
    total = (one - a) / (one + a) * ((down + up) / (one - a) + between)
    return total.log() / (alpha - one)
