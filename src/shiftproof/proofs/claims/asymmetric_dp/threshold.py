"""Section 5.1.1: Theorem 11, the one-sided decision on a noisy count."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, floor

import sympy
import z3

from ....checkers.proving.one_sided import one_sided_optimum
from ....dsl.language.runtime import ensure, sample
from ....dsl.mechanism import mechanism
from ....dsl.noise import (
    Exponential,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
)
from ....dsl.privacy.definitions import ADP
from ....dsl.privacy.inputs import Count, Epsilon, Public
from ....dsl.privacy.policies import DataSet, Policy
from ....dsl.privacy.steps import data_sets
from ....mechanisms.threshold_decision import (
    goal_decision_geometric,
    threshold_decision,
    threshold_decision_geometric,
)
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, under
from ..ways.algebra import identical, valid
from ..ways.mechanisms import Mechanism, private_and_never_wrong, probability
from ..ways.small import VISITED, distances, policies, queries, steps_of, visits

# Decisions that entries of Theorem 11 need and the gallery lacks: the other comparisons.

#: A one (having visited) is sensitive, a zero is not: neighbours can only lower a count of ones.
visited = Policy(sensitive={1})
#: A zero is sensitive, a one is not: neighbours can only raise a count of ones.
unvisited = Policy(sensitive={0})


@mechanism(ADP(visited))
def at_most(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for q = 1 iff f <= T."""
    noise = sample(Exponential(1 / eps))
    if f + noise <= T:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def at_most_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """The same with noise on the integers."""
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited), expect="refuted")
def at_most_one_more(f: Count, T: Public[float], eps: Epsilon) -> str:
    """The same, with a test that allows for one more."""
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T + 1:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(unvisited))
def at_least(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for an increasing count and q = 1 iff f >= T."""
    noise = sample(NegativeExponential(1 / eps))
    if f + noise >= T:
        ensure(f >= T)
        return "reached"
    return "open"


@mechanism(ADP(unvisited))
def above_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for an increasing count and q = 1 iff f > T, with noise on the integers."""
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    if f + noise > T:
        ensure(f > T)
        return "reached"
    return "open"


# Section 5.1.1: Theorem 11, the one-sided decision on a noisy count.

epsilon = sympy.Symbol("epsilon", positive=True)
ALPHA = Fraction(1, 4)
UNVISITED = Policy(sensitive={0})


def _answers(decision: Mechanism, answer: str, f: int, threshold: Fraction) -> Fraction:
    return probability(decision, answer, f=f, T=threshold, eps="2 ln 2")


def _promised(found: Fraction, k: int, shown: str) -> Finding:
    promised = 1 - ALPHA**k
    text = f"{shown}, k = {k}, ε = 2 ln 2: Pr[OTP] = {found}"
    return Finding(found == promised, text + ("" if found == promised else f", not {promised}"))


@printed("Pr[OTP] = 1 - e^(-kε) for a threshold between the counts", by="exact probabilities")
def between_the_counts(threshold: Fraction = Fraction(9, 2)) -> Finding:
    """f = 4 and T = 4.5: one step leads to f from 5 >= T, yet only half a count fits under T."""
    found = _answers(threshold_decision, "safe", 4, threshold)
    return _promised(found, ceil(threshold) - 4, f"T = {threshold}, f = 4, 1 iff f + λ < T")


@printed('Pr[OTP] = 1 - e^(-kε) if "under" includes T', by="exact probabilities")
def up_to_the_threshold(decision: Mechanism = at_most) -> Finding:
    """f = T = 5: one step leads to f from 6 > T, and positive noise leads away from f <= T."""
    found = _answers(decision, "safe", 5, Fraction(5))
    return _promised(found, 1, "T = 5, f = 5, 1 iff f + λ <= T")


@printed("Pr[OTP] = 1 - e^(-kε) for an increasing count, 1 iff it is T or more",
         by="exact probabilities")  # fmt: skip
def increasing_count(decision: Mechanism = at_least) -> Finding:
    """The noise is negative, so of f < T and f >= T it is the second that is never wrong.

    f = T = 5: one step leads to f from 4 < T, and negative noise leads away from f >= T.
    """
    found = _answers(decision, "reached", 5, Fraction(5))
    return _promised(found, 1, "T = 5, f = 5, 1 iff f + λ >= T")


@under("f a decreasing count, answer 1 iff f + λ < T (or an increasing one, 1 iff f + λ > T), an "
       "integer T, and data with q = 0 lead to D", by="SymPy")  # fmt: skip
def exponential_noise_below_k(rate: int = 1) -> Finding:
    """k = |T - f|, see below; the answer is 1 iff |λ| < k.

    That has probability 1 - e^(-kε): it is 0 at k = 0, and its derivative is the density.
    """
    k = sympy.Symbol("k", positive=True)
    chance = 1 - sympy.exp(-k * epsilon)
    if chance.subs(k, 0) != 0:
        return Finding(False, f"Pr[λ < 0] = {chance.subs(k, 0)}")
    density = rate * epsilon * sympy.exp(-rate * epsilon * k)
    return identical(sympy.diff(chance, k), density, f"Pr[λ < k] = {chance}")


@moreover("k = T - f for every count under every policy, if T is an integer and any k is attained",
          by="all counts and policies, n <= 2 records of values 0, 1, 2")  # fmt: skip
def steps_of_any_count(per: int = 1) -> Finding:
    """A step moves a count by at most 1, so k >= T - f.

    And let D_0 with f(D_0) >= T lead to D.  At least T - f records count in D_0 and not in D.  Put
    so many of them into D: that has f = T, and T - f steps lead from there to D.  (For f > T
    likewise.)  It must be a count: of its half, ⌊f/2⌋, also Δ = 1, it is not so.
    """
    asked = 0
    for n, policy in product((1, 2), policies((0, 1, 2))):
        data = list(data_sets(policy, n))
        steps = steps_of(data, policy)
        for counted, threshold in product(queries(list(data_sets(policy, 1))), range(1, n + 1)):
            f = {each: sum((r,) in counted for r in each) // per for each in data}
            k = distances([each for each in data if f[each] >= threshold], steps)
            for each in (d for d in k if f[d] < threshold):
                if k[each] != threshold - f[each]:
                    return Finding(False, f"f = {f[each]}, T = {threshold}: k = {k[each]}")
                asked += 1
    return Finding(True, f"{asked} counts, data sets and thresholds")


@moreover("the minimum step k to D from q = 0 is ⌈T - f⌉ for f < T, ⌊T - f⌋ + 1 for f <= T; for "
          "increasing f ⌊f - T⌋ + 1 for f >= T, ⌈f - T⌉ for f > T",
          by="all data sets, n <= 4, 0 < T < n in halves")  # fmt: skip
def steps_to_the_threshold(rounded: Callable[[Fraction], int] = ceil) -> Finding:
    """Shortest paths by Definition 9.  A step moves f by at most 1, and can move it by 1."""
    cases: tuple[tuple[Policy, Callable[..., bool], Callable[[Fraction], int]], ...] = (
        (VISITED, lambda f, t: f < t, rounded),
        (VISITED, lambda f, t: f <= t, lambda x: floor(x) + 1),
        (UNVISITED, lambda f, t: f > t, lambda x: rounded(-x)),
        (UNVISITED, lambda f, t: f >= t, lambda x: floor(-x) + 1),
    )  # fmt: skip
    asked = 0
    for n in range(1, 5):
        data = list(data_sets(VISITED, n))
        count = {each: visits(each) for each in data}
        for policy, q, expected in cases:
            steps = steps_of(data, policy)
            for threshold in (Fraction(i, 2) for i in range(1, 2 * n)):
                k = distances([d for d in data if not q(count[d], threshold)], steps)
                for each in data:
                    if not q(count[each], threshold):
                        continue
                    if k.get(each) != expected(threshold - count[each]):
                        return Finding(False, f"f = {count[each]}, T = {threshold}: {k.get(each)}")
                    asked += 1
    return Finding(True, f"{asked} data sets and thresholds")


@moreover("with one-sided geometric noise it is 1 - e^(-kε) for every real T, < and <=, both "
          "directions", by="Z3 and SymPy")  # fmt: skip
def geometric_noise_below_k(first: int = 0) -> Finding:
    """Whole noise is below x iff it is below ⌈x⌉, and at most x iff it is below ⌊x⌋ + 1.

    So the answer is 1 iff λ < k (for an increasing count -λ has the same law), and the first k
    probabilities (1 - α) α^j, j = 0, 1, ..., of the noise add up to 1 - α^k.
    """
    noise, x = z3.Int("λ"), z3.Real("T - f")
    upwards = -z3.ToInt(-x)
    rounded = valid(z3.And((noise < x) == (noise < upwards),
                           (noise <= x) == (noise < z3.ToInt(x) + 1)))  # fmt: skip
    alpha, k = sympy.symbols("alpha k", positive=True)
    # Induction over k, from 1 - α^0 = 0: the k-th probability is what the sum grows by.
    grown = (1 - alpha ** (k + 1)) - (1 - alpha**k)
    added = identical(grown, (1 - alpha) * alpha ** (k + first), "Pr[λ < k] = 1 - α^k, α = e^(-ε)")
    return Finding(rounded.holds and added.holds, f"{added.detail}; {rounded.detail}")


@moreover("these four decisions are (P, ε)-ADP and never wrong, for all n, T and ε",
          by="proofs of the toolkit")  # fmt: skip
def geometric_decisions_hold(below: Mechanism = threshold_decision_geometric) -> Finding:
    """The comparisons are f + λ < T, f + λ <= T, f + λ >= T and f + λ > T."""
    decisions = (below, at_most_geometric, goal_decision_geometric, above_geometric)
    found = [private_and_never_wrong(each) for each in decisions]
    return Finding(all(f.holds for f in found), "; ".join(f.detail for f in found))


@moreover("and computed as they run, at T = 4, 4.25, ..., 7", by="exact probabilities")
def geometric_decisions_computed(
    decision_below: Mechanism = threshold_decision_geometric,
) -> Finding:
    """f = 4 for the counts to be low, f = 7 for those to be high; ε = 2 ln 2."""
    asked = 0
    for threshold in (4 + Fraction(i, 4) for i in range(1, 12)):
        under_it, over_it = threshold - 4, 7 - threshold
        for decision, answer, f, k in (
            (decision_below, "safe", 4, ceil(under_it)),
            (at_most_geometric, "safe", 4, floor(under_it) + 1),
            (goal_decision_geometric, "reached", 7, floor(over_it) + 1),
            (above_geometric, "reached", 7, ceil(over_it)),
        ):
            found = _answers(decision, answer, f, threshold)
            if found != 1 - ALPHA**k:
                name = decision.function.__name__
                return _promised(found, k, f"T = {threshold}, f = {f}, {name}")
            asked += 1
    return Finding(True, f"{asked} probabilities")


@moreover("no private decision says 1 more often", by="the exact optimum, n <= 4")
def none_says_it_more_often(alpha: Fraction = ALPHA) -> Finding:
    """The largest Pr[OTP] of all private m, for each integer T and each D; n is public."""
    for threshold, n in combinations_with_replacement(range(1, 5), 2):

        def below(data: DataSet, threshold: int = threshold) -> bool:
            return visits(data) < threshold

        best = one_sided_optimum(data_sets(VISITED, n), VISITED, below, ALPHA)
        for each, p in best.items():
            if p != 1 - alpha ** max(threshold - visits(each), 0):
                return Finding(False, f"T = {threshold}, f = {visits(each)}: {p} is possible")
    return Finding(True, f"1 - e^(-(T - f)ε) is the largest, for f < T <= n; e^(-ε) = {ALPHA}")


THEOREM_11 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 11",
    states="if P-sensitivity of f is monotonic, 1{f + aLap under T} achieves OTP with the "
    "probability of 1 - 1/e^(kε), k the minimum step",
    verdict=Verdict.TRUE_UNDER,
    reading="k = the minimum step to D from data with q = 0, as in the proof of Theorem 9; for an "
    'increasing count the answer that is never wrong is "T or more"; the last line of the printed '
    "proof should end in 1 - 1/e^(kε)",
    checks=(
        between_the_counts,
        up_to_the_threshold,
        increasing_count,
        exponential_noise_below_k,
        steps_of_any_count,
        steps_to_the_threshold,
        geometric_noise_below_k,
        geometric_decisions_hold,
        geometric_decisions_computed,
        none_says_it_more_often,
    ),
    argument="With fewer than T records nothing has q = 0: no k is attained, and an answer that is "
    "always 1 is right.",
)

CLAIMS = (THEOREM_11,)
