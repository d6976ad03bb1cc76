"""Lists that grow: none of these has the privacy that it claims."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Laplace,
    Policy,
    argmax,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})


@mechanism(DP(), expect="refuted")
def argmax_with_half_the_noise(q: Counts, eps: Epsilon) -> int:
    assert len(q) >= 1
    noisy = []
    for x in q:
        noise = sample(Laplace(1 / eps))
        noisy.append(x + noise)
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def appended_and_read_again(q: Counts, eps: Epsilon) -> Iterator[int]:
    a = []
    for x in q:
        a.append(x)
    for y in a:
        yield y


@mechanism(DP(), expect="refuted")
def appended_under_a_private_guard(q: Counts, eps: Epsilon) -> int:
    a = []
    for x in q:
        if x > 0:
            a.append(1)
    return len(a)


@mechanism(DP(), expect="refuted")
def appended_twice(q: Counts, eps: Epsilon) -> Iterator[float]:
    a = []
    for x in q:
        noise = sample(Laplace(1 / eps))
        a.append(x + noise)
        a.append(x)
    for i in range(len(a)):
        yield a[i]


@mechanism(DP(), expect="refuted")
def appended_at_another_place(q: Counts, eps: Epsilon) -> int:
    assert len(q) >= 1
    a = []
    a.append(0.0)
    for x in q:
        a.append(x + 0.5)
    return argmax(a)


@mechanism(DP(), expect="refuted")
def the_length_is_a_count(q: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(q) >= 1
    a = []
    i = 0
    while i < q[0]:
        a.append(0)
        i += 1
    yield len(a)
