"""Sections 3.1 and 3.2: policies, neighbours and sensitivity."""

from fractions import Fraction

from shiftproof.dsl.privacy.policies import Policy
from shiftproof.proofs.claims.asymmetric_dp.foundations import neighbouring, policies, sensitivity

ALL_BUT_BOB = {**policies.as_printed, "Bob": {(0, 0)}}
WITH_THEMSELVES = {**policies.as_printed, "Tom": {(0, 0)}, "Alice": policies.as_defined["Alice"]}
TOO_OFTEN = Fraction(51, 100)

CONTROLS = (
    (policies.definition_7_orders_policies, {"more": False}),
    (policies.definition_7_withholding_tells, {"sensitive": (0, 1)}),
    (policies.example_1_from_one, {"numbers": (1, 2)}),
    (policies.example_1_from_zero, {"numbers": (1, 2)}),
    (policies.example_1_hides_visits, {"sensitive": (0, 1)}),
    (policies.example_2_relates_all, {"everywhere": False}),
    (policies.example_2_is_replacement, {"policy": Policy(sensitive={1})}),
    (policies.definition_8_is_preorder, {"policy_of_first": False}),
    (policies.definition_8_is_directed, {"none_allowed": False}),
    (policies.example_3_reflexive, {"lists": WITH_THEMSELVES}),
    (policies.example_3_irreflexive, {"lists": ALL_BUT_BOB}),
    (policies.example_3_repaired, {"lists": policies.as_printed}),
    (neighbouring.definition_9_forth, {"forth": False}),
    (neighbouring.definition_9_back, {"forth": True}),
    (neighbouring.definition_9_is_irreflexive, {"allowed": (0, 1)}),
    (neighbouring.definition_10_survives_processing, {"least": -1}),
    (neighbouring.definition_10_survives_choice, {"most": 2}),
    (neighbouring.definition_10_adds_up_on_paths, {"steps": 0}),
    (neighbouring.example_4_hides_the_one, {"direction": -1}),
    (neighbouring.example_4_tells_the_zero, {"chance": TOO_OFTEN}),
    (neighbouring.example_4_tells_tom, {"chance": TOO_OFTEN}),
    (sensitivity.definition_11_bounds_paths, {"factor": 2}),
    (sensitivity.definition_11_suits_noise, {"share": 2}),
    (sensitivity.definition_11_may_be_smaller, {"policy": Policy.everything()}),
    (sensitivity.definition_12_along_paths, {"falls": False}),
    (sensitivity.definition_12_adds_up, {"factor": -1}),
    (sensitivity.theorem_4_as_printed, {"sizes": (2,)}),
    (sensitivity.theorem_4_for_one_size, {"policy_is_everything": False}),
    (sensitivity.theorem_4_small_cases, {"policy": Policy(sensitive={1})}),
    (sensitivity.example_5_for_all, {"forth": False}),
    (sensitivity.example_5_small_cases, {"policy": Policy.everything()}),
)
