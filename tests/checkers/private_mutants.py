"""Mutants that are private nevertheless, with the reason why.

A row names an operator, a place, and mechanisms; without names it is about every mechanism
that has this place.  ``…`` in a place stands for anything.  Besides the argument, each of
these mutants was compared with an exact enumeration of its outcomes on small inputs, with
noise on the integers in the place of noise with a density.
"""

from __future__ import annotations

Row = tuple[str, str, str]

#: Sparse vectors of which only the test sees the threshold, and those that compute a gap.
TESTS = (
    "sparse_vector sparse_vector_monotone sparse_vector_fresh_thresholds numeric_sparse_vector "
    "general_sparse_vector general_sparse_vector_monotone"
)
GAPS = "gap_sparse_vector"
ADAPTIVE = "adaptive_sparse_vector adaptive_sparse_vector_free_gap"
FRESH = "numeric_sparse_vector general_sparse_vector general_sparse_vector_monotone"
#: What claims replacement or more, for answers that move either way.
SYMMETRIC = (
    "laplace laplace_parallel geometric truncated_geometric histogram histogram_replacement "
    "partial_sum prefix_sum prefix_sum_all smart_sum smart_sum_continued table_of_values "
    f"noisy_max noisy_argmax noisy_top_k free_gap_top_k {TESTS} {GAPS} {ADAPTIVE}"
)
#: Noisy answers that are compared with each other as they come.
MAXIMA = "noisy_max noisy_max_exponential asymmetric_noisy_max top_k_by_peeling"
#: Those that need no second draw, no integers, and no shift down.
ONE_SIDED = f"{TESTS} {GAPS} {ADAPTIVE} noisy_max noisy_argmax noisy_top_k free_gap_top_k"
SMART = "smart_sum smart_sum_continued"

PRIVATE: dict[str, list[Row]] = {
    "more noise": [("scale doubled", "…", "")],
    "a tie may count on either side: the shifts keep both sides of a test as far apart, or more": [
        ("strictness", "f[i] + noise >= … → f[i] + noise > …", ""),
        ("strictness", "f[j] + noise >= T → f[j] + noise > T", ""),
        ("strictness", "f + noise < T → f + noise <= T", ""),
        ("strictness", "x + noise >= T → x + noise > T", ""),
        ("strictness", "z >= T → z > T", ""),
        ("strictness", "gap >= 0 → gap > 0", ""),
        ("strictness", "large_gap >= … → large_gap > …", ""),
        ("strictness", "…[i] + noise > top → …[i] + noise >= top", ""),
    ],
    "another claim in words only, which is decided by itself": [
        ("strictness", "… < T → … <= T", "threshold_decision threshold_decision_geometric"),
    ],
}
