"""What the papers are about, topic by topic: in which order the claims stand, and on which page."""

from __future__ import annotations

from dataclasses import dataclass

from .claim import Paper


@dataclass(frozen=True, slots=True)
class Topic:
    """A stretch of a paper that is read in one go.

    Attributes:
        key: what its page is called.
        title: what it is about.
        paper: whose it is.
        parts: the modules with its claims, in the order of the paper.
    """

    key: str
    title: str
    paper: Paper
    parts: tuple[str, ...]


TOPICS = (
    Topic(
        "asymmetric_background", "Randomised response, DP and counting queries",
        Paper.ASYMMETRIC_DP,
        (
            "foundations.introduction", "foundations.background", "foundations.randomness",
            "foundations.counting", "foundations.queries",
        ),
    ),
    Topic(
        "asymmetric_policies", "Policies, neighbours and ADP", Paper.ASYMMETRIC_DP,
        (
            "foundations.policies", "foundations.neighbouring", "foundations.sensitivity",
            "foundations.adp", "foundations.composition",
        ),
    ),
    Topic(
        "asymmetric_noise", "One-sided errors and noise", Paper.ASYMMETRIC_DP,
        ("one_sided", "minimum_step", "noise", "noise_error", "remark"),
    ),
    Topic(
        "asymmetric_queries", "Thresholds, top-k and sparse vectors", Paper.ASYMMETRIC_DP,
        ("threshold", "top_k", "sparse_vector"),
    ),
    Topic(
        "asymmetric_monitoring", "Monitoring, and the experiments", Paper.ASYMMETRIC_DP,
        ("monitoring", "places", "experiments", "false_negatives"),
    ),
    Topic(
        "minimum_search", "Tails, responses and the search", Paper.MINIMUM_FINDING,
        ("tails", "responses", "search"),
    ),
    Topic(
        "minimum_errors", "Errors, lower bounds and the experiments", Paper.MINIMUM_FINDING,
        ("mean_error", "rates", "hardness", "lower_bounds", "experiments"),
    ),
    Topic(
        "geometric_channels", "Geometric noise as a channel", Paper.GEOMETRIC_NOISE,
        ("single_report", "definitions", "channels", "truncated"),
    ),
    Topic(
        "geometric_reconstruction", "Reconstruction, and what is optimal", Paper.GEOMETRIC_NOISE,
        ("convergence", "reconstruction", "optimality"),
    ),
)  # fmt: skip
