"""What shiftproof cannot do today, of these mechanisms: the verdict that it gives, and why.

The reasons say what a proof or a counterexample would need; all of the mechanisms are what they
claim to be.
"""

from __future__ import annotations

#: For each reason and verdict, the mechanisms that have it.
REASONS = {
    ("unknown", "a budget that is an account"): """
        svt_with_spending
    """,
    ("unknown", "noise that is drawn into a list first"): """
        noise_in_a_list svt_noise_drawn_before
    """,
    ("unknown", "a maximum by comparisons"): """
        maximum_by_max maximum_in_pairs
    """,
    ("unknown", "draws in the branches of a test of data"): """
        decided_before_the_noise
    """,
    ("unknown", "indices that are products, or halves"): """
        grid_of_two_levels grid_row_by_row
    """,
    ("unknown", "totals by public groups"): """
        group_sums group_sums_one_at_a_time
    """,
    ("unknown", "a sum over users, each beside a noisy value"): """
        gradient_steps
    """,
    ("unknown", "which windows a record is in"): """
        window_sample
    """,
    ("bounded", "sums of weights that fall"): """
        decayed_sum_fresh_noise
    """,
    ("unknown", "partial sums in a list"): """
        binary_counter_of_seven
    """,
    ("unknown", "a maximum of the data, tested before the choice"): """
        confident_votes
    """,
    ("unknown", "scores that move together"): """
        change_point
    """,
    ("unknown", "scores made of counts, moved apart by an absolute value"): """
        quantile_by_noisy_ranks
    """,
    ("unknown", "a choice in each round of a loop"): """
        peeling
    """,
    ("unknown", "shifts of a minimum and a maximum of noise"): """
        k_min_max two_min_max
    """,
    ("unknown", "four noisy limits"): """
        m_range two_range
    """,
    ("unknown", "several runs on D for one on D': a sum of densities"): """
        best_of_random_repetitions bounded_laplace difference_of_exponentials
        difference_of_geometrics exponential_with_a_sign geometric_by_coins
        mixture_of_laplace_and_a_coin square_wave staircase_from_its_parts
    """,
    ("unknown", "a middle that moves with the value: a sum of densities"): """
        piecewise
    """,
    ("bounded", "finite noise for sizes that are parameters"): """
        book_exponential direct_encoding optimized_unary rappor_instantaneous
    """,
    ("unknown", "finite noise: inequalities of parameters that the kernel does not decide"): """
        high_low_response key_and_value local_hashing pan_private_bits rappor_permanent
    """,
    ("unsupported", "weights in a loop over a public integer without bound"): """
        quantile_exponential
    """,
    ("unknown", "of the second batch: weights, bins, hashes, a noisy maximum"): """
        lh
    """,
    ("unknown", "not refuted: the likelihood is a limit of many answers"): """
        adaptive_gap_sparse_vector_stops_late one_range_going_on svt_two_in_a_row_for_one
        peeling_noise_for_one_round sniper_svt_2_threshold_forgotten
        top_k_one_shot_noise_for_one two_range_noise_of_one
    """,
    ("unknown", "not refuted: loops without end, repetitions"): """
        near_best_of_random_repetitions near_geometric_by_coins
    """,
    ("unknown", "not refuted: counts of records"): """
        near_quantile
    """,
    ("unknown", "not refuted: sixteen seeds"): """
        binary_local_hashing_half_the_noise
    """,
}
OPEN = {name: reason for reason, names in REASONS.items() for name in names.split()}
