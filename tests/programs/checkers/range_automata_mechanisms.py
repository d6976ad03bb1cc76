"""Well-formed DiP automata that ask two thresholds at once (see automata_mechanisms.py)."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps: 8 * eps / 3)
def example_28_2(f: Counts, eps: Epsilon) -> Iterator[str]:
    x1 = 0.0
    x2 = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            x1 = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise + 10
            if s >= x1:
                x2 = s
                yield "bot"
                state = 2
            else:
                return
        else:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s < x2 and s >= x1:
                yield "bot"
                return
            else:
                return


@mechanism(DP(), budget=lambda eps: 3 * eps)
def example_28_3(f: Counts, eps: Epsilon) -> Iterator[str]:
    x1 = 0.0
    x2 = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            x1 = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise + 10
            x2 = s
            yield "bot"
            state = 2
        elif state == 2:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s < x2 and s >= x1:
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s < x1:
                x2 = s
                yield "bot"
                state = 2
            else:
                return


@mechanism(DP(), budget=lambda eps: 3 * eps / 2)
def example_3(f: Counts, eps: Epsilon) -> Iterator[str]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "input"
            state = 1
        elif state == 1:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
            else:
                yield "top"
                state = 2
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                return
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: 2 * eps)
def example_5(f: Counts, eps: Epsilon) -> Iterator[str]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "input"
            state = 1
        elif state == 1:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
            else:
                yield "top"
                state = 2
        elif state == 2:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "input"
            state = 3
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s > x:
                yield "top"
            else:
                yield "bot"
                return


@mechanism(DP(), budget=lambda eps: 3 * eps / 2)
def example_6(f: Counts, eps: Epsilon) -> Iterator[str]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "input"
            state = 1
        elif state == 1:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
            else:
                yield "top"
                state = 2
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: 7 * eps / 4)
def numeric_sparse(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    noise = sample(Laplace(4 / eps))
    s = noise
    x = s
    yield "input"
    state = 1
    for q in f:
        noise = sample(Laplace(2 / eps))
        s = q + noise
        if s <= x:
            yield "bot"
        else:
            fresh = sample(Laplace(2 / eps))
            yield q + fresh
            return


@mechanism(DP(), budget=lambda eps: 5 * eps / 4)
def num_range_2(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    noise = sample(Laplace(4 / eps))
    s = noise
    l1 = s
    yield "bot"
    noise = sample(Laplace(4 / eps))
    s = noise + 1
    r1 = s
    yield "bot"
    state = 2
    for q in f:
        noise = sample(Laplace(4 / eps))
        s = q + noise
        if s >= l1 and s < r1:
            yield "continue"
        else:
            fresh = sample(Laplace(4 / eps))
            yield q + fresh
            return


@mechanism(DP(), budget=lambda eps: 2 * eps)
def two_range_2(f: Counts, eps: Epsilon) -> Iterator[str]:
    noise = sample(Laplace(4 / eps))
    s = noise
    u = s
    yield "bot"
    noise = sample(Laplace(4 / eps))
    s = noise + 1
    v = s
    yield "bot"
    noise = sample(Laplace(4 / eps))
    s = noise + 2
    w = s
    yield "bot"
    state = 3
    for q in f:
        if state == 3:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s >= u and s < v:
                yield "continue"
            elif s < u:
                yield "bot"
                return
            elif s > v and s < w:
                yield "top"
                noise = sample(Laplace(4 / eps))
                s = noise + 1
                v = s
                yield "bot"
                state = 5
            else:
                yield "top"
                return
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s >= v and s < w:
                yield "continue"
            elif s < v:
                yield "bot"
                return
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: eps)
def m_range_2(f: Counts, eps: Epsilon) -> Iterator[str]:
    noise = sample(Laplace(8 / eps))
    s = noise
    l1 = s
    yield "bot"
    noise = sample(Laplace(8 / eps))
    s = noise + 1
    r1 = s
    yield "bot"
    noise = sample(Laplace(8 / eps))
    s = noise
    l2 = s
    yield "bot"
    noise = sample(Laplace(8 / eps))
    s = noise + 1
    r2 = s
    yield "bot"
    state = 4
    for q in f:
        if state == 4:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s >= l1 and s < r1:
                yield "continue"
                state = 5
            elif s >= l1 and s > r1:
                yield "top"
                return
            else:
                yield "bot"
                return
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s >= l2 and s < r2:
                yield "continue"
                state = 4
            elif s >= l2 and s > r2:
                yield "top"
                return
            else:
                yield "bot"
                return
