"""Section 5.3.1: other readings, a window without marks, more monitors and visits."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import monitoring as part

CONTROLS = (
    (part.silence_of_all, {"reading": "visitors only"}),
    (part.silence_of_visitors, {"window": 1}),
    (part.silence_by_visits, {"window": 1}),
    (part.safe_is_safe, {"least_noise": Fraction(-1)}),
    (part.a_third_each, {"monitors": 4}),
    (part.whole_for_one_visit, {"visits": ((0, 0), (0, 1), (1, 1))}),
    (part.theorem_14_for_all, {"name": "incorrect_stream_monitor.stream_monitor_short_silence"}),
    (part.theorem_14_for_visitors, {"reading": "all records"}),
    (part.theorem_14_for_private_expiry, {"reading": "all records"}),
    (part.theorem_14_is_attained, {"reading": "visitors only"}),
    (part.batch_sizes_show, {"window": 1}),
    (part.theorem_14_proof_as_printed, {"window": 1}),
    (part.theorem_14_proof_repaired, {"reading": "visitors only"}),
)
