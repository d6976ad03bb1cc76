"""shiftproof: formal verification and testing of privacy proofs.

Write a randomised mechanism as a small Python function, declare the privacy that it
claims, and let :func:`verify` prove it for all sizes or say what is in the way::

    from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample, verify

    @mechanism(DP())
    def noisy_count(x: Count, eps: Epsilon) -> float:
        noise = sample(Laplace(1 / eps))
        return x + noise

    print(verify(noisy_count).verdict)      # proved

Everything public is importable from here and loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .dsl.version import __version__ as __version__
from .showing import notebooks as notebooks

if TYPE_CHECKING:
    from . import strategies as strategies
    from .checkers.auditing.audit import audit
    from .checkers.auditing.boxes.boxes import pairs_of_relation
    from .checkers.auditing.boxes.callables import CallableBox
    from .checkers.auditing.boxes.commands import CommandBox
    from .checkers.auditing.boxes.spaces import AnswerSpace, RecordSpace
    from .checkers.auditing.edges import (
        one_sided_rate_adp,
        one_sided_rate_attained,
        one_sided_rate_dp,
    )
    from .checkers.auditing.one_run import OneRunAudit, audit_one_run, guesses_by_score
    from .checkers.auditing.one_sided import OneSidedAudit, OneSidedRow, audit_one_sided
    from .checkers.auditing.result import Audit, Judgement, Tested
    from .checkers.auditing.visible import Visible
    from .checkers.bound import Bracket, bound
    from .checkers.exact.numbers import Enclosure
    from .checkers.proving.one_sided import one_sided_optimum
    from .checkers.refuting.comparison import (
        Comparison,
        comparison_from_json,
        recompute,
    )
    from .checkers.refuting.likelihood import Likelihood, describe, likelihood
    from .checkers.refuting.refute import refute
    from .checkers.refuting.values import Interval, Released
    from .checkers.strategies.sensitivity import SensitivityViolated, assert_p_sensitivity
    from .checkers.verdicts import OneSided, Report, Verdict
    from .checkers.verify import verify
    from .dsl.errors import BadInput, LimitReached, Location, ShiftproofError, Unsupported
    from .dsl.idealised import Idealisation, idealisations
    from .dsl.language.declaration import INFER
    from .dsl.language.runtime import (
        align,
        argmax,
        count,
        ensure,
        other,
        outcome,
        recorded,
        sample,
        seeded,
        top_k,
    )
    from .dsl.mechanism import Mechanism, mechanism
    from .dsl.noise import (
        Bernoulli,
        Categorical,
        Charge,
        DiscreteGaussian,
        DiscreteLaplace,
        DiscreteUniform,
        Distribution,
        Exponential,
        Gaussian,
        Laplace,
        Logistic,
        NegativeExponential,
        NegativeOneSidedGeometric,
        OneSidedGeometric,
        Staircase,
        TwoSidedGeometric,
        Uniform,
    )
    from .dsl.privacy.definitions import (
        ADP,
        DP,
        LDP,
        ZCDP,
        Blowfish,
        ContextAwareLDP,
        DPrivacy,
        Group,
        InputDiscriminativeLDP,
        OneSidedDP,
        Privacy,
        Related,
        UtilityOptimizedLDP,
    )
    from .dsl.privacy.inputs import (
        Count,
        CountingQueries,
        CountingQuery,
        Counts,
        DataSet,
        Delta,
        Epsilon,
        Histogram,
        IntegerQueries,
        IntegerQuery,
        IntegerValue,
        IntegerValues,
        IntVector,
        LocationCounts,
        Nat,
        Private,
        Public,
        Queries,
        Query,
        Rho,
        Stream,
        Value,
        Values,
        Vector,
        WindowCounts,
    )
    from .dsl.privacy.policies import (
        Policy,
        is_neighbour,
        is_record_neighbour,
        monotonicity,
        neighbours,
        p_sensitivity,
        record_neighbours,
    )
    from .dsl.privacy.steps import AnswerSteps, answer_steps, data_sets, minimum_step
    from .dsl.simulation.outcomes import Ending, Outcomes
    from .dsl.simulation.simulate import Simulation
    from .estimators.binary_search import (
        BinarySearch,
        MinimumEstimate,
        SearchPlan,
        SearchRound,
        respond,
        search_plan,
    )
    from .estimators.channels import Channel, MatrixChannel, count_reports
    from .estimators.em import Optimality, optimality
    from .estimators.geometric_channel import TruncatedGeometric
    from .estimators.inversion import (
        RandomisedResponse,
        exact_determinant,
        exact_inverse,
        inverse_distance,
        inversion_error,
        invert,
    )
    from .estimators.minimum import find_maximum, find_minimum, laplace_minimum
    from .estimators.minimum_bounds import (
        MinimumErrorBound,
        beta_fatness,
        minimum_error_bound,
        theorem_2b_bound,
    )
    from .estimators.noise_utility import NoiseErrors, NoiseUtility, noise_utility
    from .estimators.reconstruction import Reconstruction, reconstruct
    from .experiments.minimum import minimum_experiment
    from .experiments.minimum_results import MinimumExperiment
    from .experiments.monitor import monitor_experiment
    from .experiments.monitor_results import MonitorExperiment
    from .experiments.reconstruction import ReconstructionExperiment, reconstruction_experiment
    from .experiments.results import TopKExperiment
    from .experiments.top_k import top_k_experiment
    from .experiments.trajectories import Trajectories, read_trajectories, write_trajectories
    from .experiments.trajectories_town import generate_trajectories
    from .showing.assertions import assert_private
    from .showing.explaining.explain import Explanation, explain
    from .showing.plots.alignment import plot_alignment
    from .showing.plots.audit import plot_audit, plot_bracket
    from .showing.plots.utility import SimulatedUtility, plot_utility, simulated_utility
    from .showing.theorems.folder import write_theorems
    from .workspace.files import write_certificates
    from .workspace.targets import one_mechanism

_HOMES = {
    "checkers.auditing.audit": ("audit",),
    "checkers.auditing.boxes.boxes": ("pairs_of_relation",),
    "checkers.auditing.boxes.callables": ("CallableBox",),
    "checkers.auditing.boxes.commands": ("CommandBox",),
    "checkers.auditing.boxes.spaces": ("AnswerSpace", "RecordSpace"),
    "checkers.auditing.edges": (
        "one_sided_rate_adp", "one_sided_rate_attained", "one_sided_rate_dp",
    ),
    "checkers.auditing.one_run": ("OneRunAudit", "audit_one_run", "guesses_by_score"),
    "checkers.auditing.one_sided": ("OneSidedAudit", "OneSidedRow", "audit_one_sided"),
    "checkers.auditing.result": ("Audit", "Judgement", "Tested"),
    "checkers.auditing.visible": ("Visible",),
    "checkers.bound": ("Bracket", "bound"),
    "checkers.exact.numbers": ("Enclosure",),
    "checkers.proving.one_sided": ("one_sided_optimum",),
    "checkers.refuting.comparison": (
        "Comparison",
        "comparison_from_json",
        "recompute",
    ),
    "checkers.refuting.likelihood": ("Likelihood", "likelihood", "describe"),
    "checkers.refuting.refute": ("refute",),
    "checkers.refuting.values": ("Interval", "Released"),
    "checkers.strategies.sensitivity": ("SensitivityViolated", "assert_p_sensitivity"),
    "checkers.verdicts": ("OneSided", "Report", "Verdict"),
    "checkers.verify": ("verify",),
    "dsl.errors": ("BadInput", "LimitReached", "Location", "ShiftproofError", "Unsupported"),
    "dsl.language.declaration": ("INFER",),
    "dsl.mechanism": ("Mechanism", "mechanism"),
    "dsl.language.runtime": (
        "align", "argmax", "count", "ensure", "other", "outcome", "recorded", "sample", "seeded",
        "top_k",
    ),
    "dsl.noise": (
        "Bernoulli", "Categorical", "Charge", "DiscreteGaussian", "DiscreteLaplace",
        "DiscreteUniform", "Distribution", "Exponential", "Gaussian", "Laplace",
        "Logistic", "NegativeExponential",
        "NegativeOneSidedGeometric", "OneSidedGeometric", "Staircase", "TwoSidedGeometric",
        "Uniform",
    ),
    "dsl.privacy.definitions": (
        "ADP", "Blowfish", "ContextAwareLDP", "DP", "DPrivacy", "Group",
        "InputDiscriminativeLDP", "LDP",
        "OneSidedDP", "Privacy", "Related", "UtilityOptimizedLDP", "ZCDP",
    ),
    "dsl.privacy.inputs": (
        "Count", "CountingQueries", "CountingQuery", "Counts", "DataSet", "Delta", "Epsilon",
        "Histogram",
        "IntVector", "IntegerQueries", "IntegerQuery", "IntegerValue", "IntegerValues",
        "LocationCounts", "Nat", "Private",
        "Public", "Queries", "Query", "Rho", "Stream", "Value", "Values", "Vector", "WindowCounts",
    ),
    "dsl.privacy.policies": (
        "Policy", "is_neighbour", "is_record_neighbour", "monotonicity", "neighbours",
        "p_sensitivity", "record_neighbours",
    ),
    "dsl.privacy.steps": ("AnswerSteps", "answer_steps", "data_sets", "minimum_step"),
    "dsl.idealised": ("Idealisation", "idealisations"),
    "dsl.simulation.outcomes": ("Ending", "Outcomes"),
    "dsl.simulation.simulate": ("Simulation",),
    "estimators.binary_search": (
        "respond", "BinarySearch", "MinimumEstimate", "SearchRound", "SearchPlan", "search_plan",
    ),
    "estimators.channels": ("Channel", "MatrixChannel", "count_reports"),
    "estimators.em": ("Optimality", "optimality"),
    "estimators.geometric_channel": ("TruncatedGeometric",),
    "estimators.inversion": (
        "exact_determinant", "exact_inverse", "inverse_distance", "invert", "inversion_error",
        "RandomisedResponse",
    ),
    "estimators.minimum": ("laplace_minimum", "find_maximum", "find_minimum"),
    "estimators.minimum_bounds": (
        "MinimumErrorBound", "beta_fatness", "minimum_error_bound", "theorem_2b_bound",
    ),
    "estimators.noise_utility": ("NoiseErrors", "NoiseUtility", "noise_utility"),
    "estimators.reconstruction": ("Reconstruction", "reconstruct"),
    "experiments.minimum": ("minimum_experiment",),
    "experiments.minimum_results": ("MinimumExperiment",),
    "experiments.monitor": ("monitor_experiment",),
    "experiments.monitor_results": ("MonitorExperiment",),
    "experiments.reconstruction": ("ReconstructionExperiment", "reconstruction_experiment"),
    "experiments.results": ("TopKExperiment",),
    "experiments.top_k": ("top_k_experiment",),
    "experiments.trajectories": ("Trajectories", "read_trajectories", "write_trajectories"),
    "experiments.trajectories_town": ("generate_trajectories",),
    "showing.explaining.explain": ("Explanation", "explain"),
    "showing.plots.alignment": ("plot_alignment",),
    "showing.plots.audit": ("plot_audit", "plot_bracket"),
    "showing.plots.utility": ("SimulatedUtility", "simulated_utility", "plot_utility"),
    "showing.assertions": ("assert_private",),
    "showing.theorems.folder": ("write_theorems",),
    "workspace.files": ("write_certificates",),
    "workspace.targets": ("one_mechanism",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 - grouped as in the table above
    "ADP", "AnswerSpace", "AnswerSteps", "Audit", "BadInput", "Bernoulli", "BinarySearch",
    "Blowfish", "Bracket", "CallableBox", "Categorical", "Channel", "Charge", "CommandBox",
    "Comparison",
    "ContextAwareLDP", "Count", "CountingQueries", "CountingQuery", "Counts", "DP", "DPrivacy",
    "DataSet", "Delta", "DiscreteGaussian", "DiscreteLaplace", "DiscreteUniform", "Distribution",
    "Enclosure", "Ending",
    "Epsilon", "Explanation", "Exponential", "Gaussian", "Group", "Histogram", "Idealisation",
    "INFER", "InputDiscriminativeLDP",
    "IntVector", "IntegerQueries", "IntegerQuery", "IntegerValue", "IntegerValues", "Interval",
    "Judgement", "LDP", "Laplace",
    "Likelihood", "LimitReached", "Location", "LocationCounts", "Logistic", "MatrixChannel",
    "Mechanism", "MinimumErrorBound", "MinimumEstimate", "MinimumExperiment",
    "MonitorExperiment", "Nat",
    "NegativeExponential",
    "NegativeOneSidedGeometric", "NoiseErrors", "NoiseUtility", "OneRunAudit",
    "OneSided", "OneSidedAudit",
    "OneSidedDP", "OneSidedGeometric", "OneSidedRow", "Optimality", "Outcomes", "Policy",
    "Privacy", "Private", "Public", "Queries", "Query", "RandomisedResponse", "Reconstruction",
    "ReconstructionExperiment", "RecordSpace",
    "Related", "Released", "Report", "Rho", "SearchPlan", "SearchRound", "SensitivityViolated",
    "ShiftproofError", "SimulatedUtility", "Simulation", "Staircase", "Stream", "Tested",
    "TopKExperiment", "Trajectories", "TruncatedGeometric", "TwoSidedGeometric", "Uniform",
    "Unsupported", "UtilityOptimizedLDP", "Value", "Values", "Vector", "Verdict", "Visible",
    "WindowCounts", "ZCDP", "align", "answer_steps", "argmax", "assert_p_sensitivity",
    "assert_private", "audit", "audit_one_run",
    "audit_one_sided", "beta_fatness", "bound",
    "comparison_from_json", "count", "count_reports", "data_sets", "describe", "ensure",
    "exact_determinant", "exact_inverse", "explain", "find_maximum", "find_minimum",
    "generate_trajectories", "guesses_by_score", "idealisations", "inverse_distance",
    "inversion_error", "invert",
    "is_neighbour", "is_record_neighbour", "laplace_minimum", "likelihood", "mechanism",
    "minimum_error_bound", "minimum_experiment", "minimum_step",
    "monitor_experiment", "monotonicity", "neighbours",
    "noise_utility", "one_mechanism", "one_sided_optimum", "one_sided_rate_adp",
    "one_sided_rate_attained", "one_sided_rate_dp", "optimality", "other", "outcome",
    "p_sensitivity", "pairs_of_relation", "plot_alignment", "plot_audit", "plot_bracket",
    "plot_utility", "read_trajectories", "recompute", "reconstruct",
    "reconstruction_experiment", "record_neighbours",
    "recorded", "refute", "respond", "sample", "search_plan", "seeded", "simulated_utility",
    "strategies", "theorem_2b_bound", "top_k", "top_k_experiment", "verify",
    "write_certificates", "write_theorems", "write_trajectories",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "strategies":
        return importlib.import_module(".strategies", __name__)
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'shiftproof' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
