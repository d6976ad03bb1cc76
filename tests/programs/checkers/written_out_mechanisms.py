"""Short loops between constants, and tables of constants: what they compute is a sum."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP())
def by_a_table(f: Counts, eps: Epsilon) -> float:
    assert len(f) == 3
    w = [1, 2, 3]
    total = 0
    for i in range(3):
        total += w[i] * f[i]
    noise = sample(Laplace(6 / eps))
    return total + noise


@mechanism(DP(), expect="refuted")
def by_a_table_for_less(f: Counts, eps: Epsilon) -> float:
    assert len(f) == 3
    w = [1, 2, 3]
    total = 0
    for i in range(3):
        total += w[i] * f[i]
    noise = sample(Laplace(5 / eps))
    return total + noise


@mechanism(DP())
def by_the_counter(f: Counts, eps: Epsilon) -> float:
    assert len(f) == 3
    total = 0
    for i in range(2, -1, -1):
        if i != 1:
            total += (i + 1) * f[i]
    noise = sample(Laplace(4 / eps))
    return total + noise


@mechanism(DP())
def four_sums_of_two(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 8
    for i in range(4):
        x = 0
        for j in range(2):
            x += f[2 * i + j]
        noise = sample(Laplace(8 / eps))
        yield x + noise


@mechanism(DP(), expect="refuted")
def the_last_value_stays(f: Counts, eps: Epsilon) -> float:
    assert len(f) == 3
    i = 0
    for i in range(3):
        pass
    noise = sample(Laplace(1 / eps))
    return i * f[i] + noise
