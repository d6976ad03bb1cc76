"""Mechanisms that notebooks show; some have names and strings that would break a careless page."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Policy,
    Value,
    ensure,
    mechanism,
    sample,
)

HOSTILE = "</pre><script>alert('x')</script> $\\frac{1}{0}$ &amp; \"_%#~^{}|` \u202e ε′"


@mechanism(DP())
def plain_count(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DP(), expect="refuted")
def half_the_noise(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (2 * eps)))
    return x + noise


@mechanism(DP())
def says_hostile_things(x: Count, eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if x + noise > 2:
        return HOSTILE
    return "<b>no</b>"


@mechanism(DP())
def with_a_comprehension(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sum([x + noise for _ in range(2)])


@mechanism(ADP(Policy(sensitive={1})))
def says_safe(f: Counts, eps: Epsilon) -> Iterator[bool]:
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        if f[i] + noise < 3:
            ensure(f[i] < 3)
            yield True
            return
        yield False


@mechanism(DP())
def coin_and_noise(x: Value(0, 1), eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / eps))
    coin = sample(Bernoulli(1 / 2))
    return coin and x + noise > 0


@mechanism(DP())
def noise_twice(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise + noise
