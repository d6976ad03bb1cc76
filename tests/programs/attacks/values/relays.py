"""Private values that pass through several elements of lists before they are released.

A proof follows elements at two indices; what comes through a third one must not be lost.
"""

from collections.abc import Iterator

from shiftproof import DP, Count, Counts, Epsilon, Laplace, argmax, mechanism, sample


# truth: the index is that of the raw answer: infinite
@mechanism(DP())
def relayed_to_argmax(f: Count, eps: Epsilon) -> int:
    b = [0] * 3
    b[1] = f - 5
    a = [0] * 3
    a[1] = -100
    a[0] = b[1]
    return argmax(a)


# truth: releases the raw answer: infinite
@mechanism(DP())
def relayed_through_three(f: Count, eps: Epsilon) -> float:
    a = [0] * 3
    a[2] = f
    a[1] = a[2]
    a[0] = a[1]
    return a[0]


# truth: releases the raw answer, added to a zero: infinite
@mechanism(DP())
def relayed_and_added(f: Count, eps: Epsilon) -> float:
    b = [0] * 3
    b[2] = f
    a = [0] * 3
    a[0] = b[2]
    return a[0] + a[1]


# truth: releases the raw first answer: infinite
@mechanism(DP())
def rotated_twice(g: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(g) == 3
    a = [0] * 3
    for i in range(len(g)):
        a[i] = g[i]
    kept = a[0]
    a[0] = a[1]
    a[1] = a[2]
    a[2] = kept
    kept = a[0]
    a[0] = a[1]
    a[1] = a[2]
    a[2] = kept
    yield a[1]


# truth: the noise is that of another element, the answer is compared raw: infinite
@mechanism(DP())
def noise_of_the_neighbouring_element(f: Count, eps: Epsilon) -> int:
    a = [0.0] * 3
    noise = sample(Laplace(1 / eps))
    a[1] = f - 0.5
    a[2] = noise
    a[0] = a[1]
    a[1] = a[2] - a[2]
    return argmax(a)
