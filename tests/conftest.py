"""How much of the large suites runs by default: SHIFTPROOF_FULL=1 runs all of everything.

Of the cases of these tests a fixed part is taken, chosen by their names, so that the whole run
stays within minutes on two cores.  Tests without cases always run.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

# No test fails because a machine is slow.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

#: Of how many cases one runs, by the beginning of a test's id.
ONE_IN = {
    "tests/checkers/test_annotated.py": 10,
    "tests/checkers/test_audit.py::TestLanguage": 8,
    "tests/checkers/test_audit_one_sided.py": 24,
    "tests/checkers/test_composition.py": 12,
    "tests/checkers/test_conditions.py": 12,
    "tests/checkers/test_exact.py": 12,
    "tests/checkers/test_guarding_proofs.py": 6,
    "tests/checkers/test_guards.py": 6,
    "tests/checkers/test_invariants.py": 12,
    "tests/checkers/test_kernel_broken_provers.py": 6,
    # CI checks all certificates besides, with both solvers, by the command.
    "tests/checkers/test_kernel_gallery.py::test_all_are_valid": 12,
    "tests/checkers/test_kernel_sums.py::test_the_kernel_believes_no_prover_of_mutants": 24,
    "tests/checkers/test_local_models.py": 8,
    "tests/checkers/test_mutants.py": 16,
    "tests/checkers/test_query_answers.py": 10,
    "tests/checkers/test_random_programs.py": 8,
    "tests/checkers/test_refute.py": 28,
    "tests/checkers/test_relations.py": 16,
    "tests/checkers/test_rewrites.py": 32,
    "tests/checkers/test_simulated.py": 10,
    "tests/checkers/test_strategies.py": 12,
    "tests/checkers/test_summing.py::test_no_wrong_mutant_of_all_is_proved": 24,
    "tests/checkers/test_tighten.py": 12,
    "tests/dsl/test_differential.py": 24,
    "tests/dsl/test_neighbours.py": 24,
    "tests/dsl/test_normalise.py::test_files": 20,
    "tests/dsl/test_picks.py": 14,
    "tests/dsl/test_simulation.py::TestRecordedNoise": 16,
    "tests/dsl/test_static.py::TestSameAsExecuted::test_files": 10,
    "tests/front/test_benchmarks.py": 3,
    "tests/front/test_explain.py": 6,
    "tests/front/test_explain_html.py::test_every_mechanism": 16,
    "tests/front/test_nothing_runs.py": 10,
    "tests/front/test_pytest_plugin.py": 8,
    # All of them are verified by CI besides, by the command.
    "tests/mechanisms/test_gallery.py": 20,
    "tests/proofs/test_claims.py::test_other_constants_turn_the_finding_around": 12,
}


@pytest.fixture(scope="session", autouse=True)
def a_fault_is_raised() -> Iterator[None]:
    """What users get as ``unknown`` fails a test: no crash may pass for a careful verdict."""

    def fail(report: object, error: Exception) -> NoReturn:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shiftproof.checkers.verify.faulty", fail)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases that run with SHIFTPROOF_FULL=1 only."""
    if os.environ.get("SHIFTPROOF_FULL") or any("::" in str(a) for a in config.args):
        return  # what is asked for by name is run
    left_out = [item for item in items if not _chosen(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _chosen(item)]


def _chosen(item: pytest.Item) -> bool:
    if "[" not in item.nodeid:
        return True
    share = next((n for start, n in ONE_IN.items() if item.nodeid.startswith(start)), 1)
    return zlib.crc32(item.nodeid.encode()) % share == 0
