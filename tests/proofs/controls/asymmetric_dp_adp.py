"""Section 3.3."""

from fractions import Fraction

from shiftproof.dsl.privacy.policies import Policy
from shiftproof.proofs.claims.asymmetric_dp.foundations import adp, composition

CONTROLS = (
    (adp.odds_of_the_truth, {"spent": Fraction(11, 10)}),
    (adp.odds_of_two_that_agree, {"records": 1}),
    (adp.odds_of_two_others, {"lean": Fraction(1)}),
    (adp.belief_in_the_truth, {"spent": Fraction(11, 10)}),
    (adp.everything_is_replacement, {"policy": Policy({1}, (0, 1, 2))}),
    (adp.size_may_be_published, {"removed": 0}),
    (adp.policies_only_take_away, {"records": 2}),
    (adp.replacing_is_two_steps, {"cost": 1}),
    (composition.one_coin_for_two, {"shared": Fraction(0)}),
    (composition.independent_costs_add_up, {"spent": Fraction(11, 10)}),
    (composition.cubes_do_not_decide, {"off_diagonal": Fraction(0)}),
    (composition.volumes_are_kept, {"stretch": 2}),
    (composition.density_falls_by_the_cost, {"factor": Fraction(11, 10)}),
    (composition.support_is_not_left, {"certificate": "threshold_decision.threshold_decision"}),
    (
        composition.alignment_of_alap,
        {"certificate": "incorrect_asymmetric.asymmetric_laplace_everything"},
    ),
)
