"""Theorems 3 and 7."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import lower_bounds as part

CONTROLS = (
    (part.answers_look_alike, {"factor": Fraction(9, 10)}),
    (part.answers_add_up, {"factor": 1}),
    (part.estimates_miss_one, {"share": Fraction(11, 10)}),
    (part.masked_coins_look_alike, {"factor": Fraction(1, 3)}),
    (part.two_tails, {"towards": -1}),
    (part.two_tails_look_alike, {"factor": 1}),
)
