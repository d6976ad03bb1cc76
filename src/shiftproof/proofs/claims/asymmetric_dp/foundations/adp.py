"""Sections 3.3.1 and 3.3.2: what (P, ε)-ADP guarantees, and how it relates to DP."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import z3

from .....dsl.privacy.policies import DataSet, Policy, Record, is_neighbour, neighbours
from .....dsl.privacy.steps import data_sets
from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as
from ...ways.algebra import valid
from ...ways.small import VISITED, Law, policies, within, worst_ratio

p, p_other, prior, prior_other, total = z3.Reals("p p' π π' Pr[z]")
growth = z3.Real("e^ε")


# Section 3.3.1: the strong adversary.


@printed("Pr[r|z] Pr[r'] <= e^ε Pr[r] Pr[r'|z] for all priors, r → r' and z", by="Z3")
def odds_of_the_truth(spent: Fraction = Fraction(1)) -> Finding:
    """Bayes: Pr[r|z] is π p / Pr[z], with p = Pr[m({r}) = z], or a density; ADP is p <= e^ε p'."""
    chances = z3.And(p >= 0, p_other >= 0, prior > 0, prior_other > 0, total > 0, growth >= 1)
    private_here = p <= z3.RealVal(str(spent)) * growth * p_other
    after, after_other = z3.Reals("Pr[r|z] Pr[r'|z]")
    bayes = z3.And(after * total == prior * p, after_other * total == prior_other * p_other)
    bounded = after * prior_other <= growth * prior * after_other
    return valid(z3.Implies(z3.And(chances, private_here, bayes), bounded))


def _admitting(data: DataSet) -> Law:
    """The answers of all: a 1 says 1, a 0 says 0 with probability 1/2; (P, ln 2)-ADP."""
    said = {1: {1: Fraction(1)}, 0: {0: Fraction(1, 2), 1: Fraction(1, 2)}}
    laws = [said[x] for (x,) in data]
    return {
        answers: prod((law[y] for law, y in zip(laws, answers, strict=True)), start=Fraction(1))
        for answers in product(*laws)
    }


@moreover("of more records it is for who knows the others: of two that are surely equal, the odds "
          "can grow by e^(2ε)", by="exact probabilities")  # fmt: skip
def odds_of_two_that_agree(records: int = 2) -> Finding:
    """ADP bounds D against neighbours, of which one record differs.

    Who knows that the records agree compares "all 1" with "all 0" instead.
    """
    for each in data_sets(VISITED, records):
        near = neighbours(each, VISITED)
        if not all(within(_admitting(each), _admitting(other), Fraction(2)) for other in near):
            return Finding(False, f"the example is not (P, ln 2)-ADP at {each}")
    growth = worst_ratio(_admitting(((1,),) * records), _admitting(((0,),) * records))
    grows = growth is None or growth > 2
    return Finding(grows, f"{records} records, e^ε = 2: the odds of 1 to 0 grow by {growth}")


TRUTH_AGAINST_OTHERS = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 3.3.1, odds",
    states="Pr[r|z] / Pr[r'|z] <= e^ε Pr[r] / Pr[r'], r the true record and {r'} ∈ N_P({r})",
    verdict=Verdict.TRUE,
    reading="one record, or all others known; where Pr[r'|z] = 0 the ratio is read as a product",
    checks=(odds_of_the_truth, odds_of_two_that_agree),
)

BOTH, FIRST, SECOND, NEITHER = (1, 1), (1, 0), (0, 1), (0, 0)


def _leaning(lean: Fraction) -> dict[Record, Fraction]:
    """Pr[m({r}) = 1] of a mechanism that is (P, ln 2)-ADP and tells (1, 0) from (0, 1)."""
    half = Fraction(1, 2)
    return {BOTH: lean, FIRST: 1 - half * (1 - lean), SECOND: half * lean, NEITHER: half}


@read_as("no z changes the odds of two candidates by more than e^ε", by="a counterexample, exactly")
def odds_of_two_others(lean: Fraction = Fraction(1, 100)) -> Finding:
    """The truth is (1, 1); the candidates are all of N_P({(1, 1)}); DP would bound all odds.

    Only what is owed along → is kept: (1, 1) to all, (1, 0) and (0, 1) to (0, 0).
    """
    ones = _leaning(lean)
    laws: dict[Record, Law] = {r: {1: chance, 0: 1 - chance} for r, chance in ones.items()}
    for (record,) in data_sets(VISITED, 1, 2):
        near = neighbours((record,), VISITED)
        if not all(within(laws[record], laws[other], Fraction(2)) for (other,) in near):
            return Finding(True, f"the example is not (P, ln 2)-ADP at {record}")
    odds = ones[FIRST] / ones[SECOND]
    shown = f"(P, ln 2)-ADP; output 1 changes the odds of (1, 0) to (0, 1) by {odds}"
    return Finding(odds <= 2, shown)


@read_as("as printed just before: belief in the truth grows by e^ε at most", by="Z3")
def belief_in_the_truth(spent: Fraction = Fraction(1)) -> Finding:
    """Let p' be the average of Pr[m({r'}) = z] over the other candidates: p <= e^ε p', too.

    So Pr[r|z] = π p / (π p + (1 - π) p') is at most e^ε π.
    """
    chances = z3.And(p > 0, p_other >= 0, prior > 0, prior <= 1, growth >= 1)
    owed = p <= z3.RealVal(str(spent)) * growth * p_other
    claim = prior * p <= growth * prior * (prior * p + (1 - prior) * p_other)
    return valid(z3.Implies(z3.And(chances, owed), claim))


STRONG_ADVERSARY = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 3.3.1, same as DP",
    states="the strong adversary knows that the true record is in N_P({r}), so the privacy "
    "guarantee against the strong adversary is the same as DP",
    verdict=Verdict.AMBIGUOUS,
    reading="DP bounds the change of the odds of any two candidates by e^ε, and the inequality "
    "before this sentence speaks of the true r; {r} itself is meant to be a candidate, though it "
    "is not in N_P({r})",
    checks=(odds_of_two_others, belief_in_the_truth),
)


# Theorem 5: how ADP relates to DP.


def _differing(one: DataSet, other: DataSet) -> int:
    return sum(r != s for r, s in zip(one, other, strict=True))


@printed("N_P of P^DP is all data sets of the same size that differ in one record",
         by="Z3, and data sets of 2 records")  # fmt: skip
def everything_is_replacement(policy: Policy | None = None) -> Finding:
    """Then both definitions ask the same of the same pairs.

    For any universe: if all values are sensitive, r → r' for any r and r'.
    """
    chosen = policy or Policy.everything((0, 1, 2))
    wrong = [(one, other) for one, other in product(data_sets(chosen, 2), repeat=2)
             if is_neighbour(one, other, chosen) != (_differing(one, other) == 1)]  # fmt: skip
    if wrong:
        return Finding(False, f"{wrong[0][0]} and {wrong[0][1]}")
    value = z3.DeclareSort("value")
    sensitive = z3.Function("P", value, z3.BoolSort())
    r, s, any_value = z3.Consts("r_i r'_i v", value)
    leads = z3.Or(sensitive(r), r == s)
    return valid(z3.Implies(z3.ForAll([any_value], sensitive(any_value)), leads))


@moreover("it fails for neighbours that add or remove a record: the size may be published",
          by="an example")  # fmt: skip
def size_may_be_published(removed: int = 1) -> Finding:
    """m(D) = |D| is the same on all of N_P(D), and tells D from D without a record."""
    policy = Policy.everything()
    data = list(data_sets(policy, 2))
    kept = all(len(other) == len(each) for each in data for other in neighbours(each, policy))
    told = any(len(each[removed:]) != len(each) for each in data)
    return Finding(kept and told, "|D| is (P^DP, 0)-ADP, and tells 2 records from 1")


THEOREM_5_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 5 (1)",
    states="if m satisfies (P^DP, ε)-ADP, m satisfies ε-DP",
    verdict=Verdict.TRUE,
    reading="neighbours of DP have the same size and differ in one record, as in Definition 1",
    checks=(everything_is_replacement, size_may_be_published),
)


@printed("D' ∈ N_P(D) differs from D in one record, whatever P is",
         by="2 records of 1 and 2 attributes, all policies")  # fmt: skip
def policies_only_take_away(records: int = 1) -> Finding:
    """So whatever ADP asks, DP asks. The definition says it; here it is enumerated."""
    asked = 0
    for attributes, policy in (*product((1,), policies((0, 1, 2))), *product((2,), policies())):
        for each in data_sets(policy, 2, attributes):
            for other in neighbours(each, policy):
                if len(each) != len(other) or _differing(each, other) != records:
                    return Finding(False, f"{each} → {other} under {policy}")
                asked += 1
    return Finding(True, f"{asked} pairs of neighbours")


def _presence(data: tuple[int, ...], truth: Fraction) -> Law:
    """For each value 0 and 1, whether somebody has it, by Warner's response."""
    return {
        said: Fraction(1)
        * (truth if said[0] == (0 in data) else 1 - truth)
        * (truth if said[1] == (1 in data) else 1 - truth)
        for said in product((False, True), repeat=2)
    }


@moreover(
    "of ε-DP for adding or removing follows (P, 2ε)-ADP, and no less", by="exact probabilities"
)
def replacing_is_two_steps(cost: int = 2) -> Finding:
    """Replacing is removing and adding, so at most 2ε.

    Whether somebody has the value 0, and whether somebody has 1, each answered with e^ε = 3:
    a record that appears changes one, a 1 that becomes a 0 changes both.
    """
    none, zero, one = (_presence(data, Fraction(3, 4)) for data in ((), (0,), (1,)))
    apart = all(within(a, b, Fraction(3)) and within(b, a, Fraction(3)) for a, b in
                ((none, zero), (none, one)))  # fmt: skip
    exact = within(one, zero, Fraction(3) ** cost) and not within(one, zero, Fraction(8))
    return Finding(apart and exact, "1 → 0 costs 2 ln 3, adding or removing a record ln 3")


THEOREM_5_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 5 (2)",
    states="if m satisfies ε-DP, m satisfies (P, ε)-ADP for any policy function P",
    verdict=Verdict.TRUE,
    reading="neighbours of DP as above; the inequality (4) that the proof cites is (1)",
    checks=(policies_only_take_away, replacing_is_two_steps),
)

CLAIMS = (TRUTH_AGAINST_OTHERS, STRONG_ADVERSARY, THEOREM_5_1, THEOREM_5_2)
