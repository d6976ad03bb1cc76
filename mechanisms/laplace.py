"""The Laplace mechanism."""

from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample


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
