"""Annotated alignments that are wrong. None may be proved.

Most claims run one way (f > f'), and most images overlap only in a place that a check of
adjacent pieces, of pairs of samples or of real shifts alone does not see.
"""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Query,
    TwoSidedGeometric,
    Uniform,
    Vector,
    align,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


# truth: y > 0 has probability 1 - e^-eps for f = 1 and 0 for f' = 0; the credit leaves the support
@mechanism(ADP(visited))
def leaves_at_the_floor(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    align(noise, other(f) - f)
    yield f - noise


# truth: True has probability 1/4 for f >= t and 0 below; only u > 3/4 is shifted out of [0, 1]
@mechanism(ADP(visited))
def leaves_at_the_ceiling(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    u = sample(Uniform(0, 1))
    align(u, 0.25 if f >= t and other(f) < t else 0)
    yield u + (0.25 if f >= t else 0) >= 1


# truth: True has ratio exactly 2 (f = t, f' = t - 1), false for eps < ln 2: [-1, 0) goes to [0, 1)
@mechanism(ADP(visited))
def bands_overlap(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    low = -1 if f >= t else 0
    align(noise, 1 if f >= t and other(f) < t and -1 <= noise < 0 else 0)
    yield low <= noise < 1


# truth: True has probability 1 for f >= t, 2/3 below: of three pieces the first falls on the third
@mechanism(ADP(visited))
def first_falls_on_third(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    u = sample(Uniform(0, 3))
    align(u, (2 if u < 1 else 0 if u < 2 else 0) if f >= t and other(f) < t else 0)
    yield f >= t or u >= 1


# truth: True has ratio exactly 1 + e^-eps > e^eps for eps < 0.48: -1 and 0 both go to 0
@mechanism(ADP(visited))
def lattice_points_collide(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    k = sample(TwoSidedGeometric(1 / eps))
    align(k, 1 if f >= t and other(f) < t and k == -1 else 0)
    yield k == 0 or (f >= t and k == -1)


# truth: True: 1 for f >= t, 1/2 below; (a^b, b^c, c^a) is no bijection, though no pair is mutual
@mechanism(ADP(visited))
def three_bits_in_a_ring(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    a = sample(Bernoulli(0.5))
    b = sample(Bernoulli(0.5))
    c = sample(Bernoulli(0.5))
    align(a, b and f >= t and other(f) < t)
    align(b, c and f >= t and other(f) < t)
    align(c, a and f >= t and other(f) < t)
    yield f >= t or (a != b) == c


# truth: exactly 2 eps (2 q moves by 2); two alignments of one sample, each of cost eps
@mechanism(DP())
def aligned_twice(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, q - other(q))
    align(noise, q - other(q))
    yield 2 * q + noise


# truth: y > 1 has probability > 0 for q = 1 and 0 for q = 0; the shift names its own image
@mechanism(DP())
def shift_names_its_image(q: One, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))
    align(u, other(u) - u)
    yield q + u


# truth: the parity of f is released raw: y odd has probability 1 for f = 1 and 0 for f' = 0
@mechanism(ADP(visited))
def half_a_step(f: Count, eps: Epsilon) -> Iterator[int]:
    k = sample(TwoSidedGeometric(1 / eps))
    align(k, (f - other(f)) / 2)
    yield f + 2 * k


# truth: alignment invalid: right only for q >= q' (for q < q' the outputs differ); eps-private
@mechanism(DP())
def right_in_one_direction(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, max(q - other(q), 0))
    yield q + noise


# truth: alignment invalid: an answer below costs too, so the cost is len(f) / c eps; eps-private
@mechanism(ADP(visited))
def pays_below_too(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        align(noise, f[i] - other(f[i]))
        if f[i] + noise >= t[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: exactly 2 eps; a sample that nobody reads is shifted down for a credit, off its support
@mechanism(DP())
def credit_from_a_bystander(q: One, eps: Epsilon) -> Iterator[float]:
    idle = sample(Exponential(1 / eps))
    align(idle, -1)
    noise = sample(Laplace(0.5 / eps))
    align(noise, q - other(q))
    yield q + noise
