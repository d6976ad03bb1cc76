"""Sections 4.1 and 4.2: one-sided answers, and how often (ε, δ)-DP allows them.

An answer 1 is a one-sided true positive (OTP) if it is never given where q = 0.
"""

from __future__ import annotations

from fractions import Fraction

import z3

from ....checkers.proving.one_sided import one_sided_optimum
from ....dsl.privacy.policies import DataSet, Policy
from ....dsl.privacy.steps import data_sets
from ..claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, read_as
from ..ways.algebra import valid
from ..ways.small import VISITED, visits

growth, delta, power = z3.Reals("e^ε δ e^(kε)")
before, after = z3.Reals("p_k p_(k+1)")


def _number(value: Fraction | int) -> z3.RatNumRef:
    return z3.RealVal(str(value))


def _bounded(first: z3.ArithRef, second: z3.ArithRef) -> z3.BoolRef:
    """What (ε, δ)-DP says of Pr[m(D) = 1] and Pr[m(D') = 1]: four inequalities."""
    return z3.And(
        *(z3.And(p <= growth * p_other + delta, 1 - p <= growth * (1 - p_other) + delta)
          for p, p_other in ((first, second), (second, first)))
    )  # fmt: skip


# Section 4.1: what a one-sided answer is.


def _even_count(n: int, policy: Policy) -> tuple[dict[int, Fraction], str]:
    """The most that (P, ln 2)-ADP allows for "an even number has visited", by that number."""

    def even(data: DataSet) -> bool:
        return visits(data) % 2 == 0

    best = one_sided_optimum(data_sets(policy, n), policy, even, Fraction(1, 2))
    found = {visits(each): p for each, p in best.items() if even(each)}
    return found, ", ".join(f"Pr[1] = {p} for {f} visits" for f, p in sorted(found.items()))


@read_as(
    'q = "even count", n = 2: output 1 is OTP if some D with q = 1 gets it', by="the exact optimum"
)
def some_true_data_get_it(policy: Policy = VISITED) -> Finding:
    """Under Example 1's policy: the most that (P, ln 2)-ADP allows is computed."""
    found, shown = _even_count(2, policy)
    return Finding(any(found.values()), shown)


@read_as(
    'q = "even count", n = 2: output 1 is OTP if every D with q = 1 gets it', by="the exact optimum"
)
def all_true_data_get_it(n: int = 2) -> Finding:
    """From two visits a step leads to one, where 1 is wrong: so no private m says 1 there."""
    found, shown = _even_count(n, VISITED)
    return Finding(all(found.values()), shown)


@moreover("under both readings, who sees 1 knows that q(D) = 1", by="Z3")
def seeing_it_is_knowing_it(chance_where_false: Fraction = Fraction(0)) -> Finding:
    """The second half alone says it: an output with probability 0 where q = 0 is not seen there."""
    data = z3.DeclareSort("data")
    q, p = z3.Function("q", data, z3.BoolSort()), z3.Function("p", data, z3.RealSort())
    each, seen = z3.Consts("D' D", data)
    never = z3.ForAll([each], z3.Implies(z3.Not(q(each)), p(each) <= _number(chance_where_false)))
    return valid(z3.Implies(z3.And(never, p(seen) > 0), q(seen)))


DEFINITION_13 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 13",
    states="OTP is output 1 of m where Pr[m(D) = 1; q(D) = 1] > 0 and Pr[m(D) = 1; q(D) = 0] = 0; "
    "if we see output 1, we can validate q(D) = 1",
    verdict=Verdict.AMBIGUOUS,
    reading="the second condition is for all D with q(D) = 0; whether the first is for all D with "
    "q(D) = 1 or for some is left open, and there are mechanisms for which it matters",
    checks=(some_true_data_get_it, all_true_data_get_it, seeing_it_is_knowing_it),
)


# Section 4.2: what δ buys.


@printed("no (0, δ)-DP mechanism gives a one-sided answer", by="a counterexample, exactly")
def pure_means_epsilon_is_zero(chance: Fraction = Fraction(1, 100)) -> Finding:
    """The text takes pure DP to be ε = 0.

    With δ = .01 the answer "1 with probability .01 if q = 1, else 0" is (0, δ)-DP.
    """
    yes = {1: chance, 0: 1 - chance}
    no = {0: Fraction(1)}
    excess = max(sum(max(a.get(z, 0) - b.get(z, 0), Fraction(0)) for z in (0, 1))
                 for a, b in ((yes, no), (no, yes)))  # fmt: skip
    private = excess <= Fraction(1, 100)
    gives_it = chance > 0 and 1 not in no
    shown = f"Pr[1] = {chance} where q = 1, 0 elsewhere: (0, {excess})-DP"
    return Finding(not (private and gives_it), shown)


@meant("no (ε, 0)-DP mechanism does, however large ε is", by="Z3")
def pure_means_delta_is_zero(slack: Fraction = Fraction(0)) -> Finding:
    """From data to data on a path to q = 0, Pr[OTP] stays 0 if it is 0 at one end."""
    step = after <= growth * before + _number(slack)
    claim = z3.Implies(z3.And(growth >= 1, before == 0, after >= 0, step), after == 0)
    return valid(claim)


SECTION_4_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 4.2, pure DP",
    states="pure DP (i.e. ε = 0) does not achieve OTP",
    verdict=Verdict.MISPRINT,
    reading="the universe is connected by steps of one record; δ may be positive if only ε is 0",
    checks=(pure_means_epsilon_is_zero, pure_means_delta_is_zero),
)


@printed("Pr[OTP] <= δ Σ_{i<k} e^(iε) = δ (e^(kε) - 1) / (e^ε - 1) for all k", by="Z3, induction")
def theorem_8_bound(factor: Fraction = Fraction(1)) -> Finding:
    """Induction over k along a shortest path to q = 0, where Pr[OTP] = 0, as is the empty sum.

    One step more takes p to at most e^ε p + δ, and the sum to 1 + e^ε times it; so the closed form,
    for ε > 0, stays right as well.  Powers are variables: e^((k+1)ε) is e^ε times e^(kε).
    """
    so_far = z3.Real("Σ_{i<k} e^(iε)")
    bound = before <= _number(factor) * delta * so_far
    step = after <= growth * before + delta
    next_bound = after <= _number(factor) * delta * (1 + growth * so_far)
    known = z3.And(growth >= 1, so_far >= 0, delta >= 0, before >= 0, bound, step)
    closed = so_far * (growth - 1) == power - 1
    next_closed = (1 + growth * so_far) * (growth - 1) == growth * power - 1
    return valid(z3.And(z3.Implies(known, next_bound), z3.Implies(closed, next_closed)))


@moreover("it is attained exactly while δ (e^((k-1)ε) - 1) / (e^ε - 1) <= (1 - δ) / (e^ε + 1)",
          by="Z3")  # fmt: skip
def theorem_8_attained(stretch: Fraction = Fraction(1)) -> Finding:
    """Say 1 with the bound's probability at the distance from q = 0; from k on, as at k.

    Data that differ in one record have distances that differ by at most one.  So (ε, δ)-DP is
    four inequalities between p and e^ε p + δ, and these hold iff p (e^ε + 1) <= 1 - δ.  What is
    below the bound at one distance stays below it at the next.
    """
    reached = growth * before + delta
    small = before * (growth + 1) <= _number(stretch) * (1 - delta)
    known = z3.And(growth > 1, delta >= 0, delta <= 1, before >= 0)
    is_private = z3.And(reached <= 1, _bounded(before, reached))
    return valid(z3.Implies(known, small == is_private))


@moreover(
    "the largest p_k there is: p_0 = 0, p_(k+1) = min(e^ε p_k + δ, 1 - e^(-ε) (1 - δ - p_k), 1)",
    by="Z3",
)
def theorem_8_optimum(share: Fraction = Fraction(1)) -> Finding:
    """None is larger: the first two terms are (ε, δ)-DP for the answers 1 and 0.

    They grow with p, so along a shortest path to q = 0 no p is above p_k.  It is reached: saying 1
    with probability p_k at distance k meets all four inequalities.
    """
    largest = z3.Real("p")
    terms = (growth * before + delta, 1 - (1 - delta - before) / growth, z3.RealVal(1))
    is_least = z3.And(*(largest <= t for t in terms), z3.Or(*(largest == t for t in terms)))
    known = z3.And(growth >= 1, delta >= 0, delta <= 1, before >= 0, before <= 1, is_least)
    none_larger = z3.Implies(z3.And(after <= 1, _bounded(before, after)),
                             after <= _number(share) * largest)  # fmt: skip
    return valid(z3.Implies(known, z3.And(none_larger, _bounded(before, largest))))


@moreover("beyond, there is less: at e^ε = 4, δ = .2, k = 2 the bound is 1", by="the exact optimum")
def theorem_8_not_attained(delta: Fraction = Fraction(1, 5)) -> Finding:
    """Two records, q = 1 iff one of them is not 0, D = (1, 1); all mechanisms are in question."""
    alpha, policy = Fraction(1, 4), Policy.everything()
    best = one_sided_optimum(data_sets(policy, 2), policy, visits, alpha, delta)[((1,), (1,))]
    bound = delta * (1 + 1 / alpha)
    return Finding(best < min(bound, Fraction(1)), f"bound {bound}, largest Pr[OTP] {best}")


THEOREM_8 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 8",
    states="m is (ε, δ)-DP, q(D) = 1, k = min Hamming distance from D to data with q = 0: "
    "Pr[OTP] <= δ Σ_{i=1..k} e^((i-1)ε)",
    verdict=Verdict.TRUE,
    reading="k is a minimum that some data set attains; if none has q = 0 there is no bound",
    checks=(theorem_8_bound, theorem_8_attained, theorem_8_optimum, theorem_8_not_attained),
)


@printed("Pr[OTP] <= 1/n for k = 1, δ = 1/n, all ε and n", by="Z3")
def at_most_one_in_n(per_record: Fraction = Fraction(1)) -> Finding:
    """One step from data with q = 0, where Pr[OTP] = 0, with δ = 1/n."""
    n = z3.Real("n")
    step = z3.And(before == 0, after <= growth * before + delta)
    known = z3.And(growth >= 1, n >= 1, delta * n == _number(per_record), step)
    return valid(z3.Implies(known, after * n <= 1))


@moreover("some mechanism gives it with probability 1/n, even with ε = 0", by="Z3")
def one_in_n_attained(times: Fraction = Fraction(1)) -> Finding:
    """Say 1 with probability 1/n where q = 1 and never elsewhere; neighbours say 0 or 1/n."""
    n = z3.Real("n")
    known = z3.And(growth == 1, n >= 1, delta * n == 1, before == 0, after * n == _number(times))
    same = z3.And(_bounded(after, after), _bounded(before, before))
    return valid(z3.Implies(known, z3.And(_bounded(before, after), same)))


ONE_IN_N = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 4.2, k = 1 and δ = 1/n",
    states="if k = 1 and δ = 1/n, we achieve OTP with only the probability 1/n",
    verdict=Verdict.TRUE,
    reading="with at most this probability",
    checks=(at_most_one_in_n, one_in_n_attained),
)

CLAIMS = (DEFINITION_13, SECTION_4_2, THEOREM_8, ONE_IN_N)
