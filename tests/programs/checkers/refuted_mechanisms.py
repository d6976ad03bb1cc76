"""Mechanisms that an attacker of the refuter wrote; none is private."""

from collections.abc import Iterator

from shiftproof import DP, Count, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP())
def an_atom_where_the_other_has_a_density(f: Count, eps: Epsilon) -> float:
    n = sample(Laplace(1 / eps))
    return 0.0 if f == 0 else n


@mechanism(DP())
def a_diagonal_where_the_other_has_a_density(f: Count, eps: Epsilon) -> Iterator[float]:
    n = sample(Laplace(1 / eps))
    m = sample(Laplace(1 / eps))
    yield n
    if f == 0:
        yield n
    else:
        yield m


@mechanism(DP("add-remove"))
def one_input_of_two(f: Count, g: Count, eps: Epsilon) -> float:
    a = sample(Laplace(1 / (2 * eps)))
    return f - g + a


@mechanism(DP())
def as_often_as_the_noise_says(f: Count, eps: Epsilon) -> Iterator[bool]:
    n = sample(Laplace(1 / (2 * eps)))
    z = f + n
    while z > 0:
        yield True
        z -= 1


@mechanism(DP())
def until_the_first_true(f: Count, eps: Epsilon) -> Iterator[bool]:
    done = False
    while not done:
        n = sample(Laplace(1 / eps))
        if f + n >= 3:
            done = True
            yield True
        else:
            yield False


@mechanism(DP())
def exact_from_a_thousand_on(f: Count, eps: Epsilon) -> str:
    if f >= 1000:
        return "plenty"
    n = sample(Laplace(1 / eps))
    if f + n > 10:
        return "some"
    return "few"


@mechanism(DP(), budget=0.5)
def a_number_for_a_budget(f: Count) -> float:
    n = sample(Laplace(1))
    return f + n


@mechanism(DP())
def only_for_one_epsilon(x: Count, eps: Epsilon) -> float:
    assert eps == 1
    n = sample(Laplace(1 / (2 * eps)))
    return x + n


@mechanism(DP())
def only_for_small_epsilon(x: Count, eps: Epsilon) -> float:
    assert eps <= 1 / 20
    n = sample(Laplace(1 / (2 * eps)))
    return x + n


@mechanism(DP())
def only_for_large_epsilon(x: Count, eps: Epsilon) -> float:
    assert eps >= 30
    n = sample(Laplace(1 / (2 * eps)))
    return x + n


@mechanism(DP())
def the_same_noise_for_two(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    n = sample(Laplace(1 / eps))
    yield f[0] + n
    yield f[1] + n
