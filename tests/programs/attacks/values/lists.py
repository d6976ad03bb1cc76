"""Lists, argmax, top_k, and outputs that change.

Some use lists in ways that the language refuses; they are written as a user would write them.
A name of a function starts with its row. None of them may be proved.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    argmax,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


# truth: every answer is written one cell on and released raw: infinite
@mechanism(DP())
def row02_shifted_by_one_cell(f: Answers, eps: Epsilon) -> Iterator[float]:
    a = [0.0] * (len(f) + 1)
    for i in range(len(f)):
        a[i + 1] = f[i]
    for i in range(len(f) + 1):
        yield a[i]


# truth: the same, only the even cells are read again, so each cell that is read is raw: infinite
@mechanism(DP())
def row02_spread_out(f: Answers, eps: Epsilon) -> Iterator[float]:
    a = [0.0] * (2 * len(f))
    for i in range(len(f)):
        a[2 * i] = f[i]
    for i in range(len(f)):
        yield a[2 * i]


# truth: b is the same list, so a[0] is f, raw: infinite
@mechanism(ADP(visited))
def row02b_alias(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0]
    b = a
    b[0] = f
    yield a[0]


# truth: a[-1] is the last cell, raw: infinite
@mechanism(ADP(visited))
def row02b_negative_index(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    a = [0] * len(f)
    a[-1] = f[0]
    for i in range(len(f)):
        yield a[i]


# truth: pop gives f[0] and moves the rest up, raw: infinite
@mechanism(ADP(visited))
def row02b_pop(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    a = [0, f[0]]
    a.pop(0)
    yield a[0]


# truth: insert puts f[0] into the cell that is released, raw: infinite
@mechanism(ADP(visited))
def row02b_insert(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    a = [0]
    a.insert(0, f[0])
    yield a[0]


# truth: all rows are one list, so grid[0][0] is f[0], raw: infinite
@mechanism(ADP(visited))
def row02b_rows_are_one_list(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    grid = [[0] * len(f)] * 2
    grid[1][0] = f[0]
    yield grid[0][0]


# truth: only constants are written, the place tells f: f = 1 against 0 gives (0, 1) against (1, 0)
@mechanism(ADP(visited))
def row02b_private_index(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, 0]
    a[min(f, 1)] = 1
    yield a[0]
    yield a[1]


# truth: T is public, the place that is read tells f: f = 1 against 0 gives T[1] against T[0]
@mechanism(ADP(visited))
def row02b_private_read(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [10, 20]
    yield a[min(f, 1)]


# truth: a constant is written iff f[i] > t, raw: 1 against 0
@mechanism(ADP(visited))
def row02b_write_under_a_private_guard(f: Counts, t: Public[int], eps: Epsilon) -> Iterator[int]:
    a = [0] * len(f)
    for i in range(len(f)):
        if f[i] > t:
            a[i] = 1
    for i in range(len(f)):
        yield a[i]


# truth: every cell has its noise, which is then released too: the difference is f[i], raw
@mechanism(ADP(visited))
def row02b_noise_in_cells(f: Counts, eps: Epsilon) -> Iterator[float]:
    a = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        a[i] = noise
    for i in range(len(f)):
        yield f[i] + a[i]
    for i in range(len(f)):
        yield a[i]


# truth: one cell of noise serves all answers: f[i] - f[0] is raw, infinite from two counts on
@mechanism(ADP(visited))
def row02b_one_cell_of_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    a = [0.0]
    noise = sample(Laplace(1 / eps))
    a[0] = noise
    for i in range(len(f)):
        yield f[i] + a[0]


# truth: all counts 0 leave nothing to choose from and raise, f = (1) releases 0: 1 against 0
@mechanism(ADP(visited))
def row07_argmax_of_nothing(f: Counts, eps: Epsilon) -> Iterator[int]:
    positive = [x for x in f if x > 0]
    best = argmax(positive)
    yield 0


# truth: exactly eps from two counts on ((1, 1) against (0, 1): winner 0), not eps / 100
@mechanism(ADP(visited), budget=lambda eps: eps / 100)
def row08_argmax(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    noisy = []
    for x in f:
        noise = sample(OneSidedGeometric(1 / eps))
        noisy.append(x + noise)
    return argmax(noisy)


# truth: all k = len(f) sums are released, each costs eps / 2: exactly len(f) * eps / 2
@mechanism(ADP(visited))
def row08b_top_k_with_sums(f: Counts, k: Public[int], eps: Epsilon) -> Iterator[float]:
    assert k == len(f)
    noisy = []
    for x in f:
        noise = sample(Exponential(2 / eps))
        noisy.append(x + noise)
    for i in sorted(range(len(f)), key=lambda i: -noisy[i])[:k]:
        yield i
        yield noisy[i]


# truth: the ranking alone: as n / 2 pairs far apart move by 2 each, it comes near n * eps / 2
@mechanism(DP())
def row08b_ranking(q: Answers, eps: Epsilon) -> Iterator[int]:
    noisy = []
    for x in q:
        noise = sample(Laplace(2 / eps))
        noisy.append(x + noise)
    for i in sorted(range(len(q)), key=lambda i: -noisy[i]):
        yield i


# truth: the list that was released holds q[0] in the end, raw: infinite
@mechanism(DP())
def row15_released_then_appended(q: Answers, eps: Epsilon) -> Iterator[list[float]]:
    assert len(q) >= 1
    a = [0.0]
    yield a
    a.append(q[0])


# truth: the list that was released holds q[0] in its cell in the end, raw: infinite
@mechanism(DP())
def row15_released_then_written(q: Answers, eps: Epsilon) -> Iterator[list[float]]:
    assert len(q) >= 1
    a = [0.0]
    yield a
    a[0] = q[0]


# truth: a consumer reads q[0] from StopIteration.value, raw: infinite
@mechanism(DP())
def row15_return_in_a_generator(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    yield 0
    return q[0]
