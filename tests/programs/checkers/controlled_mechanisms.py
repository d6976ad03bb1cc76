"""Intervals, spent budgets, states and turns as people write them, right ones and wrong ones."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    mechanism,
    sample,
)


@mechanism(DP())
def in_an_interval(f: Count, a: Public[float], b: Public[float], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if a <= f + noise < b:
        return "inside"
    return "outside"


@mechanism(DP(), expect="refuted")
def in_an_interval_with_little_noise(
    f: Count, a: Public[float], b: Public[float], eps: Epsilon
) -> str:
    noise = sample(Laplace(1 / (2 * eps)))
    if a <= f + noise < b:
        return "inside"
    return "outside"


@mechanism(DP())
def which_side(f: Count, a: Public[float], b: Public[float], eps: Epsilon) -> int:
    assert a < b
    noise = sample(Laplace(1 / eps))
    s = f + noise
    if s < a:
        return -1
    elif s < b:
        return 0
    return 1


@mechanism(DP())
def threshold_drawn_again(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    threshold = sample(Laplace(2 * c / eps))
    found = 0
    for q in f:
        noise = sample(Laplace(4 * c / eps))
        if q + noise >= T + threshold:
            yield True
            threshold = sample(Laplace(2 * c / eps))  # the last one is never used
            found += 1
        else:
            yield False
        if found >= c:
            return


@mechanism(DP(), expect="refuted")
def threshold_drawn_again_and_told(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    assert c >= 1
    threshold = sample(Laplace(2 * c / eps))
    found = 0
    for q in f:
        noise = sample(Laplace(4 * c / eps))
        if q + noise >= T + threshold:
            yield q + noise
            threshold = sample(Laplace(2 * c / eps))
            found += 1
        else:
            yield 0
        if found >= c:
            return


@mechanism(DP())
def while_in_range(f: Counts, a: Public[float], b: Public[float], eps: Epsilon) -> Iterator[bool]:
    low = sample(Laplace(4 / eps))
    high = sample(Laplace(4 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        s = q + noise
        if a + low <= s and s < b + high:
            yield True
        else:
            yield False
            return


@mechanism(DP(), expect="refuted")
def while_in_range_for_half(
    f: Counts, a: Public[float], b: Public[float], eps: Epsilon
) -> Iterator[bool]:
    low = sample(Laplace(2 / eps))
    high = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(1 / eps))
        s = q + noise
        if a + low <= s and s < b + high:
            yield True
        else:
            yield False
            return


@mechanism(DP(), expect="refuted")
def in_range_without_noise_on_it(
    f: Counts, a: Public[float], b: Public[float], eps: Epsilon
) -> Iterator[bool]:
    for q in f:
        noise = sample(Laplace(2 / eps))
        if a <= q + noise < b:
            yield True
        else:
            yield False
            return


@mechanism(DP())
def above_one_of_two(
    f: Counts, T1: Public[float], T2: Public[float], eps: Epsilon
) -> Iterator[str]:
    assert T1 <= T2
    lift = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        if q + noise >= T2 + lift:
            yield "high"
            return
        elif q + noise >= T1 + lift:
            yield "middle"
            return
        else:
            yield "low"


@mechanism(DP(), expect="refuted")
def above_one_and_on(
    f: Counts, T1: Public[float], T2: Public[float], eps: Epsilon
) -> Iterator[str]:
    assert T1 <= T2
    lift = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        if q + noise >= T2 + lift:
            yield "high"
            return
        elif q + noise >= T1 + lift:
            yield "middle"
        else:
            yield "low"


@mechanism(DP())
def spent(f: Counts, eps: Epsilon) -> Iterator[float]:
    charge = 0.0
    for q in f:
        if charge + eps / 10 > eps:
            return
        noise = sample(Laplace(10 / eps))
        yield q + noise
        charge += eps / 10


@mechanism(DP(), expect="refuted")
def spent_once_more(f: Counts, eps: Epsilon) -> Iterator[float]:
    charge = 0.0
    for q in f:
        if charge > eps:
            return
        noise = sample(Laplace(3 / eps))
        yield q + noise
        charge += eps / 3


@mechanism(DP())
def two_turns(f: Counts, eps: Epsilon) -> Iterator[float]:
    turn = 0
    for q in f:
        if turn == 0:
            noise = sample(Laplace(2 / eps))
            yield q + noise
            turn = 1
        elif turn == 1:
            noise = sample(Laplace(2 / eps))
            yield q + noise
            turn = 2
        else:
            yield 0.0


@mechanism(DP(), expect="refuted")
def turn_about(f: Counts, eps: Epsilon) -> Iterator[float]:
    turn = 0
    for q in f:
        if turn == 0:
            noise = sample(Laplace(1 / eps))
            yield q + noise
            turn = 1
        else:
            yield 0.0
            turn = 0


@mechanism(DP())
def drawn_at_the_start(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    threshold = 0.0
    started = False
    for q in f:
        if not started:
            lift = sample(Laplace(2 / eps))
            threshold = T + lift
            started = True
            yield False
        else:
            noise = sample(Laplace(4 / eps))
            if q + noise >= threshold:
                yield True
                return
            else:
                yield False


@mechanism(DP())
def two_levels(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[int]:
    state = 0
    lift = sample(Laplace(4 / eps))
    for q in f:
        noise = sample(Laplace(8 / eps))
        if state == 0:
            if q + noise >= T + lift:
                state = 1
                yield 1
            else:
                yield 0
        elif state == 1:
            if q + noise >= T + lift:
                state = 2
                yield 2
            else:
                yield 1
        else:
            yield 3


@mechanism(DP(), expect="refuted")
def up_and_down(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[int]:
    state = 0
    lift = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        if state == 0:
            if q + noise >= T + lift:
                state = 1
                yield 1
            else:
                yield 0
        elif q + noise >= T + lift:
            yield 1
        else:
            state = 0
            yield 0


@mechanism(DP())
def named_states(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[str]:
    threshold = 0.0
    state = "draw"
    for q in f:
        if state == "draw":
            noise = sample(Laplace(2 / eps))
            threshold = T + noise
            state = "wait"
            yield "drawn"
        elif state == "wait":
            noise = sample(Laplace(4 / eps))
            if q + noise >= threshold:
                state = "done"
                yield "above"
            else:
                yield "below"
        else:
            yield "done"


@mechanism(DP(), expect="refuted")
def drawn_again(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[str]:
    threshold = 0.0
    state = 0
    for q in f:
        if state == 0:
            noise = sample(Laplace(2 / eps))
            threshold = T + noise
            state = 1
            yield "drawn"
        else:
            noise = sample(Laplace(2 / eps))
            if q + noise >= threshold:
                state = 0
                yield "above"
            else:
                yield "below"


@mechanism(DP())
def every_second_one(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    lift = sample(Laplace(2 / eps))
    turn = 0
    for q in f:
        turn = (turn + 1) % 2
        if turn == 1:
            noise = sample(Laplace(4 / eps))
            if q + noise >= T + lift:
                yield True
                return
            else:
                yield False


@mechanism(DP())
def first_of_some(f: Counts, T: Public[float], n: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert n >= 1
    lift = sample(Laplace(2 / eps))
    found = 0
    closed = 0
    for q in f:
        noise = sample(Laplace(4 * n / eps))
        if closed == 0 and q + noise >= T + lift:
            found += 1
            if found >= n:
                closed = 1
            yield True
        else:
            yield False


@mechanism(DP())
def in_ever_less_detail(f: Counts, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace((i + 1) * (i + 2) / eps))
        yield f[i] + noise


@mechanism(DP())
def with_twice_the_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    scale = 2
    for q in f:
        noise = sample(Laplace(scale / eps))
        yield q + noise
        scale *= 2
