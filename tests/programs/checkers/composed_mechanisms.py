"""Mechanisms that call others, and are private; those that are called stand first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Counts,
    DataSet,
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
    TwoSidedGeometric,
    Value,
    count,
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
def noisy_whole(q: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return q + noise


@mechanism(ADP(visited))
def raised(q: Count, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


@mechanism(DP())
def by_threshold(q: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / eps))
    return q + noise >= T


@mechanism(DP())
def first_above(f: Counts, T: Public[float], eps: Epsilon) -> int:
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            return i
    return len(f)


@mechanism(DP())
def all_above(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    lift = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP())
def scaled(q: Annotated[float, Query(sensitivity="s")], s: Public[float], eps: Epsilon) -> float:
    assert s > 0
    noise = sample(Laplace(s / eps))
    return q + noise


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


def has_first(r: Sequence[int]) -> bool:
    return r[0] == 1


@mechanism(DP())
def counted(data: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon) -> float:
    n = count(has_first, data)
    noise = sample(Laplace(1 / eps))
    return n + noise


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


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def two_budgets(q: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[float, float]:
    one = sample(Laplace(1 / eps1))
    two = sample(Laplace(1 / eps2))
    return q + one, q + two


@mechanism(DP(), budget=0.5)
def half_a_nat(q: Count) -> float:
    noise = sample(Laplace(2))
    return q + noise


@mechanism(DP())
def announced(q: Count, eps: Epsilon) -> tuple[str, bool]:
    noise = sample(Laplace(1 / eps))
    if q + noise > 3:
        return "busy", True
    return "busy", False


# From here on: those that call.


@mechanism(DP())
def two_counts(a: Count, b: Count, eps: Epsilon) -> tuple[float, float]:
    (x,) = noisy(a, eps / 2)
    (y,) = noisy(b, eps / 2)
    return x, y


@mechanism(DP())
def by_keyword(a: Count, eps: Epsilon) -> float:
    [x] = noisy(eps=eps / 2, q=a)
    noise = sample(Laplace(2 / eps))
    return x + a + noise


@mechanism(DP())
def then_its_count(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[int | float]:
    (i,) = first_above(f, T, eps / 2)
    if 0 <= i < len(f):
        yield i
        (x,) = noisy(f[i], eps / 2)
        yield x


@mechanism(DP())
def in_rounds(q: Count, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert k >= 1
    for _ in range(k):
        (x,) = noisy(q, eps / k)
        yield x


@mechanism(DP("add-remove"))
def cell_by_cell(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        (x,) = noisy_cell(h[i], eps)
        yield x


@mechanism(DP())
def cell_by_cell_replaced(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        (x,) = noisy(h[i], eps / 2)
        yield x


@mechanism(DP("add-remove"))
def even_cells(h: Histogram, eps: Epsilon) -> Iterator[float | None]:
    for i in range(len(h)):
        if i % 2 == 0:
            (x,) = noisy_cell(h[i], eps)
            yield x
        else:
            yield None


@mechanism(ADP(visited))
def raised_twice(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    (x,) = raised(f[0], eps / 2)
    yield x
    noise = sample(Exponential(2 / eps))
    yield f[1] + noise


@mechanism(DP())
def all_of_both(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool | float]:
    assert len(f) >= 1
    yield from all_above(f, T, 3, eps / 2)
    yield from noisy(f[0], eps / 2)


@mechanism(DP())
def adaptive(f: Counts, T: Public[float], eps: Epsilon) -> tuple[float, float]:
    x, y = 0.0, 0.0
    (i,) = first_above(f, T, eps / 2)
    if 0 <= i < len(f):
        (x,) = noisy(f[i], eps / 4)
        (y,) = noisy(max(f[i], 7), eps / 4)
    return x, y


@mechanism(DP())
def chained(f: Counts, T: Public[float], eps: Epsilon) -> tuple[float, float]:
    x, _ = adaptive(f, T, eps / 2)
    _, y = adaptive(f=f, eps=eps / 2, T=T + x)
    return x, y


@mechanism(DP())
def named(
    g: Annotated[Sequence[float], Queries(sensitivity="t")], t: Public[float], eps: Epsilon
) -> Iterator[float]:
    assert t > 0 and len(g) >= 1
    yield from first_of(g, t, eps / 2)
    (x,) = scaled(2 * g[0], 2 * t, eps / 2)
    yield x


@mechanism(DP())
def of_records(
    data: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon
) -> tuple[float, float]:
    (x,) = counted(data, eps / 2)
    (y,) = noisy(count(has_first, data), eps / 2)
    return x, y


@mechanism(DP("add-remove"))
def gaps(a: Count, b: Count, eps: Epsilon) -> tuple[float, float]:
    (x,) = gap(b, a, eps / 2)
    (y,) = gap(a, a, eps / 2)
    return x, y


@mechanism(Related(together))
def swapped(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    a, b = both(1 - y, x, eps)
    return a, b


@mechanism(LDP())
def local_twice(v: Annotated[float, Value(0, 10)], eps: Epsilon) -> tuple[float, float]:
    (x,) = local(v, eps / 2)
    (y,) = local(10 - v, eps / 2)
    return x, y


@mechanism(DP(), budget=lambda eps: 2 * eps + 0.5)
def budgets_add_up(q: Count, eps: Epsilon) -> tuple[float, float, float]:
    x, y = two_budgets(q, eps / 2, eps / 2)
    (z,) = noisy(q, eps)
    (_,) = half_a_nat(q)
    return x, y, z


@mechanism(DP())
def decided_by_results(f: Counts, eps: Epsilon) -> Iterator[str | int | bool]:
    assert len(f) >= 2
    said, busy = announced(f[0], eps / 2)
    yield said
    yield busy
    if busy:
        (n,) = noisy_whole(f[1], eps / 2)
        yield n // 2


@mechanism(DP())
def asked_with_noise(q: Count, eps: Epsilon) -> bool:
    noise = sample(Laplace(8 / eps))
    (above,) = by_threshold(q, 2 * q + noise, eps / 2)
    return above


@mechanism(DP())
def public_only(q: Count, t: Public[float], eps: Epsilon) -> tuple[float, float]:
    (x,) = noisy(7, eps)
    (y,) = noisy(q, eps)
    return x + t, y
