"""Section 4 of the geometric-noise paper."""

from fractions import Fraction

import sympy

from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.proofs.claims.geometric_noise import (
    convergence,
    optimality,
    reconstruction,
    squared_error,
)
from shiftproof.proofs.claims.geometric_noise import optimality as information

ALPHA = sympy.Symbol("alpha", positive=True)
NINE_TENTHS = Fraction(9, 10)
HALF = Fraction(1, 2)
NOISELESS = tuple(tuple(Fraction(i == j) for j in range(3)) for i in range(3))

CONTROLS = (
    (convergence.step_as_typeset, {"h_is_summed": True}),
    (convergence.step_keeps_mass, {"spread": NINE_TENTHS}),
    (convergence.step_is_em, {"row_scale": sympy.Integer(2)}),
    (convergence.slopes_decide, {"slope": NINE_TENTHS}),
    (convergence.mass_only_where_reports_are, {"center": 3 * ALPHA}),
    (convergence.distance_falls, {"weights": NINE_TENTHS}),
    (convergence.limit_is_an_empirical_law, {"zeros": 3}),
    (convergence.limit_is_the_likeliest_prior, {"slope": NINE_TENTHS}),
    (convergence.em_from_reports, {"channel": TruncatedGeometric(2, HALF).exact_matrix()}),
    (convergence.em_from_inside, {"weights": NINE_TENTHS}),
    (convergence.geometric_from_reports, {"center": 3 * ALPHA}),
    (reconstruction.fixed_points_are_one, {"other": (HALF, HALF)}),
    (reconstruction.slopes_and_uniqueness, {"slope": NINE_TENTHS}),
    (reconstruction.positive_fixed_point, {"end": 1 - ALPHA}),
    (reconstruction.misfit_is_bounded, {"slope": NINE_TENTHS}),
    (reconstruction.inverse_carries_over, {"middle": 1 + ALPHA}),
    (reconstruction.inverse_is_the_maximum, {"end": 1 - ALPHA}),
    (reconstruction.inverse_in_small_cases, {"level": HALF}),
    (squared_error.least_squared_error, {"level": Fraction(1, 5)}),
    (squared_error.least_total_variation, {"level": Fraction(1, 4)}),
    (squared_error.least_wasserstein, {"level": Fraction(1, 4)}),
    (squared_error.closed_forms, {"power": 2}),
    (squared_error.response_wins_beyond, {"constant": 3}),
    (squared_error.least_for_three_values, {"constant": 2}),
    (squared_error.least_at_high_eps, {"least_eps": Fraction(12, 10)}),
    (squared_error.two_values, {"n": 2}),
    (information.columns_are_sums_of_rays, {"private": False}),
    (information.information_is_sublinear, {"factor": 2}),
    (information.peaks_are_columns, {"valleys_allowed": True}),
    (information.valleys_split, {"right_goes": 1}),
    (information.splitting_gains, {"factor": NINE_TENTHS}),
    (information.induction_closes, {"gain": 0}),
    (information.most_information, {"factor": NINE_TENTHS}),
    (information.response_tells_less, {"other": NOISELESS}),
    (optimality.arimoto_has_the_form, {"slope": 2}),
    (optimality.arimoto_at_slope, {"share": HALF}),
    (optimality.arimoto_at_half_slope, {"exponent": 1}),
    (optimality.arimoto_factor_is_needed, {"exponent": 1}),
)
