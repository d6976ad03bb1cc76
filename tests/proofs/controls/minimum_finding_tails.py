"""Definition 1, Section 1 and Appendix A."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import tails as part

CONTROLS = (
    (part.fatness_is_nested, {"least": -1}),
    (part.every_exponent_is_one, {"towards": 1}),
    (part.stretching, {"factor": Fraction(1, 4)}),
    (part.decrease_becomes_slower, {"inverse": False}),
    (part.rate_becomes_smaller, {"inverse": False}),
    (part.beta_is_fat, {"with_one": False}),
    (part.truncated_normal_is_fat, {"both_ends": False}),
    (part.every_cut_is_fat, {"power": 0}),
    (part.dense_cut_is_fat, {"share": Fraction(2)}),
    (part.power_at_cut, {"least": 2}),
)
