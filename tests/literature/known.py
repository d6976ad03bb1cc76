"""What each mechanism truly loses: the least epsilon for which it is private, where it is known.

It is the supremum over all neighbours, outcomes and sizes, for the parameters as they are, and an
expression in these.  A comparison with a noisy threshold, for instance, with Laplace
noise of scale a on the threshold and b on the answers, loses 1 / a + 2 c / b for c positive
answers: with more and more negative ones beside them the ratio comes as close to it as one likes.
Mechanisms that lose without bound are not here, nor are those whose loss depends on the pair.
"""

from __future__ import annotations

#: For each loss in nats, the mechanisms that have it.
LOSSES = {
    "eps": """
        book_laplace book_histogram book_noisy_max book_common_condition book_exponential
        book_above_threshold book_sparse book_numeric_sparse lyu_1 lyu_2 checkdp_svt
        checkdp_svt_inverse checkdp_gap_svt checkdp_num_svt checkdp_adaptive_svt
        checkdp_noisy_max checkdp_partial_sum shadowdp_prefix_sum noisy_max_one_sided
        noisy_max_one_sided_monotone noisy_max_discrete noisy_max_with_gap top_k_with_gaps
        top_k_with_gaps_monotone top_k_one_shot top_k_then_measured peeling optimal_binary
        direct_encoding response_of_four symmetric_unary optimized_unary
        optimized_unary_of_three local_hashing binary_local_hashing
        hadamard_response_of_four subset_selection count_mean_sketch
        hadamard_count_mean_sketch duchi telemetry_bit telemetry_rounding
        two_bits_of_buckets laplace_in_a_range piecewise square_wave one_coordinate_of_two
        bit_pushing ghosh_geometric ghosh_truncated discrete_laplace_of_a_sum
        one_sided_geometric_one_way difference_of_geometrics difference_of_exponentials
        exponential_with_a_sign geng_staircase staircase_from_its_parts logistic_noise
        laplace_with_atoms folded_laplace folded_geometric geometric_by_coins
        histogram_bounded histogram_of_integers histogram_and_its_total
        histogram_and_its_total_for_nothing tree_of_four pairs_of_cells wavelet_of_four
        simple_counter_1 simple_counter_2 two_level_counter window_uniform window_sample
        bounded_sum bounded_mean noisy_average noisy_moments regression_statistics
        median_by_halving quantile_by_noisy_ranks quantile_exponential range_counts
        change_point adaptive_gap_sparse_vector gap_sparse_vector_with_measure
        first_above_in_a_stream first_above_with_one_sided_noise first_below
        index_of_the_first_above thresholds_on_the_counts retraversal
        increasing_threshold_for_free guess_or_answer adp_laplace adp_decision adp_top_k
        adp_sparse_vector adp_noisy_max adp_histogram adp_mangat osdp_response osdp_laplace
        osdp_laplace_cut adp_two_sided group_laplace group_histogram line_graph
        cumulative_counts partition_graph related_laplace utility_optimized_of_four
        opendp_count opendp_count_by_categories opendp_response_bool opendp_noisy_max
        opendp_report_noisy_min diffprivlib_laplace diffprivlib_binary diffprivlib_mean
        diffprivlib_count_nonzero diffprivlib_histogram google_count_of_contributions
        google_count_over_partitions tumult_count_and_share pipelinedp_sum
        smartnoise_threshold statdp_noisy_max statdp_sparse_vector sniper_svt_2 one_range
        one_range_telling_the_side two_range m_range two_min_max binary_counter_of_three
        binary_counter_of_seven counter_with_public_resets decayed_sum
        decayed_sum_fresh_noise window_of_differences first_good_repetition
        sketch_of_two_rows step_function_of_a_stream tulap binomial_test contingency_table
        two_marginals marginals_from_the_table split_of_a_node cluster_step best_split
        best_split_then_its_counts larger_of_two_counts edges_of_a_graph degree
        svt_divided_by_sensitivity svt_with_spending svt_with_a_budget_of_tokens
        svt_with_a_helper svt_noise_on_the_difference svt_noise_drawn_before
        svt_answers_first_then_told svt_two_in_a_row svt_until_the_count_is_reached
        svt_relative_threshold svt_alternating maximum_by_max maximum_of_the_others
        maximum_with_a_measurement maximum_in_pairs smallest_by_argmax weighted_maximum
        cumulated_histogram heaviest_noisy_cells coarser_histogram count_of_ones
        share_of_ones count_above_and_below largest_clipped midrange first_minus_last
        alternating_sum moving_average response_by_two_draws responses_of_a_group
        shuffled_answer rounded_to_fives sum_of_the_counts_of_pairs two_measured
        all_measured_with_shares cells_in_parallel chosen_then_measured measured_until_large
        one_of_two_by_a_result coarse_then_fine responses_of_many decided_before_the_noise
        dot_product sum_of_scaled prefix_sums_of_scaled sum_over_sensitivity
        sliding_sums_of_two differences grid_row_by_row grid_of_two_levels group_sums
        group_sums_one_at_a_time visits_by_place noisy_gradient_step clipped_square
        clipped_distance thermometer noise_in_a_list_of_two noise_in_a_list measured
        measured_answer chosen measured_cell respond discrete_sparse_vector two_levels
    """,
    "2 * eps": """
        book_histogram_under_replacement book_noisy_max_under_replacement
        book_exponential_whole_budget checkdp_smart_sum checkdp_bad_partial_sum
        noisy_max_one_sided_half_noise noisy_max_with_gap_and_second asked_twice
        asked_twice_for_one symmetric_unary_whole_budget binary_local_hashing_half_the_noise
        hadamard_response_two_rows two_bits_of_buckets_whole_budget both_coordinates_for_one
        bit_pushing_all_bits ghosh_small_noise geng_staircase_narrow_steps
        histogram_and_its_total_for_one two_level_counter_for_one window_sample_of_two
        bounded_sum_of_the_upper_half votes_of_teachers votes_of_teachers_half_budget
        change_point_half_noise adp_top_k_as_typeset adp_mangat_half_lies
        line_graph_half_noise opendp_count_by_categories_bounded
        diffprivlib_histogram_bounded contingency_table_unbounded two_marginals_for_one
        decayed_sum_fresh_noise_of_one split_of_a_node_with_labels
        larger_of_two_counts_half_noise near_smart_sum near_top_k_with_gaps
        near_bounded_mean near_diffprivlib_mean near_quantile near_difference_of_geometrics
        near_difference_of_exponentials near_staircase_from_its_parts near_cumulative_counts
        degree_and_edges_for_one svt_two_in_a_row_for_one count_above_and_below_for_one
        two_measured_for_one responses_of_many_twice sliding_sums_of_two_for_one
        tumult_count_and_share_for_one
    """,
    "3 * eps": """
        binary_counter_of_seven_one_level wavelet_of_four_one_level
    """,
    "3 / 2 * eps": """
        svt_with_spending_half thermometer_like_one_hot near_piecewise near_subset_selection
        binary_counter_of_three_fresh tree_of_four_two_levels noisy_moments_of_two
        group_laplace_for_one two_min_max_released
    """,
    "5 / 3 * eps": """
        discrete_laplace_of_the_larger_part
    """,
    "10 * eps": """
        best_of_ten_repetitions_for_one diffprivlib_mean_unscaled_range
    """,
    "20 * eps": """
        sniper_laplace_parallel sniper_laplace_parallel_of_nineteen
    """,
    "eps / 2": """
        bits_of_buckets
    """,
    "k * eps": """
        memoryless_response memoryless_response_for_one_day book_laplace_vector
        top_k_one_shot_noise_for_one peeling_noise_for_one_round
    """,
    "n * eps": """
        svt_relative_threshold_too_precise all_measured sniper_prefix_sum
    """,
    "n * eps / 2": """
        noisy_max_value_of_n
    """,
    "m * eps": """
        google_count_over_partitions_l0
    """,
    "steps * eps": """
        gradient_steps
    """,
    "5 * eps": """
        rounded_to_fives_before
    """,
    "rounds * eps": """
        worst_query_again_and_again median_by_halving_for_one
    """,
    "c * eps": """
        book_sparse_noise_for_one
    """,
    "(1 + 6 * c) / 4 * eps": """
        lyu_4 lyu_4_as_printed
    """,
    "(1 + 6 * N) / 4 * eps": """
        checkdp_bad_svt_3 statdp_isvt_3
    """,
    "(1 + 3 * c) / 4 * eps": """
        lyu_4_monotone
    """,
    "(c + 1) / 2 * eps": """
        sniper_svt_2_threshold_forgotten
    """,
    "(c + 1) / c * eps": """
        adp_sparse_vector_as_typeset
    """,
    "eps1 + eps2": """
        lyu_7 lyu_7_monotone
    """,
    "eps1 + eps2 + eps3": """
        lyu_7_numeric
    """,
    "eps1 + 2 * eps2": """
        near_lyu_7 lyu_7_monotone_scale_for_all
    """,
    "eps1 + (c + 1) / c * eps2": """
        lyu_7_one_more_answer
    """,
    "(theta + (1 - theta) * (2 * k + 1) / k) * eps": """
        adaptive_gap_sparse_vector_stops_late
    """,
    "1 / eps": """
        histogram_with_scale_eps
    """,
    "-log(1 - eps / 2)": """
        pan_private_bits
    """,
    "1 / 2": """
        noise_with_a_fixed_scale
    """,
    "(hi - lo) * eps": """
        laplace_in_a_range_of_one
    """,
    "eps + log(last)": """
        direct_encoding_of_two
    """,
    "eps + log(2)": """
        near_square_wave
    """,
    "log(exp(eps) + 1)": """
        near_optimized_unary
    """,
    "eps + log(3)": """
        optimized_unary_too_honest
    """,
    "eps + log(9)": """
        exponential_with_a_loaded_sign
    """,
    "max(eps2, eps1 + log(2 * exp(eps2) / (1 + exp(eps2))))": """
        near_key_and_value key_and_value key_and_value_for_the_key
    """,
    "log(2)": """
        telemetry_bit_not_squeezed
    """,
    "log(3)": """
        book_two_coins book_two_coins_for_one
    """,
    "log(4)": """
        warner_four_of_five warner_at_its_cost
    """,
    "log(5)": """
        duchi_up_to_the_edge
    """,
    "log(10)": """
        forced_response forced_response_by_the_yes
    """,
    "log(77 / 45)": """
        rappor_instantaneous rappor_instantaneous_claiming_less
    """,
    "log(p / (1 - p))": """
        warner
    """,
    "log((t + (1 - t) * p) / ((1 - t) * (1 - p)))": """
        two_stage
    """,
    "2 * log((2 - f) / f)": """
        rappor_permanent
    """,
    "abs(log(exp(eps) - 1))": """
        optimal_binary_of_answers
    """,
}
KNOWN = {name: loss for loss, names in LOSSES.items() for name in names.split()}
