"""Section 5.2.1: sibling mechanisms, other budgets, and the gains as they are."""

from fractions import Fraction

import sympy

from shiftproof.proofs.claims.asymmetric_dp import top_k as part

WRONG = "incorrect_noisy_max.asymmetric_top_k_for_one"

CONTROLS = (
    (part.algorithm_1_as_printed, {"name": "top_k.asymmetric_top_k"}),
    (part.algorithm_1_repaired, {"name": WRONG}),
    (part.algorithm_1_costs_twice, {"epsilon": "eps"}),
    (part.theorem_12, {"name": WRONG}),
    (part.theorem_12_with_ties, {"name": WRONG}),
    (part.theorem_12_proof_as_printed, {"moved": True}),
    (part.theorem_12_proof_repaired, {"moved": False}),
    (part.theorem_12_proof_repaired, {"budget": Fraction(9, 10)}),
    (part.gain_absolute, {"claimed": sympy.Rational(1, 2)}),
    (part.gain_absolute_centred, {"claimed": sympy.exp(-1)}),
    (part.gain_squared, {"claimed": sympy.Rational(1, 2)}),
    (part.gain_squared_centred, {"claimed": sympy.Rational(1, 2)}),
    (part.gain_over_fair_laplace, {"scale": 2}),
)
