"""Section 5.2.2: the asymmetric sparse vector technique."""

from __future__ import annotations

from fractions import Fraction

import z3

from ....mechanisms.incorrect_asymmetric import asymmetric_sparse_vector_typeset
from ..claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, read_as, restored
from ..ways.algebra import together, valid
from ..ways.mechanisms import Mechanism, keeps, private, verified
from ..ways.small import ratio
from ..ways.variants import (
    sparse_vector_increasing,
    sparse_vector_increasing_unchanged,
    sparse_vector_prints_value_of_four,
    sparse_vector_silent_abort,
    sparse_vector_strict,
)
from .top_k import GAINS

ZERO, TWO = Fraction(0), Fraction(2)
#: The values of c at which ratios are computed.
ANSWERS = range(1, 5)


# Algorithm 2 and Theorem 13.


@printed("it is (P, ε)-ADP", by="a certificate of the gallery")
def algorithm_2_as_printed(
    name: str = "incorrect_asymmetric.asymmetric_sparse_vector_typeset",
) -> Finding:
    """It aborts when count > c, so c + 1 values go out; as a program."""
    return private(name)


@meant("it is if it stops after c values", by="a certificate of the gallery")
def algorithm_2_repaired(
    name: str = "asymmetric_sparse_vector.asymmetric_sparse_vector",
) -> Finding:
    """An alignment whose obligations the kernel finds valid, for all c, T and numbers of counts."""
    return private(name)


@moreover(
    "as printed it keeps ε (c + 1)/c, for all c, and no less for c <= 4",
    by="verify, which infers it; exact densities",
)
def algorithm_2_costs_one_more(more: int = 1) -> Finding:
    """An alignment for all c; and c + 1 counts that fall from 1 to 0 at T = 0, all answered 2.

    At ε = c ln 2 the ratio is 2^(c+1), that of e^(ε (c+1)/c).
    """
    found = {}
    for c in ANSWERS:
        n = c + more
        found[c] = ratio(
            asymmetric_sparse_vector_typeset,
            (TWO,) * n,
            {"f": (1,) * n},
            {"f": (0,) * n},
            eps=Fraction(c),
            c=c,
            T=(ZERO,) * n,
        )
    attained = all(found[c] == 2 ** (c + 1) for c in ANSWERS)
    shown = "; ".join(f"c = {c}, e^ε = {2**c}: ratio {found[c]}" for c in ANSWERS)
    kept = keeps(asymmetric_sparse_vector_typeset, "eps/c + eps")
    return together(Finding(attained, shown), kept)


@moreover("aborting before the (c+1)th value leaks as much, for c <= 4", by="exact densities")
def silent_abort_leaks(last: Fraction = Fraction(1)) -> Finding:
    """That it stopped says that the (c+1)th noisy count reached its threshold, here 1.

    The ratio of c values and then the end is again 2^(c+1), where 2^c is allowed.
    """
    found = {}
    for c in ANSWERS:
        found[c] = ratio(
            sparse_vector_silent_abort,
            (TWO,) * c,
            {"f": (1,) * (c + 1)},
            {"f": (0,) * (c + 1)},
            eps=Fraction(c),
            c=c,
            T=(ZERO,) * c + (last,),
        )
    shown = "; ".join(f"c = {c}, e^ε = {2**c}: ratio {found[c]}" for c in ANSWERS)
    return Finding(all(found[c] == 2 ** (c + 1) for c in ANSWERS), shown)


ALGORITHM_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Algorithm 2",
    states="z = aLap_{ε/c}(f_i, D); if z >= T_i output z, count = count + 1, abort if count > c; "
    "else output 0",
    verdict=Verdict.MISPRINT,
    reading="that it is (P, ε)-ADP as typeset; an output 0 is told apart from a value 0",
    checks=(
        algorithm_2_as_printed,
        algorithm_2_repaired,
        algorithm_2_costs_one_more,
        silent_abort_leaks,
    ),
)


@restored("it is (P, ε)-ADP for all c, T and numbers of counts", by="a certificate of the gallery")
def theorem_13(name: str = "asymmetric_sparse_vector.asymmetric_sparse_vector") -> Finding:
    """An alignment whose obligations the kernel finds valid."""
    return private(name)


@moreover("so it is with z > T_i for z >= T_i", by="verify")
def theorem_13_strict(mechanism: Mechanism = sparse_vector_strict) -> Finding:
    """The same program with the other comparison."""
    return verified(mechanism)


@moreover("its alignment keeps every output, and costs ε", by="Z3")
def theorem_13_proof(falls: Fraction = Fraction(1)) -> Finding:
    """One count at a time.  Above: λ' = λ + f(D) − f(D') gives the same z, for ε/c; c times.

    Below: λ' = λ, and f(D') <= f(D) stays below.
    """
    f, drop, noise, threshold = z3.Reals("f(D) f(D)−f(D') λ T")
    known = z3.And(drop >= 0, drop <= z3.RealVal(str(falls)), noise >= 0)
    below = z3.Implies(f + noise < threshold, f - drop + noise < threshold)
    moved = noise + drop
    above = z3.And(f - drop + moved == f + noise, moved >= 0, moved - noise <= 1)
    return valid(z3.Implies(known, z3.And(below, above)), "below is free, above costs ε/c")


THEOREM_13 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 13",
    states="Algorithm 2 satisfies (P, ε)-ADP",
    verdict=Verdict.RESTORED,
    reading="Algorithm 2 as repaired above: it stops after c values",
    checks=(theorem_13, theorem_13_strict, theorem_13_proof),
)


# What is said of it.


@restored(
    "(P, ε)-ADP with thresholds as they are, Exp of mean c/ε and printed values", by="certificate"
)
def improvements(name: str = "asymmetric_sparse_vector.asymmetric_sparse_vector") -> Finding:
    """The program compares with T itself and prints what it compared; its claim is ε."""
    return private(name)


@moreover("under DP with Lap(4c/ε), where ⊤ and ⊥ cost ε, a printed value costs more", by="verify")
def improvements_over_usual(
    usual: str = "sparse_vector.sparse_vector",
    printing: Mechanism = sparse_vector_prints_value_of_four,
) -> Finding:
    """The same technique, of which one prints what it has compared and the other does not."""
    found = verified(printing)
    return together(private(usual), Finding(not found.holds, found.detail))


SECTION_5_2_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.2.2, three improvements",
    states="no noise for the threshold; aLap with ε/c; a noisy count for each answer that is paid",
    verdict=Verdict.RESTORED,
    reading="Algorithm 2 as repaired",
    checks=(improvements, improvements_over_usual),
)

SECTION_5_2_2_ERROR = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.2.2, error",
    states="aLap with ε/c has a 1/(2√2) times smaller error than the Laplace mechanism",
    verdict=Verdict.AMBIGUOUS,
    reading="1/(2√2) times as large is meant, against Laplace with 2c/ε; as in Section 5.2.1 with "
    "c for k",
    checks=GAINS,
)


@read_as("the roles swap: above is free, below is paid for and printed", by="verify")
def increasing_swapped(mechanism: Mechanism = sparse_vector_increasing) -> Finding:
    """The mirror image of Algorithm 2, as a program with noise <= 0."""
    return verified(mechanism)


@read_as("Algorithm 2 with the noise of increasing counts: below stays free", by="verify")
def increasing_unchanged(
    mechanism: Mechanism = sparse_vector_increasing_unchanged,
) -> Finding:
    """The same program as Algorithm 2, with noise <= 0."""
    return verified(mechanism)


@moreover("read so, t answers below cost t ε/c (c = 1, t <= 5)", by="exact probabilities")
def increasing_unchanged_has_no_bound(threshold: Fraction = ZERO) -> Finding:
    """t counts that rise from 0 to 1 at T = 0: all below, of probability 1 and then e^(−tε)."""
    found = [
        ratio(
            sparse_vector_increasing_unchanged,
            (None,) * t,
            {"f": (0,) * t},
            {"f": (1,) * t},
            c=1,
            T=(threshold,) * t,
        )
        for t in range(1, 6)
    ]
    shown = f"ε = ln 2: ratios {', '.join(map(str, found))}"
    return Finding(found == [2**t for t in range(1, 6)], shown)


SECTION_5_2_2_INCREASING = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.2.2, increasing",
    states="when the query is monotonically increasing, we can get below-the-threshold answers in "
    "the same way",
    verdict=Verdict.AMBIGUOUS,
    reading="one sentence; which of the two answers is free is not said",
    checks=(increasing_swapped, increasing_unchanged, increasing_unchanged_has_no_bound),
)

CLAIMS = (
    ALGORITHM_2,
    THEOREM_13,
    SECTION_5_2_2_INCREASING,
    SECTION_5_2_2,
    SECTION_5_2_2_ERROR,
)
