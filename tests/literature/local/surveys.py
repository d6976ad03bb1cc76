"""Randomised responses of survey statistics: one bit, whose owner need not tell the truth."""

from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    Bernoulli,
    Categorical,
    Epsilon,
    IntegerValue,
    Policy,
    Public,
    mechanism,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]
ones = Policy(sensitive={1})
zeros = Policy(sensitive={0})


@mechanism(LDP())
def warner(x: Bit, p: Public[float], eps: Epsilon) -> int:
    """Source: Warner (JASA 1965); private if p / (1 - p) is at most e^eps."""
    assert 1 / 2 <= p < 1 and p <= exp(eps) * (1 - p)
    statement = sample(Bernoulli(p))
    return x if statement else 1 - x


@mechanism(LDP(), budget=lambda: 11 / 10, expect="refuted")
def warner_four_of_five(x: Bit) -> int:
    """Source: Warner (JASA 1965) with p = 4 / 5, whose cost is ln 4."""
    statement = sample(Bernoulli(4 / 5))
    return x if statement else 1 - x


@mechanism(LDP(), budget=lambda: 7 / 5)
def warner_at_its_cost(x: Bit) -> int:
    """Source: Warner (JASA 1965) with p = 4 / 5, whose cost is ln 4."""
    statement = sample(Bernoulli(4 / 5))
    return x if statement else 1 - x


@mechanism(LDP())
def unrelated_question(x: Bit, p: Public[float], u: Public[float], eps: Epsilon) -> bool:
    """Source: Greenberg, Abul-Ela, Simmons and Horvitz (JASA 1969), known share u of the other."""
    assert 0 < p < 1 and 0 < u < 1
    assert p + (1 - p) * u <= exp(eps) * (1 - p) * u
    assert p + (1 - p) * (1 - u) <= exp(eps) * (1 - p) * (1 - u)
    asked = sample(Bernoulli(p))
    innocuous = sample(Bernoulli(u))
    return x == 1 if asked else innocuous


@mechanism(LDP(), expect="refuted")
def unrelated_question_half_checked(
    x: Bit, p: Public[float], u: Public[float], eps: Epsilon
) -> bool:
    """Source: Greenberg et al. (JASA 1969), where only the answer yes was thought of."""
    assert 0 < p < 1 and 0 < u < 1
    assert p + (1 - p) * u <= exp(eps) * (1 - p) * u
    asked = sample(Bernoulli(p))
    innocuous = sample(Bernoulli(u))
    return x == 1 if asked else innocuous


@mechanism(LDP(), budget=lambda: 12 / 5)
def forced_response(x: Bit) -> bool:
    """Source: Boruch (1971), two dice: 2 to 4 forced yes, 11 and 12 forced no, else the truth.

    P(yes | yes) = 33/36, P(yes | no) = 6/36; P(no | no) = 30/36, P(no | yes) = 3/36: ln 10.
    """
    die = sample(Categorical([6, 27, 3]))
    if die == 0:
        return True
    if die == 2:
        return False
    return x == 1


@mechanism(LDP(), budget=lambda: 2, expect="refuted")
def forced_response_by_the_yes(x: Bit) -> bool:
    """Source: Boruch (1971), two dice, with a claim that holds of the answer yes only."""
    die = sample(Categorical([6, 27, 3]))
    if die == 0:
        return True
    if die == 2:
        return False
    return x == 1


@mechanism(LDP())
def crosswise(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    """Source: Yu, Tian and Tang (Metrika 2008), the crosswise model."""
    assert 0 < p < 1 and p <= exp(eps) * (1 - p) and 1 - p <= exp(eps) * p
    born_early = sample(Bernoulli(p))
    return born_early == (x == 1)


@mechanism(ADP(ones))
def triangular(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    """Source: Yu, Tian and Tang (Metrika 2008), the triangular model: no of both, or else.

    "Neither" is said by those without the sensitive value only: private one way.
    """
    assert 0 < p < 1 and 1 <= exp(eps) * p
    other_trait = sample(Bernoulli(p))
    return x == 1 or other_trait


@mechanism(ADP(zeros), expect="refuted")
def triangular_for_zeros(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    """Source: Yu, Tian and Tang (Metrika 2008), the triangular model the other way round."""
    assert 0 < p < 1 and 1 <= exp(eps) * p
    other_trait = sample(Bernoulli(p))
    return x == 1 or other_trait


@mechanism(LDP(), expect="refuted")
def triangular_both_ways(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    """Source: Yu, Tian and Tang (Metrika 2008), the triangular model under local DP."""
    assert 0 < p < 1 and 1 <= exp(eps) * p
    other_trait = sample(Bernoulli(p))
    return x == 1 or other_trait


@mechanism(LDP())
def two_stage(x: Bit, t: Public[float], p: Public[float], eps: Epsilon) -> bool:
    """Source: Mangat and Singh (Biometrika 1990): the truth with probability t, else Warner."""
    assert 0 < t < 1 and 1 / 2 <= p < 1
    assert t + (1 - t) * p <= exp(eps) * (1 - t) * (1 - p)
    direct = sample(Bernoulli(t))
    statement = sample(Bernoulli(p))
    if direct:
        return x == 1
    return (x == 1) == statement


@mechanism(LDP(), expect="refuted")
def two_stage_by_the_second(x: Bit, t: Public[float], p: Public[float], eps: Epsilon) -> bool:
    """Source: Mangat and Singh (Biometrika 1990), where the first stage was not thought of."""
    assert 0 < t < 1 and 1 / 2 <= p < 1 and p <= exp(eps) * (1 - p)
    direct = sample(Bernoulli(t))
    statement = sample(Bernoulli(p))
    if direct:
        return x == 1
    return (x == 1) == statement


@mechanism(LDP())
def kuk_cards(x: Bit, a: Public[float], b: Public[float], eps: Epsilon) -> bool:
    """Source: Kuk (Biometrika 1990): a card of one of two decks, with shares a and b of red."""
    assert 0 < a < 1 and 0 < b < 1
    assert a <= exp(eps) * b and b <= exp(eps) * a
    assert 1 - a <= exp(eps) * (1 - b) and 1 - b <= exp(eps) * (1 - a)
    red_of_first = sample(Bernoulli(a))
    red_of_second = sample(Bernoulli(b))
    return red_of_first if x == 1 else red_of_second


@mechanism(LDP(), expect="refuted")
def kuk_cards_by_the_red(x: Bit, a: Public[float], b: Public[float], eps: Epsilon) -> bool:
    """Source: Kuk (Biometrika 1990), where only red cards were thought of."""
    assert 0 < a < 1 and 0 < b < 1
    assert a <= exp(eps) * b and b <= exp(eps) * a
    red_of_first = sample(Bernoulli(a))
    red_of_second = sample(Bernoulli(b))
    return red_of_first if x == 1 else red_of_second


@mechanism(LDP())
def optimal_binary(x: Bit, eps: Epsilon) -> int:
    """Source: Kairouz, Oh and Viswanath (JMLR 2016), the binary mechanism, on two values."""
    say_one = sample(Bernoulli(exp(eps) / (1 + exp(eps)) if x == 1 else 1 / (1 + exp(eps))))
    return 1 if say_one else 0


@mechanism(LDP(), expect="refuted")
def optimal_binary_of_answers(x: Bit, eps: Epsilon) -> int:
    """Source: Kairouz, Oh and Viswanath (JMLR 2016), with 1 - e^(-eps) in place of the share."""
    say_own = sample(Bernoulli(1 - exp(-eps)))
    return x if say_own else 1 - x


@mechanism(LDP(), budget=lambda eps: 2 * eps)
def asked_twice(x: Bit, eps: Epsilon) -> tuple[bool, bool]:
    """Source: composition of Warner (JASA 1965) with itself (Dwork and Roth, Theorem 3.14)."""
    first = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    second = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return (x == 1) == first, (x == 1) == second


@mechanism(LDP(), expect="refuted")
def asked_twice_for_one(x: Bit, eps: Epsilon) -> tuple[bool, bool]:
    """Source: composition of Warner (JASA 1965) with itself, paid for once."""
    first = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    second = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return (x == 1) == first, (x == 1) == second
