"""Sections 1 to 3 of the geometric-noise paper."""

from fractions import Fraction

import sympy

from shiftproof.proofs.claims.geometric_noise import channels, definitions, single_report, truncated

ALPHA = channels.alpha
GEOMETRIC = {"scale": (1 - ALPHA) / (1 + ALPHA), "ratio": ALPHA}
THIRD = Fraction(1, 3)
BROKEN = "incorrect_metric_privacy.truncated_geometric_response_half_noise"

CONTROLS = (
    # a prior under which neither constant is as good as the noisy answer
    (single_report.report_as_it_is, {"prior": (THIRD,) * 3, "level": Fraction(1, 10)}),
    (single_report.best_guess_of_three, {"monotone": False}),
    (single_report.best_guess_in_small_cases, {"monotone": False}),
    (definitions.events_follow_from_reports, {"slack": Fraction(1, 100)}),
    (definitions.budgets_add, {"share": Fraction(99, 100)}),
    (definitions.collection_is_private, {"changed": 2}),
    (definitions.single_numbers_say_nothing, {"second": 0}),
    (definitions.neighbours_suffice, {"extra": 1}),
    (definitions.discrete_metric_gives_ldp, {"distances_are_at_least_one": False}),
    (definitions.printed_conditions_suffice, {"last": 2, "sums_are_one": True}),
    (definitions.entries_condition_on_reports, {"prior": Fraction(1, 2)}),
    (definitions.rows_give_laws, {"row_sum": Fraction(1, 2)}),
    (channels.entries_divided_by_powers, GEOMETRIC),
    (channels.powers_of_the_fraction, GEOMETRIC),
    (channels.geometric_law, {"scale": (1 - ALPHA) / (1 + ALPHA**2)}),
    (channels.geometric_is_private, {"name": BROKEN}),
    (channels.rows_sum_to_one, {"end": 1 - ALPHA}),
    (channels.ends_gather_the_tails, {"scale": 1 / (1 + ALPHA)}),
    (channels.gallery_has_this_law, {"n": 4}),
    (channels.gallery_has_this_law, {"level": THIRD}),
    (truncated.truncated_is_private, {"name": BROKEN}),
    (truncated.triangle_on_the_line, {"most": 1}),
    (truncated.privacy_is_tight, {"power": 2}),
    (truncated.triangle_as_printed, {"at_least": True}),
    (truncated.conclusion_as_printed, {"sign": -1}),
    (truncated.chain_mended, {"most": 1}),
    (truncated.invertible_at_every_level, {"level": Fraction(1, 2)}),
    (truncated.tridiagonal_inverse, {"middle": sympy.Integer(1)}),
    (truncated.determinant, {"odd": 2}),
    (truncated.largest_on_the_diagonal, {"second": 16, "beyond": 64}),
    (truncated.geometric_form, {"middle": 1 + ALPHA}),
)
