"""Section 3.1: neighbouring data sets, and asymmetric differential privacy."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import z3

from .....dsl.privacy.policies import DataSet, Policy, Record, is_record_neighbour, neighbours
from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, sound
from ...ways.algebra import together, valid
from ...ways.small import Law, data_sets, protected, records, within
from .policies import table_2, visited

# Definition 9.

mine, theirs, rest = z3.Ints("r_l r'_l Σ")


def _count_falls(forth: bool) -> Finding:
    """Whether Example 5 holds: from D to D' in N_P(D) the ones at a location never rise."""
    kept = z3.Implies(mine == 0, theirs == 0) if forth else z3.Implies(theirs == 0, mine == 0)
    binary = z3.And([z3.Or(bit == 0, bit == 1) for bit in (mine, theirs)])
    return valid(
        z3.Implies(z3.And(binary, kept), rest + mine >= rest + theirs), "a count never rises"
    )


@read_as("D' ∈ N_P(D) iff r → r' (from D to D'): agrees with Example 5", by="Z3, all n")
def definition_9_forth(forth: bool = True) -> Finding:
    """The counts differ by the differing record; the sum over the other records is Σ."""
    return _count_falls(forth)


@read_as("D' ∈ N_P(D) iff r' → r (D' is P-neighbouring to D): agrees with it", by="Z3, all n")
def definition_9_back(forth: bool = False) -> Finding:
    """The words of N_P(D), "P-neighbouring dataset of D", would bear this as well."""
    return _count_falls(forth)


def _related(data: DataSet, other: DataSet, policy: Policy, allowed: tuple[int, ...]) -> bool:
    """Whether so many records differ as is allowed, and all records lead to those of D'."""
    both = list(zip(data, other, strict=True))
    differing = sum(r != s for r, s in both)
    return differing in allowed and all(is_record_neighbour(r, s, policy) for r, s in both)


@moreover("D ∉ N_P(D), though r → r, for every policy (n <= 3)", by="all cases")
def definition_9_is_irreflexive(allowed: tuple[int, ...] = (1,)) -> Finding:
    """Of D and D itself no record differs; the definition wants exactly one."""
    policies = [Policy(sensitive=some) for some in ((), (0,), (1,), (0, 1))]
    own = [data for n in (1, 2, 3) for data in data_sets(n, 1)
           for policy in policies if _related(data, data, policy, allowed)]  # fmt: skip
    return Finding(not own, f"{len(own)} data sets are neighbours of themselves")


DEFINITION_9 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 9",
    states="D is P-neighbouring to D' iff only one record differs and the differing record is "
    "P-neighbouring; N_P(D) are the P-neighbouring data sets of D",
    verdict=Verdict.AMBIGUOUS,
    reading="of the differing records, which leads to which is not said; Definition 10 bounds the "
    "probability on D by that on D' ∈ N_P(D)",
    checks=(definition_9_forth, definition_9_back, definition_9_is_irreflexive),
)


# Definition 10.

growth, power, weight = z3.Reals("e^ε e^(kε) w")
p, q, p2, q2 = z3.Reals("p_1 p_1' p_2 p_2'")


@sound("what is computed from the output of a (P, ε)-ADP m, with coins, is ADP", by="Z3")
def definition_10_survives_processing(least: int = 0) -> Finding:
    """Termwise: an output counts with the probability w of the event given it; terms add up."""
    known = z3.And(growth >= 1, p >= 0, q >= 0, p <= growth * q, weight >= least, weight <= 1)
    return valid(z3.Implies(known, weight * p <= growth * (weight * q)), "w p <= e^ε w p'")


@moreover("a choice between ADP mechanisms, by a public coin, is ADP", by="Z3")
def definition_10_survives_choice(most: int = 1) -> Finding:
    """Probabilities mix as w p_1 + (1 - w) p_2, on both sides with the same w."""
    known = z3.And(growth >= 1, p <= growth * q, p2 <= growth * q2, weight >= 0, weight <= most)
    mixed, mixed_there = weight * p + (1 - weight) * p2, weight * q + (1 - weight) * q2
    return valid(z3.Implies(known, mixed <= growth * mixed_there), "so for every output")


@moreover("k steps of N_P cost kε", by="Z3, induction")
def definition_10_adds_up_on_paths(steps: int = 1) -> Finding:
    """One step more: from e^(kε) to e^((k+1)ε)."""
    known = z3.And(growth > 1, power >= 1, p2 >= 0, p <= power * q, q <= growth * p2)
    bound = power * growth if steps == 1 else power
    return valid(z3.Implies(known, p <= bound * p2), "one step more costs ε more")


DEFINITION_10 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 10",
    states="m is (P, ε)-ADP iff Pr[m(D) ∈ S] <= e^ε Pr[m(D') ∈ S] for all S, D and D' ∈ N_P(D)",
    verdict=Verdict.DEFINITION,
    reading="a definition: what is checked makes it sound; S ⊆ 𝒵 (ℤ is typeset) is measurable, "
    "and only one direction is bounded",
    checks=(
        definition_10_survives_processing,
        definition_10_survives_choice,
        definition_10_adds_up_on_paths,
    ),
)


# Example 4.


def _may_leak(record: Record, fact: Iterable[Record], chance: Fraction) -> Finding:
    """Whether telling a fact with this probability is (P, ln 2)-ADP; it is never told wrongly."""
    told: dict[Record, Law] = {
        one: {"told": chance, "silent": 1 - chance} if one in fact else {"silent": Fraction(1)}
        for one in records(2)
    }
    broken = [
        (a, b)
        for (a,), (b,) in protected(1, 2, visited)
        if not within(told[a], told[b], Fraction(2))
    ]
    return Finding(not broken, f"{record}: told with probability {chance}; broken pairs: {broken}")


@printed("Bob's visit is hidden: no output that he can cause excludes that he stayed away", by="Z3")
def example_4_hides_the_one(direction: int = 1) -> Finding:
    """10 → 00, so an output of positive probability p at 10 has at least e^(-ε) p > 0 at 00."""
    bound = p <= growth * q if direction == 1 else q <= growth * p
    known = z3.And(growth >= 1, p > 0, q >= 0, bound)
    return valid(z3.Implies(known, q > 0), "p > 0 at 10 gives p > 0 at 00")


@printed("that Bob was not at location 2 can leak: by an ADP mechanism, for certain", by="exactly")
def example_4_tells_the_zero(chance: Fraction = Fraction(1, 2)) -> Finding:
    """It is told with probability 1 - e^(-ε), ε = ln 2, and only where r_2 = 0."""
    return _may_leak(table_2["Bob"], [(0, 0), (1, 0)], chance)


@printed("Tom's record can leak: N_P of it alone is empty", by="exactly")
def example_4_tells_tom(chance: Fraction = Fraction(1, 2)) -> Finding:
    """That it is 00 is told with probability 1 - e^(-ε), ε = ln 2, and only where it is."""
    alone = not list(neighbours((table_2["Tom"],), visited))
    leak = _may_leak(table_2["Tom"], [(0, 0)], chance)
    return together(Finding(alone, "N_P(D) = ∅ for D = (00)"), leak)


EXAMPLE_4 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Example 4",
    states="that Bob visited location 1 is protected; that he did not visit location 2 can leak; "
    "Tom's record has no P-neighbouring record, so it can leak",
    verdict=Verdict.TRUE,
    reading="Example 1's policy; Tom's record has no P-neighbouring record but itself (Example 3); "
    "it can leak if some ADP mechanism sometimes proves it",
    checks=(example_4_hides_the_one, example_4_tells_the_zero, example_4_tells_tom),
)

CLAIMS = (DEFINITION_9, DEFINITION_10, EXAMPLE_4)
