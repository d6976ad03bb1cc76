"""Programs that a careless batch simulator gets wrong; they claim nothing that matters."""

from __future__ import annotations

from collections.abc import Iterator

from shiftproof import (
    DP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Public,
    TwoSidedGeometric,
    Uniform,
    argmax,
    ensure,
    mechanism,
    sample,
    top_k,
)


@mechanism(DP())
def kinds_that_differ(x: Count, eps: Epsilon) -> Iterator[int | float | str | None]:
    noise = sample(Laplace(1 / eps))
    yield 1 if noise > 0 else 0.5
    yield min(0, noise)
    yield max(noise, 1, 2.0)
    yield "up" if noise > 1 else None
    kind = 3
    if noise < 0:
        kind = 0.25
    yield kind
    yield kind * 2
    yield abs(noise)
    word = "low"
    if noise > 0:
        word = "high"
    other_noise = sample(Laplace(1 / eps))
    yield word
    if other_noise > 0:
        if noise > 0:
            yield "both"
        kind = 2
    else:
        kind = 5
    yield kind


@mechanism(DP())
def short_circuits(f: Counts, eps: Epsilon) -> Iterator[bool]:
    i = sample(TwoSidedGeometric(1 / eps))
    if 0 <= i and i < len(f) and f[i] > 1:
        yield True
    yield i < 0 or i >= len(f) or f[i] == 0
    yield (f[i] > 0) if 0 <= i < len(f) else False
    yield i != 0 and 6 / i > 2
    if not (i == 0) and 1 / i < 0:
        yield 1 / i < -0.4


@mechanism(DP())
def raises_for_some(f: Counts, eps: Epsilon) -> Iterator[float]:
    i = sample(TwoSidedGeometric(1 / eps))
    yield 0.5
    yield 1 / i
    yield 2.0 * f[i]
    yield 1 / (i - 1) + f[i + 1]


@mechanism(DP())
def lists_of_their_own(f: Counts, eps: Epsilon) -> Iterator[int | float]:
    kept = []
    marked = [False] * 4
    for x in f:
        noise = sample(Laplace(1 / eps))
        if x + noise > 1:
            kept.append(x + noise)
    i = sample(TwoSidedGeometric(1 / eps))
    if -len(marked) <= i < len(marked):
        marked[i] = True
    for j in range(len(marked)):
        if marked[j]:
            yield j
    yield len(kept)
    if len(kept) > 0:
        best = argmax(kept)
        yield best
        yield kept[best]
        kept[best] = 0.0
        for k in top_k(kept, len(kept) // 2 + 1):
            yield k
            yield kept[k]


@mechanism(DP())
def loops_of_their_own(x: Count, eps: Epsilon) -> Iterator[int | float]:
    rounds = 0
    noise = sample(Laplace(1 / eps))
    while noise < 1 and rounds < 9:
        noise = sample(Laplace(1 / eps))
        rounds += 1
        if noise > 2:
            continue
        if noise == 0:
            break
        yield noise
    yield rounds
    left = sample(TwoSidedGeometric(1 / eps))
    while left > 0:
        for k in range(left):
            if k == 2:
                break
            yield k
        left -= 1


@mechanism(DP())
def arms_that_end(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[object]:
    assert c >= 1
    answered, last = 0, 0.0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered, last = answered + 1, noise
            if answered >= c:
                return
        elif noise > 3:
            yield "far"
            if last > noise:
                return
        else:
            ensure(f[i] < T)
            yield None
    yield answered


@mechanism(DP())
def swaps_and_shares(x: Count, eps: Epsilon) -> Iterator[object]:
    a, b = 1.0, 2.0
    bit = sample(Bernoulli(0.5))
    noise = sample(Uniform(0, 4))
    if bit:
        a, b = b, a + noise
    else:
        b = noise
    yield a
    yield b
    same = noise == 2 or (bit and not noise > 2)
    yield same
    yield int(noise) if bit else round(noise)
    yield bit == (noise < 1)
    yield noise // 1 if bit else noise % 1.5


def clipped(value: float, low: float, high: float) -> float:
    inner = min(value, high)
    if inner < low:
        return low
    return inner


@mechanism(DP())
def helpers(f: Counts, eps: Epsilon) -> Iterator[float]:
    total = 0.0
    for x in f:
        noise = sample(Laplace(1 / eps))
        total += clipped(x + noise, 0.0, 2.0)
        yield clipped(total, clipped(noise, -1.0, 1.0), 3.0)


@mechanism(DP())
def scales_that_vary(x: Count, eps: Epsilon) -> Iterator[float]:
    steps = sample(TwoSidedGeometric(1 / eps))
    noise = sample(Laplace(steps / eps))
    yield noise
    shift = sample(Uniform(0, abs(steps) + 1))
    yield shift
