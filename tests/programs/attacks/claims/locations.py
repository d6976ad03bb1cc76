"""A record is replaced by another one at its location.

There its answers may fall and rise at once; a relation of two different locations has them all
move one way.  Every budget is eps.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Epsilon,
    Exponential,
    IntVector,
    Laplace,
    LocationCounts,
    NegativeExponential,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)

#: Both values are sensitive: a record may change in any way, as in replacement.
anything = Policy(sensitive={0, 1})
#: Neither 0 nor 2 is counted; 0 and 1 are sensitive, so that a record may still come and go.
two_of_three = Policy(sensitive={0, 1}, universe={0, 1, 2})

AtPlaces = Annotated[Sequence[int], LocationCounts(by="place")]
Absent = Annotated[Sequence[int], LocationCounts({0}, by="place")]


# truth: at one location (0, 1) becomes (1, 0), so the difference moves by 2: exactly 2 eps
@mechanism(DP())
def difference_at_one_location(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


# truth: as above, where the location is asked for: exactly 2 eps
@mechanism(DP())
def difference_where_places_agree(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2
    noise = sample(Laplace(1 / eps))
    if place[0] == place[1]:
        return f[0] - f[1] + noise
    return noise


# truth: exactly 2 eps, with noise on the integers
@mechanism(DP())
def difference_of_integers(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> int:
    assert len(f) == 2 and len(place) == 2
    noise = sample(TwoSidedGeometric(1 / eps))
    return f[1] - f[0] + noise if place[0] == place[1] else noise


# truth: exactly 2 eps under a policy that lets records move
@mechanism(ADP(anything))
def difference_under_a_policy(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


# truth: exactly 2 eps, where a third value stays as it is
@mechanism(ADP(two_of_three))
def difference_with_a_known_value(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


# truth: counts of those who are not there: exactly 2 eps
@mechanism(DP())
def difference_of_absences(f: Absent, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


# truth: one answer may rise while the other falls, so y < f'[1] has probability > 0 against 0
@mechanism(DP())
def one_sided_noise_by_the_first(
    f: AtPlaces, place: Public[IntVector], eps: Epsilon
) -> Iterator[float]:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        yield f[i] + noise


# truth: as above, from the other side
@mechanism(DP())
def one_sided_noise_below(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    for i in range(len(f)):
        noise = sample(NegativeExponential(1 / eps))
        yield f[i] + noise


# truth: the larger of the two differences moves by 2: exactly 2 eps
@mechanism(DP())
def difference_of_the_ends(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 3 and len(place) == 3 and place[0] == place[2]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[2] + noise


# truth: 2 f[0] - f[1] - f[2] moves by 4 at one location, and 2 were paid: exactly 2 eps
@mechanism(DP())
def weighted_answers(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 3 and len(place) == 3
    assert place[0] == place[1] and place[1] == place[2]
    noise = sample(Laplace(2 / eps))
    return 2 * f[0] - f[1] - f[2] + noise


# truth: differences of successive answers, kept in a variable: exactly 2 eps
@mechanism(DP())
def difference_in_a_loop(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    total = 0
    for i in range(len(f)):
        total = f[i] - total
    noise = sample(Laplace(1 / eps))
    return total + noise


# truth: f[0] - f[1] moves by 2, and c by 1 with it: 3/2 eps
@mechanism(DP())
def difference_with_a_count(f: AtPlaces, c: Count, place: Public[IntVector], eps: Epsilon) -> float:
    assert len(f) == 2 and len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(2 / eps))
    return f[0] - f[1] + c + noise


# truth: one of the two answers falls below the threshold and the other one rises above it
@mechanism(DP())
def first_answer_above(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> bool:
    assert len(f) == 2 and len(place) == 2
    noise = sample(Laplace(1 / eps))
    return place[0] == place[1] and f[0] - f[1] + noise >= 0
