"""Section 1."""

from fractions import Fraction

from shiftproof.mechanisms.incorrect_randomized_response import mangat_too_honest
from shiftproof.mechanisms.randomized_response import warner
from shiftproof.proofs.claims.asymmetric_dp.foundations import introduction as part
from shiftproof.proofs.claims.asymmetric_dp.foundations import responses

CONTROLS = (
    (part.zero_spreads, {"slack": Fraction(1, 100)}),
    (part.nothing_is_left, {"sensitive": frozenset({1})}),
    (part.yes_is_certain, {"response": responses.mangat_no_is_certain}),
    (part.no_is_certain, {"response": responses.mangat_yes_is_certain}),
    (part.no_ratio_is_enough, {"response": warner}),
    (part.mangat_is_adp, {"response": mangat_too_honest}),
    (part.mangat_is_adp_up_to, {"exponent": 2}),
    (part.mangat_is_uldp, {"response": responses.mangat_for_no}),
    (part.mangat_is_utility_optimised, {"sensitive": 2}),
    (part.same_for_one_value, {"attributes": 2}),
    (part.noise_is_one_sided_for_one_value, {"mechanism": responses.count_of_visits}),
    (part.noise_is_two_sided_for_two_values, {"mechanism": responses.count_of_values}),
    (part.noise_is_two_sided_for_two_values, {"locations": 1}),
    (part.nothing_is_one_sided_for_two_values, {"sensitive": True}),
    (part.noise_is_one_sided_under_adp, {"mechanism": responses.count_of_visits}),
)
