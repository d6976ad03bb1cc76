"""The Laplace mechanism, once and many times."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Nat, Public, Query, mechanism, sample


@mechanism(DP())
def laplace(f: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> float:
    """Release one answer with two-sided noise.

    Args:
        f: the answer of a query; replacing one record moves it by at most 1.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Dwork, McSherry, Nissim and Smith, Calibrating Noise to Sensitivity in Private
    Data Analysis (TCC 2006); Dwork and Roth, The Algorithmic Foundations of Differential
    Privacy (2014), Definition 3.3 and Theorem 3.6.
    """
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP())
def laplace_parallel(
    f: Annotated[float, Query(sensitivity=1)], n: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Release one answer n times, each time with noise of its own.

    Args:
        f: the answer of a query; replacing one record moves it by at most 1.
        n: how many times.
        eps: the privacy parameter in nats; each release has a share of eps / n.

    Source: LaplaceParallel of DP-Sniper (Bichsel, Steffen, Bogunovic and Vechev, S&P 2021),
    there 20 releases of 0.005 each.
    """
    assert n >= 1
    for j in range(n):
        noise = sample(Laplace(n / eps))
        yield f + noise
