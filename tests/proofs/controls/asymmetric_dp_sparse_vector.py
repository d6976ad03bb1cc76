"""Section 5.2.2: sibling mechanisms, and ratios of other lengths and thresholds."""

from fractions import Fraction

from shiftproof.mechanisms.sparse_vector import sparse_vector
from shiftproof.proofs.claims.asymmetric_dp import sparse_vector as part
from shiftproof.proofs.claims.ways import variants

RIGHT = "asymmetric_sparse_vector.asymmetric_sparse_vector"
WRONG = "incorrect_asymmetric.asymmetric_sparse_vector_typeset"

CONTROLS = (
    (part.algorithm_2_as_printed, {"name": RIGHT}),
    (part.algorithm_2_repaired, {"name": WRONG}),
    (part.algorithm_2_costs_one_more, {"more": 0}),
    (part.silent_abort_leaks, {"last": Fraction(0)}),
    (part.theorem_13, {"name": WRONG}),
    (part.theorem_13_strict, {"mechanism": variants.sparse_vector_increasing_unchanged}),
    (part.theorem_13_proof, {"falls": Fraction(2)}),
    (part.improvements, {"name": WRONG}),
    (part.improvements_over_usual, {"printing": sparse_vector}),
    (part.improvements_over_usual, {"usual": "incorrect_sparse_vector.sparse_vector_half_noise"}),
    (part.increasing_swapped, {"mechanism": variants.sparse_vector_increasing_unchanged}),
    (part.increasing_unchanged, {"mechanism": variants.sparse_vector_increasing}),
    (part.increasing_unchanged_has_no_bound, {"threshold": Fraction(2)}),
)
