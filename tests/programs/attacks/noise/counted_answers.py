"""One-sided sparse vectors that count or share their answers wrongly.

Each answer above costs eps / c (f[i] falls by 1); the claim is always eps.
"""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})


# truth: answers c + 1 times: exactly (c + 1) / c eps
@mechanism(ADP(visited))
def checks_before_it_counts(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for x, low in zip(f, t):
        noise = sample(Exponential(c / eps))
        if x + noise >= low:
            yield x + noise
            if answered >= c:
                return
            answered += 1
        else:
            yield None


# truth: c = 1.5 gives 2 answers of eps / 1.5 each: 4/3 eps; right for every integer c
@mechanism(ADP(visited))
def real_number_of_answers(
    f: Counts, t: Public[Vector], c: Public[float], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= t[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: c = 0 gives one answer, of scale 1 / eps: eps against c * eps = 0
@mechanism(ADP(visited), budget=lambda eps, c: c * eps)
def no_answer_is_one_answer(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        if f[i] + noise >= t[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: answered == c is jumped over, as it grows by 2: with c odd nothing stops it: len(f) / c eps
@mechanism(ADP(visited))
def counts_in_pairs(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        if answered == c:
            return
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= t[i]:
            yield f[i] + noise
            answered += 2
        else:
            yield None


# truth: the noisy flag flips at each answer, only each second one counts: (2 c - 1) / c eps
@mechanism(ADP(visited))
def flag_flipped_by_noise(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    counting = False
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= t[i]:
            counting = not counting
            yield f[i] + noise
            if counting:
                answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: the counter starts again in each round: exactly rounds * eps
@mechanism(ADP(visited))
def counter_starts_again(
    f: Counts, t: Public[Vector], rounds: Public[Nat], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    for r in range(rounds):
        answered = 0
        for i in range(len(f)):
            if answered < c:
                noise = sample(Exponential(c / eps))
                if f[i] + noise >= t[i]:
                    yield f[i] + noise
                    answered += 1
                else:
                    yield None


# truth: a None starts the counter again: c = 2, above, below, above, ... has (len(f) + 1) / 4 eps
@mechanism(ADP(visited))
def counts_in_a_row(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= t[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            answered = 0
            yield None


# truth: two sparse vectors, interleaved, each with its counter and all of eps: exactly 2 eps
@mechanism(ADP(visited))
def two_interleaved(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    even = 0
    odd = 0
    turn = 0
    for i in range(len(f)):
        if (turn == 0 and even < c) or (turn == 1 and odd < c):
            noise = sample(Exponential(c / eps))
            if f[i] + noise >= t[i]:
                yield f[i] + noise
                if turn == 0:
                    even += 1
                else:
                    odd += 1
            else:
                yield None
        turn = 1 - turn


# truth: noisy values are released below, answers counted above: up to len(f) / c eps
@mechanism(ADP(visited))
def releases_the_wrong_side(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < t[i]:
            yield f[i] + noise
        else:
            yield None
            answered += 1
            if answered >= c:
                return


# truth: the rounds -1, 0, ... c - 1 are c + 1: exactly (c + 1) / c eps
@mechanism(ADP(visited))
def starts_at_minus_one(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    for i in range(-1, c):
        noise = sample(Laplace(c / eps))
        yield f + noise


# truth: the rounds c, c - 1, ... 0 are c + 1: exactly (c + 1) / c eps
@mechanism(ADP(visited))
def counts_down_to_zero(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    for i in range(c, -1, -1):
        noise = sample(Laplace(c / eps))
        yield f + noise


# truth: enumerate starts at -1, so c + 1 counts are answered: exactly (c + 1) / c eps
@mechanism(ADP(visited))
def enumerates_from_minus_one(f: Counts, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    for i, x in enumerate(f, -1):
        if i >= c:
            return
        noise = sample(Exponential(c / eps))
        yield x + noise
