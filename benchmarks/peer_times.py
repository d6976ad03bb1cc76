"""What other tools take for the programs of their benchmarks, and where that is known from.

Of two kinds: *published* by the tools' authors, of their own machines; and taken *earlier*, once,
for this project, by running the released tools on another machine with two cores.
"""

from __future__ import annotations

from typing import TypeAlias

#: A program's name in the peer's benchmark, and seconds.
Known: TypeAlias = tuple[str, float]
#: A lower bound on ε, and seconds.
Bound: TypeAlias = tuple[float, float]

#: After how many seconds CheckDP was stopped.
CAP = 300.0

#: CheckDP's proofs, by the gallery's names.  Earlier; KLEE 3.1, Z3 alone, size 5, ε = 1.
CHECKDP_PROOFS: dict[str, Known] = {
    "sparse_vector": ("SVT", 21.3),
    "gap_sparse_vector": ("GapSVT", 27.1),
    "numeric_sparse_vector": ("NumSVT", 27.9),
    # One of the two directions; the other took 6.4 s.
    "sparse_vector_monotone": ("SVT, one-directional", 15.8),
    "adaptive_sparse_vector": ("AdaptiveSVT", 143.6),
    "noisy_max": ("NoisyMax", CAP),
    "partial_sum": ("PartialSum", 3.7),
    "smart_sum": ("SmartSum", 5.5),
}
#: CheckDP's counterexamples, likewise; without their check by a second tool.
CHECKDP_REFUTATIONS: dict[str, Known] = {
    "noisy_max_value": ("BadNoisyMax", 47.1),
    "sparse_vector_no_query_noise": ("BadSVT1", 8.7),
    "sparse_vector_without_limit": ("BadSVT2", 212.4),
    "sparse_vector_noise_without_limit": ("BadSVT3", 60.1),
    "gap_sparse_vector_prints_value": ("BadGapSVT", 118.2),
    "adaptive_sparse_vector_prints_value": ("BadAdaptiveSVT", CAP),
    "partial_sum_half_noise": ("BadPartialSum", 2.1),
    "smart_sum_raw_blocks": ("BadSmartSum", 2.4),
}

#: ShadowDP's programs, by the gallery's names; it is given their alignments.
SHADOWDP_PROOFS = {
    "noisy_max": "NoisyMax",
    "sparse_vector": "SVT",
    "numeric_sparse_vector": "NumSVT",
    "gap_sparse_vector": "GapSVT",
    "partial_sum": "PartialSum",
    "prefix_sum": "PrefixSum",
    "smart_sum_continued": "SmartSum, blocks continued",
}
#: Published: no program takes longer, type check and verification together.
#: Source: Wang et al., Proving Differential Privacy with Shadow Execution, abstract.
SHADOWDP_LONGEST = 3.0

#: StatDP's and DP-Sniper's incorrect programs that CheckDP does not have.
STATDP_ONLY = {
    "histogram_scale_eps": "NoisyHist2",
    "noisy_max_value_exponential": "ReportNoisyMax4",
    "sparse_vector_prints_value": "SVT3 (iSVT4)",
}

#: Published by DP-Sniper's authors, for ε = 0.1, by the names of ``peer_mechanisms``; each tool
#: chose inputs and event by itself.  The lower bound on ε, and the seconds of the search without
#: those of the final estimate: of DP-Sniper, with logistic regression, and of StatDP.
#: Source: github.com/eth-sri/dp-sniper, eval_sp2021/reference-results, ``dd_search_reg_data.log``
#: (``eps_lcb``, ``time_dd_search``) and ``statdp_1_data.log`` (``eps_lcb``, ``statdp_time``).
PUBLISHED_AUDITS: dict[str, tuple[Bound, Bound | None]] = {
    "Laplace": ((0.0968, 19.6), (0.0998, 46.5)),
    "Truncated geometric": ((0.1156, 17.9), (0.1159, 351.8)),
    "Histogram": ((0.0978, 34.8), (0.0828, 505.1)),
    "Histogram, scale ε": ((4.602, 37.8), (9.717, 816.6)),
    "Noisy max index, Laplace": ((0.0923, 58.8), (0.0920, 59.8)),
    "Noisy max index, exponential": ((0.0975, 55.7), (0.0996, 58.6)),
    "Noisy max value, Laplace": ((0.2478, 59.4), (0.1991, 131.8)),
    "Noisy max value, exponential": ((0.3463, 59.8), (0.1960, 132.0)),
    "SVT1": ((0.0858, 118.0), (0.0298, 343.6)),
    "SVT2": ((0.0859, 148.1), (0.0316, 402.8)),
    "SVT3": ((0.1716, 149.8), (0.0231, 5821.1)),
    "SVT4": ((0.1687, 122.7), (0.1709, 555.6)),
    "SVT5": ((1.761, 56.3), (14.31, 351.3)),
    "SVT6": ((0.2720, 90.7), (0.3220, 755.0)),
    "NumericalSVT": ((0.0343, 142.2), None),
    "RAPPOR": ((0.2930, 130.6), (0.2416, 1177.6)),
    "One-time RAPPOR": ((0.5978, 79.9), (0.4706, 991.0)),
    "Prefix sum, all ten differ": ((0.5040, 92.1), (0.3516, 3367.0)),
}

#: Earlier: millions of sparse vectors of 10 queries a second on one core, from and to.
SAMPLING = {"DP-Sniper": (2.4, 3.0), "DP-Auditorium": (0.5, 0.95), "StatDP": (0.087, 0.396)}
