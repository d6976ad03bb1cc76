"""Lists that grow: correct mechanisms."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    argmax,
    mechanism,
    sample,
    top_k,
)

visited = Policy(sensitive={1})


@mechanism(DP())
def argmax_of_appended(q: Counts, eps: Epsilon) -> int:
    assert len(q) >= 1
    noisy = []
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy.append(q[i] + noise)
    return argmax(noisy)


@mechanism(DP())
def argmax_of_appended_answers(q: Counts, eps: Epsilon) -> int:
    assert len(q) >= 1
    noisy = []
    for x in q:
        noise = sample(Laplace(2 / eps))
        noisy.append(x + noise)
    return argmax(noisy)


@mechanism(ADP(visited))
def top_k_in_the_loop(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 1 <= k <= len(f)
    noisy = []
    for x in f:
        noise = sample(Exponential(k / eps))
        noisy.append(x + noise)
    for j in top_k(noisy, k):
        yield j
        yield noisy[j]


@mechanism(ADP(visited))
def top_k_of_appended(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 1 <= k <= len(f)
    noisy = []
    for x in f:
        noise = sample(Exponential(k / eps))
        noisy.append(x + noise)
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield noisy[j]


@mechanism(DP())
def appended_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    a = []
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        a.append(noise)
    for y in a:
        yield y
