"""Minimum finding under LDP: its law, its privacy, its rate, its bounds, its errors."""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput
from shiftproof.estimators.binary_search import (
    BinarySearch,
    SearchPlan,
    draw_ones,
    estimated_share,
    flip_probability,
    respond,
    search_plan,
)
from shiftproof.estimators.minimum import (
    BelowQuery,
    find_maximum,
    find_minimum,
    laplace_minimum,
    run_search,
)
from shiftproof.estimators.minimum_bounds import beta_fatness, minimum_error_bound, theorem_2b_bound
from tests.places import ROOT

PAGE = ROOT / "docs" / "minimum_finding.md"


def asked_one_by_one(values: Any, plan: SearchPlan, rng: np.random.Generator) -> float:
    """Each user answers for themselves; only the noise of a round is drawn together."""
    search = BinarySearch(plan)
    flip = flip_probability(plan.answer_eps)
    for group in plan.groups(rng):
        search.update((values[group] < search.query) ^ (rng.random(group.size) < flip))
    assert search.done
    return search.estimate.value


def total_variation(left: list[float], right: list[float]) -> float:
    values = np.unique(left + right)
    a, b = (np.searchsorted(values, s) for s in (left, right))
    shares = [np.bincount(k, minlength=values.size) / k.size for k in (a, b)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


# ------------------------------------------------------------------ the law


@pytest.mark.parametrize("once", [False, True])
def test_sums_are_as_if_each_user_answered(once: bool) -> None:
    rng = np.random.default_rng(5)
    values = rng.permutation(np.r_[-0.6, -0.5, -0.45, -0.1, np.linspace(0, 1, 15)])
    plan = search_plan(values.size, 6.0, rounds=4, threshold=0.12, once=once)
    runs = 2500
    one_by_one = [asked_one_by_one(values, plan, rng) for _ in range(runs)]
    sums = [
        find_minimum(values, 6.0, rounds=4, threshold=0.12, once=once, seed=rng).value
        for _ in range(runs)
    ]
    # 16 possible estimates, few of them likely: equal laws are almost never so far apart.
    assert total_variation(one_by_one, sums) < 0.05


def test_random_groups_without_noise_partition_the_users() -> None:
    # At ε = 60 nobody ever lies, and with τ = 1 the search goes up every time.
    values = np.linspace(-1, 1, 1000)
    found = find_minimum(values, 60.0, rounds=5, threshold=1.0, once=True, seed=3)
    assert [r.asked for r in found.rounds] == [200] * 5
    rng = np.random.default_rng(4)
    shares = np.array([
        [r.share for r in find_minimum(
            values, 60.0, rounds=3, threshold=1.0, once=True, seed=rng).rounds]
        for _ in range(1500)
    ])  # fmt: skip
    assert np.allclose(shares.mean(axis=0), (0.5, 0.75, 0.875), atol=0.005)
    # Groups leave each other out, so two shares lean apart: covariance -F(1 - G) / (N - 1).
    covariance = np.cov(shares[:, 0], shares[:, 1])
    assert covariance[0, 0] == pytest.approx(0.25 / 333 * (1 - 333 / 1000), rel=0.2)
    assert covariance[0, 1] == pytest.approx(-0.5 * 0.25 / 999, rel=0.7)


def test_counts_below_queries() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(-8, 9, 500) / 8
    below, low, high = BelowQuery(values), -1.0, 1.0
    for left in rng.random(8) < 0.5:
        query = (low + high) / 2
        assert below(query) == np.count_nonzero(values < query)
        low, high = (low, query) if left else (query, high)


def test_share_is_unbiased() -> None:
    rng = np.random.default_rng(1)
    for eps in (0.05, 1.0, 5.0):
        shares = [estimated_share(draw_ones(300, 1000, eps, rng), 1000, eps) for _ in range(4000)]
        spread = 1 / (2 * math.tanh(eps / 2) * math.sqrt(1000))
        assert abs(np.mean(shares) - 0.3) < 4 * spread / math.sqrt(4000)
        assert np.std(shares) <= 1.1 * spread
    answers = [respond(0.2, 0.5, 1.0, rng) for _ in range(20_000)]
    assert np.mean(answers) == pytest.approx(1 / (1 + math.exp(-1)), abs=0.012)
    assert not respond(0.5, 0.5, 50.0, rng)  # not below itself


def test_transcript_is_private() -> None:
    """Every transcript of one user has a ratio of at most e^ε, and some have e^ε."""
    eps, values, worst = 1.3, (-1.0, -0.3, 0.2, 0.6, 1.0), 0.0
    for rounds in (1, 2, 3):
        plan = search_plan(1, eps, rounds=rounds, threshold=0.4)
        flip = flip_probability(plan.answer_eps)
        for answers in itertools.product((0, 1), repeat=rounds):
            search, chances = BinarySearch(plan), dict.fromkeys(values, 1.0)
            for answer in answers:
                for x in values:
                    chances[x] *= 1 - flip if (x < search.query) == bool(answer) else flip
                search.update([answer])
            worst = max(worst, max(chances.values()) / min(chances.values()))
    assert worst == pytest.approx(math.exp(eps))


# ------------------------------------------------------------------ rates and bounds


def mean_error(plan: SearchPlan, runs: int, seed: int, alpha: float = 1.0) -> float:
    """Values on an interval of length 1 with F(x) = (x - min)^α, at eight places."""
    rng, errors = np.random.default_rng(seed), []
    for least in np.linspace(-0.72, -0.28, 8).tolist():

        def below(query: float, least: float = least) -> int:
            return math.ceil(plan.users * min(max(query - least, 0.0), 1.0) ** alpha)

        for _ in range(runs):
            errors.append(abs(run_search(BinarySearch(plan), below, rng).value - least))
    return float(np.mean(errors))


@pytest.mark.parametrize(
    ("known", "once", "power"),
    [(True, False, 3), (True, True, 2), (False, False, 6), (False, True, 4)],
)
def test_slopes(known: bool, once: bool, power: int) -> None:
    users = [2**14, 2**17, 2**20, 2**24]
    logs = np.log(users)
    errors = [
        mean_error(search_plan(n, 1.0, alpha=1.0 if known else None, once=once), 25, n)
        for n in users
    ]
    measured = np.polyfit(logs, np.log(errors), 1)[0]
    predicted = np.polyfit(logs, np.log(np.array(logs) ** power / users) / 2, 1)[0]
    # The rates of neighbouring powers of ln N are apart by 0.04.
    assert measured == pytest.approx(predicted, abs=0.02)


def test_asking_once_is_worth_many_users() -> None:
    for rounds, gain in ((10, 8.56), (20, 17.09)):
        plans = [search_plan(10**6, 1.0, alpha=1, rounds=rounds, once=o) for o in (False, True)]
        ratio = plans[1].effective_users / plans[0].effective_users
        assert ratio == pytest.approx(gain, abs=0.01)
        assert mean_error(plans[1], 10, 1) < 0.5 * mean_error(plans[0], 10, 1)


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("eps", [0.7, 4.0])
def test_bounds_hold(once: bool, eps: float) -> None:
    for alpha, users in itertools.product((0.5, 1.0, 2.0), (500, 20_000, 10**6)):
        plans = [search_plan(users, eps, alpha=a, once=once) for a in (1.0, None)]
        plans.append(search_plan(users, eps, rounds=6, threshold=0.15, once=once))
        for plan in plans:
            error = mean_error(plan, 6, users, alpha)
            best = minimum_error_bound(plan, alpha=alpha, c=1, reach=1)
            assert error <= best.total <= 2 - 2.0**-plan.rounds
            for h in np.array([0.3, 0.6, 0.95]) * plan.threshold:
                if plan.threshold + h <= 1:
                    given = minimum_error_bound(plan, alpha=alpha, c=1, reach=1, h=h)
                    assert best.total <= given.total * (1 + 1e-4)
                    if not once:
                        theirs = theorem_2b_bound(plan, h, alpha=alpha, c=1, reach=1)
                        assert error <= theirs and given.total <= theirs


def test_bound_of_drawn_values() -> None:
    rng = np.random.default_rng(2)
    for a, b in ((1.0, 1.0), (0.5, 1.0), (2.0, 2.0)):
        c, reach = beta_fatness(a, b, 0.6)
        plan = search_plan(1000, 4.0, alpha=1, once=True)
        errors = [
            abs(find_minimum(2 * rng.beta(a, b, 1000) - 1, 4.0, alpha=1, once=True, seed=rng).value
                + 1)
            for _ in range(150)
        ]  # fmt: skip
        bound = minimum_error_bound(plan, alpha=a, c=c, reach=reach, iid=True)
        assert np.mean(errors) <= bound.total < 1.5
    # Uniform on [-1, 1]: the k-th least of N values is at 2k / (N + 1) on average.
    plan = search_plan(999, 4.0, rounds=5, threshold=0.1)
    bound = minimum_error_bound(plan, alpha=1, c=0.5, reach=2, h=0.1, iid=True)
    assert bound.quantile == pytest.approx(2 * math.ceil(999 * 0.2) / 1000)
    large = search_plan(10**9, 4.0, rounds=5, threshold=0.1)
    bound = minimum_error_bound(large, alpha=1, c=0.5, reach=2, h=0.1, iid=True)
    assert bound.quantile == pytest.approx(0.4, rel=1e-8)


def test_fatness_of_beta() -> None:
    for a, b in ((0.5, 1.0), (2.0, 3.0), (1.0, 0.5), (3.0, 1.5)):
        c, reach = beta_fatness(a, b, 0.7)
        draws = np.sort(np.random.default_rng(3).beta(a, b, 20_000) * 2)
        inside = draws[draws < reach]
        shares = np.arange(1, inside.size + 1) / draws.size
        assert (shares + 0.02 >= c * inside**a).all()


def test_laplace_noise_finds_its_own_minimum() -> None:
    rng = np.random.default_rng(4)
    values = np.linspace(-0.5, 0.5, 2**10)
    found = [laplace_minimum(values, 1.0, seed=rng) for _ in range(300)]
    assert -0.5 - np.mean(found) == pytest.approx(13.1, abs=0.8)


# ------------------------------------------------------------------ use


def test_seeds_and_ranges() -> None:
    values = np.random.default_rng(6).random(3000)
    first, again, other = (
        find_minimum(values, 4.0, low=0, high=1, once=True, seed=s) for s in (1, 1, 2)
    )
    assert first == again
    assert first.rounds != other.rounds
    # Scaling the range by a power of two scales everything.
    wide = find_minimum(values * 8, 4.0, low=0, high=8, once=True, seed=1)
    assert wide.value == 8 * first.value
    assert first.low < first.value < first.high
    assert first.high - first.low == pytest.approx(2.0**-first.plan.rounds)
    assert laplace_minimum(values, 1, seed=1) == laplace_minimum(values, 1, seed=1)


def test_maximum_is_symmetric() -> None:
    values = np.random.default_rng(7).random(3000) ** 2
    highest = find_maximum(values, 3.0, low=0, high=2, seed=9)
    lowest = find_minimum(-values, 3.0, low=-2, high=0, seed=9)
    assert (highest.value, highest.low, highest.high) == (-lowest.value, -lowest.high, -lowest.low)
    assert [r.query for r in highest.rounds] == [-r.query for r in lowest.rounds]
    assert highest.rounds[0].query == 1.0


def test_small_and_odd_inputs() -> None:
    for once in (False, True):
        alone = find_minimum([0.3], 1.0, once=once, seed=0)
        assert -1 < alone.value < 1
        assert alone.plan.rounds == 1
    assert find_minimum([1, 2, 3], 60.0, low=0, high=4, rounds=10, threshold=0.2, seed=0).value == (
        pytest.approx(1, abs=0.01)
    )
    exact: list[Fraction | int] = [Fraction(1, 3), 1]
    assert find_minimum(exact, 60.0, rounds=9, threshold=0.4, seed=0).value == pytest.approx(
        1 / 3, abs=0.01
    )
    # A known α that is tiny would ask for endless rounds.
    assert search_plan(100, 1.0, alpha=1e-9).rounds == 1000


@pytest.mark.parametrize(
    ("values", "given", "message"),
    [
        ([], {}, "values: got none"),
        ([0.0, math.nan], {}, "values: number 1 is nan"),
        ([math.inf], {}, "values: number 0 is inf"),
        ([0.5, 0.0, 1.5], {}, r"values: number 2 is 1.5, outside of \[-1, 1\]"),
        (["0.5"], {}, "values: want a sequence of numbers"),
        ([[0.5]], {}, "values: .* 2 dimensions"),
        ([None], {}, "values: number 0 is nan"),
        ([10**400], {}, "values: want a sequence"),
        ([[0.5], [0.1, 0.2]], {}, "values: want a sequence"),
        (0.5, {}, "values: .* 0 dimensions"),
        ([0.5], {"eps": 0}, "eps: got 0"),
        ([0.5], {"eps": math.nan}, "eps: got nan"),
        ([0.5], {"eps": 1e4}, "eps: got 10000"),
        ([0.5], {"eps": "1"}, "eps: got '1'"),
        ([0.5], {"eps": True}, "eps: got True"),
        ([0.5], {"eps": 10**400}, "eps: got 1000"),
        ([0.5], {"low": -(10**400)}, "low: got -1000"),
        ([0.5], {"alpha": -1}, "alpha: got -1"),
        ([0.5], {"rounds": 0}, "rounds: got 0"),
        ([0.5], {"rounds": 2.5}, "rounds: got 2.5"),
        ([0.5], {"rounds": 5000}, "rounds: got 5000"),
        ([0.5], {"rounds": 2, "once": True}, "rounds: got 2 for 1 users"),
        ([0.5], {"threshold": 0.0}, "threshold: got 0"),
        ([0.5], {"threshold": 1.5}, "threshold: got 1.5"),
        ([0.5], {"low": 1.0}, "low, high: got 1.0 and 1.0"),
        ([0.5], {"high": math.inf}, "high: got inf"),
        ([0.5], {"low": -1e308, "high": 1e308}, "low, high"),
        ([0.5], {"seed": -1}, "seed: got -1"),
        ([0.5], {"seed": "x"}, "seed: got 'x'"),
    ],
)
def test_bad_input(values: Any, given: dict[str, Any], message: str) -> None:
    for find in (find_minimum, find_maximum):
        with pytest.raises(BadInput, match=message):
            find(values, **{"eps": 1.0, **given})


def test_bad_answers() -> None:
    search = BinarySearch(search_plan(5, 1.0, rounds=1))
    for reports in ([], [0, 2], [0.5], "01", [[0, 1]], [math.nan]):
        with pytest.raises(BadInput, match="reports"):
            search.update(reports)
    with pytest.raises(BadInput, match="ones: got 3 of 2"):
        search.update_count(3, 2)
    search.update([True, False, True])
    with pytest.raises(BadInput, match="the search is over after 1 rounds"):
        search.update([1])
    with pytest.raises(BadInput, match="nan is below nothing"):
        respond(math.nan, 0.0, 1.0, np.random.default_rng(0))
    with pytest.raises(BadInput, match="eps: got -1"):
        respond(0.0, 0.0, -1, np.random.default_rng(0))
    many = BinarySearch(search_plan(10**9, 1.0, once=True))
    with pytest.raises(BadInput, match="once: got 1000000000 users"):
        run_search(many, lambda query: 0, np.random.default_rng(0))


def test_bad_bounds() -> None:
    plan = search_plan(1000, 1.0, rounds=4, threshold=0.2)
    for given, message in (
        ({"alpha": 0}, "alpha: got 0"),
        ({"c": -1}, "c: got -1"),
        ({"reach": 3}, "reach: got 3"),
        ({"c": 2.0}, "no distribution function is above 1"),
        ({"h": 0}, "h: got 0"),
    ):
        with pytest.raises(BadInput, match=message):
            minimum_error_bound(plan, **{"alpha": 1.0, "c": 1.0, "reach": 1.0, **given})
    for h in (0.2, 0.3):
        with pytest.raises(BadInput, match="want h < τ"):
            theorem_2b_bound(plan, h, alpha=1, c=1, reach=1)
    # Nothing is known of a quantile that α-fatness does not reach to.
    assert minimum_error_bound(plan, alpha=1, c=1, reach=0.1).total == 2 - 2.0**-4
    with pytest.raises(BadInput, match="share: got 1"):
        beta_fatness(1, 2, 1)


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
def test_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(found) == 2
    for code, shown in found:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), {})
        # Other versions of NumPy may draw other numbers.
        assert [re.sub(r"[-+]?[\d.,]+", "#", t) for t in (printed.getvalue(), shown)] == [
            re.sub(r"[-+]?[\d.,]+", "#", shown)
        ] * 2
