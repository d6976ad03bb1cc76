"""The sparse vector under replacement DP, with its loop written in many ways."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Vector,
    mechanism,
    sample,
)

# Where c answers may be above the noisy threshold T + rho: rho moves by 1, the noise of an
# answer that is above by at most 2, that of an answer that is below by nothing.


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_range(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    found = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if f[i] + nu >= T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_while(q: Counts, t: Public[float], n: Public[Nat], e: Epsilon) -> Iterator[bool]:
    assert n >= 1
    noise = sample(Laplace(2 / e))
    noisy_t = t + noise
    i = 0
    positives = 0
    while i < len(q) and positives < n:
        noise = sample(Laplace(4 * n / e))
        if q[i] + noise >= noisy_t:
            positives = positives + 1
            yield True
        else:
            yield False
        i = i + 1


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_elements(xs: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c > 0
    shake = sample(Laplace(2 / eps))
    left = c
    for x in xs:
        noise = sample(Laplace(4 * c / eps))
        if x + noise >= T + shake:
            yield True
            left -= 1
            if left <= 0:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_enumerate(
    f: Counts, thresholds: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert len(f) <= len(thresholds) and 1 <= c
    rho = sample(Laplace(2 / eps))
    hits = 0
    for i, x in enumerate(f):
        noise = sample(Laplace(4 * c / eps))
        if x + noise >= thresholds[i] + rho:
            yield True
            hits += 1
            if hits == c:
                break
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP("replacement"))
def svt_zip(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    hits = 0
    for answer, threshold in zip(f, T):
        eta = sample(Laplace(4 * c / eps))
        above = answer + eta >= threshold + rho
        yield above
        hits += 1 if above else 0
        if hits >= c:
            break


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps (from the last answer to the first)
@mechanism(DP())
def svt_backwards(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert len(T) == len(f)
    assert c >= 1
    rho, remaining = 0.0, c
    rho = sample(Laplace(2 / eps))
    for i in range(len(f) - 1, -1, -1):
        nu = sample(Laplace(4 * c / eps))
        if f[i] + nu >= T[i] + rho:
            yield True
            remaining -= 1
            if remaining <= 0:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_while_backwards(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    bar = T + rho
    remaining, i = c, len(f) - 1
    while 0 <= i < len(f):
        nu = sample(Laplace(4 * c / eps))
        noisy = f[i] + nu
        i -= 1
        if noisy < bar:
            yield False
            continue
        yield True
        remaining -= 1
        if remaining <= 0:
            return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_endless_loop(
    queries: Counts, T: Public[float], limit: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert limit >= 1
    size, place, seen = len(queries), 0, 0
    rho = sample(Laplace(2 / eps))
    while True:
        if place == size or seen >= limit:
            break
        nu = sample(Laplace(4 * limit / eps))
        if queries[place] + nu >= T + rho:
            seen += 1
            yield True
        else:
            yield False
        place += 1


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_flag(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    done, left, i = False, c, 0
    while not done and i < len(f):
        nu = sample(Laplace(4 * c / eps))
        above = f[i] + nu >= T + rho
        if above:
            left -= 1
            done = left < 1
        yield above
        i += 1


# truth: private because 1 / (2/eps) + 1 * 2 / (4/eps) = eps (stops after the first)
@mechanism(DP())
def svt_first_only(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(2 / eps))
    for x in f:
        nu = sample(Laplace(4 / eps))
        if x + nu >= T + rho:
            yield True
            return
        yield False


# truth: private because rho may move by -1: 1 / (2/eps) + c * 2 / (4c/eps) = eps (c are below)
@mechanism(DP())
def svt_limit_below(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    remaining = c
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
        else:
            yield False
            remaining -= 1
            if remaining <= 0:
                return
