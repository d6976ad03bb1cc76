"""Mechanisms that call others wrongly: none is private as it claims, or none may be said to be.

``REFUTED`` have a counterexample that is small enough to be found; ``RAISING`` raise an exception
on inputs within their preconditions.  Of the rest it is enough that none is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Nat,
    Policy,
    Private,
    Public,
    Queries,
    Query,
    Related,
    Value,
    ensure,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})


@mechanism(DP())
def noisy(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise


@mechanism(DP("add-remove"))
def noisy_cell(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise


@mechanism(DP())
def by_threshold(q: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / eps))
    return q + noise >= T


@mechanism(ADP(visited))
def falling(q: Annotated[float, Query(direction="decreasing")], eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


@mechanism(DP())
def of_size(q: Annotated[float, Query(sensitivity="s")], s: Public[float], eps: Epsilon) -> float:
    assert s > 0
    noise = sample(Laplace(s / eps))
    return q + noise


@mechanism(DP())
def small_and_large(
    a: Annotated[float, Query(sensitivity=1)],
    b: Annotated[float, Query(sensitivity=3)],
    eps: Epsilon,
) -> tuple[float, float]:
    one = sample(Laplace(2 / eps))
    two = sample(Laplace(6 / eps))
    return a + one, b + two


@mechanism(DP())
def first_of(
    f: Annotated[Sequence[float], Queries(sensitivity="s")], s: Public[float], eps: Epsilon
) -> float:
    assert s > 0 and len(f) >= 1
    noise = sample(Laplace(s / eps))
    return f[0] + noise


@mechanism(DP("add-remove"))
def gap(a: Count, b: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return a - b + noise


@mechanism(DP(), budget=lambda eps, k: eps / k)
def shared(q: Count, k: Public[int], eps: Epsilon) -> float:
    assert k >= 1
    noise = sample(Laplace(k / eps))
    return q + noise


@mechanism(DP(), budget=lambda eps, k: eps / k)
def unguarded(q: Count, k: Public[int], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise


def together(x: float, y: float) -> bool:
    return abs(x - other(x)) + abs(y - other(y)) <= 1


@mechanism(Related(together))
def both(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    one = sample(Laplace(1 / eps))
    two = sample(Laplace(1 / eps))
    return x + one, y + two


@mechanism(LDP())
def local(v: Annotated[float, Value(0, 10)], eps: Epsilon) -> float:
    noise = sample(Laplace(10 / eps))
    return v + noise


# From here on: those that call.


@mechanism(DP())
def counted_once(a: Count, b: Count, eps: Epsilon) -> tuple[float, float]:
    (x,) = noisy(a, eps)
    (y,) = noisy(b, eps)
    return x, y


@mechanism(DP())
def same_count_twice(q: Count, eps: Epsilon) -> tuple[float, float]:
    (x,) = noisy(q, eps / 2)
    (y,) = noisy(q, eps)
    return x, y


@mechanism(DP())
def doubled(q: Count, eps: Epsilon) -> float:
    (x,) = noisy(2 * q, eps)
    return x


@mechanism(DP())
def clipped_late(q: Count, eps: Epsilon) -> float:
    (x,) = noisy(min(3 * q, 5), eps)
    return x


@mechanism(DP())
def sum_of_two(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    (x,) = noisy(f[0] + f[1], eps)
    yield x


@mechanism(ADP(visited))
def other_direction(q: Annotated[float, Query(direction="decreasing")], eps: Epsilon) -> float:
    (x,) = falling(-q, eps)
    return x


@mechanism(ADP(visited))
def in_both_directions(a: Count, b: Count, eps: Epsilon) -> float:
    (x,) = falling(a - b, eps)
    return x


@mechanism(DP())
def private_threshold(q: Count, eps: Epsilon) -> bool:
    (above,) = by_threshold(7, 2 * q, eps)
    return above


@mechanism(DP())
def noisy_threshold(q: Count, eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / eps))
    (above,) = by_threshold(q, 4 * q + noise, 9 * eps)
    return above


@mechanism(DP())
def asked_if_private(q: Count, eps: Epsilon) -> float:
    x = 0.0
    if q > 5:
        (x,) = noisy(q, eps)
    return x


@mechanism(DP())
def as_long_as_it_goes(q: Count, eps: Epsilon) -> Iterator[float]:
    (x,) = noisy(q, eps / 2)
    while x > 0:
        yield x
        (x,) = noisy(q, eps / 2)


@mechanism(DP())
def every_round_in_full(q: Count, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert k >= 1
    for _ in range(k):
        (x,) = noisy(q, eps)
        yield x


@mechanism(DP())
def one_round_more(q: Count, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert k >= 1
    for _ in range(k + 1):
        (x,) = noisy(q, eps / k)
        yield x


@mechanism(DP())
def more_than_claimed(q: Count, eps: Epsilon) -> float:
    (x,) = noisy(q, 2 * eps)
    return x


@mechanism(DP())
def assigned_again(q: Count, eps: Epsilon) -> float:
    eps = 2 * eps
    (x,) = noisy(q, eps)
    return x


@mechanism(DP())
def sizes_mixed_up(
    a: Annotated[float, Query(sensitivity=1)],
    b: Annotated[float, Query(sensitivity=3)],
    eps: Epsilon,
) -> tuple[float, float]:
    x, y = small_and_large(b, a, eps)
    return x, y


@mechanism(DP("add-remove"))
def cells_that_overlap(f: Counts, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        (x,) = noisy_cell(f[i], eps)
        yield x


@mechanism(DP())
def cells_replaced(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        (x,) = noisy(h[i], eps)
        yield x


@mechanism(DP("add-remove"))
def halves_that_share(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) >= 3
    (x,) = noisy_cell(h[0] + h[1], eps)
    (y,) = noisy_cell(h[1] + h[2], eps)
    yield x
    yield y


@mechanism(DP("add-remove"))
def the_same_cell(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) >= 1
    for _ in range(len(h)):
        (x,) = noisy_cell(h[0], eps)
        yield x


@mechanism(DP("add-remove"))
def not_moved_together(a: Count, b: Count, eps: Epsilon) -> float:
    (x,) = gap(a, max(0, 10 - b), eps)
    return x


@mechanism(DP())
def smaller_than_it_is(
    g: Annotated[Sequence[float], Queries(sensitivity="t")], t: Public[float], eps: Epsilon
) -> Iterator[float]:
    assert t > 0 and len(g) >= 1
    yield from first_of(g, t / 2, eps)


@mechanism(DP())
def larger_answer(
    q: Annotated[float, Query(sensitivity="t")], t: Public[float], eps: Epsilon
) -> float:
    assert t > 0
    (x,) = of_size(2 * q, t, eps)
    return x


@mechanism(Related(together))
def beyond_the_rule(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    a, b = both(x + y, x - y, eps)
    return a, b


@mechanism(DP())
def shared_by_fewer(q: Count, eps: Epsilon) -> Iterator[float]:
    for _ in range(3):
        (x,) = shared(q, 2, eps)
        yield x


@mechanism(DP())
def beside_what_it_got(q: Count, eps: Epsilon) -> float:
    (x,) = noisy(q, eps)
    return x + q


@mechanism(DP())
def compared_with_private(q: Count, eps: Epsilon) -> bool:
    (x,) = noisy(q, eps)
    return x > 3 * q


@mechanism(DP())
def released_twice(q: Count, eps: Epsilon) -> Iterator[float]:
    yield from noisy(q, eps)
    yield from noisy(q, eps / 4)


@mechanism(DP())
def own_noise_beside(q: Count, eps: Epsilon) -> tuple[float, float]:
    (x,) = noisy(q, eps / 2)
    noise = sample(Laplace(1 / eps))
    return x, q + noise


@mechanism(DP())
def half_then_wrong(q: Count, eps: Epsilon) -> float:
    x, y = own_noise_beside(q, eps)
    return x + y


@mechanism(DP())
def its_callee_is_wrong(q: Count, eps: Epsilon) -> tuple[float, float]:
    x, y = counted_once(q, q, eps)
    return x, y


#: Each is right if its callee is; its callee is wrong.
WRONG_BELOW = (half_then_wrong, its_callee_is_wrong)
REFUTED = (
    counted_once,
    same_count_twice,
    doubled,
    clipped_late,
    sum_of_two,
    other_direction,
    in_both_directions,
    private_threshold,
    asked_if_private,
    every_round_in_full,
    one_round_more,
    more_than_claimed,
    assigned_again,
    sizes_mixed_up,
    cells_that_overlap,
    cells_replaced,
    halves_that_share,
    the_same_cell,
    not_moved_together,
    smaller_than_it_is,
    larger_answer,
    beyond_the_rule,
    shared_by_fewer,
    beside_what_it_got,
    compared_with_private,
    released_twice,
    own_noise_beside,
)


@mechanism(DP())
def size_that_may_be_zero(
    q: Annotated[float, Query(sensitivity="t")], t: Public[float], eps: Epsilon
) -> float:
    (x,) = of_size(q, t, eps)
    return x


@mechanism(DP())
def no_rounds_at_all(q: Count, k: Public[Nat], eps: Epsilon) -> float:
    (x,) = noisy(q, eps / k)
    return x


@mechanism(DP())
def nothing_left(q: Count, t: Public[float], eps: Epsilon) -> float:
    (x,) = noisy(q, eps - t)
    return x


@mechanism(DP())
def shared_by_none(q: Count, k: Public[int], eps: Epsilon) -> float:
    (x,) = shared(q, k, eps)
    return x


@mechanism(LDP())
def out_of_bounds(v: Annotated[float, Value(0, 10)], eps: Epsilon) -> float:
    (x,) = local(v + 1, eps)
    return x


@mechanism(DP())
def below_zero(q: Count, eps: Epsilon) -> float:
    (x,) = noisy(q - 1, eps)
    return x


RAISING = (
    no_rounds_at_all,
    shared_by_none,
)


@mechanism(DP(), budget=lambda eps, k: eps)
def divides_by_nothing(q: Count, k: Public[int], eps: Epsilon) -> float:
    (x,) = unguarded(q, k, eps * k)
    return x


@mechanism(DP())
def budget_that_varies(q: Count, eps: Epsilon) -> Iterator[float]:
    (x,) = noisy(q, eps / 2)
    scale = x if x > 0.25 else 0.25
    yield x
    yield from noisy(q, scale)


@mechanism(DP())
def believes_its_callee(q: Count, eps: Epsilon) -> bool:
    (x,) = noisy(q, eps)
    ensure(x > q)
    return True


@mechanism(ADP(visited))
def told_what_holds(q: Annotated[float, Query(direction="decreasing")], eps: Epsilon) -> bool:
    (x,) = falling(q, eps)
    ensure(x >= q)
    return True


NOT_PROVED = (
    noisy_threshold,
    as_long_as_it_goes,
    size_that_may_be_zero,
    nothing_left,
    out_of_bounds,
    below_zero,
    divides_by_nothing,
    budget_that_varies,
)
