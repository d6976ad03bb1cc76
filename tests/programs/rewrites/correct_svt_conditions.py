"""The sparse vector under replacement DP, with its test and its answers written in many ways."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    Vector,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
ABOVE, BELOW = "above", "below"


def is_above(value: float, bar: float) -> bool:
    return value >= bar


def query_scale(count: int, eps: float) -> float:
    """Half of eps, for count answers that move by two."""
    half = eps / 2
    return 2 * count / half


def verdict(noisy: float, bar: float) -> bool:
    gap = noisy - bar
    if gap < 0:
        return False
    return True


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_flipped(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1 and len(f) == len(T)
    rho = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if T[i] + rho <= f[i] + nu:
            yield True
            answered += 1
            if c <= answered:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_negated(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    assert len(f) == len(T)
    rho = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if not f[i] + nu >= T[i] + rho:
            yield False
        else:
            yield True
            answered += 1
        if not answered < c:
            return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps (strict test, noise subtracted)
@mechanism(DP())
def svt_subtracted(f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    remaining = c
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x - nu - T > rho:
            yield True
            remaining -= 1
            if remaining == 0:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_early_continue(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    bar = T + rho
    count = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x + nu < bar:
            yield False
            continue
        yield True
        count += 1
        if count < c:
            continue
        return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_conditional_yield(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool | None]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    seen = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        noisy = f[i] + nu
        above = noisy >= T + rho
        yield True if above else None
        if above:
            seen += 1
        if seen >= c:
            break


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_labels(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[str]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    seen, bar = 0, T + rho
    for x in f:
        if seen == c:
            return
        nu = sample(Laplace(4 * c / eps))
        if is_above(x + nu, bar):
            seen += 1
            yield ABOVE
        else:
            yield BELOW


# truth: private because 1 / (2/eps) + c * 2 / (2c/(eps/2)) = eps
@mechanism(DP())
def svt_module_helpers(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert 0 < c
    rho = sample(Laplace(2 / eps))
    scale = query_scale(c, eps)
    left = c
    for x in f:
        nu = sample(Laplace(scale))
        answer = verdict(x + nu, T + rho)
        yield answer
        if answer:
            left -= 1
            if left <= 0:
                return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_nested_helpers(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1 and len(T) >= len(f)

    def bar(index: int, shake: float) -> float:
        return T[index] + shake

    def enough(count: int) -> bool:
        return count >= c

    rho = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if f[i] + nu >= bar(i, rho):
            answered += 1
            yield True
            if enough(answered):
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_default_answer(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool | None]:
    assert c >= 1
    threshold_scale, scale = 2 / eps, 4 * c / eps
    rho = sample(Laplace(threshold_scale))
    open_places = c
    for x in f:
        nu = sample(Laplace(scale))
        answer: bool | None = None
        if x + nu >= T + rho:
            answer = True
            open_places -= 1
        yield answer
        if open_places <= 0:
            return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps (only where T is not negative)
@mechanism(DP())
def svt_some_positions(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool | None]:
    assert c >= 1 and len(T) == len(f)
    rho = sample(Laplace(2 / eps))
    hits = 0
    for i, bar in enumerate(T):
        if bar < 0:
            yield None
        elif hits < c:
            nu = sample(Laplace(4 * c / eps))
            above = bar + rho <= f[i] + nu
            if above:
                hits += 1
            yield above
