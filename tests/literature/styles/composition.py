"""Composition as people write it: mechanisms that call others, in a row, in loops, by results."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Histogram,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    Query,
    argmax,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def measured(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6, to be called."""
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP())
def measured_answer(f: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6, to be called with real answers."""
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP())
def chosen(q: Answers, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9 at 2 / eps, to be called."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP("add-remove"))
def measured_cell(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6, to be called for a cell."""
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(LDP())
def respond(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Source: Warner (JASA 1965), to be called."""
    kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    return x if kept else 1 - x


@mechanism(DP())
def two_measured(f: Count, g: Count, eps: Epsilon) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Theorem 3.14: two mechanisms, half of eps each."""
    (a,) = measured(f, eps / 2)
    (b,) = measured(g, eps / 2)
    return a, b


@mechanism(DP(), expect="refuted")
def two_measured_for_one(f: Count, g: Count, eps: Epsilon) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Theorem 3.14: two mechanisms, all of eps each."""
    (a,) = measured(f, eps)
    (b,) = measured(g, eps)
    return a, b


@mechanism(DP(), budget=lambda n, eps: n * eps)
def all_measured(f: Counts, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Corollary 3.15: n mechanisms in a loop."""
    assert len(f) == n
    for i in range(n):
        yield from measured(f[i], eps)


@mechanism(DP())
def all_measured_with_shares(f: Counts, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Corollary 3.15: n mechanisms, eps / n each."""
    assert n >= 1 and len(f) == n
    for i in range(n):
        yield from measured(f[i], eps / n)


@mechanism(DP("add-remove"))
def cells_in_parallel(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: McSherry, Privacy Integrated Queries (SIGMOD 2009), parallel composition."""
    for x in f:
        yield from measured_cell(x, eps)


@mechanism(DP("add-remove"), expect="refuted")
def counts_in_parallel_as_if_disjoint(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: McSherry (SIGMOD 2009), parallel composition of parts that are not disjoint."""
    for x in f:
        yield from measured_cell(x, eps)


@mechanism(DP())
def chosen_then_measured(q: Answers, eps: Epsilon) -> tuple[int, float | None]:
    """Source: Dwork and Roth (2014), Theorem 3.16: a choice, and a measurement of it."""
    assert len(q) >= 1
    (i,) = chosen(q, eps / 2)
    if 0 <= i < len(q):
        (y,) = measured_answer(q[i], eps / 2)
        return i, y
    return i, None


@mechanism(DP())
def measured_until_large(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 3.16: at most c measurements, stopped by a result."""
    assert c >= 1
    asked = 0
    for x in f:
        if asked >= c:
            return
        (y,) = measured(x, eps / c)
        yield y
        asked += 1
        if y > T:
            return


@mechanism(DP())
def one_of_two_by_a_result(f: Count, g: Count, h: Count, eps: Epsilon) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Theorem 3.16: which count is asked depends on a result."""
    (y,) = measured(f, eps / 2)
    if y > 0:
        (z,) = measured(g, eps / 2)
        return y, z
    (z,) = measured(h, eps / 2)
    return y, z


@mechanism(DP())
def coarse_then_fine(f: Count, T: Public[float], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.16: a tenth of eps first, the rest where needed."""
    (y,) = measured(f, eps / 10)
    if y < T:
        return y
    (z,) = measured(f, 9 * eps / 10)
    return z


@mechanism(LDP())
def responses_of_many(
    x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[int]:
    """Source: Kasiviswanathan et al. (SIAM J. Comput. 2011), each user responds once."""
    for i in range(len(x)):
        yield from respond(x[i], eps)


@mechanism(LDP(), expect="refuted")
def responses_of_many_twice(
    x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[int]:
    """Source: Kasiviswanathan et al. (SIAM J. Comput. 2011), each user responds twice for once."""
    for i in range(len(x)):
        yield from respond(x[i], eps)
        yield from respond(x[i], eps)


@mechanism(DP())
def decided_before_the_noise(f: Count, T: Public[float], eps: Epsilon) -> float:
    """Source: Kasiviswanathan et al., What Can We Learn Privately: what is computed first is data;
    one of two offsets, with noise of the same law in both branches.
    """
    if f >= T:
        high = sample(Laplace(2 / eps))
        return f + 1 + high
    low = sample(Laplace(2 / eps))
    return f + low


@mechanism(DP(), expect="refuted")
def decided_before_two_noises(f: Count, T: Public[float], eps: Epsilon) -> float:
    """Source: Nissim, Raskhodnikova and Smith, Smooth Sensitivity (STOC 2007): noise that depends
    on the data.
    """
    if f >= T:
        high = sample(Laplace(10 / eps))
        return f + high
    low = sample(Laplace(1 / eps))
    return f + low
