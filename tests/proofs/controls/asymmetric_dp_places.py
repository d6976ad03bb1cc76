"""Section 5.3.2: a threshold that is not reached, other jumps, one location, no second record."""

from fractions import Fraction

from shiftproof.proofs.claims.asymmetric_dp import places as part

CONTROLS = (
    (part.algorithm_4_as_printed, {"threshold": 2}),
    (part.algorithm_4_to_next_batch, {"threshold": 2}),
    (part.algorithm_4_to_next_location, {"jump": "next batch"}),
    (
        part.theorem_15_for_one_place,
        {"name": "incorrect_location_monitor.location_monitor_unmarked"},
    ),
    (part.visits_add_up, {"output": "safe", "threshold": Fraction(3)}),
    (part.theorem_15_is_attained, {"times": 2}),
    (part.two_records_cost_twice, {"times": 1}),
)
