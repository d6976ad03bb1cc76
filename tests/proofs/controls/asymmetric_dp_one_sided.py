"""Section 4 and Theorem 11."""

from fractions import Fraction
from math import floor

from shiftproof.dsl.privacy.policies import Policy
from shiftproof.mechanisms.threshold_decision import goal_decision_geometric
from shiftproof.proofs.claims.asymmetric_dp import minimum_step, one_sided, threshold
from shiftproof.proofs.claims.asymmetric_dp.threshold import at_most_geometric, at_most_one_more

SECTIONS_4_1_AND_4_2 = (
    (one_sided.some_true_data_get_it, {"policy": Policy.everything()}),
    (one_sided.all_true_data_get_it, {"n": 1}),
    (one_sided.seeing_it_is_knowing_it, {"chance_where_false": Fraction(1, 100)}),
    (one_sided.pure_means_epsilon_is_zero, {"chance": Fraction(0)}),
    (one_sided.pure_means_delta_is_zero, {"slack": Fraction(1, 100)}),
    (one_sided.theorem_8_bound, {"factor": Fraction(9, 10)}),
    (one_sided.theorem_8_attained, {"stretch": Fraction(11, 10)}),
    (one_sided.theorem_8_attained, {"stretch": Fraction(9, 10)}),
    (one_sided.theorem_8_optimum, {"share": Fraction(9, 10)}),
    (one_sided.theorem_8_not_attained, {"delta": Fraction(1, 10)}),
    (one_sided.at_most_one_in_n, {"per_record": Fraction(11, 10)}),
    (one_sided.one_in_n_attained, {"times": Fraction(11, 10)}),
)

SECTION_4_3 = (
    (minimum_step.steps_count_differing_records, {"per_record": 2}),
    (minimum_step.records_change_at_once, {"middle_is_reached": False}),
    (minimum_step.steps_have_a_direction, {"policy": Policy.everything()}),
    (minimum_step.theorem_9_from_data, {"chance_at_end": Fraction(1, 100)}),
    (minimum_step.theorem_9_to_data, {"factor": Fraction(11, 10)}),
    (minimum_step.steps_from_data_say_more, {"policy": Policy({0})}),
    (minimum_step.sharp_form, {"only_from_false": True}),
    (minimum_step.sharp_form_in_general, {"kept": False}),
    (minimum_step.bounded_without_a_path, {"protected": frozenset[int]()}),
    (minimum_step.sharp_only_for_policies, {"alpha": Fraction(1, 2)}),
)

THEOREM_11 = (
    (threshold.between_the_counts, {"threshold": Fraction(5)}),
    (threshold.up_to_the_threshold, {"decision": at_most_geometric}),
    (threshold.increasing_count, {"decision": goal_decision_geometric}),
    (threshold.exponential_noise_below_k, {"rate": 2}),
    (threshold.steps_of_any_count, {"per": 2}),
    (threshold.steps_to_the_threshold, {"rounded": floor}),
    (threshold.geometric_noise_below_k, {"first": 1}),
    (threshold.geometric_decisions_hold, {"below": at_most_one_more}),
    (threshold.geometric_decisions_computed, {"decision_below": at_most_geometric}),
    (threshold.none_says_it_more_often, {"alpha": Fraction(1, 2)}),
)

CONTROLS = (*SECTIONS_4_1_AND_4_2, *SECTION_4_3, *THEOREM_11)
