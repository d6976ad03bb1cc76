"""``argmax`` and ``top_k`` where only one answer differs: the index that differs is picked too."""

from typing import Annotated

from shiftproof import (
    DP,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    align,
    argmax,
    mechanism,
    other,
    sample,
    top_k,
)

OneDiffers = Annotated[list[float], Queries(sensitivity=1, differing="one")]


@mechanism(DP(), budget=lambda eps: eps - eps, expect="refuted")
def largest_for_nothing(f: OneDiffers, eps: Epsilon) -> int:
    assert len(f) >= 1
    scores = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, 0.0)
        scores[i] = f[i] + noise
    return argmax(scores)


@mechanism(DP(), budget=lambda eps: eps / 8, expect="refuted")
def largest_for_too_little(f: OneDiffers, eps: Epsilon) -> int:
    assert len(f) >= 1
    scores = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        scores[i] = f[i] + noise
    return argmax(scores)


@mechanism(DP())
def largest(f: OneDiffers, eps: Epsilon) -> int:
    assert len(f) >= 1
    scores = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, f[i] - other(f[i]))
        scores[i] = f[i] + noise
    return argmax(scores)


@mechanism(DP(), budget=lambda eps, k: eps - eps, expect="refuted")
def several_for_nothing(f: OneDiffers, k: Public[Nat], eps: Epsilon) -> tuple[int, int]:
    assert len(f) >= 2
    scores = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, 0.0)
        scores[i] = f[i] + noise
    found = top_k(scores, 2)
    return found[0], found[1]


@mechanism(DP(), budget=lambda eps: eps - eps, expect="refuted")
def two_lists_for_nothing(f: OneDiffers, g: OneDiffers, eps: Epsilon) -> int:
    assert len(f) >= 1 and len(g) == len(f)
    scores = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, 0.0)
        scores[i] = f[i] + g[i] + noise
    return argmax(scores)
