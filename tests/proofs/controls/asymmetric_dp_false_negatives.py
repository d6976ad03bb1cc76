"""Section 6.3."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import false_negatives as part

CONTROLS = (
    (part.one_update_at_count_0, {"count": 1}),
    (part.one_update_at_all_counts, {"slope": Fraction(101, 100)}),
    (part.small_without_visitors, {"count": 1}),
    (part.small_at_most_counts, {"share": Fraction(1, 5)}),
    (part.in_one_update, {"count": 1}),
    (part.after_five_updates, {"updates": 1}),
)
