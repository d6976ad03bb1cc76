"""Simulated runs have the distribution of native ones, and the exact one where that is computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from scipy import stats

from shiftproof import Mechanism, likelihood, seeded
from shiftproof.dsl.simulation.simulate import Simulation
from shiftproof.workspace.targets import gallery
from tests.dsl.simulation.taping import examples
from tests.sampling import every

GALLERY = {m.function.__name__: m for m in gallery(run=True)}
#: How rare a difference must be to count; seeds are fixed, so a test that passes stays so.
RARE = 1e-4
NATIVE, SIMULATED = 500, 20_000
Released = tuple[Any, ...]

#: Small inputs on which all outcomes together have a probability near 1.
DISCRETE: dict[str, dict[str, Any]] = {
    "sparse_vector": {"f": [2, 3, 2], "T": 2.0, "c": 2, "eps": 1.0},
    "noisy_argmax": {"q": [1, 2, 1], "eps": 1.0},
    "noisy_max_exponential": {"q": [1, 2, 2], "eps": 1.0},
    "noisy_top_k": {"f": [1, 2, 2], "k": 2, "eps": 1.0},
    "geometric": {"f": 3, "eps": 1.0},
    "one_sided_geometric": {"f": 3, "eps": 0.5},
    "truncated_geometric": {"f": 1, "n": 3, "eps": 1.0},
    "threshold_decision": {"f": 3, "T": 4.0, "eps": 1.0},
    "asymmetric_noisy_argmax": {"q": [2, 2, 3], "eps": 1.0},
}


def pattern(outcome: Released) -> Released:
    """An outcome without its real numbers."""
    return tuple("real" if isinstance(v, float) else v for v in outcome)


def p_value_of_counts(one: Iterable[Released], other: Iterable[Released]) -> float:
    """How likely it is that two sets of outcomes of one distribution differ so much."""
    first, second = Counter(one), Counter(other)
    often = [o for o in first | second if first[o] + second[o] >= 40]
    table = [[c[o] for o in often] + [sum(c.values()) - sum(c[o] for o in often)]
             for c in (first, second)]  # fmt: skip
    columns = [column for column in zip(*table, strict=True) if sum(column)]
    if len(columns) < 2:
        return 1.0
    return float(stats.chi2_contingency(columns).pvalue)


@pytest.mark.parametrize("name", every(4, GALLERY))
def test_as_native(name: str) -> None:
    mechanism = GALLERY[name]
    inputs = examples(mechanism, 2, seed=6)[-1]
    simulated = list(Simulation(mechanism, **inputs).outcomes(SIMULATED, seed=11))
    with seeded(12):
        native = [mechanism.run(dict(inputs)) for _ in range(NATIVE)]
    assert p_value_of_counts(map(pattern, simulated), map(pattern, native)) > RARE
    for position in range(min(3, max(map(len, native)))):
        reals = [_reals(outcomes, position) for outcomes in (simulated, native)]
        if min(map(len, reals)) >= 50:
            assert stats.ks_2samp(*reals).pvalue > RARE, position


def _reals(outcomes: list[Released], position: int) -> list[float]:
    """The real numbers at a position; zeros that are not noise are left to the patterns."""
    values = (o[position] for o in outcomes if len(o) > position)
    return [v for v in values if isinstance(v, float)]


@pytest.mark.parametrize("name", DISCRETE)
def test_as_exact(name: str) -> None:
    mechanism: Mechanism[..., Any] = GALLERY[name]
    runs = 200_000
    counts = Simulation(mechanism, **DISCRETE[name]).outcomes(runs, seed=5).counts()
    often = {outcome: n for outcome, n in counts if n >= 50}
    expected = {o: _probability(mechanism, o, DISCRETE[name]) * runs for o in often}
    rest = runs - sum(often.values())
    observed, wanted = [*often.values()], [*expected.values()]
    left = runs - sum(wanted)
    if rest or left > 1:
        observed, wanted = [*observed, rest], [*wanted, left]
    assert math.isclose(sum(wanted), runs, rel_tol=1e-4)
    scaled = [w * sum(observed) / sum(wanted) for w in wanted]
    assert stats.chisquare(observed, scaled).pvalue > RARE


def _probability(
    mechanism: Mechanism[..., Any], outcome: Released, inputs: dict[str, Any]
) -> float:
    found = likelihood(mechanism, outcome, **inputs)
    assert not found.reals
    return float(found.value.low + found.value.high) / 2


def test_other_distributions_are_told_apart() -> None:
    wrong = Simulation(GALLERY["sparse_vector"], f=[2, 3, 2], T=2.3, c=2, eps=9.0)
    right = Simulation(GALLERY["sparse_vector"], f=[2, 3, 2], T=2.0, c=2, eps=9.0)
    found = p_value_of_counts(wrong.outcomes(SIMULATED, seed=1), right.outcomes(5_000, seed=2))
    assert found < RARE
