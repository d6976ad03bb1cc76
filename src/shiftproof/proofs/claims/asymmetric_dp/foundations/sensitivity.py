"""Section 3.2: P-sensitivity, and queries that move one way only."""

from __future__ import annotations

from itertools import product

import z3

from .....dsl.privacy.policies import DataSet, Policy, monotonicity, p_sensitivity
from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, sound, under
from ...ways.algebra import together, valid
from ...ways.small import data_sets, everything, protected, replacements

visited = Policy(sensitive={1})
moved, so_far, steps, scope = z3.Reals("f(D_k+1)-f(D_k) f(D_k)-f(D_0) k Δ")


# Definition 11.


@sound("k steps of N_P move f by at most k Δ_{f,P}", by="Z3, induction")
def definition_11_bounds_paths(factor: int = 1) -> Finding:
    """One step moves it by at most Δ_{f,P} more."""
    known = z3.And(z3.Abs(so_far) <= steps * scope, z3.Abs(moved) <= factor * scope, scope >= 0)
    step = z3.Implies(known, z3.Abs(so_far + moved) <= (steps + 1) * scope)
    return valid(step, "one step more moves by at most Δ more")


@moreover("Laplace noise of scale Δ_{f,P}/ε is (P, ε)-ADP", by="Z3")
def definition_11_suits_noise(share: int = 1) -> Finding:
    """The loss at y is (|y - f(D')| - |y - f(D)|) ε/Δ, and |f(D) - f(D')| <= Δ over N_P."""
    y, f, g = z3.Reals("y f(D) f(D')")
    known = z3.Abs(f - g) <= share * scope
    loss = z3.Abs(y - g) - z3.Abs(y - f)
    return valid(z3.Implies(known, loss <= scope), "the loss is at most ε")


def _towards_first(data: DataSet) -> int:
    """How many more people were at location 1 only than at location 2 only."""
    return sum(record == (1, 0) for record in data) - sum(record == (0, 1) for record in data)


@moreover("Δ_{f,P} <= Δ_f, and it may be less: 1 < 2 for 10s minus 01s (n <= 2)", by="all cases")
def definition_11_may_be_smaller(policy: Policy = visited) -> Finding:
    """N_P(D) is a part of the data sets with one record replaced; 10 and 01 are not related."""
    part = all(set(protected(n, 2, policy)) <= set(replacements(n, 2)) for n in (1, 2))
    mine = [p_sensitivity(_towards_first, policy, n, 2) for n in (1, 2)]
    all_of = [p_sensitivity(_towards_first, everything, n, 2) for n in (1, 2)]
    less = part and all(a < b for a, b in zip(mine, all_of, strict=True))
    return Finding(less, f"Δ_(f,P) = {mine[0]}, {mine[1]}; Δ_f = {all_of[0]}, {all_of[1]}")


DEFINITION_11 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 11",
    states="Δ_{f,P} = sup |f(D') - f(D)| over D and D' ∈ N_P(D)",
    verdict=Verdict.DEFINITION,
    reading="a definition: what is checked makes it the right scale",
    checks=(
        definition_11_bounds_paths,
        definition_11_suits_noise,
        definition_11_may_be_smaller,
    ),
)


# Definition 12.


@sound("f decreasing: f(D_0) >= f(D_k) for every path of N_P", by="Z3, induction")
def definition_12_along_paths(falls: bool = True) -> Finding:
    """One step more, f(D_k) >= f(D_(k+1))."""
    step = moved <= 0 if falls else moved <= 1
    known = z3.And(so_far <= 0, step)
    return valid(z3.Implies(known, so_far + moved <= 0), "one step more does not rise")


@moreover("sums of decreasing f are decreasing, and -f is increasing", by="Z3")
def definition_12_adds_up(factor: int = 1) -> Finding:
    """Of the moves f(D') - f(D) of two queries over the same D, D'."""
    first, second = z3.Reals("f(D')-f(D) g(D')-g(D)")
    both = z3.And(first <= 0, second <= 0)
    closed = z3.And(first + factor * second <= 0, -first >= 0)
    return valid(z3.Implies(both, closed), "sums fall, -f rises")


DEFINITION_12 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 12",
    states="P-sensitivity of f is increasing (decreasing) iff f(D) <= f(D') (f(D) >= f(D')) for "
    "all D and D' ∈ N_P(D)",
    verdict=Verdict.DEFINITION,
    reading="a definition; a query that no neighbour moves is both",
    checks=(definition_12_along_paths, definition_12_adds_up),
)


# Theorem 4.


@printed("under P^DP f is monotone only if f(D) = f(D') for all D, D'", by="a counterexample")
def theorem_4_as_printed(sizes: tuple[int, ...] = (1, 2)) -> Finding:
    """f(D) = |D| is equal on neighbours, as they have equally many records, but not constant."""
    monotone = all(len(d) >= len(o) for n in sizes for d, o in protected(n, 1, everything))
    values = {len(d) for n in sizes for d in data_sets(n, 1)}
    shown = f"f(D) = |D| for n in {set(sizes)}: monotone {monotone}, values {values}"
    return Finding(not (monotone and len(values) > 1), shown)


@under("all data sets have n records: then f is constant", by="Z3, any universe and any n")
def theorem_4_for_one_size(policy_is_everything: bool = True) -> Finding:
    """Data sets are arrays of records; f falls, or stays, when any record is replaced by any.

    Replacing a record and putting it back gives D again, so f stays.  Taking the records of D'
    one by one, D becomes D'.  For an increasing f take -f.
    """
    person, record = z3.DeclareSort("person"), z3.DeclareSort("record")
    table = z3.ArraySort(person, record)
    f = z3.Function("f", table, z3.RealSort())
    d, e = z3.Consts("D D'", table)
    who, one, new = z3.Const("i", person), z3.Const("j", person), z3.Const("r", record)
    sensitive = z3.Function("sensitive", record, z3.BoolSort())
    done = z3.Function("done", person, z3.BoolSort())

    def falls(data: z3.ArrayRef, by: z3.ExprRef) -> z3.BoolRef:
        """The hypothesis for D and one record put at i."""
        change = f(data) >= f(z3.Store(data, who, by))
        return change if policy_is_everything else z3.Implies(sensitive(data[who]), change)

    changed, nearer = z3.Store(d, who, new), z3.Store(d, who, e[who])
    known = z3.And(falls(d, new), falls(changed, d[who]))
    agree = z3.ForAll([one], z3.Implies(done(one), d[one] == e[one]))
    more = z3.ForAll([one], z3.Implies(z3.Or(done(one), one == who), nearer[one] == e[one]))
    return together(
        valid(z3.Implies(known, f(d) == f(changed)), "f(D) = f(D') on neighbours"),
        valid(z3.Implies(agree, more), "each replacement makes one record more agree"),
    )


@moreover("Z3 finds no other f on binary data sets of n <= 3 records", by="Z3, all f")
def theorem_4_small_cases(policy: Policy = everything) -> Finding:
    """The values of f are variables, one for each data set."""
    found = []
    for n in (1, 2, 3):
        value = {d: z3.Real(f"f{''.join(str(r[0]) for r in d)}") for d in data_sets(n, 1)}
        falls = z3.And([value[d] >= value[o] for d, o in protected(n, 1, policy)])
        constant = z3.And([a == b for a, b in product(value.values(), repeat=2)])
        found.append(valid(z3.Implies(falls, constant), f"n = {n}: constant"))
    return together(*found)


THEOREM_4 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 4",
    states="P^DP-sensitivity is not monotone except for queries with f(D) = f(D') for all D, D'",
    verdict=Verdict.TRUE_UNDER,
    reading="neighbours have equally many records (Definition 1), so 𝒟 falls into parts by n; on "
    "each part a monotone f is constant",
    checks=(theorem_4_as_printed, theorem_4_for_one_size, theorem_4_small_cases),
)


# Example 5.


@printed("the number of visitors of a location never rises, and falls by 1 at most", by="Z3, all n")
def example_5_for_all(forth: bool = True) -> Finding:
    """D' differs from D in one record, r → r' under Example 1's policy; Σ counts the others."""
    mine, theirs, rest = z3.Ints("r_l r'_l Σ")
    binary = z3.And([z3.Or(bit == 0, bit == 1) for bit in (mine, theirs)])
    kept = z3.Implies(mine == 0, theirs == 0) if forth else z3.BoolVal(True)
    fall = (rest + mine) - (rest + theirs)
    falls_by_one = z3.And(fall >= 0, fall <= 1)
    return valid(z3.Implies(z3.And(binary, kept), falls_by_one), "f(D) - f(D') ∈ {0, 1}")


@printed("Δ_{f,P} = 1, by Definitions 9, 11 and 12 to the letter (n <= 3, d = 2)", by="all cases")
def example_5_small_cases(policy: Policy = visited) -> Finding:
    """Every data set and every neighbour of it are asked."""

    def count(data: DataSet) -> int:
        return sum(record[0] for record in data)

    found = {n: (monotonicity(count, policy, n, 2), p_sensitivity(count, policy, n, 2))
             for n in (1, 2, 3)}  # fmt: skip
    right = all(way == "decreasing" and most == 1 for way, most in found.values())
    shown = ", ".join(f"n = {n}: {way}, Δ = {most}" for n, (way, most) in found.items())
    return Finding(right, shown)


EXAMPLE_5 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Example 5",
    states="the number of people who visited a location is monotonically decreasing under Example "
    "1's policy",
    verdict=Verdict.TRUE,
    reading="N_P(D) as in Definition 9, from D to D'",
    checks=(example_5_for_all, example_5_small_cases),
)

CLAIMS = (DEFINITION_11, DEFINITION_12, THEOREM_4, EXAMPLE_5)
