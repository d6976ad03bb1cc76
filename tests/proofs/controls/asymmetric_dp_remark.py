"""The Remark of Section 5.1: the least errors as they are, and others that are claimed."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import remark
from shiftproof.proofs.claims.asymmetric_dp import remark as least_error
from shiftproof.proofs.claims.ways.algebra import epsilon

TOO_MUCH = Fraction(11, 10)
WRONG = "incorrect_geometric.truncated_geometric_half_noise"

CONTROLS = (
    (remark.figure_for_absolute, {"said": remark.MEDIAN}),
    (remark.figure_for_squares, {"said": 1 / epsilon}),
    (remark.figure_for_counts, {"said": remark.LEAST_FOR_COUNTS}),
    (least_error.geometric_noise_is_enough, {"budget": TOO_MUCH}),
    (least_error.least_for_counts, {"claimed": 2 * least_error.LEAST_FOR_COUNTS}),
    (least_error.attained_for_counts, {"mean": 1 / (1 - least_error.alpha)}),
    (least_error.attained_for_counts, {"name": WRONG}),
    (least_error.linear_programme_agrees, {"budget": TOO_MUCH}),
    (least_error.least_for_reals, {"claimed": remark.HALF / epsilon}),
    (least_error.least_absolute_for_reals, {"claimed": remark.HALF / epsilon}),
    (remark.figure_is_no_bound, {"start": Fraction(2)}),
    (remark.figure_bounds_squares, {"share": Fraction(1)}),
    (remark.misses_for_squares, {"least": remark.HALF / epsilon}),
    (remark.misses_for_absolute, {"least": remark.HALF / epsilon}),
    (remark.misses_for_counts, {"least": remark.LEAST_FOR_REALS}),
    (remark.misses_when_rounded, {"unit": 2}),
    (remark.every_release_is_post_processing, {"budget": TOO_MUCH}),
)
