"""The answer that moves is read more often than it looks.

In most, only one answer differs, so that every pass over all of them seems to cost eps in all.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Policy,
    Public,
    Queries,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
AllMove = Annotated[Sequence[float], Queries(sensitivity=1)]


# truth: the passes [0, k) and [k - 1, len) share q[k - 1]: exactly 2 eps
@mechanism(DP())
def passes_that_share_one(q: OneMoves, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 1 <= k and k <= len(q)
    for i in range(k):
        noise = sample(Laplace(1 / eps))
        yield q[i] + noise
    for i in range(k - 1, len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i] + noise


# truth: an inner answer stands in two differences: exactly 2 eps from three answers on
@mechanism(DP())
def neighbouring_differences(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q) - 1):
        noise = sample(Laplace(1 / eps))
        yield q[i + 1] - q[i] + noise


# truth: q[0] is in all len(q) running sums: exactly len(q) eps
@mechanism(DP())
def running_sums(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    total = 0
    for x in q:
        total += x
        noise = sample(Laplace(1 / eps))
        yield total + noise


# truth: i and len(q) - 1 - i meet q[l] twice, at i = l and from the other end: exactly 2 eps
@mechanism(DP())
def from_both_ends(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i] + q[len(q) - 1 - i] + noise


# truth: 3 i modulo len(q) is a permutation, except where 3 divides len(q): there exactly 3 eps
@mechanism(DP())
def nearly_a_permutation(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[(3 * i) % len(q)] + noise


# truth: i // 2 reads each answer twice: exactly 2 eps
@mechanism(DP())
def each_index_by_halves(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(2 * len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i // 2] + noise


# truth: q[j] is released again until its noisy value is above t: up to len(q) eps
@mechanism(DP())
def index_moved_by_noise(q: OneMoves, t: Public[float], eps: Epsilon) -> Iterator[float]:
    j = 0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[j] + noise
        if q[j] + noise > t:
            j += 1


# truth: step = 0 releases q[0] len(q) times: exactly len(q) eps; step = 1 is eps-private
@mechanism(DP())
def index_from_a_public_step(q: OneMoves, step: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert step <= 1
    j = 0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[j] + noise
        j += step


# truth: the pairs of a sequence with itself: x + y moves by 2: exactly 2 eps
@mechanism(DP())
def zipped_with_itself(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for x, y in zip(q, q):
        noise = sample(Laplace(1 / eps))
        yield x + y + noise


# truth: every answer is released len(t) times: exactly len(t) eps
@mechanism(DP())
def loop_in_a_loop(q: OneMoves, t: Public[Vector], eps: Epsilon) -> Iterator[float]:
    for low in t:
        for x in q:
            noise = sample(Laplace(1 / eps))
            yield x - low + noise


# truth: max and min each move by 1, their gap by 2: exactly 2 eps
@mechanism(DP())
def gap_of_two(q: AllMove, eps: Epsilon) -> Iterator[float]:
    assert len(q) == 2
    noise = sample(Laplace(1 / eps))
    yield max(q[0], q[1]) - min(q[0], q[1]) + noise


# truth: |q[0]| + |q[1]| moves by 2, one absolute value alone by 1: exactly 2 eps
@mechanism(DP())
def sum_of_absolutes(q: AllMove, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 2
    noise = sample(Laplace(1 / eps))
    yield abs(q[0]) + abs(q[1]) + noise


# truth: the mean moves by 1, not by 1 / n, as all answers move: exactly n eps
@mechanism(DP())
def mean_of_all(q: AllMove, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert n >= 1 and n == len(q)
    total = 0
    for x in q:
        total += x
    noise = sample(Laplace(1 / (n * eps)))
    yield total / n + noise


# truth: the winner is chosen with noise, but its count is released raw: 1 against 0
@mechanism(ADP(visited))
def raw_winner_of_a_noisy_race(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2
    first = sample(Laplace(1 / eps))
    second = sample(Laplace(1 / eps))
    if f[0] + first > f[1] + second:
        yield f[0]
    else:
        yield f[1]
