"""Theorem 2, Corollaries 1 and 2."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import rates as part

CONTROLS = (
    (part.first_term, {"power": 2}),
    (part.last_term, {"share": Fraction(3, 4)}),
    (part.moments_are_powers, {"factor": Fraction(1, 2)}),
    (part.large_epsilon, {"power": 0}),
    (part.known_fatness, {"share": Fraction(1, 2)}),
    (part.known_fatness, {"power": 2}),
    (part.unknown_fatness, {"growth": 1}),
    (part.rates_match, {"power": 1}),
    (part.asking_once_matches, {"power": 2}),
)
