"""Section 6.2."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import experiments as part

CONTROLS = (
    (part.more_accurate_everywhere, {"items": 370}),
    (part.more_accurate_where_selection_is_certain, {"scale": Fraction(2)}),
    (part.ten_times, {"advantage": Fraction(3, 2)}),
    (part.ten_times_as_coded, {"taken_off": 100}),
    (part.ratio_where_selection_is_certain, {"measured": 9}),
    (part.the_code_is_private, {"margin": Fraction(0)}),
    (
        part.algorithm_2_is_private,
        {"name": "incorrect_asymmetric.asymmetric_sparse_vector_typeset"},
    ),
    (part.limited_by_the_threshold, {"offset": 100}),
    (part.raised_above_the_limit, {"raised": 0}),
)
