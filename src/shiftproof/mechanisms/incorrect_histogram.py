"""Noisy histograms with the wrong noise."""

from collections.abc import Iterator

from shiftproof import DP, Epsilon, Histogram, Laplace, mechanism, sample


@mechanism(DP("add-remove"), expect="refuted")
def histogram_scale_eps(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """All cells with noise of scale eps where 1 / eps was meant (NoisyHist2).

    Wrong: the largest ratio is e^(1 / eps), which is more than e^eps for every eps < 1: at
    eps = 0.5 it is e^2.

    Args:
        f: the cells; adding a record raises one of them by 1.
        eps: the privacy parameter in nats.

    Source: Algorithm 10 of StatDP (Ding, Wang, Wang, Zhang and Kifer, CCS 2018).
    """
    for x in f:
        noise = sample(Laplace(eps))
        yield x + noise
