"""Well-formed DiP automata as loops that go by a state, with the weights that DiPAut computes.

The automata are the examples of DiPAut (Chadha, Sistla, Viswanathan and Bhusal, 2023). Where an
automaton is stuck, the run ends, which can be seen here and may cost one more sample.
"""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps: 3 * eps / 2)
def example_1(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s <= x:
                yield "bot"
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: 3 * eps / 2)
def example_2(f: Counts, eps: Epsilon) -> Iterator[str]:
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
            noise = sample(Laplace(2 / eps))
            s = q + noise
            if s > x:
                yield "top"
            else:
                yield "bot"
                return


@mechanism(DP(), budget=lambda eps: 11 * eps / 4)
def example_23(f: Counts, eps: Epsilon) -> Iterator[str | float]:
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
            x = s
            yield "bot"
            state = 3
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


@mechanism(DP(), budget=lambda eps: 5 * eps / 3)
def example_25(f: Counts, eps: Epsilon) -> Iterator[str]:
    x1 = 0.0
    x2 = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(3 / eps))
            s = q + noise
            x1 = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(3 / eps))
            s = q + noise + 10
            x2 = s
            yield "bot"
            state = 2
        else:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s >= x1 and s < x2:
                yield "top"
            elif s >= x1 and s >= x2:
                yield "top"
                return
            else:
                yield "top"
                return


@mechanism(DP(), budget=lambda eps: 2 * eps)
def example_26(f: Counts, eps: Epsilon) -> Iterator[str]:
    x1 = 0.0
    x2 = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(3 / eps))
            s = q + noise
            x1 = s
            yield "bot"
            state = 1
        elif state == 1:
            noise = sample(Laplace(3 / eps))
            s = q + noise + 10
            if s <= x1:
                yield "bot"
                state = 2
            else:
                return
        elif state == 2:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            x2 = s
            yield "top"
            state = 3
        elif state == 3:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s >= x1:
                yield "top"
                state = 4
            else:
                return
        else:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s > x1 and s > x2:
                yield "top"
            else:
                return


@mechanism(DP(), budget=lambda eps: 7 * eps / 3)
def example_27(f: Counts, eps: Epsilon) -> Iterator[str]:
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
        else:
            noise = sample(Laplace(6 / eps))
            s = q + noise
            if s >= x1 and s < x2:
                yield "top"
            elif s >= x1 and s >= x2:
                yield "top"
                return
            else:
                yield "top"
                return
