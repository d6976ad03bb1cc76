"""Online programs of DiPC (2020), DiPA (2021) and DiPAut (2023): ranges, minima and maxima."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    DiscreteLaplace,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def one_range(q: Answers, low: Public[float], high: Public[float], eps: Epsilon) -> Iterator[str]:
    """Source: Chadha, Sistla and Viswanathan, On Linear Time Decidability of Differential Privacy
    for Programs with Unbounded Inputs (LICS 2021), the range query; 1-Range of DiPAut (CCS 2023).
    """
    lower = sample(Laplace(4 / eps))
    upper = sample(Laplace(4 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if low + lower <= v and v < high + upper:
            yield "continue"
        else:
            yield "stop"
            return


@mechanism(DP(), expect="refuted")
def one_range_going_on(
    q: Answers, low: Public[float], high: Public[float], eps: Epsilon
) -> Iterator[str]:
    """Source: Chadha, Sistla and Viswanathan (LICS 2021), the range query that does not stop."""
    lower = sample(Laplace(4 / eps))
    upper = sample(Laplace(4 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if low + lower <= v and v < high + upper:
            yield "inside"
        else:
            yield "outside"


@mechanism(DP())
def one_range_telling_the_side(
    q: Answers, low: Public[float], high: Public[float], eps: Epsilon
) -> Iterator[str]:
    """Source: Chadha, Sistla and Viswanathan (LICS 2021), the range query whose last answer says
    on which side of the range it is.
    """
    lower = sample(Laplace(4 / eps))
    upper = sample(Laplace(4 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if q[i] + noise < low + lower:
            yield "below"
            return
        elif q[i] + noise >= high + upper:
            yield "above"
            return
        else:
            yield "continue"


@mechanism(DP(), expect="refuted")
def one_range_without_noise_on_the_answers(
    q: Answers, low: Public[float], high: Public[float], eps: Epsilon
) -> Iterator[str]:
    """Source: Chadha, Sistla and Viswanathan (LICS 2021), a range query that is not well formed."""
    lower = sample(Laplace(2 / eps))
    upper = sample(Laplace(2 / eps))
    for i in range(len(q)):
        if low + lower <= q[i] and q[i] < high + upper:
            yield "continue"
        else:
            yield "stop"
            return


@mechanism(DP())
def two_range(
    q: Answers,
    low1: Public[float],
    high1: Public[float],
    low2: Public[float],
    high2: Public[float],
    eps: Epsilon,
) -> Iterator[str]:
    """Source: Chadha, Sistla, Viswanathan and Bhusal, Deciding Differential Privacy of Online
    Algorithms with Multiple Variables (CCS 2023), m-Range with m = 2: points arrive coordinate
    by coordinate.
    """
    l1 = sample(Laplace(8 / eps))
    h1 = sample(Laplace(8 / eps))
    l2 = sample(Laplace(8 / eps))
    h2 = sample(Laplace(8 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if i % 2 == 0:
            if low1 + l1 <= v and v < high1 + h1:
                yield "continue"
            else:
                yield "stop"
                return
        else:
            if low2 + l2 <= v and v < high2 + h2:
                yield "continue"
            else:
                yield "stop"
                return


@mechanism(DP(), expect="refuted")
def two_range_noise_of_one(
    q: Answers,
    low1: Public[float],
    high1: Public[float],
    low2: Public[float],
    high2: Public[float],
    eps: Epsilon,
) -> Iterator[str]:
    """Source: Chadha et al. (CCS 2023), m-Range with m = 2, with the noise of two separate ranges
    and answers.
    """
    l1 = sample(Laplace(2 / eps))
    h1 = sample(Laplace(2 / eps))
    l2 = sample(Laplace(2 / eps))
    h2 = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        v = q[i] + noise
        if i % 2 == 0:
            if low1 + l1 <= v and v < high1 + h1:
                yield "continue"
            else:
                yield "stop"
                return
        else:
            if low2 + l2 <= v and v < high2 + h2:
                yield "continue"
            else:
                yield "stop"
                return


@mechanism(DP())
def m_range(
    q: Answers, low: Public[float], high: Public[float], m: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Chadha et al. (CCS 2023), m-Range: 2 m noisy limits, and answers in turn."""
    assert m >= 1
    lower = []
    upper = []
    for j in range(m):
        a = sample(Laplace(4 * m / eps))
        lower.append(low + a)
        b = sample(Laplace(4 * m / eps))
        upper.append(high + b)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if lower[i % m] <= v and v < upper[i % m]:
            yield True
        else:
            yield False
            return


@mechanism(DP())
def two_min_max(a: Answers, q: Answers, eps: Epsilon) -> Iterator[str]:
    """Source: Chadha et al. (CCS 2023), k-Min-Max with k = 2: the first k noisy answers make a
    range, the others are tested against it until one is outside.
    """
    assert len(a) == 2
    x = sample(Laplace(8 / eps))
    first = a[0] + x
    y = sample(Laplace(8 / eps))
    second = a[1] + y
    low = min(first, second)
    high = max(first, second)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if low <= v and v < high:
            yield "read"
        else:
            yield "stop"
            return


@mechanism(DP())
def k_min_max(a: Answers, q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[str]:
    """Source: Chadha et al. (CCS 2023), k-Min-Max."""
    assert k >= 2 and len(a) == k
    first = sample(Laplace(2 * (k + 2) / eps))
    low = a[0] + first
    high = a[0] + first
    for j in range(1, k):
        noise = sample(Laplace(2 * (k + 2) / eps))
        low = min(low, a[j] + noise)
        high = max(high, a[j] + noise)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        v = q[i] + noise
        if low <= v and v < high:
            yield "read"
        else:
            yield "stop"
            return


@mechanism(DP(), expect="refuted")
def two_min_max_released(a: Answers, eps: Epsilon) -> tuple[float, float]:
    """Source: Chadha et al. (CCS 2023), k-Min-Max that releases its range, with scale 4 / 3."""
    assert len(a) == 2
    x = sample(Laplace(4 / (3 * eps)))
    y = sample(Laplace(4 / (3 * eps)))
    return min(a[0] + x, a[1] + y), max(a[0] + x, a[1] + y)


@mechanism(DP())
def discrete_sparse_vector(
    q: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: DiPC (Barthe, Chadha, Jagannath, Sistla, Viswanathan, LICS 2020), SVT with discrete
    Laplace noise.
    """
    assert c >= 1
    lift = sample(DiscreteLaplace(2 / eps))
    count = 0
    for i in range(len(q)):
        noise = sample(DiscreteLaplace(4 * c / eps))
        if q[i] + noise >= T + lift:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def discrete_sparse_vector_telling_values(
    q: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    """Source: DiPC (LICS 2020), SVT that tells the noisy answer that it tested."""
    assert c >= 1
    lift = sample(DiscreteLaplace(2 / eps))
    count = 0
    for i in range(len(q)):
        noise = sample(DiscreteLaplace(4 * c / eps))
        if q[i] + noise >= T + lift:
            yield q[i] + noise
            count += 1
            if count >= c:
                return
        else:
            yield None


@mechanism(DP())
def two_levels(q: Answers, T: Public[float], U: Public[float], eps: Epsilon) -> Iterator[int]:
    """Source: Chadha, Sistla and Viswanathan (LICS 2021), two comparisons of one answer after
    another: until it is above T, and from then on until it is above U.
    """
    first = sample(Laplace(4 / eps))
    second = sample(Laplace(4 / eps))
    warm = False
    for i in range(len(q)):
        noise = sample(Laplace(8 / eps))
        v = q[i] + noise
        if not warm:
            if v >= T + first:
                warm = True
                yield 1
            else:
                yield 0
        else:
            if v >= U + second:
                yield 2
                return
            yield 1
