"""Section 4.3: how often (P, ε)-ADP allows a one-sided answer, and by which steps it is counted."""

from __future__ import annotations

from fractions import Fraction

import z3

from ....checkers.proving.one_sided import one_sided_optimum
from ....dsl.privacy.policies import DataSet, Policy
from ....dsl.privacy.steps import answer_steps, data_sets, minimum_step
from ..claim import Claim, Finding, Paper, Verdict, moreover, read_as, sound
from ..ways.algebra import valid
from ..ways.small import VISITED, distances, leading_to, policies, queries, steps_of, visits

#: An attribute value of records in the roles of the text, and the policy on it.
Value = z3.DeclareSort("value")
sensitive = z3.Function("P", Value, z3.BoolSort())

growth, power = z3.Reals("e^ε e^(kε)")
before, after = z3.Reals("p_k p_(k+1)")


def _step(one: z3.ExprRef, other: z3.ExprRef) -> z3.BoolRef:
    """r_i → r'_i: Definition 8 at one attribute."""
    return z3.Or(sensitive(one), one == other)


# Definition 14.

#: Shapes on which all is enumerated: two records of three values, or of two bits.
SHAPES = ((1, (0, 1, 2)), (2, (0, 1)))


@sound("it is the number of records that differ if r → r' for all of them, else there is none",
         by="shortest paths: 2 records of values 0, 1, 2, or of 2 bits; all policies")  # fmt: skip
def steps_count_differing_records(per_record: int = 1) -> Finding:
    """Shortest paths by Definition 9 alone, against what the toolkit counts.

    That holds for all sizes if → is transitive: then a record that changes twice may do it at once.
    """
    pairs = 0
    for attributes, universe in SHAPES:
        for policy in policies(universe):
            data = list(data_sets(policy, 2, attributes))
            steps = steps_of(data, policy)
            for start in data:
                shortest = distances([start], steps)
                for end in data:
                    counted = minimum_step(policy, start, end)
                    expected = None if counted is None else per_record * counted
                    if shortest.get(end) != expected:
                        text = f"{start} to {end} under {policy}: {shortest.get(end)} steps"
                        return Finding(False, f"{text}, not {expected}")
                    pairs += 1
    return Finding(True, f"{pairs} pairs")


@sound("a record changed twice may change at once: r → r' → r'' gives r → r''", by="Z3")
def records_change_at_once(middle_is_reached: bool = True) -> Finding:
    """For any universe, at any attribute: so no shortest path changes a record twice."""
    r, s, t = z3.Consts("r_i r'_i r''_i", Value)
    first = _step(r, s) if middle_is_reached else _step(s, r)
    return valid(z3.Implies(z3.And(first, _step(s, t)), _step(r, t)))


@moreover("it has a direction: no step leads back", by="an example")
def steps_have_a_direction(policy: Policy = VISITED) -> Finding:
    """One record under Example 1's policy: 1 becomes 0 in one step, and 0 does not become 1."""
    back = minimum_step(policy, ((0,),), ((1,),))
    there = minimum_step(policy, ((1,),), ((0,),))
    return Finding(there == 1 and back is None, f"1 to 0: {there}; 0 to 1: {back}")


DEFINITION_14 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 14",
    states="the minimum step from D to D' is the minimum number of steps to take to change D to D' "
    "via P-neighboring datasets",
    verdict=Verdict.DEFINITION,
    reading="there is none if no steps lead from D to D'; what is checked is what it comes to",
    checks=(steps_count_differing_records, records_change_at_once, steps_have_a_direction),
)


# Theorem 9.


@read_as("k steps lead from D, q(D) = 1, to data with q = 0: Pr[OTP] <= 1 - e^(-kε)", by="Z3")
def theorem_9_from_data(chance_at_end: Fraction = Fraction(0)) -> Finding:
    """Against the arrows, from q = 0 to D: p(D) <= e^ε p(D'), so p = 0 all the way."""
    start = before == z3.RealVal(str(chance_at_end))
    step = z3.And(after >= 0, after <= growth * before)
    claim = z3.And(after == 0, after * growth * power <= growth * power - 1)
    return valid(z3.Implies(z3.And(growth >= 1, power >= 1, start, step), claim))


@read_as("k steps lead to D, q(D) = 1, from data with q = 0: Pr[OTP] <= 1 - e^(-kε)",
         by="Z3, induction")  # fmt: skip
def theorem_9_to_data(factor: Fraction = Fraction(1)) -> Finding:
    """Induction over k along the arrows, from p = 0: 1 - p falls by at most e^ε with each step.

    With e^((k+1)ε) as e^ε times e^(kε), and the bound as p e^(kε) <= e^(kε) - 1.
    """
    share = z3.RealVal(str(factor))
    bound = before * power <= power - share
    step = 1 - before <= growth * (1 - after)
    next_bound = after * growth * power <= growth * power - share
    known = z3.And(growth > 1, power >= 1, before >= 0, bound, step)
    start = z3.Implies(power == 1, 0 * power <= power - share)
    return valid(z3.And(start, z3.Implies(known, next_bound)))


@moreover(
    "steps from D to q = 0 say more: Pr[OTP] = 0, so counting them is vacuous",
    by="the exact optimum",
)
def steps_from_data_say_more(policy: Policy = VISITED) -> Finding:
    """Two visits, q = "not just one": a step leads to one visit, q = 0."""

    def query(data: DataSet) -> bool:
        return visits(data) != 1

    found = one_sided_optimum(data_sets(policy, 2), policy, query, Fraction(1, 2))[((1,), (1,))]
    return Finding(found == 0, f"ε = ln 2, one step: largest Pr[OTP] {found}, bound 1/2")


@moreover("sharp: the largest Pr[OTP] is 1 - e^(-kε), k = fewest steps to D from data that lead "
          "to q = 0 (or have it), 1 if there are none", by="all q and P on small data")  # fmt: skip
def sharp_form(alpha: Fraction = Fraction(2, 3), *, only_from_false: bool = False) -> Finding:
    """All q on 1 record of values 0, 1, 2 or of 2 bits, and on 2 records of 1 bit; all policies.

    Besides, all q on 2 records of values 0, 1, 2 of which only 1 is sensitive.  The optimum is
    exact.  At e^(-ε) = 2/3 also e^ε p is often below 1, and could have been the bound.
    """
    cases = [*((policy, 1, 1) for policy in policies((0, 1, 2))),
             *((policy, *shape) for shape in ((2, 1), (1, 2)) for policy in policies()),
             (Policy({1}, (0, 1, 2)), 2, 1)]  # fmt: skip
    asked = 0
    for policy, *shape in cases:
        data = list(data_sets(policy, *shape))
        steps = steps_of(data, policy)
        for false in queries(data):
            k = distances(false if only_from_false else leading_to(false, steps), steps)

            def query(each: DataSet, false: frozenset[DataSet] = false) -> bool:
                return each not in false

            largest = one_sided_optimum(data, steps.__getitem__, query, alpha)
            for each in data:
                if largest[each] != (1 - alpha ** k[each] if each in k else 1):
                    text = f"D = {each}, {policy}, q = 0 at {sorted(false)}"
                    return Finding(False, f"{text}: {largest[each]} for k = {k.get(each)}")
            asked += 1
    return Finding(True, f"{asked} queries and policies, e^(-ε) = {alpha}")


@moreover("the sharp form for all universes and sizes: if D → D', then k(D) <= k(D') <= k(D) + 1",
          by="Z3")  # fmt: skip
def sharp_form_in_general(kept: bool = True) -> Finding:
    """With this, 1 - e^(-k(D)ε) is private; more is not, by both readings of the theorem.

    k(D') <= k(D) + 1 by the step itself.  For the other, let D_0 lead to q = 0 and k(D') steps
    lead from it to D'.  In the records that differ between these, put the values of D_0 where they
    are sensitive, and elsewhere those of D: that leads to D_0, and in k(D') records to D.
    """
    of_d, of_d1, of_d0 = z3.Consts("D_i D'_i D_0i", Value)
    mixed = z3.If(sensitive(of_d0), of_d0, of_d if kept else of_d1)
    lemma = z3.Implies(
        z3.And(_step(of_d, of_d1), _step(of_d0, of_d1)),
        z3.And(_step(mixed, of_d), _step(mixed, of_d0)),
    )
    # a = e^(-k(D)ε) and b = e^(-k(D')ε), 0 where there is no k: from here on only numbers.
    a, b = z3.Reals("e^(-k(D)ε) e^(-k(D')ε)")
    known = z3.And(growth >= 1, b >= 0, a <= 1, b <= a, a <= growth * b)
    is_private = z3.And(1 - a <= growth * (1 - b), a <= growth * b)
    return valid(z3.And(lemma, z3.Implies(known, is_private)))


@moreover("so data that no steps lead to from q = 0, nor from there to q = 0, may be bounded too",
          by="the exact optimum")  # fmt: skip
def bounded_without_a_path(protected: frozenset[int] = frozenset({1})) -> Finding:
    """Two records of values 0, 1, 2; q = "no 2"; only 1 is sensitive; D = (0, 0) at ε = ln 2.

    From D no step leads anywhere, and a 2 never changes.  But (1, 0) leads to (2, 0), so 1 is
    never said there, and one step leads from there to D.
    """
    policy, here = Policy(protected, (0, 1, 2)), ((0,), (0,))

    def query(data: DataSet) -> bool:
        return (2,) not in data

    steps = answer_steps(policy, query, here)
    apart = steps.from_false is None and steps.to_false is None
    found = one_sided_optimum(data_sets(policy, 2), policy, query, Fraction(1, 2))[here]
    return Finding(apart and found < 1, f"D = (0, 0), ε = ln 2: largest Pr[OTP] {found}")


@moreover(
    "the sharp form is of policies: under other relations steps back count, too",
    by="the exact optimum",
)
def sharp_only_for_policies(alpha: Fraction = Fraction(2, 3)) -> Finding:
    """Only D → D' and D_0 → D', q(D_0) = 0: Pr[OTP] at D is at most e^ε times that at D'.

    No data that lead to q = 0 lead to D, so the sharp form would allow 1.
    """
    steps = {"D": ["D'"], "D_0": ["D'"], "D'": []}
    found = one_sided_optimum(steps, steps.__getitem__, lambda each: each != "D_0", alpha)["D"]
    return Finding(found < 1, f"e^(-ε) = {alpha}: largest Pr[OTP] at D is {found}")


THEOREM_9 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 9",
    states="m is (P, ε)-ADP and the minimum step to change the query answer from D is k: "
    "Pr[OTP; q(D) = 1] <= 1 - 1/e^(kε)",
    verdict=Verdict.TRUE,
    reading="the text counts steps from D, the proof counts them to D (it has q = 0 where they "
    "begin and q = 1 where they end); k is a minimum that is attained",
    checks=(
        theorem_9_from_data,
        theorem_9_to_data,
        steps_from_data_say_more,
        sharp_form,
        sharp_form_in_general,
        bounded_without_a_path,
        sharp_only_for_policies,
    ),
)

CLAIMS = (DEFINITION_14, THEOREM_9)
