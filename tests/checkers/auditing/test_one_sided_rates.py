"""How often a one-sided answer can be given: against exact probabilities and optimal mechanisms."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest
from scipy.optimize import linprog

from shiftproof import (
    ADP,
    BadInput,
    Count,
    CountingQuery,
    Epsilon,
    Exponential,
    Mechanism,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Policy,
    Public,
    likelihood,
    mechanism,
    neighbours,
    sample,
)
from shiftproof.checkers.auditing.edges import (
    one_sided_rate_adp,
    one_sided_rate_attained,
    one_sided_rate_dp,
)

visited = Policy(sensitive={1})
Absent = Annotated[int, CountingQuery({0})]
LN2 = math.log(2)

# Values.


def series(epsilon: float, delta: float, steps: int) -> float:
    return min(delta * math.fsum(math.exp(i * epsilon) for i in range(steps)), 1.0)


@pytest.mark.parametrize("epsilon", [0, 1e-300, 1e-12, 0.01, LN2, 1, 5, Fraction(1, 3)])
@pytest.mark.parametrize("delta", [0, 1e-300, 1e-9, 1e-3, 0.3, 1])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 10, 40])
def test_dp_is_the_sum_of_the_proof(epsilon: float, delta: float, steps: int) -> None:
    found = one_sided_rate_dp(epsilon, delta, steps)
    assert math.isclose(found, series(float(epsilon), delta, steps), rel_tol=1e-13)


def test_dp_at_its_limits() -> None:
    assert one_sided_rate_dp(0, 1e-5, 7) == 7 * 1e-5
    assert one_sided_rate_dp(1e-320, 1e-5, 7) == one_sided_rate_dp(0, 1e-5, 7)
    assert one_sided_rate_dp(3, 0.01, 1) == 0.01 and one_sided_rate_dp(1e300, 0.01, 1) == 0.01
    assert one_sided_rate_dp(1, 0.01, 5000) == one_sided_rate_dp(1e300, 1e-300, 2) == 1
    assert one_sided_rate_dp(1, 0, 10**300) == 0
    assert one_sided_rate_dp(710, 5e-324, 2) == pytest.approx(math.exp(math.log(5e-324) + 710))
    assert one_sided_rate_dp(2.0, 1.0, 0) == 0


@pytest.mark.parametrize("rate", [lambda e, k: one_sided_rate_adp(e, k), one_sided_rate_attained])
def test_adp_values(rate: Callable[[float, int], float]) -> None:
    assert rate(LN2, 1) == pytest.approx(1 / 2) and rate(LN2, 3) == pytest.approx(7 / 8)
    assert rate(1e-18, 4) == 4e-18 and rate(5e-324, 1) == 5e-324
    assert rate(0, 4) == rate(3, 0) == 0 and str(rate(0, 4)) == "0.0"
    assert rate(1e300, 10**300) == 1


def test_adp_where_no_path_leads() -> None:
    assert one_sided_rate_adp(1, None) == 1
    assert one_sided_rate_adp(1, None, reaches_false=True) == 0
    assert one_sided_rate_adp(1, 3, reaches_false=True) == 0
    assert one_sided_rate_adp(1, 3) == one_sided_rate_attained(1, 3)


def test_more_of_anything_never_lowers_a_rate() -> None:
    epsilons, deltas, steps = (0, 1e-9, 0.5, 1, 30), (0, 1e-12, 1e-4, 0.2), range(6)
    grids = (
        [[one_sided_rate_dp(e, d, k) for k in steps] for e in epsilons for d in deltas],
        [[one_sided_rate_dp(e, d, k) for e in epsilons] for d in deltas for k in steps],
        [[one_sided_rate_dp(e, d, k) for d in deltas] for e in epsilons for k in steps],
        [[one_sided_rate_adp(e, k) for k in (*steps, None)] for e in epsilons],
        [[one_sided_rate_adp(e, k) for e in epsilons] for k in steps],
    )
    for row in itertools.chain(*grids):
        assert row == sorted(row) and 0 <= row[0] and row[-1] <= 1


# Wrong arguments.

NO_NUMBERS = [-1, -1e-300, math.nan, math.inf, True, "1", None, 1j, 10**400]
NO_STEPS = [-1, 1.0, True, "1", math.nan, Fraction(2), 10**400]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_epsilon_or_delta(value: Any) -> None:
    for call in (
        lambda: one_sided_rate_dp(value, 0.1, 1),
        lambda: one_sided_rate_adp(value, 1),
        lambda: one_sided_rate_adp(value, None),
        lambda: one_sided_rate_attained(value, 1),
    ):
        with pytest.raises(BadInput, match=r"^epsilon: got .* a finite number that is not neg"):
            call()
    with pytest.raises(BadInput, match=r"^delta: got "):
        one_sided_rate_dp(1, value, 1)


def test_a_delta_above_1() -> None:
    with pytest.raises(BadInput, match=r"^delta: got 1\.5; a number from 0 to 1"):
        one_sided_rate_dp(1, 1.5, 1)


@pytest.mark.parametrize("value", NO_STEPS)
def test_what_is_no_number_of_steps(value: Any) -> None:
    for call in (
        lambda: one_sided_rate_dp(1, 0.1, value),
        lambda: one_sided_rate_adp(1, value),
        lambda: one_sided_rate_adp(1, value, reaches_false=True),
        lambda: one_sided_rate_attained(1, value),
    ):
        with pytest.raises(BadInput, match=r"^steps: got "):
            call()


def test_numpy_numbers_and_what_is_no_truth_value() -> None:
    assert one_sided_rate_dp(np.float64(1), np.float32(0.25), np.int64(1)) == 0.25  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^reaches_false: got 1"):
        one_sided_rate_adp(1, 1, 1)  # type: ignore[arg-type]


# Theorem 11, against exact probabilities.


@mechanism(ADP(visited))
def laplace_below(f: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(Exponential(1 / eps))
    return f + noise < T


@mechanism(ADP(visited))
def laplace_up_to(f: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(Exponential(1 / eps))
    return f + noise <= T


@mechanism(ADP(visited))
def geometric_below(f: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise < T


@mechanism(ADP(visited))
def geometric_up_to(f: Count, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise <= T


@mechanism(ADP(visited))
def laplace_above(f: Absent, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(NegativeExponential(1 / eps))
    return f + noise > T


@mechanism(ADP(visited))
def laplace_from(f: Absent, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(NegativeExponential(1 / eps))
    return f + noise >= T


@mechanism(ADP(visited))
def geometric_from(f: Absent, T: Public[float], eps: Epsilon) -> bool:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return f + noise >= T


#: How many steps lead from counts on which the answer is false to this one.
STEPS: dict[str, Callable[[int, float], int]] = {
    "below": lambda f, t: math.ceil(t) - f,
    "up_to": lambda f, t: math.floor(t) + 1 - f,
    "above": lambda f, t: f - math.floor(t),
    "from": lambda f, t: f - math.ceil(t) + 1,
}


def says_so(m: Mechanism[..., Any], f: int, t: float, eps: float) -> float:
    return float(likelihood(m, (True,), f=f, T=t, eps=eps).value.low)


def steps_of(m: Mechanism[..., Any], f: int, t: float) -> int:
    return STEPS[m.function.__name__.partition("_")[2]](f, t)


def near(found: float, wanted: float) -> bool:
    return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-15)


@pytest.mark.parametrize("eps", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("m", [laplace_below, laplace_above], ids=lambda m: m.function.__name__)
def test_asymmetric_laplace_attains_it_at_whole_thresholds(
    m: Mechanism[..., Any], eps: float
) -> None:
    for f, t in itertools.product(range(7), (1, 3, 5)):
        k = max(steps_of(m, f, t), 0)
        assert near(says_so(m, f, t, eps), one_sided_rate_attained(eps, k)), (f, t)


@pytest.mark.parametrize("eps", [0.25, 1.0, 3.0])
@pytest.mark.parametrize(
    "m", [geometric_below, geometric_up_to, geometric_from], ids=lambda m: m.function.__name__
)
def test_geometric_noise_attains_it_everywhere(m: Mechanism[..., Any], eps: float) -> None:
    for f, t in itertools.product(range(7), (1, 3, 4.5, 4.75, 5)):
        k = max(steps_of(m, f, t), 0)
        assert near(says_so(m, f, t, eps), one_sided_rate_attained(eps, k)), (f, t)


@pytest.mark.parametrize(
    ("m", "f", "t", "found"),
    [
        (laplace_below, 4, 4.5, 1 - math.exp(-1 / 2)),  # the threshold is not whole
        (laplace_up_to, 5, 5, 0),  # not strict
        (laplace_from, 5, 5, 0),  # not strict, the other way round
    ],
    ids=lambda m: m.function.__name__ if isinstance(m, Mechanism) else "",
)
def test_its_hypotheses_are_needed(m: Mechanism[..., Any], f: int, t: float, found: float) -> None:
    assert steps_of(m, f, t) == 1 and near(one_sided_rate_attained(1, 1), 1 - math.exp(-1))
    assert near(says_so(m, f, t, 1), found) and found < 0.4 < 0.63 < one_sided_rate_attained(1, 1)


def test_enough_data_is_needed() -> None:
    """With two records no count reaches 5: no steps lead to false data, and nothing bounds it."""
    assert one_sided_rate_adp(1, None) == 1 > says_so(laplace_below, 2, 5, 1)


# Theorems 8 and 9, against the best of all mechanisms with two outputs, by linear programming.

Data = tuple[tuple[int, ...], ...]


def everything(values: Iterable[int], size: int) -> list[Data]:
    return [tuple((v,) for v in data) for data in itertools.product(values, repeat=size)]


def best(
    space: list[Data], pairs: list[tuple[Data, Data]], false: set[Data], eps: float, delta: float
) -> dict[Data, float]:
    """The largest probability of saying "true" for each data set, if it is never said falsely."""
    number = {data: k for k, data in enumerate(space)}
    rows: list[Any] = []
    limits: list[float] = []
    for one, two in pairs:
        row = np.zeros(len(space))
        row[number[one]], row[number[two]] = 1, -math.exp(eps)
        rows += [row, -row]  # of "true", and of its opposite
        limits += [delta, math.exp(eps) - 1 + delta]
    bounds = [(0, 0 if data in false else 1) for data in space]
    found = {}
    for data in space:
        goal = np.zeros(len(space))
        goal[number[data]] = -1
        solved = linprog(goal, A_ub=np.array(rows), b_ub=limits, bounds=bounds)
        assert solved.status == 0
        found[data] = -solved.fun
    return found


def distances(
    space: list[Data], pairs: list[tuple[Data, Data]], begin: set[Data]
) -> dict[Data, int]:
    """How many steps lead to each data set, where a path does."""
    found = dict.fromkeys(begin, 0)
    waiting = deque(begin)
    while waiting:
        here = waiting.popleft()
        for one, two in pairs:
            if one == here and two not in found:
                found[two] = found[one] + 1
                waiting.append(two)
    return found


def few_ones(data: Data) -> bool:
    return sum(r == (1,) for r in data) < 2


def no_twos(data: Data) -> bool:
    return (2,) not in data


def starts_with_zero(data: Data) -> bool:
    return data[0] == (0,)


def bounds_of(
    space: list[Data], policy: Policy, false: set[Data], eps: float
) -> tuple[dict[Data, float], dict[Data, float], dict[Data, float]]:
    """What is possible, what Theorem 9 says, and what it says if steps count from false data."""
    pairs = [(data, other) for data in space for other in neighbours(data, policy)]
    never = distances(space, [(two, one) for one, two in pairs], false)
    near, far = distances(space, pairs, {*never}), distances(space, pairs, false)
    sharp, loose = (
        {d: one_sided_rate_adp(eps, steps.get(d), d in never) for d in space}
        for steps in (near, far)
    )
    return best(space, pairs, false, eps, 0.0), sharp, loose


@pytest.mark.parametrize("eps", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("query", [few_ones, no_twos, starts_with_zero])
@pytest.mark.parametrize("sensitive", [{1}, {0}, {0, 1}, {1, 2}, {0, 1, 2}], ids=str)
def test_theorem_9_is_the_best_that_is_possible(
    sensitive: set[int], query: Callable[[Data], bool], eps: float
) -> None:
    """On every data set."""
    space = everything((0, 1, 2), 2)
    false = {data for data in space if not query(data)}
    policy = Policy(sensitive=sensitive, universe=(0, 1, 2))
    found, sharp, loose = bounds_of(space, policy, false, eps)
    for data in space:
        assert found[data] == pytest.approx(sharp[data], abs=1e-7), data
        assert sharp[data] <= loose[data]


def test_steps_count_from_all_data_where_it_is_never_said() -> None:
    """No steps lead from twos to two zeros; but a one may be a two, so it is never said there."""
    space = everything((0, 1, 2), 2)
    false = {data for data in space if not no_twos(data)}
    policy = Policy(sensitive={1}, universe=(0, 1, 2))
    found, sharp, loose = (b[((0,), (0,))] for b in bounds_of(space, policy, false, 0.1))
    assert found == pytest.approx(1 - math.exp(-0.1)) == pytest.approx(sharp) and loose == 1


@pytest.mark.parametrize("eps", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.05])
def test_theorem_8_is_the_best_while_it_is_small(eps: float, delta: float) -> None:
    space = everything((0, 1), 4)
    pairs = [
        (one, two)
        for one, two in itertools.product(space, repeat=2)
        if sum(r != s for r, s in zip(one, two)) == 1
    ]
    false = {data for data in space if not any(r == (0,) for r in data)}
    to_it = distances(space, pairs, false)
    for data, found in best(space, pairs, false, eps, delta).items():
        bound = one_sided_rate_dp(eps, delta, to_it[data])
        assert found <= bound + 1e-7
        if bound < 0.1:
            assert found == pytest.approx(bound, abs=1e-7), data


def test_theorem_8_is_not_the_best_near_1() -> None:
    space = everything((0, 1), 2)
    pairs = [
        (one, two)
        for one, two in itertools.product(space, repeat=2)
        if sum(r != s for r, s in zip(one, two)) == 1
    ]
    found = best(space, pairs, {((1,), (1,))}, 2.0, 0.2)[((0,), (0,))]
    assert found < 0.95 and one_sided_rate_dp(2, 0.2, 2) == 1
