"""Sections 2 and 3, Lemma 2 and Appendix C.1: privacy, randomised response, and what it tells."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil

import sympy
import z3
from flint import arb

from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, restored, sound
from ..ways.algebra import ball, below, identical, shown, together, valid
from ..ways.mechanisms import private, refuted
from ..ways.searches import yes_weights

growth = z3.Real("e^ε")


# Section 2.


def _answers_stay_close(users: int) -> Finding:
    """The law of all answers, if so many users change their value."""
    others, statement = z3.Real("others"), growth >= 1
    before, after = others, growth * others
    for i in range(users):
        q, changed = z3.Reals(f"Q_{i}(z|x) Q_{i}(z|x')")
        statement = z3.And(statement, q >= 0, changed >= 0, q <= growth * changed)
        before, after = before * q, after * changed
    return valid(z3.Implies(z3.And(statement, others >= 0), before <= after))


@sound("the law of all N answers is ε-private for each user's value", by="Z3")
def answers_are_private(users: int = 1) -> Finding:
    """The law is the product of all Q_i(z_i | x_i, z_1..z_(i-1)).

    If one value changes, so does only one factor, by at most e^ε for the same earlier answers.
    """
    return _answers_stay_close(users)


@moreover(
    "of users who answer in several rounds each answer may be ε-LDP and all together are not",
    by="a counterexample of the gallery",
)
def one_answer_only(
    name: str = "incorrect_minimum_finding.private_binary_search_whole_budget",
) -> Finding:
    """Algorithm 2 with all of ε in each round: every message alone keeps Definition 2.

    So for Algorithm 2, which asks everybody in every round, the definition must be read of a
    user's whole transcript.
    """
    return refuted(name)


DEFINITION_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Definition 2",
    states="Q(S | x, z_1..z_(i-1)) <= e^ε Q(S | x', z_1..z_(i-1)) for all S, x, x' and answers",
    verdict=Verdict.DEFINITION,
    reading="sound for users who answer once; of more answers it is read for all of them together",
    checks=(answers_are_private, one_answer_only),
)


@printed("it is ε-LDP", by="a proof of the gallery")
def response_is_private(name: str = "randomized_response.warner") -> Finding:
    """Warner's response, proved for every ε."""
    return private(name)


@moreover("with no smaller one: for p <= 1/2 it is ε-LDP exactly if p >= 1/(1+e^ε)", by="Z3")
def response_is_tight(more: int = 0) -> Finding:
    """The largest ratio is (1-p)/p, as p <= 1/2."""
    p = z3.Real("p")
    law = z3.And(p > 0, 2 * p <= 1, growth > 1)
    is_private = 1 - p <= growth * p
    return valid(z3.Implies(law, is_private == (p * (1 + growth) >= 1 + more)))


RANDOMISED_RESPONSE = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 2, randomised response",
    states="flipping a bit with probability 1/(1+e^ε) is ε-LDP",
    verdict=Verdict.TRUE,
    checks=(response_is_private, response_is_tight),
)


# Section 3.


def _share(data: tuple[int, ...], x: int) -> Fraction:
    return Fraction(sum(each <= x for each in data), len(data))


@sound("F*(τ) = x_(⌈τN⌉), F*(τ) <= x iff F(x) >= τ, for N <= 5", by="all orders of the data")
def quantiles_are_values(above: int = 0, users: int = 5) -> Finding:
    """F depends on the order of the data and its ties; values 1, ..., N show all of these.

    The same for any N: F(x) >= τ means that ⌈τN⌉ or more values are at most x.  The minimum is
    F*(τ) for all 0 < τ <= 1/N.
    """
    seen = 0
    for n in range(1, users + 1):
        for data in combinations_with_replacement(range(1, n + 1), n):
            for twice in range(1, 2 * n + 1):
                tau = Fraction(twice, 2 * n)
                found = min(x for x in data if _share(data, x) >= tau)
                rank = min(n, ceil(tau * n) + above)
                right = found == data[rank - 1]
                galois = all((found <= x) == (_share(data, x) >= tau) for x in range(n + 2))
                if not (right and galois):
                    return Finding(False, f"data {data}, τ = {tau}: F* = {found}")
                seen += 1
    return Finding(True, f"{seen} data sets with a τ")


SECTION_3 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 3",
    states="F(x) = #{i : x_i <= x} / N for fixed data, F*(τ) = inf{x : F(x) >= τ}, "
    "err = E|x̂ - x_min|",
    verdict=Verdict.DEFINITION,
    reading="sound: quantiles are values of users, and the least of them is the minimum",
    checks=(quantiles_are_values,),
)


# Section 4 and Lemma 2.


@restored("E F̂ = F", by="SymPy")
def estimate_is_unbiased(less: int = 1) -> Finding:
    """A share F of ones says "yes" with probability e^ε/(1+e^ε), the others with 1/(1+e^ε)."""
    g, share = sympy.symbols("g F", positive=True)
    yes = (share * g + (1 - share)) / (1 + g)
    return identical(((g + 1) * yes - less) / (g - 1), share, "E F̂ = F")


UNBIASED = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 4, unbiased estimate",
    states="F̂ = ((e^ε + 1) z̄ - 1) / (e^ε - 1) is an unbiased estimate of F, z̄ the share of "
    "masked ones",
    verdict=Verdict.RESTORED,
    reading="the formula is restored",
    checks=(estimate_is_unbiased,),
)


@restored("one side: Pr[F̂ - F >= h] <= exp(-2Nh² tanh²(ε/2)) for all N, h, ε", by="SymPy and Z3")
def deviations_are_rare(rate: Fraction = Fraction(2)) -> Finding:
    """Hoeffding's inequality, from the beginning.

    K(s) = ln E exp(s z) of a coin has K(0) = 0, K'(0) = p and K'' = q(1-q) <= 1/4, where q is
    the coin's chance after tilting; so K(s) <= ps + s²/8.  F̂ - F = (z̄ - E z̄) / tanh(ε/2), and by
    Markov's inequality the exponent is N(s²/8 - shγ), least at s = 4hγ.  The other side: 1 - z.
    """
    s, p, eps, h, n, gamma = sympy.symbols("s p epsilon h N gamma", positive=True)
    tilted = p * sympy.exp(s) / (1 - p + p * sympy.exp(s))
    cumulant = sympy.log(1 - p + p * sympy.exp(s))
    z_q = z3.Real("q")
    slope = (sympy.exp(eps) + 1) / (sympy.exp(eps) - 1)
    exponent = n * (s**2 / 8 - s * h * gamma)
    best = exponent.subs(s, sympy.solve(sympy.diff(exponent, s), s)[0])
    reached = -sympy.cancel(best / (n * h**2 * gamma**2))
    return together(
        identical(cumulant.subs(s, 0), sympy.Integer(0), "K(0) = 0"),
        identical(sympy.diff(cumulant, s).subs(s, 0), p, "K'(0) = p"),
        identical(sympy.diff(cumulant, s, 2), tilted * (1 - tilted), "K'' = q(1-q)"),
        valid(4 * z_q * (1 - z_q) <= 1, "q(1-q) <= 1/4"),
        identical(
            slope * sympy.tanh(eps / 2).rewrite(sympy.exp), sympy.Integer(1), "γ = tanh(ε/2)"
        ),
        Finding(reached >= sympy.Rational(str(rate)), f"exponent -{reached} N h² γ²"),
    )


@moreover(
    "both sides together stay below .65 of the bound, for N = 1, 2, 5, 10, 20 and e^ε = 2, 3, 10",
    by="exact tails, rigorous balls",
)
def exact_tails(share: Fraction = Fraction(13, 20), rate: Fraction = Fraction(2)) -> Finding:
    """All numbers of ones and all h > 0: only those that |F̂ - F| takes can be the worst.

    In units of one answer, hγ is |k - E k| / N, with E k = Np + c(1-2p), p = 1/(1+g).
    """
    worst = arb(0)
    for base in (2, 3, 10):
        for users in (1, 2, 5, 10, 20):
            for ones in range(users + 1):
                weights = yes_weights(ones, users, base)
                # Everything is multiplied by 1+g, to stay with whole numbers.
                mean = users + ones * (base - 1)
                far = [abs(k * (base + 1) - mean) for k in range(users + 1)]
                for distance in set(far) - {0}:
                    weight = sum(w for w, d in zip(weights, far, strict=True) if d >= distance)
                    tail = Fraction(weight, (base + 1) ** users)
                    power = rate * Fraction(distance, base + 1) ** 2 / users
                    ratio = ball(tail) / (2 * (-ball(power)).exp())
                    if not below(ratio, share):
                        where = f"e^ε = {base}, N = {users}, {ones} ones"
                        return Finding(False, f"{shown(ratio)} of the bound at {where}")
                    worst = worst.max(ratio)
    return Finding(True, f"at most {shown(worst)} of the bound")


LEMMA_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Lemma 2",
    states="Pr[|F̂(x) - F(x)| >= h] <= 2 exp(-2Nh² tanh²(ε/2))",
    verdict=Verdict.RESTORED,
    reading="restored; the constants of the text are lost, and its proof goes by another "
    "concentration inequality",
    checks=(deviations_are_rare, exact_tails),
)


# Appendix C.1.


@printed("what is computed from ε-LDP answers is ε-DP for replacing a record", by="Z3")
def local_is_central(users: int = 1) -> Finding:
    """One record is one user's value, so the law of the answers is close (Definition 2).

    The probability of a result is the sum of those of the answers that lead to it, and sums of
    numbers keep the ratio: by one more summand at a time.
    """
    sums, parts = z3.Reals("A A'"), z3.Reals("a a'")
    close = z3.And(sums[0] <= growth * sums[1], parts[0] <= growth * parts[1])
    total = sums[0] + parts[0] <= growth * (sums[1] + parts[1])
    return together(_answers_stay_close(users), valid(z3.Implies(close, total)))


DEFINITION_3 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Appendix C.1, Definition 3",
    states="differential privacy is weaker than local differential privacy: any analysis of "
    "ε-LDP answers is ε-DP",
    verdict=Verdict.TRUE,
    reading="neighbours differ in one record, whose number is the same",
    checks=(local_is_central,),
)

CLAIMS = (
    DEFINITION_2, RANDOMISED_RESPONSE, SECTION_3, UNBIASED, LEMMA_2, DEFINITION_3,
)  # fmt: skip
