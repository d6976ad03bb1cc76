"""Reconstruction from sanitised reports: exact, optimal, and what the paper says where it is true.

Paper: Kacem and Palamidessi, *Geometric Noise for Locally Private Counting Queries* (2018).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shiftproof.dsl.errors import BadInput
from shiftproof.estimators.channels import MatrixChannel, count_reports
from shiftproof.estimators.em import derivative, expectation_maximisation, optimality
from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.inversion import (
    RandomisedResponse,
    exact_determinant,
    exact_inverse,
    inverse_distance,
    inversion_error,
    invert,
)
from shiftproof.estimators.reconstruction import reconstruct
from tests.places import ROOT

PAGE = ROOT / "docs" / "reconstruction.md"
LEVELS = (F(1, 100), F(1, 4), F(1, 2), F(4, 5), F(99, 100))
CIRCULANT = [[F(1, 3) * x for x in row] for row in (
    (1, F(3, 4), F(1, 2), F(3, 4)), (F(3, 4), 1, F(3, 4), F(1, 2)),
    (F(1, 2), F(3, 4), 1, F(3, 4)), (F(3, 4), F(1, 2), F(3, 4), 1),
)]  # fmt: skip
SIMPLE = TruncatedGeometric(3, F(1, 2))


def dense(channel: TruncatedGeometric | RandomisedResponse) -> np.ndarray[Any, Any]:
    return np.array(channel.exact_matrix(), dtype=float)


def random_channel(generator: np.random.Generator, m: int, r: int) -> np.ndarray[Any, Any]:
    """Rows that are far from one another as often as near; many entries are 0."""
    matrix = generator.dirichlet(np.full(r, generator.choice([0.1, 0.5, 2])), size=m)
    matrix[matrix < 0.02] = 0
    return matrix / matrix.sum(axis=1, keepdims=True)


def random_shares(generator: np.random.Generator, matrix: np.ndarray[Any, Any]) -> Any:
    q = generator.dirichlet(np.full(matrix.shape[1], 0.5))
    q[(q < 0.05) | (matrix.sum(axis=0) == 0)] = 0
    return q / q.sum() if q.sum() else matrix[0]


# --- the channels ---------------------------------------------------------------------------


@pytest.mark.parametrize("n, alpha", list(product((1, 2, 3, 8), LEVELS)))
def test_the_geometric_channel_is_equation_5(n: int, alpha: F) -> None:
    g = TruncatedGeometric(n, alpha).exact_matrix()
    for i in range(n + 1):
        assert sum(g[i]) == 1
        assert g[i][0] == alpha**i / (1 + alpha)
        assert g[i][n] == alpha ** (n - i) / (1 + alpha)
        for j in range(1, n):
            assert g[i][j] == (1 - alpha) * alpha ** abs(i - j) / (1 + alpha)


@pytest.mark.parametrize("n, alpha", list(product((1, 2, 5), LEVELS)))
def test_both_families_have_the_same_level_and_it_is_attained(n: int, alpha: F) -> None:
    for channel in (TruncatedGeometric(n, alpha), RandomisedResponse(n + 1, alpha)):
        c = channel.exact_matrix()
        pairs = list(product(range(n + 1), repeat=2))
        assert all(c[i][j] >= alpha ** abs(i - h) * c[h][j] for i, h in pairs for j in range(n + 1))
        assert any(c[0][j] == alpha * c[1][j] for j in range(n + 1))


@pytest.mark.parametrize(
    "n, alpha", list(product((1, 2, 7, 40), (1e-300, 1e-9, 0.3, 0.9, 1 - 1e-9)))
)
def test_products_without_a_matrix(n: int, alpha: float) -> None:
    generator = np.random.default_rng(n)
    for channel in (TruncatedGeometric(n, alpha), RandomisedResponse(n + 1, alpha)):
        matrix = dense(channel)
        p = generator.dirichlet(np.full(n + 1, 0.3))
        np.testing.assert_allclose(channel.forward(p), p @ matrix, rtol=1e-12)
        np.testing.assert_allclose(channel.adjoint(p), matrix @ p, rtol=1e-12)


@pytest.mark.parametrize("n, alpha", list(product((1, 2, 7, 40), (0.01, 0.5, 0.99))))
def test_normal_equations(n: int, alpha: float) -> None:
    generator = np.random.default_rng(n)
    for channel in (TruncatedGeometric(n, alpha), RandomisedResponse(n + 1, alpha)):
        matrix = dense(channel)
        weights = generator.exponential(size=n + 1) * (generator.random(n + 1) < 0.7)
        diagonal = np.exp(3 * generator.normal(size=n + 1))
        x = generator.normal(size=n + 1)
        b = matrix @ (weights * (matrix.T @ x)) + diagonal * x
        for solver in (channel, MatrixChannel(matrix)):
            found = solver.normal_solver(weights, diagonal)(b)
            np.testing.assert_allclose(found, x, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("n", range(1, 9))
def test_the_inverse_of_the_geometric_channel_exactly(n: int) -> None:
    for alpha in LEVELS:
        channel = TruncatedGeometric(n, alpha)
        inverse = exact_inverse(channel.exact_matrix())
        for j in range(n + 1):
            unit = [int(i == j) for i in range(n + 1)]
            assert channel.exact_inverse(unit) == inverse[j]
        q = [F(j + 1, 1) for j in range(n + 1)]
        exact = channel.exact_inverse(q)
        floats = channel.inverse(np.array(q, dtype=float))
        np.testing.assert_allclose(floats, np.array(exact, dtype=float), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n, alpha", list(product((1, 2, 3, 7), LEVELS)))
def test_proposition_3_2_determinant(n: int, alpha: F) -> None:
    channel = TruncatedGeometric(n, alpha)
    expected = (1 - alpha) ** (2 * n - 1) / (1 + alpha)
    assert channel.exact_determinant() == exact_determinant(channel.exact_matrix()) == expected


def test_a_largest_diagonal_does_not_make_a_channel_invertible() -> None:
    assert exact_determinant(CIRCULANT) == 0
    with pytest.raises(BadInput, match="singular"):
        exact_inverse(CIRCULANT)
    with pytest.raises(BadInput, match="singular"):
        invert([1, 2, 3, 4], MatrixChannel(CIRCULANT))
    assert reconstruct(MatrixChannel(CIRCULANT), counts=[1, 2, 3, 4]).converged


# --- maximum likelihood ---------------------------------------------------------------------


def test_theorem_4_2_the_maximum_need_not_be_a_share_of_n() -> None:
    """N = 3, q = (2/3, 1/3), α = 1/4: the maximum is (7/9, 2/9), which no 3 true values have."""
    channel = TruncatedGeometric(1, F(1, 4))
    assert channel.exact_inverse([F(2, 3), F(1, 3)]) == (F(7, 9), F(2, 9))
    for method in ("interior-point", "em", "inverse"):
        found = reconstruct(channel, reports=[0, 1, 0], method=method, tolerance=1e-13)
        np.testing.assert_allclose(found.distribution, [7 / 9, 2 / 9], atol=1e-6)
        assert found.converged and found.reports == 3


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_theorem_4_2_no_mass_where_no_report_came(alpha: float) -> None:
    generator = np.random.default_rng(4)
    for _ in range(20):
        n = int(generator.integers(2, 12))
        counts = generator.integers(0, 5, n + 1) * (generator.random(n + 1) < 0.5)
        counts[generator.integers(n + 1)] += 1
        channel = TruncatedGeometric(n, alpha)
        best = reconstruct(channel, counts=counts, tolerance=1e-13)
        assert best.converged
        assert best.distribution[counts == 0].sum() < 1e-5
        started = reconstruct(channel, counts=counts, method="em", start=counts / counts.sum())
        assert started.converged  # so the paper's start, q, does no harm to this channel


def water_filling(q: Any, k: int, alpha: float) -> Any:
    """The maximum for randomised response: p_i = max(0, q_i/λ − b/a), λ so that they sum to 1."""
    ratio = alpha / (1 - alpha)
    order = np.sort(q)[::-1]
    for size in range(k, 0, -1):
        scale = order[:size].sum() / (1 + size * ratio)
        if order[size - 1] / scale > ratio:
            break
    return np.maximum(0, q / scale - ratio)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=9).filter(any), st.floats(0.05, 0.9))
@settings(max_examples=40, deadline=None)
def test_randomised_response_against_its_closed_form(counts: list[int], alpha: float) -> None:
    channel = RandomisedResponse(len(counts), alpha)
    q = np.array(counts) / sum(counts)
    found = reconstruct(channel, counts=counts, tolerance=1e-13)
    assert found.converged
    np.testing.assert_allclose(found.distribution, water_filling(q, len(counts), alpha), atol=1e-4)


def test_against_an_optimiser() -> None:
    from scipy.optimize import minimize

    generator = np.random.default_rng(7)
    for _ in range(6):
        m, r = generator.integers(2, 5, 2)
        matrix = random_channel(generator, m, r)
        q = random_shares(generator, matrix)
        found = reconstruct(MatrixChannel(matrix), counts=q, tolerance=1e-11)
        assert found.converged and found.optimality is not None

        def loss(x: Any, q: Any = q, matrix: Any = matrix) -> float:
            p = np.exp(x - x.max())
            return -float(q[q > 0] @ np.log((p / p.sum() @ matrix)[q > 0]))

        other = min(
            minimize(loss, generator.normal(size=m), options={"gtol": 1e-9}).fun for _ in range(2)
        )
        assert found.optimality.log_likelihood >= -other - 1e-9
        assert found.optimality.log_likelihood <= -other + 1e-3


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_the_certificate_bounds_what_is_lacking(seed: int) -> None:
    """Σ p_i D(i) = 1, and no p' is better by more than ln max D: for any p, exact to rounding."""
    generator = np.random.default_rng(seed)
    matrix = random_channel(generator, *generator.integers(1, 7, 2))
    channel, q = MatrixChannel(matrix), random_shares(generator, matrix)
    p = generator.dirichlet(np.ones(channel.inputs))
    ratios, likelihood = derivative(p, q, channel)
    assert abs(p @ ratios - 1) < 1e-12
    found = optimality(p, q, channel)
    assert found.slack <= np.expm1(found.gap) + 1e-12
    best = reconstruct(channel, counts=q)
    assert best.converged and best.optimality is not None
    assert best.optimality.log_likelihood <= likelihood + found.gap + 1e-12
    assert best.optimality.log_likelihood + best.optimality.gap >= likelihood - 1e-12


@pytest.mark.parametrize("rare", [0, 1e-320, 1e-200])
def test_what_overflows_is_never_certified(rare: float) -> None:
    channel = MatrixChannel([[1, 0, 0], [rare, 1, 0], [0, 0, 1]])
    start, counts = [rare, 1, 1e-315], [1, 0, 1]
    found = optimality(start, counts, channel)
    assert found.gap > 100
    if rare:
        climbed = reconstruct(channel, counts=counts, method="em", start=start)
        assert not climbed.converged and climbed.warnings


@pytest.mark.parametrize("accelerate", [False, True])
def test_em_never_falls_and_comes_to_the_same(accelerate: bool) -> None:
    counts = [5, 9, 0, 20, 3, 1, 0, 40]
    channel = TruncatedGeometric(7, 0.6)
    q = np.array(counts) / sum(counts)
    uniform, last = np.full(8, 1 / 8), -np.inf
    for limit in (1, 2, 3, 4, 5, 7, 10, 20, 40, 80):
        climb = expectation_maximisation(
            q, channel, uniform, tolerance=1e-15, limit=limit, accelerate=accelerate
        )
        assert climb.iterations <= limit
        assert climb.optimality.log_likelihood >= last - 1e-13
        last = climb.optimality.log_likelihood
    best = reconstruct(channel, counts=counts, tolerance=1e-13)
    end = reconstruct(channel, counts=counts, method="em", tolerance=1e-7, accelerate=accelerate)
    assert end.converged
    assert np.abs(best.distribution - end.distribution).max() < 1e-3


def test_acceleration_pays() -> None:
    counts = np.random.default_rng(1).multinomial(10**5, np.full(31, 1 / 31))
    channel = TruncatedGeometric(30, 0.5)
    fast, slow = (
        reconstruct(channel, counts=counts, method="em", tolerance=1e-8, accelerate=accelerate)
        for accelerate in (True, False)
    )
    assert fast.converged and slow.converged
    assert 2 * fast.iterations < slow.iterations


# --- fixed points ---------------------------------------------------------------------------


def test_lemma_4_3_every_point_mass_is_a_fixed_point() -> None:
    counts = [3, 1, 4, 1]
    for i in range(4):
        start = np.eye(4)[i]
        found = reconstruct(SIMPLE, counts=counts, method="em", start=start)
        np.testing.assert_allclose(found.distribution, start, atol=1e-15)
        assert not found.converged and found.optimality is not None and found.optimality.gap > 0.1
        assert found.iterations < 5
        assert any("stalled" in warning for warning in found.warnings)


def test_a_start_with_zeros_may_stall_and_says_so() -> None:
    """With another kernel than the geometric one mass may belong where no report came."""
    matrix = [[F(2, 3), F(1, 6), F(1, 6)], [F(1, 2), 0, F(1, 2)], [F(1, 6), F(1, 6), F(2, 3)]]
    channel = MatrixChannel(matrix)
    q = [F(1, 2), 0, F(1, 2)]
    stalled = reconstruct(channel, counts=q, method="em", start=q)
    assert stalled.optimality is not None and not stalled.converged
    assert stalled.optimality.gap == pytest.approx(np.log(6 / 5), abs=1e-12)
    assert len(stalled.warnings) == 2 and stalled.warnings[0].startswith("start is 0 at 1 ")
    free = reconstruct(channel, counts=q)
    assert free.converged and not free.warnings
    np.testing.assert_allclose(free.distribution, [0, 1, 0], atol=1e-6)
    with pytest.raises(BadInput, match="start makes report 1 impossible"):
        reconstruct(channel, counts=[1, 1, 1], method="em", start=[0, 1, 0])
    harmless = reconstruct(channel, counts=q, method="em", start=[0, 1, 0])
    assert harmless.converged and len(harmless.warnings) == 1


def test_lemma_4_3_repaired_a_full_fixed_point_is_the_inverse() -> None:
    q = [F(1, 4), F(1, 5), F(1, 4), F(3, 10)]
    x = SIMPLE.exact_inverse(q)
    assert min(x) > 0
    g = SIMPLE.exact_matrix()
    law = [sum(x[i] * g[i][j] for i in range(4)) for j in range(4)]
    assert law == q
    assert all(sum(q[j] * g[i][j] / law[j] for j in range(4)) == 1 for i in range(4))


@given(st.lists(st.integers(1, 50), min_size=3, max_size=7), st.floats(0.05, 0.8))
@settings(max_examples=40, deadline=None)
def test_proposition_4_5(parts: list[int], alpha: float) -> None:
    """The inverse is the maximum if it is a distribution; else the maximum has a zero."""
    channel = TruncatedGeometric(len(parts) - 1, alpha)
    for q in (np.array(parts) / sum(parts), channel.forward(np.array(parts) / sum(parts))):
        best = reconstruct(channel, counts=q, tolerance=1e-13)
        assert best.converged
        distance = inverse_distance(best.distribution, q, channel)
        inverse = reconstruct(channel, counts=q, method="inverse", tolerance=1e-11)
        assert (distance is None) == (inverse.optimality is None)
        if distance is None:
            assert inverse.distribution.min() < 0 and "negative" in inverse.warnings[0]
            assert not inverse.converged
        else:
            assert distance < 1e-4 and inverse.converged


# --- Conjecture 4.6 -------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [F(1, 9), F(1, 3), F(48, 100), F(49, 100), F(1, 2), F(4, 5)])
def test_conjecture_4_6_is_false_for_squared_error(alpha: F) -> None:
    geometric = inversion_error(TruncatedGeometric(2, alpha).exact_matrix())
    response = inversion_error(RandomisedResponse(3, alpha).exact_matrix())
    assert geometric == 2 * (1 + alpha + alpha**2) ** 2 / (3 * (1 - alpha) ** 3 * (1 + alpha))
    assert response == 2 * (1 + 2 * alpha) ** 2 / (3 * (1 - alpha) ** 2)
    assert (response < geometric) == (5 * alpha**3 + 6 * alpha**2 > 2)


@pytest.mark.parametrize(
    "alpha, geometric, response",
    [(F(1, 2), F(98, 9), F(32, 3)), (F(4, 5), F(7442, 27), F(338, 3)), (F(1, 4), None, F(8, 3))],
)
def test_conjecture_4_6_in_numbers(alpha: F, geometric: F | None, response: F) -> None:
    assert inversion_error(RandomisedResponse(3, alpha).exact_matrix()) == response
    found = inversion_error(TruncatedGeometric(2, alpha).exact_matrix())
    assert found == geometric if geometric else found < response


def test_the_error_is_that_of_the_estimator() -> None:
    """All data sets of two reports, by their probabilities, against the formula."""
    channel = TruncatedGeometric(2, F(1, 3))
    prior, g = [F(1, 2), F(1, 3), F(1, 6)], channel.exact_matrix()
    law = [sum(prior[i] * g[i][j] for i in range(3)) for j in range(3)]
    error = F(0)
    for a, b in product(range(3), repeat=2):
        x = channel.exact_inverse([F((a == j) + (b == j), 2) for j in range(3)])
        error += law[a] * law[b] * sum((u - v) ** 2 for u, v in zip(x, prior))
    assert inversion_error(g, prior) == 2 * error


# --- hard inputs ----------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1e-300, 1e-9, 0.5, 0.999, 1 - 1e-7])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_extreme_levels_and_counts(n: int, alpha: float) -> None:
    one, ends = np.zeros(n + 1), np.zeros(n + 1)
    one[n // 2] = 10**9
    ends[[0, -1]] = 1, 10**7
    for counts in (one, ends, np.ones(n + 1)):
        found = reconstruct(TruncatedGeometric(n, alpha), counts=counts, tolerance=1e-7)
        assert found.converged and found.distribution.min() >= 0
        assert abs(found.distribution.sum() - 1) < 1e-12


def test_a_large_one() -> None:
    n, generator = 10_000, np.random.default_rng(3)
    values = generator.binomial(n, generator.beta(2, 5, 200_000))
    noise = generator.geometric(0.1, 200_000) - generator.geometric(0.1, 200_000)
    found = reconstruct(TruncatedGeometric(n, 0.9), reports=np.clip(values + noise, 0, n))
    assert found.converged and found.iterations < 40 and not found.warnings
    assert found.reports == 200_000


def test_a_limit_is_told() -> None:
    counts = [5, 9, 0, 20, 3, 1, 0, 40]
    for method in ("em", "interior-point"):
        found = reconstruct(TruncatedGeometric(7, 0.6), counts=counts, method=method, limit=2)
        assert not found.converged and found.iterations == 2
        assert "above the tolerance" in found.warnings[0]


WRONG: list[tuple[str, Callable[[], object]]] = [
    (r"alpha = 1: want 0 < alpha < 1", lambda: TruncatedGeometric(3, 1)),
    (r"alpha = 0: ", lambda: RandomisedResponse(3, 0)),
    (r"alpha = nan: ", lambda: TruncatedGeometric(3, float("nan"))),
    (r"alpha = 'a': ", lambda: TruncatedGeometric(3, "a")),  # type: ignore[arg-type]
    (r"n = 0: want a whole number, at least 1", lambda: TruncatedGeometric(0, 0.5)),
    (r"n = 2.5: ", lambda: TruncatedGeometric(2.5, 0.5)),  # type: ignore[arg-type]
    (r"k = 1: want a whole number, at least 2", lambda: RandomisedResponse(1, 0.5)),
    (r"eps = 0: ", lambda: TruncatedGeometric.of_epsilon(3, 0)),
    (r"eps = -1: ", lambda: RandomisedResponse.of_epsilon(3, -1)),
    (r"eps = 10000: ", lambda: TruncatedGeometric.of_epsilon(3, 10_000)),
    (r"row 1 sums to 0.9", lambda: MatrixChannel([[1, 0], [0.5, 0.4]])),
    (r"entry \[1, 0\] is -0.5", lambda: MatrixChannel([[1, 0], [-0.5, 1.5]])),
    (r"entry \[1, 0\] is nan", lambda: MatrixChannel([[1, 0], [float("nan"), 0]])),
    (r"rows of equal length", lambda: MatrixChannel([[1], [0, 1]])),
    (r"got \(2,\)", lambda: MatrixChannel([1, 0])),
    (r"2 true values and 3 reports", lambda: invert([1, 0, 0], MatrixChannel([[1, 0, 0]] * 2))),
    (r"report 1 came, but", lambda: reconstruct(MatrixChannel([[1, 0]] * 2), counts=[1, 1])),
    (r"give either reports=", lambda: reconstruct(SIMPLE)),
    (r"give either reports=", lambda: reconstruct(SIMPLE, reports=[1], counts=[1, 1, 1, 1])),
    (r"got 5; want 4 .*pass reports=", lambda: reconstruct(SIMPLE, counts=[1, 2, 3, 2, 1])),
    (r"counts\[1\] = -1", lambda: reconstruct(SIMPLE, counts=[1, -1, 1, 1])),
    (r"counts\[2\] = inf", lambda: reconstruct(SIMPLE, counts=[1, 1, float("inf"), 1])),
    (r"counts sum to 0", lambda: reconstruct(SIMPLE, counts=[0, 0, 0, 0])),
    (r"want a list of numbers", lambda: reconstruct(SIMPLE, counts=["a", "b", "c", "d"])),
    (r"there is a report 4; want 0 to 3", lambda: count_reports([0, 4], SIMPLE)),
    (r"there is a report -1", lambda: count_reports([0, -1], SIMPLE)),
    (r"whole numbers; these are float64", lambda: count_reports([0.5, 1], SIMPLE)),
    (r"at least one report", lambda: reconstruct(SIMPLE, reports=[])),
    (r"method = 'mle'", lambda: reconstruct(SIMPLE, reports=[1], method="mle")),  # type: ignore[arg-type]
    (r"has no start", lambda: reconstruct(SIMPLE, reports=[1], start=[1, 0, 0, 0])),
    (r"start sums to 2", lambda: reconstruct(SIMPLE, reports=[1], method="em", start=[2, 0, 0, 0])),
    (r"tolerance = 0", lambda: reconstruct(SIMPLE, reports=[1], tolerance=0)),
    (r"limit = 0", lambda: reconstruct(SIMPLE, reports=[1], limit=0)),
    (r"p sums to 3", lambda: optimality([1, 1, 1, 0], [1, 1, 1, 1], SIMPLE)),
    (r"q has 2 entries", lambda: SIMPLE.exact_inverse([1, 2])),
    (r"want a square matrix", lambda: exact_inverse([[1, 0]])),
    (r"0.5 is not exact", lambda: exact_inverse([[0.5, 0.5], [0, 1]])),  # type: ignore[list-item]
    (r"row 0 of the matrix is no dist", lambda: inversion_error([[2, 0], [0, 1]])),
    (r"prior: want a dist", lambda: inversion_error([[1, 0], [0, 1]], [1, 1])),
    (r"prior: want 2", lambda: inversion_error([[1, 0], [0, 1]], [1])),
]


@pytest.mark.parametrize("message, call", WRONG)
def test_bad_input(message: str, call: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match=message):
        call()


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
def test_the_page_prints_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert shown
    names: dict[str, Any] = {}
    for code, printed in shown:
        exec(code, names)
        assert capsys.readouterr().out == printed
