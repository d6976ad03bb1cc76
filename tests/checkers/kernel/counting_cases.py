"""Core texts of finite mechanisms, what their relation says, and their laws by running them."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

BIT = "Annotated[int, IntegerValue(low=0, high=1)]"
MARKS = "Annotated[Sequence[int], IntegerValues(low=0, high=1)]"

WARNER = f"""
@mechanism(LDP())
def warner(x: {BIT}, eps: Epsilon):
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x == 1 if keep else x == 0
"""
OF_NUMBERS = f"""
@mechanism(LDP(), budget=1.1)
def of_numbers(x: {BIT}):
    keep = sample(Bernoulli(0.75))
    return x == 1 if keep else x == 0
"""
K_ARY = """
@mechanism(LDP())
def k_ary(x: Annotated[int, IntegerValue(low=1, high='k')], k: Public[Nat], eps: Epsilon):
    assert k >= 2
    truth = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    other_value = sample(DiscreteUniform(1, k))
    return x if truth else other_value
"""
RAPPOR = """
@mechanism(LDP())
def rappor(x: Annotated[int, IntegerValue(low=1, high='k')], k: Public[Nat], eps: Epsilon):
    stop_2 = index(k + 1)
    for i_1 in range(1, stop_2, 1):
        i = i_1
        flip = sample(Bernoulli(1 / (1 + exp(eps / 2))))
        yield ((x == i) != flip)
"""
TWO_ROUNDS = f"""
@mechanism(LDP(), budget=lambda first, second: first + second)
def two_rounds(x: {BIT}, first: Epsilon, second: Epsilon):
    keep = sample(Bernoulli(exp(first) / (1 + exp(first))))
    said = (x == 1) == keep
    yield said
    if said:
        again = sample(Bernoulli(exp(second) / (1 + exp(second))))
        yield ((x == 1) == again)
"""
BY_DISTANCE = """
def distance(x):
    return abs(x - other(x))

@mechanism(DPrivacy(distance))
def by_distance(x: Annotated[int, IntegerValue(low=0, high=3)], eps: Epsilon):
    z = sample(Categorical([exp(-eps * abs(x - 0) / 2), exp(-eps * abs(x - 1) / 2),
        exp(-eps * abs(x - 2) / 2), exp(-eps * abs(x - 3) / 2)]))
    return z
"""
USERS = f"""
@mechanism(LDP())
def users(q: {MARKS}, eps: Epsilon):
    assert len(q) <= 3
    for i_1 in range(0, len(q), 1):
        x = q[i_1]
        flip = sample(Bernoulli(1 / (1 + exp(eps))))
        yield ((x == 1) != flip)
"""
TWO_INPUTS = f"""
@mechanism(LDP())
def two_inputs(x: {BIT}, y: {BIT}, eps: Epsilon):
    for v_1 in range(0, 2, 1):
        v = v_1
        flip = sample(Bernoulli(1 / (1 + exp(eps / 2))))
        yield ((x == 1 if v == 0 else y == 1) != flip)
"""
EXPONENTIAL = f"""
def moves_by_one(q):
    return -1 <= q - other(q) and q - other(q) <= 1

@mechanism(Related(moves_by_one))
def exponential_mechanism(q: {MARKS}, eps: Epsilon):
    assert len(q) >= 1
    weights = []
    stop_2 = len(q)
    for i_1 in range(0, stop_2, 1):
        i = i_1
        weights.append(exp(eps * q[i] / 2))
    chosen = sample(Categorical(weights))
    return chosen
"""
PERMUTE = f"""
def moves_by_one(q):
    return -1 <= q - other(q) and q - other(q) <= 1

@mechanism(Related(moves_by_one))
def permute_and_flip(q: {MARKS}, eps: Epsilon):
    assert len(q) >= 1
    best = 0
    stop_2 = len(q)
    for i_1 in range(0, stop_2, 1):
        i = i_1
        best = max(best, q[i])
    asked = [False] * len(q)
    stop_4 = len(q)
    for r_3 in range(0, stop_4, 1):
        r = r_3
        place = sample(DiscreteUniform(1, len(q) - r))
        candidate = 0
        left = place
        stop_6 = len(q)
        for i_5 in range(0, stop_6, 1):
            i = i_5
            if not asked[i]:
                left = left - 1
                if left == 0:
                    candidate = i
        asked[candidate] = True
        if q[candidate] >= best:
            return candidate
        chosen = sample(Bernoulli(exp(eps * (q[candidate] - best) / 2)))
        if chosen:
            return candidate
    return 0
"""
MANGAT = f"""
@mechanism(ADP(Policy({{1}})))
def mangat(x: {BIT}, p: Public[float], eps: Epsilon):
    assert p > 0
    assert p <= 1 - exp(-eps)
    if x == 1:
        return True
    lie = sample(Bernoulli(1 - p))
    return lie
"""
UTILITY = """
def low(x):
    return x <= 2

def shown(z):
    return z <= 2

@mechanism(UtilityOptimizedLDP(low, shown))
def utility(x: Annotated[int, IntegerValue(low=1, high=4)], eps: Epsilon):
    if x <= 2:
        keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        return x if keep else 3 - x
    named = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    if named:
        return x
    coin = sample(DiscreteUniform(1, 2))
    return coin
"""
#: The text, and the largest size that is counted here; these make no question.
RIGHT = {
    "warner": (WARNER, 0), "of_numbers": (OF_NUMBERS, 0), "k_ary": (K_ARY, 4),
    "rappor": (RAPPOR, 3), "two_rounds": (TWO_ROUNDS, 0), "by_distance": (BY_DISTANCE, 0),
    "users": (USERS, 3), "two_inputs": (TWO_INPUTS, 0), "exponential": (EXPONENTIAL, 3),
    "permute": (PERMUTE, 3), "utility": (UTILITY, 0),
}  # fmt: skip


# Laws by running the text as Python on every course of its draws, in floats.


class _Course:
    def __init__(self, taken: list[int]) -> None:
        self.taken, self.options, self.probability = taken, list[int](), 1.0

    def sample(self, table: list[tuple[Any, float]]) -> Any:
        if any(p < 0 for _, p in table) or not math.isclose(sum(p for _, p in table), 1):
            raise ValueError("no distribution")
        place = len(self.options)
        if place > 40:
            raise ValueError("too many draws")
        self.options.append(len(table))
        if place == len(self.taken):
            self.taken.append(0)
        value, p = table[self.taken[place]]
        self.probability *= p
        return value


def _uniform(low: int, high: int) -> list[tuple[Any, float]]:
    return [(k, 1 / (high - low + 1)) for k in range(low, high + 1)]


def _weighted(weights: list[float]) -> list[tuple[Any, float]]:
    return [(k, w / sum(weights)) for k, w in enumerate(weights)]


def law(text: str, values: Mapping[str, Any]) -> dict[Any, float]:
    """What comes out, types included, with its probability."""
    tree = ast.parse(text)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list, name = [], function.name
    for argument in function.args.args:
        argument.annotation = None
    names: dict[str, Any] = {
        "exp": math.exp, "index": int, "DiscreteUniform": _uniform, "Categorical": _weighted,
        "Bernoulli": lambda p: [(False, 1 - p), (True, p)],
    }  # fmt: skip
    exec(compile(tree, "<core>", "exec"), names)
    found: dict[Any, float] = {}
    taken: list[int] = []
    while True:
        course = _Course(taken)
        names["sample"] = course.sample
        out = names[name](**values)
        released = list(out) if hasattr(out, "__next__") else [out]
        key = tuple((type(v).__name__, v) for v in released)
        found[key] = found.get(key, 0.0) + course.probability
        taken = course.taken
        while taken and taken[-1] + 1 == course.options[len(taken) - 1]:
            taken.pop()
        if not taken:
            return found
        taken[-1] += 1


def neighbours(name: str, size: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """All pairs of a mechanism of this module at one size, by the definition."""
    bits = itertools.product((0, 1), repeat=size)
    columns: dict[str, Any] = {"x": range(2)}
    if name in ("k_ary", "rappor"):
        columns = {"x": range(1, size + 1)}
    elif name == "by_distance":
        columns = {"x": range(4)}
    elif name == "two_inputs":
        columns = {"x": range(2), "y": range(2)}
    elif name in ("users", "exponential", "permute"):
        columns = {"q": list(bits)}
    every = [dict(zip(columns, row)) for row in itertools.product(*columns.values())]
    for one, two in itertools.permutations(every, 2):
        if name == "users" and sum(a != b for a, b in zip(one["q"], two["q"])) > 1:
            continue
        yield one, two


def excess(left: Mapping[Any, float], right: Mapping[Any, float]) -> float:
    """The largest log ratio of two laws."""
    ratios = [
        math.log(p / right[z]) if right.get(z, 0.0) > 0 else math.inf
        for z, p in left.items()
        if p > 1e-300
    ]
    return max(ratios)
