"""How often a one-sided answer can be given: what theory says, to compare an audit with.

A one-sided answer ("safe") is never given on data where it is false.  How often it may then be
given where it is true depends on how many steps lie between: privacy allows little change in
each of them.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from ...dsl.errors import BadInput


def one_sided_rate_dp(epsilon: float, delta: float, steps: int) -> float:
    """The largest probability of a one-sided true answer of any (ε, δ)-DP mechanism.

    δ (e^(kε) - 1) / (e^ε - 1), at most 1; with δ = 0 no such answer can be given.

    Args:
        epsilon: ε in nats; at least 0, where the bound is kδ.
        delta: δ, from 0 to 1.
        steps: k, the least number of records to change until the answer is false; 0 where it
            is false already, and then the bound is 0.

    Raises:
        BadInput: an argument is out of its range, or no number.

    Source: Asymmetric Differential Privacy, Theorem 8.
    """
    e, d, k = _real("epsilon", epsilon), _real("delta", delta), _steps(steps)
    if d > 1:
        raise BadInput(f"delta: got {delta!r}; a number from 0 to 1 is needed")
    if d == 0 or k == 0:
        return 0.0
    # (e^(kε) - 1) / (e^ε - 1) = e^((k-1)ε) (1 - e^(-kε)) / (1 - e^(-ε)), which has no overflow.
    growth = (k - 1) * e
    share = math.expm1(-k * e) / math.expm1(-e) if e else k
    log = math.log(d) + growth + math.log(share)
    if log > 1:
        return 1.0
    # For e^growth to overflow, δ must be about as small as floats can be.
    return min(d * share * math.exp(growth) if growth < 700 else math.exp(log), 1.0)


def one_sided_rate_adp(epsilon: float, steps: int | None, reaches_false: bool = False) -> float:
    """The largest probability of a one-sided true answer on D of any (P, ε)-ADP mechanism.

    Steps are those from a data set to one of its neighbours in N_P.  If they lead from D to
    data where the answer is false, it is never given on D: 0.  If they lead to D from data
    where it is never given: 1 - e^(-kε).  If neither: 1, no bound.

    Args:
        epsilon: ε in nats; at least 0.
        steps: k, the least number of steps to D from data where the answer is never given: it
            is false there, or ``reaches_false`` is true of that data.  ``None`` if there is no
            such path, 0 where it is never given on D itself.  Counted only from data where it
            is false, k may be larger or not exist: then the bound is true, but not the least.
        reaches_false: whether steps lead from D to data where the answer is false.

    Raises:
        BadInput: an argument is out of its range, or of another type.

    Source: Asymmetric Differential Privacy, Theorem 9, repaired: as printed, k is counted from
    D to data where the answer is false, and there the probability is 0.
    """
    e = _real("epsilon", epsilon)
    k = None if steps is None else _steps(steps)
    if not isinstance(reaches_false, bool):
        raise BadInput(f"reaches_false: got {reaches_false!r}; True or False is needed")
    if reaches_false:
        return 0.0
    return 1.0 if k is None else _one_minus_exp(k * e)


def one_sided_rate_attained(epsilon: float, steps: int) -> float:
    """The probability with which a noisy count says truly that it is below a threshold.

    1 - e^(-kε), the most that Theorem 9 allows.  With asymmetric Laplace noise (exponential, of
    mean 1/ε) this holds exactly if all of these do, and not in general:

    * the query is a count that only falls (a decreasing integer query of sensitivity 1);
    * the threshold T is an integer, and the answer is f + noise < T, not <=;
    * there is enough data for the count to reach T.

    Its mirror image is a count that only rises, with noise that only takes away, and
    f + noise > T, not >=.  One-sided geometric noise attains 1 - e^(-kε) for every real
    threshold, with the threshold itself or without, and in both directions.

    Args:
        epsilon: ε in nats; at least 0.
        steps: k, by how many steps in N_P the data is away from data where the answer is false:
            T - f for an integer T; 0 where it is false already.

    Raises:
        BadInput: an argument is out of its range, or of another type.

    Source: Asymmetric Differential Privacy, Theorem 11, with the hypotheses that it needs.
    """
    return _one_minus_exp(_steps(steps) * _real("epsilon", epsilon))


def _one_minus_exp(cost: float) -> float:
    return -math.expm1(-cost) if cost else 0.0


def _real(name: str, value: Any) -> float:
    """A finite number that is not negative."""
    number = math.nan
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not (math.isfinite(number) and number >= 0):
        raise BadInput(f"{name}: got {value!r}; a finite number that is not negative is needed")
    return number


def _steps(value: Any) -> float:
    """A whole number that is not negative, as a float."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise BadInput(f"steps: got {value!r}; an int that is not negative is needed")
    try:
        return float(value)
    except OverflowError:
        raise BadInput("steps: got an int that is beyond the floats; give a smaller one") from None
