"""The papers' claims, each decided by machine.

One package a paper, one module a part of it.  An entry is a :class:`Claim`: what is printed,
how it is read, and the checks that decide it (``claim.py``); ``settle`` draws the verdict
from what the checks find.  ``ways/`` holds the means of deciding that several entries share.
"""

from __future__ import annotations

import importlib

from .claim import Check as Check
from .claim import Claim as Claim
from .claim import Finding as Finding
from .claim import Paper as Paper
from .claim import Role as Role
from .claim import Settled as Settled
from .claim import Verdict as Verdict
from .claim import settle as settle

_PARTS = {
    Paper.ASYMMETRIC_DP: (
        "foundations.introduction",
        "foundations.background", "foundations.randomness", "foundations.counting",
        "foundations.queries", "foundations.policies", "foundations.neighbouring",
        "foundations.sensitivity", "foundations.adp", "foundations.composition",
        "one_sided", "minimum_step", "noise", "noise_error",
        "remark", "threshold", "top_k", "sparse_vector", "monitoring", "places",
        "experiments", "false_negatives",
    ),
    Paper.MINIMUM_FINDING: (
        "tails", "responses", "search", "mean_error", "rates", "hardness", "lower_bounds",
        "experiments",
    ),
    Paper.GEOMETRIC_NOISE: (
        "single_report", "definitions", "channels", "truncated", "convergence", "reconstruction",
        "optimality",
    ),
}  # fmt: skip


def claims(paper: Paper | None = None) -> tuple[Claim, ...]:
    """The claims of one paper, or of all three, in the order of the papers."""
    return tuple(
        claim
        for each, parts in _PARTS.items()
        if paper in (None, each)
        for part in parts
        for claim in _claims_of(each, part)
    )


def _claims_of(paper: Paper, part: str) -> tuple[Claim, ...]:
    folder = paper.name.lower()
    found: tuple[Claim, ...] = importlib.import_module(f".{folder}.{part}", __name__).CLAIMS
    return found
