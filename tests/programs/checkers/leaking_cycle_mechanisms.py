"""DiP automata with a cycle that leaks: private at no budget (see automata_mechanisms.py)."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def disclosing_cycle_13(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            x = s
            yield s
            state = 2
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            x = s
            yield s
            state = 1


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_cycle_15(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 0
            else:
                yield "bot"
                state = 2
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                x = s
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield s
                return
            else:
                return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def leaking_cycle_16(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 0
            else:
                yield "bot"
                state = 2
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                x = s
                yield "bot"
                state = 3
            else:
                return
        elif state == 3:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 4
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                yield s
                return
            else:
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_cycle_17(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 0
            else:
                yield "bot"
                state = 2
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                x = s
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                yield s
                return
            else:
                return


@mechanism(DP(), budget=lambda eps: eps, expect="refuted")
def leaking_cycle_18(f: Counts, eps: Epsilon) -> Iterator[str | float]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "top"
                state = 0
            else:
                yield "bot"
                state = 2
        elif state == 2:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                x = s
                yield "bot"
                state = 3
            else:
                return
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                yield s
                return
            else:
                return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def leaking_cycle_28_4(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            if s < x2:
                x2 = s
                yield "bot"
                state = 2
            else:
                return


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def leaking_cycle_4(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            x = s
            yield "input"
            state = 1


@mechanism(DP(), budget=lambda eps: eps / 2, expect="refuted")
def leaking_cycle_7(f: Counts, eps: Epsilon) -> Iterator[str]:
    x = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(4 / eps))
            s = q + noise
            x = s
            yield "top"
            state = 1
        else:
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s >= x:
                x = s
                yield "bot"
                state = 0
            else:
                yield "top"
                return
