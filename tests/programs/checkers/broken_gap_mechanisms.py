"""Lists with gaps that say more than they pay for, or whose noise gets out."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    argmax,
    mechanism,
    sample,
    top_k,
)

visited = Policy(sensitive={1})


@mechanism(DP(), expect="refuted")
def half_the_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(ADP(visited), expect="refuted")
def asymmetric_half_the_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(0.5 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def runner_up_too(q: Counts, eps: Epsilon) -> tuple[int, int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], order[1], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def winner_s_value(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]]


@mechanism(DP(), expect="refuted")
def runner_up_s_value(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[1]]


@mechanism(DP(), expect="refuted")
def no_gap(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] + noisy[order[1]]


@mechanism(DP(), expect="refuted")
def behind_the_first_of_all(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[0]


@mechanism(DP(), expect="refuted")
def one_gap_more(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k + 1):
        yield order[r]
    for r in range(k):
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP(), expect="refuted")
def last_noise_comes_out(q: Counts, eps: Epsilon) -> tuple[int, float, float]:
    assert len(q) >= 2
    noise = 0.0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]], noise


@mechanism(DP(), expect="refuted")
def noise_is_used_again(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noise = 0.0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    yield q[0] + noise


@mechanism(DP(), expect="refuted")
def noise_is_shared(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    noise = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def noise_is_kept_at_times(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noise = 0.0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        if i == 0:
            noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def first_has_no_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    noisy[0] = noisy[0] + q[0]
    for i in range(1, len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def filled_with_an_answer(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [q[0] + 0.5] * len(q)
    for i in range(1, len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def noise_decides(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    high = 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
        if noise + q[i] > 3:
            high = high + 1
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    yield high


@mechanism(DP(), expect="refuted")
def list_is_read_before(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    high = 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
        if noisy[i] > 3:
            high = high + 1
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    yield high


@mechanism(DP(), expect="refuted")
def sums_of_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if i == 0:
            noisy[i] = q[i] + noise
        else:
            noisy[i] = noisy[i - 1] + q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def twice_the_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = 4 * q[i] + 2 * noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def moved_noise(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = 3 * q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def wide_and_narrow(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = []
    wide = sample(Laplace(2 / eps))
    noisy.append(q[0] + wide)
    for i in range(1, len(q)):
        noise = sample(Laplace(1 / eps))
        noisy.append(q[i] + noise)
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def picked_twice(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    noisy[order[0]] = -1000.0
    yield argmax(noisy)


@mechanism(DP(), expect="refuted")
def order_is_known_before(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    order = top_k(noisy, 2)
    yield best
    yield noisy[order[0]] - noisy[order[1]]
    yield order[1]


@mechanism(DP(), expect="refuted")
def winner_decides(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    if noisy[order[0]] > 3:
        yield 1
    else:
        yield 0
