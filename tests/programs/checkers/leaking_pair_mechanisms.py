"""DiP automata in which two cycles, or a cycle and an output, leak together."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_pair_10(f: Counts, eps: Epsilon) -> Iterator[str]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "input"
            state = 1
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s >= x:
                yield "top"
            else:
                yield "bot"


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_pair_11(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            if s >= x:
                yield "top"
            else:
                x = s
                yield "bot"
                state = 2
        else:
            noise = sample(Laplace(5 / eps))
            s = q + noise + 1
            if s < x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_pair_12(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            if s >= x:
                yield "top"
            else:
                x = s
                yield "bot"
                state = 2
        else:
            noise = sample(Laplace(5 / eps))
            s = q + noise + 1
            if s <= x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def leaking_pair_8(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            if s >= x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_pair_9(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            if s >= x:
                yield "bot"
            else:
                yield "top"
                state = 2
        else:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            if s < x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def violating_path_14(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield s
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 2
            else:
                return
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            yield "bot"
            state = 2


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def violating_path_21(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield s
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                x = s
                yield "top"
                state = 2
            else:
                return
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 2
            else:
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def violating_path_22(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield s
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                x = s
                yield "top"
                state = 2
            else:
                return
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                yield "bot"
                state = 3
            else:
                return
        elif state == 3:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 4
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 3
            else:
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def violating_path_24(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield s
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 2
            else:
                return
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
                state = 2
            else:
                return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def two_range_1(f: Counts, eps: Epsilon) -> Iterator[str]:
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
                state = 4
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


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def num_range_1(f: Counts, eps: Epsilon) -> Iterator[str | float]:
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
            yield s
            return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def disclosing_cycle(f: Counts, eps: Epsilon) -> Iterator[str | float]:
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
            yield s
        elif s >= l1 and s > r1:
            yield "top"
            return
        else:
            yield "bot"
            return
