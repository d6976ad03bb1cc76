"""Theorems 4 and 5."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import mean_error as part

CONTROLS = (
    (part.mistakes_of_the_minimum, {"allowed": 0}),
    (part.mistakes_are_rare, {"times": Fraction(3, 2)}),
    (part.quantile_is_near, {"more": Fraction(1, 2)}),
    (part.exact_errors, {"tail": 0}),
    (part.uniform_moments, {"shift": 0}),
    (part.order_statistics, {"shift": 1}),
    (part.beyond_the_tail, {"reach": Fraction(1, 2)}),
)
