"""Section 6."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import experiments as part

CONTROLS = (
    (part.one_update_at_count_0, {"count": 1}),
    (part.one_update_at_all_counts, {"slope": Fraction(101, 100)}),
    (part.mostly_small_at_ten, {"share": Fraction(7, 10)}),
    (part.mostly_small_at_five, {"share": Fraction(1, 5)}),
    (part.in_one_update, {"count": 1}),
    (part.after_five_updates, {"updates": 1}),
    (part.more_accurate_everywhere, {"items": 18}),
    (part.more_accurate_where_selection_is_certain, {"scale": Fraction(2)}),
    (part.ten_times, {"advantage": Fraction(3, 2)}),
    (part.ratio_where_selection_is_certain, {"measured": 9}),
    (part.the_code_is_private, {"margin": Fraction(0)}),
    (
        part.algorithm_2_is_private,
        {"name": "incorrect_asymmetric.asymmetric_sparse_vector_typeset"},
    ),
    (part.limited_by_the_threshold, {"offset": 100}),
)
