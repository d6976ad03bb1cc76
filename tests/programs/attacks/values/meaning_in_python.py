"""Python's meaning against the solver's, and the wrong direction.

In row 13 a solver that has another meaning for //, %, int or round finds the raw branch dead.
None of them may be proved.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    CountingQueries,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    Query,
    TwoSidedGeometric,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Half = Annotated[float, Query(sensitivity=0.5)]


# truth: q[0] = 1.5 against 0.5 gives -1 against 0 (2 and 0, floored): exactly eps, not eps / 2
@mechanism(DP(), budget=lambda eps: eps / 2)
def row13_round_then_floor(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    y = round(q[0]) // -2
    noise = sample(Laplace(1 / eps))
    yield y + noise


# truth: round(1.5) is 2 and round(0.5) is 0 (half to even): exactly 2 eps
@mechanism(DP())
def row13_round_half_to_even(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Laplace(1 / eps))
    yield round(q[0]) + noise


# truth: int() of 1 and of 0.999 are 1 and 0: exactly eps, not eps / 1000
@mechanism(DP(), budget=lambda eps: eps / 1000)
def row13_int_of_a_near_answer(
    q: Annotated[float, Query(sensitivity=0.001)], eps: Epsilon
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield int(q) + noise


# truth: 7 % -2 is -1 in Python (1 in SMT-LIB), so f is released raw: infinite
@mechanism(ADP(visited))
def row13_remainder_of_constants(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if 7 % -2 == -1:
        yield f
    else:
        yield f + noise


# truth: 7 // -2 is -4 in Python (-3 in SMT-LIB and C), so f is released raw: infinite
@mechanism(ADP(visited))
def row13_quotient_of_constants(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if 7 // -2 == -4:
        yield f
    else:
        yield f + noise


# truth: int(-1.5) is -1 in Python (to_int gives -2), so f is released raw: infinite
@mechanism(ADP(visited))
def row13_int_of_a_constant(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if int(-1.5) == -1:
        yield f
    else:
        yield f + noise


# truth: n = 7, k = -2 releases f raw: n % k has the sign of k in Python, never below 0 in SMT-LIB
@mechanism(ADP(visited))
def row13_remainder(f: Count, n: Public[int], k: Public[int], eps: Epsilon) -> Iterator[float]:
    assert k != 0
    noise = sample(Exponential(1 / eps))
    if n % k < 0:
        yield f
    else:
        yield f + noise


# truth: n = 7 releases f raw: 7 // -2 * -2 is 8 in Python, 6 in SMT-LIB and C
@mechanism(ADP(visited))
def row13_quotient_below(f: Count, n: Public[int], eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if n // -2 * -2 > n:
        yield f
    else:
        yield f + noise


# truth: n = -7 releases f raw: -7 // 2 * 2 is -8 in Python, -6 in C
@mechanism(ADP(visited))
def row13_quotient_of_a_negative(f: Count, n: Public[int], eps: Epsilon) -> Iterator[float]:
    assert n < 0
    noise = sample(Exponential(1 / eps))
    if n // 2 * 2 < n:
        yield f
    else:
        yield f + noise


# truth: v = -1.5 releases f raw: int(-1.5) is -1, above v, where to_int is never above
@mechanism(ADP(visited))
def row13_int(f: Count, v: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if int(v) > v:
        yield f
    else:
        yield f + noise


# truth: v = 2.5 releases f raw: round(2.5) is 2, where half-up gives 3
@mechanism(ADP(visited))
def row13_round_down_at_half(f: Count, v: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if v - round(v) == 0.5:
        yield f
    else:
        yield f + noise


# truth: v = 1.5 releases f raw: round(1.5) is 2, where half-down gives 1
@mechanism(ADP(visited))
def row13_round_up_at_half(f: Count, v: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if round(v) - v == 0.5:
        yield f
    else:
        yield f + noise


# truth: q = 0 and q = 1/2 have outputs on disjoint lattices: infinite
@mechanism(DP())
def row13_geometric_off_the_lattice(q: Half, eps: Epsilon) -> Iterator[float]:
    noise = sample(TwoSidedGeometric(1 / eps))
    yield q + noise


# truth: f = 1 and f = 0 give halves and integers, disjoint: infinite
@mechanism(ADP(visited))
def row13_half_a_count(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(OneSidedGeometric(1 / eps))
    yield f / 2 + noise


# truth: the count goes up from 0 to 1, the output 0 to below 1 has probability 0 there: infinite
@mechanism(ADP(visited))
def row17_counts_who_did_not_visit(
    f: Annotated[Sequence[int], CountingQueries(counted={0})], eps: Epsilon
) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    yield f[0] + noise


# truth: f goes up from D to D', so "below" may become impossible (f = T - 1 against T): infinite
@mechanism(ADP(visited))
def row17_sparse_vector_of_absences(
    f: Annotated[Sequence[int], CountingQueries(counted={0})],
    T: Public[Vector],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: not having visited is sensitive, 0 becomes 1, so the count goes up: infinite
@mechanism(ADP(Policy(sensitive={0})))
def row17_the_other_policy(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: under P^DP the count goes up too: infinite
@mechanism(ADP(Policy.everything()))
def row17_everything_is_sensitive(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: 2 is sensitive and may become 1, which counts: the count goes up too, infinite
@mechanism(ADP(Policy(sensitive={1, 2}, universe={0, 1, 2})))
def row17_two_sensitive_values(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: from f to f - 1 the outputs above f - 1 become impossible, the noise goes down: infinite
@mechanism(ADP(visited))
def row17_noise_of_the_wrong_sign(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(NegativeExponential(1 / eps))
    yield f + noise


# truth: from f to f - 1 the outputs above f - 1 become impossible, by subtraction: infinite
@mechanism(ADP(visited))
def row17_noise_subtracted(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f - noise
