"""Section 1: the errors as they are, and shifts that are not the best."""

import sympy

from shiftproof.proofs.claims.asymmetric_dp import noise_error as part

CONTROLS = (
    (part.error_absolute, {"before": 1}),
    (part.error_absolute_centred, {"before": 1, "after": 2 / sympy.E}),
    (part.error_squared, {"after": sympy.sqrt(2)}),
    (part.error_squared_centred, {"before": 2}),
    (part.error_absolute_least, {"shift": part.MEAN}),
)
