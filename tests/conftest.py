"""How much of the large suites runs by default: SHIFTPROOF_FULL=1 runs all of everything.

Of the cases of these tests a fixed part is taken, chosen by their names, so that the whole run
stays within minutes on two cores.  Tests without cases always run.
"""

from __future__ import annotations

import os
import zlib

import pytest

#: Of how many cases one runs, by the beginning of a test's id.
ONE_IN = {
    "tests/checkers/test_annotated.py": 5,
    "tests/checkers/test_audit.py::TestLanguage": 4,
    "tests/checkers/test_audit_one_sided.py": 12,
    "tests/checkers/test_composition.py": 6,
    "tests/checkers/test_conditions.py": 6,
    "tests/checkers/test_exact.py": 6,
    "tests/checkers/test_guards.py": 3,
    "tests/checkers/test_invariants.py": 6,
    "tests/checkers/test_kernel_broken_provers.py": 3,
    # CI checks all certificates besides, with both solvers, by the command.
    "tests/checkers/test_kernel_gallery.py::test_all_are_valid": 3,
    "tests/checkers/test_kernel_sums.py::test_the_kernel_believes_no_prover_of_mutants": 12,
    "tests/checkers/test_local_models.py": 4,
    "tests/checkers/test_mutants.py": 8,
    "tests/checkers/test_query_answers.py": 5,
    "tests/checkers/test_random_programs.py": 4,
    "tests/checkers/test_refute.py": 14,
    "tests/checkers/test_relations.py": 8,
    "tests/checkers/test_rewrites.py": 16,
    "tests/checkers/test_simulated.py": 5,
    "tests/checkers/test_strategies.py": 6,
    "tests/checkers/test_summing.py::test_no_wrong_mutant_of_all_is_proved": 12,
    "tests/checkers/test_tighten.py": 6,
    "tests/dsl/test_differential.py": 12,
    "tests/dsl/test_neighbours.py": 12,
    "tests/dsl/test_normalise.py::test_files": 10,
    "tests/dsl/test_picks.py": 7,
    "tests/dsl/test_simulation.py::TestRecordedNoise": 8,
    "tests/dsl/test_static.py::TestSameAsExecuted::test_files": 5,
    "tests/front/test_explain_html.py::test_every_mechanism": 8,
    "tests/front/test_nothing_runs.py": 5,
    "tests/front/test_pytest_plugin.py": 4,
    # All of them are verified by CI besides, by the command.
    "tests/mechanisms/test_gallery.py": 10,
    "tests/proofs/test_claims.py::test_other_constants_turn_the_finding_around": 6,
}


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
