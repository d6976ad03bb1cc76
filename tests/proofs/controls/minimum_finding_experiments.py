"""Section 6."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import experiments as part

SEARCH = "minimum_finding.private_binary_search"

CONTROLS = (
    (part.beta_is_uniform, {"beta": 2}),
    (part.slopes_in_users, {"factor": 1.5}),
    (part.slopes_in_eps, {"users": 2**10}),
    (part.saturated, {"users": 2**24}),
    (part.rates_adapt, {"alphas": (2, 1)}),
    (part.baseline_fails, {"users": 7}),
    (part.baseline_grows, {"scale": 1}),
    (part.search_stays_inside, {"part": Fraction(0)}),
    (part.right_above_right, {"than": "left"}),
    (part.right_above_left, {"than": "right"}),
    (part.asking_once_is_private, {"name": f"incorrect_{SEARCH}_asking_twice"}),
    (part.asking_once_is_better, {"eps": Fraction(2)}),
    (part.asking_once_at_best, {"power": 2}),
)
