"""Section 1: no one-sided DP mechanism, Mangat's response, and one-sided DP."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from .....checkers.proving.one_sided import one_sided_optimum
from .....dsl.privacy.policies import DataSet, Policy
from .....dsl.privacy.steps import data_sets
from .....mechanisms.randomized_response import mangat, utility_optimized_response
from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired
from ...ways.algebra import valid
from ...ways.mechanisms import Mechanism, private_and_never_wrong, probability, verified
from ...ways.small import VISITED, queries, visits
from .responses import (
    count_of_values,
    count_of_visits,
    count_of_visits_under_adp,
    mangat_at_its_most_honest,
    mangat_no_is_certain,
    mangat_utility_optimized,
    mangat_yes_is_certain,
)

growth, p = z3.Reals("e^ε p")


# One-sided answers under ε-DP.


@printed("Pr[m(D) = 1] is 0 for all D if it is 0 for one, for all ε", by="Z3, step by step")
def zero_spreads(slack: Fraction = Fraction(0)) -> Finding:
    """Replacing a record at a time leads from any data to any other of the same size."""
    here, there = z3.Reals("Pr[m(D)=1] Pr[m(D')=1]")
    step = z3.And(there >= 0, there <= growth * here + z3.RealVal(str(slack)))
    return valid(z3.Implies(z3.And(growth >= 1, here == 0, step), there == 0))


@moreover("the largest Pr[OTP] of all DP mechanisms is 0", by="the exact optimum for small data")
def nothing_is_left(sensitive: frozenset[int] = frozenset({0, 1, 2})) -> Finding:
    """For every q on 3 bits, and on 1 of 3 values, that is not constant, with e^ε = 10."""
    asked = 0
    for universe, size in (((0, 1), 3), ((0, 1, 2), 1)):
        policy = Policy(sensitive & set(universe), universe)
        data = list(data_sets(policy, size))
        for false in queries(data):
            if not 0 < len(false) < len(data):
                continue

            def query(each: DataSet, false: frozenset[DataSet] = false) -> bool:
                return each not in false

            best = one_sided_optimum(data, policy, query, Fraction(1, 10))
            if any(best.values()):
                return Finding(False, f"q = 0 at {sorted(false)}: {max(best.values())}")
            asked += 1
    return Finding(True, f"{asked} queries")


NO_ONE_SIDED_DP = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1, one-sided DP",
    states="there is no one-sided error mechanism that satisfies ε-DP",
    verdict=Verdict.TRUE,
    reading="the answer that is never wrong is given at times; q is not constant; all data have "
    "one size (of several sizes, the size is public)",
    checks=(zero_spreads, nothing_is_left),
)


# Mangat's randomised response.


@printed('the answer "yes" is never wrong', by="a run that breaks it")
def yes_is_certain(response: Mechanism = mangat_yes_is_certain) -> Finding:
    """Who has "yes" says yes; who has "no" admits it with probability p, and else says yes."""
    return private_and_never_wrong(response)


@repaired('the answer "no" is never wrong, for all p and ε', by="a proof of the toolkit")
def no_is_certain(response: Mechanism = mangat_no_is_certain) -> Finding:
    """Only who has "no" ever says it.  It is "yes" that hides: that is what is sensitive."""
    return private_and_never_wrong(response)


MANGAT_YES = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1, Mangat's answer yes",
    states="if we answer yes using Mangat's randomized response, we can know the true answer is "
    "yes",
    verdict=Verdict.FALSE,
    reading="yes is the sensitive value, as in Mangat's scheme",
    checks=(yes_is_certain, no_is_certain),
)


@printed("it is ε-DP for no ε", by="exact probabilities")
def no_ratio_is_enough(response: Mechanism = mangat_at_its_most_honest) -> Finding:
    """Who has "no" says it with some probability p > 0; who has "yes" never does.

    So no e^ε times 0 is enough.  That "no" is never wrong, for all p, is proved above.
    """
    admitted, lied = (probability(response, 0, x=x, eps="2 ln 2") for x in (0, 1))
    shown = f"at ε = 2 ln 2: Pr[no | no] = {admitted}, Pr[no | yes] = {lied}"
    return Finding(admitted > 0 and lied == 0, shown)


MANGAT_NOT_DP = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1, Mangat is not DP",
    states="Mangat's randomized response is not following DP",
    verdict=Verdict.TRUE,
    reading="a no is admitted with some probability p > 0; else it says nothing",
    checks=(no_ratio_is_enough,),
)


@printed("it is (P, ε)-ADP for all p <= 1 - e^(-ε), yes sensitive", by="a proof of the toolkit")
def mangat_is_adp(response: Mechanism = mangat) -> Finding:
    """The gallery's response, with p and ε as parameters."""
    return verified(response)


@moreover("and for no other p", by="Z3")
def mangat_is_adp_up_to(exponent: int = 1) -> Finding:
    """Only "yes" → "no" is a pair.  Answer 1: 1 <= e^ε (1 - p); answer 0: 0 <= e^ε p."""
    owed = z3.And(growth * (1 - p) >= 1, growth * p >= 0)
    allowed = p * growth**exponent <= growth**exponent - 1
    return valid(z3.Implies(z3.And(growth > 1, p > 0, p <= 1), owed == allowed))


MANGAT_ADP = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1.1, Mangat is ADP",
    states="Mangat's randomized response is following our privacy notion",
    verdict=Verdict.TRUE,
    reading="one record; p, how often a no is admitted, is below 1, and ε is at least -ln(1 - p)",
    checks=(mangat_is_adp, mangat_is_adp_up_to),
)


@printed("it is ULDP for all p <= 1 - e^(-ε)", by="a proof of the toolkit")
def mangat_is_uldp(response: Mechanism = mangat_utility_optimized) -> Finding:
    """Yes is sensitive, and the answer "yes" protected; "no" names who has it."""
    return verified(response)


@moreover("it is the utility-optimised response of one sensitive value, where p = 1 - e^(-ε)",
          by="exact probabilities at ε = ln 2, 2 ln 2, 3 ln 2")  # fmt: skip
def mangat_is_utility_optimised(sensitive: int = 1) -> Finding:
    """Of two values the first is sensitive: it stands for yes, the second for no."""
    truths = {1: 1, 0: sensitive + 1}
    for eps in ("ln 2", "2 ln 2", "3 ln 2"):
        for x, y in product((0, 1), repeat=2):
            ours = probability(mangat_at_its_most_honest, y, x=x, eps=eps)
            theirs = probability(utility_optimized_response, truths[y], x=truths[x],
                                 s=sensitive, k=sensitive + 1, eps=eps)  # fmt: skip
            if ours != theirs:
                return Finding(False, f"ε = {eps}: Pr[{y} | {x}] = {ours}, {theirs}")
    return Finding(True, "the same probabilities")


MANGAT_ULDP = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1.1, Mangat is ULDP",
    states="utility optimized local differential privacy is also a privacy definition that "
    "Mangat's randomized response follows",
    verdict=Verdict.TRUE,
    reading="p as for ADP",
    checks=(mangat_is_uldp, mangat_is_utility_optimised),
)


# One-sided differential privacy: of a record with a sensitive value all may change.


@printed("neighbours are the same for records of one value, any universe and policy", by="Z3")
def same_for_one_value(attributes: int = 1) -> Finding:
    """OSDP: a sensitive record is replaced by any other.  ADP: r → r', r ≠ r'.

    A record counts as sensitive if one of its values is.
    """
    value = z3.DeclareSort("value")
    sensitive = z3.Function("P", value, z3.BoolSort())
    pairs = [z3.Consts(f"r_{i} r'_{i}", value) for i in range(attributes)]
    differs = z3.Or(*(r != s for r, s in pairs))
    one_sided = z3.And(differs, z3.Or(*(sensitive(r) for r, _ in pairs)))
    asymmetric = z3.And(differs, *(z3.Or(sensitive(r), r == s) for r, s in pairs))
    return valid(one_sided == asymmetric)


@moreover("so the count of a sensitive value is private with one-sided noise", by="a proof")
def noise_is_one_sided_for_one_value(mechanism: Mechanism = count_of_values) -> Finding:
    """The count can only fall: exponential noise with mean 1/ε, for all ε and sizes."""
    return verified(mechanism)


OSDP_OF_ONE_VALUE = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1.1, OSDP of one value",
    states="if a record is a value (i.e., data is one-dimensional), OSDP is identical with ADP",
    verdict=Verdict.TRUE,
    checks=(same_for_one_value, noise_is_one_sided_for_one_value),
)


def _replacing_sensitive(locations: int) -> dict[DataSet, list[DataSet]]:
    """One person's visits, and what they become under OSDP: with a visit, any other record."""
    data = list(data_sets(VISITED, 1, locations))
    return {each: [d for d in data if d != each] if visits(each) else [] for each in data}


@read_as("no count of visits to one of two locations moves one way only, nor is it ε-OSDP with "
         "one-sided noise", by="all cases, and a counterexample, exactly")  # fmt: skip
def noise_is_two_sided_for_two_values(
    mechanism: Mechanism = count_of_visits, locations: int = 2
) -> Finding:
    """A visit elsewhere makes the record sensitive, and then it may become a visit here."""
    steps = _replacing_sensitive(locations)
    moves = {other[0][0] - each[0][0] for each in steps for other in steps[each]}
    found = verified(mechanism)
    both_ways = {-1, 1} <= moves
    return Finding(both_ways and not found.holds, f"it moves by {sorted(moves)}; {found.detail}")


@read_as('no ε-OSDP answer "nobody was at location 1" is one-sided, as none is under DP',
         by="the exact optimum")  # fmt: skip
def nothing_is_one_sided_for_two_values(sensitive: bool = False) -> Finding:
    """One person, two locations, e^ε = 2.

    The record of no visits is not sensitive: others lead there, and it leads nowhere.  So there
    "nobody" may be said for sure.  If that record were sensitive as well, it could not.
    """
    steps = _replacing_sensitive(2)
    nowhere: DataSet = ((0, 0),)
    if sensitive:
        steps[nowhere] = [each for each in steps if each != nowhere]
    best = one_sided_optimum(steps, steps.__getitem__, lambda d: d[0][0] == 0, Fraction(1, 2))
    sure = {str(each): str(p) for each, p in best.items() if p}
    return Finding(not sure, f"largest Pr[OTP]: {sure or 0}")


@moreover("the same count with the same noise is (P, ε)-ADP", by="a proof")
def noise_is_one_sided_under_adp(
    mechanism: Mechanism = count_of_visits_under_adp,
) -> Finding:
    """Under ADP not having been here stays as it is."""
    return verified(mechanism)


OSDP_OF_MORE_VALUES = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1.1, OSDP of more values",
    states="if we use OSDP in our tasks, the asymmetricity does not occur because we use "
    "multi-dimensional data",
    verdict=Verdict.AMBIGUOUS,
    reading="a record is sensitive if one of its values is; the tasks count visits to a location; "
    "whether asymmetricity is of the count (Definition 12) or of the answers, is left open",
    checks=(
        noise_is_two_sided_for_two_values,
        nothing_is_one_sided_for_two_values,
        noise_is_one_sided_under_adp,
    ),
)

TABLE_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Table 3",
    states="BMS-POS: 515,597 records and 1,657 unique items; Kosarak: 990,002 and 41,270; "
    "T40I10D100K: 100,000 and 942",
    verdict=Verdict.NOT_CHECKED,
    argument="These are counts over public files, which the toolkit does not hold; others give the "
    "same numbers.  Who has a file counts it with "
    "shiftproof.workspace.data.baskets.read_item_counts.",
)

CLAIMS = (
    NO_ONE_SIDED_DP,
    MANGAT_YES,
    MANGAT_NOT_DP,
    MANGAT_ADP,
    MANGAT_ULDP,
    OSDP_OF_ONE_VALUE,
    OSDP_OF_MORE_VALUES,
    TABLE_3,
)
