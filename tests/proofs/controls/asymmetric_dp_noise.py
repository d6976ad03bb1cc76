"""Section 5.1: density, moments, privacy, the decision; what is true of other constants."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import noise as part

CONTROLS = (
    (part.definition_15_as_printed, {"sign": -1}),
    (part.definition_15_repaired, {"sign": +1}),
    (part.variance_as_printed, {"sensitivity": 2}),
    (part.variance_in_general, {"share": 1}),
    (part.estimator_as_printed, {"directions": ("decreasing",)}),
    (part.estimator_if_decreasing, {"direction": "increasing"}),
    (part.estimator_of_each, {"increasing": +1}),
    (part.theorem_10, {"budget": Fraction(9, 10)}),
    (
        part.theorem_10_by_certificates,
        {"cases": ("incorrect_asymmetric.asymmetric_laplace_everything",)},
    ),
    (part.theorem_10_proof, {"values": (0, 1)}),
    (
        part.section_5_1_1,
        {"decreasing": "incorrect_threshold_decision.threshold_decision_wrong_direction"},
    ),
)
