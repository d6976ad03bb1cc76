"""A list is made again while it is looped over: Python goes on with the old one."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Vector,
    argmax,
    mechanism,
    sample,
    top_k,
)


# truth: infinite, the second round of the old list releases f
@mechanism(DP())
def old_list_in_a_loop(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    for x in a:
        a = [0, 0]
        yield x


# truth: private, as Python never reads the new list; a refutation would be wrong
@mechanism(DP())
def new_list_in_a_loop(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, 0]
    for x in a:
        a = [f, f]
        yield x


# truth: infinite
@mechanism(DP())
def in_a_branch(f: Count, T: Public[float], eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    for x in a:
        if T > 0:
            a = [0, 0]
        yield x


# truth: infinite
@mechanism(DP())
def in_an_inner_loop(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert n >= 1
    a = [0, f]
    for x in a:
        for _ in range(n):
            a = [0, 0]
        yield x


# truth: infinite
@mechanism(DP())
def by_enumerate(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    for _i, x in enumerate(a):
        a = [0] * 2
        yield x


# truth: infinite
@mechanism(DP())
def by_zip(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    b = [0, 0]
    for x, y in zip(b, a):
        a = [0, 0]
        yield x + y


# truth: infinite, as the old list has two elements
@mechanism(DP())
def a_longer_one(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0]
    for x in a:
        if f > 3:
            a = [0, 0]
        yield x


# truth: the loop never ends in the language as it was; Python's ends after one round
@mechanism(DP())
def ever_longer(f: Counts, eps: Epsilon) -> Iterator[float]:
    a = [0]
    for x in a:
        a = [0] * (len(a) + 1)
        noise = sample(Laplace(1 / eps))
        yield f[0] + noise + x if len(f) > 0 else 0.0


# truth: 2 eps and more, as the old indices are gone through
@mechanism(DP())
def picked_again(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert 1 <= k <= len(f)
    order = top_k(f, k)
    for j in order:
        order = top_k(f, 1)
        yield j


# truth: infinite
@mechanism(DP())
def again_after_a_store(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, 0]
    for x in a:
        a[1] = f
        a = [0, 0]
        yield x


# truth: infinite
@mechanism(DP())
def appended_in_a_branch(f: Count, T: Public[Vector], eps: Epsilon) -> Iterator[int]:
    a = [0]
    for x in a:
        if f > 3 and len(a) < 9:
            a.append(0)
        yield x


# truth: infinite
@mechanism(DP())
def in_the_loop_of_an_outer_one(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    b = [1, 2]
    for x in a:
        for _y in b:
            a = [0, 0]
        yield x


# truth: infinite, and argmax is a number: it may be bound again
@mechanism(DP())
def index_bound_again(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    a = [0, 1]
    for x in a:
        x = argmax(f)
        yield x
