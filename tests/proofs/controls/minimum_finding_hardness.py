"""Theorem 1 and what is said of it."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import hardness as part

CONTROLS = (
    (part.one_hides_among_many, {"share": Fraction(21, 10)}),
    (part.many_differ, {"chance": Fraction(1, 2)}),
    (part.differing_hides_no_less, {"more": 1}),
    (part.two_points_attain, {"far": 1}),
    (part.worst_case_is_fat, {"mass": Fraction(0)}),
    (part.no_constant_for_all, {"reach": Fraction(1, 10)}),
    (part.every_exponent_will_do, {"power": -1}),
)
