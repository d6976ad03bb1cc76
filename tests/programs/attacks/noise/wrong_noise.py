"""Noise of the wrong shape, sign, size or support, or used twice."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    Policy,
    Public,
    Queries,
    Query,
    TwoSidedGeometric,
    Uniform,
    Value,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


# truth: y == q has probability 1/2 against 0: the clipped noise has an atom at 0
@mechanism(DP())
def clipped_noise(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + max(noise, 0)


# truth: |noise| is one-sided: y < 1 has probability > 0 for q = 0 and 0 for q = 1
@mechanism(DP())
def folded_noise(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + abs(noise)


# truth: y == -q has probability > 0 for the D it belongs to, 0 for the other: capped at a raw value
@mechanism(DP())
def noise_capped_by_the_data(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + min(noise, -2 * q)


# truth: with c = 0 the answer is released raw (c = 1 would be eps-private, any c > 1 too)
@mechanism(DP())
def noise_times_zero(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + c * noise


# truth: the two outputs add up to q[0] + q[1] exactly: raw data; each one alone is eps-private
@mechanism(DP())
def mirrored_noise(
    q: Annotated[Sequence[float], Queries(sensitivity=1, differing="one")], eps: Epsilon
) -> Iterator[float]:
    assert len(q) == 2
    noise = sample(Laplace(1 / eps))
    yield q[0] + noise
    yield q[1] - noise


# truth: one draw for all: two answers above tell f[i] - f[j] raw; the cost was paid once
@mechanism(ADP(visited))
def drawn_before_the_loop(
    f: Counts, t: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    answered = 0
    noise = sample(Exponential(1 / eps))
    for i in range(len(f)):
        if f[i] + noise >= t:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: y > f' has probability > 0 for f = f' + 1 and 0 for f', as the noise is never above 0
@mechanism(ADP(visited))
def noise_below_a_falling_count(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(NegativeExponential(1 / eps))
    yield f + noise


# truth: the test compares t - f, which rises as f falls: False: 1 - e^-eps for f = t + 1, 0 for t
@mechanism(ADP(visited))
def one_sided_test_upside_down(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    noise = sample(Exponential(1 / eps))
    yield t - f + noise >= 0


# truth: a real answer with integer noise: its fractional part is released raw
@mechanism(DP())
def integer_noise_on_reals(q: One, eps: Epsilon) -> Iterator[float]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield q + k


# truth: f / 2 is off the lattice by half a step: f odd or even is released raw; not even eps
@mechanism(DP(), budget=lambda eps: eps / 2)
def halved_count_with_integer_noise(f: Count, eps: Epsilon) -> Iterator[float]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield f / 2 + k


# truth: y in (9, 10] has probability > 0 for q = 0 and 0 for q = -1; a uniform shift costs nothing
@mechanism(DP())
def wide_uniform(q: One, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(-10, 10))
    yield q + u


# truth: values may differ by 5, the noise hides 1: exactly 5 eps
@mechanism(LDP())
def value_wider_than_its_noise(x: Annotated[float, Value(0, 5)], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield x + noise


# truth: exactly 2 eps; the interval [-1, 1] is two wide
@mechanism(LDP())
def value_of_both_signs(x: Annotated[float, Value(-1, 1)], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield x + noise


# truth: log(1 + 2 eps) > eps exactly for eps < 1.2564: true from there on, 1.0986 against 1 at 1
@mechanism(LDP())
def odds_of_one_and_two_eps(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> Iterator[bool]:
    assert eps >= 1
    lie = sample(Bernoulli(1 / (2 + 2 * eps)))
    yield (x >= 0.5) != lie


# truth: log(1 / eps) > eps for eps < 0.567, though log(eps) < eps for all eps: the odds turn over
@mechanism(LDP())
def odds_below_one(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> Iterator[bool]:
    assert eps <= 1
    lie = sample(Bernoulli(1 / (1 + eps)))
    yield (x >= 0.5) != lie
