"""Sections 2 and 3, Lemma 2 and Appendix C.1."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import responses as part

CONTROLS = (
    (part.answers_are_private, {"users": 2}),
    (part.one_answer_only, {"name": "minimum_finding.private_binary_search"}),
    (part.response_is_private, {"name": "incorrect_randomized_response.warner_twice_as_honest"}),
    (part.response_is_tight, {"more": 1}),
    (part.quantiles_are_values, {"above": 1}),
    (part.estimate_is_unbiased, {"less": 2}),
    (part.deviations_are_rare, {"rate": Fraction(5, 2)}),
    (part.exact_tails, {"share": Fraction(3, 5)}),
    (part.exact_tails, {"rate": Fraction(3)}),
    (part.local_is_central, {"users": 2}),
)
