"""Values in a batch are what Python makes of them: signs of zero, sizes, types, comparisons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof import LimitReached
from shiftproof.dsl.simulation import machine as endless
from shiftproof.dsl.simulation.outcomes import Ending
from shiftproof.dsl.simulation.simulate import Simulation
from tests.dsl.making import body, made
from tests.dsl.simulation.taping import agree, numbers, simulated

N = "n = sample(TwoSidedGeometric(1 / eps))\n"
Y = "y = sample(Laplace(1 / eps))\n"
B = "b = sample(Bernoulli(0.5))\n"
COMPARED = (
    "yield {0} >= T\nyield {0} > T\nyield T <= {0}\nyield {0} == T\nyield T != {0}\nyield T < {0}"
)
LARGE = 2**53


@pytest.mark.parametrize(
    "text",
    [
        f"{Y}yield -y\nyield 0 - y\nyield +y",
        f"{N}yield -n",
        f"{N}k = 0\nif n > 0:\n    k = k + 1.0\nyield k\nif n > 1:\n    k += 1\nyield k",
        f"{B}k = 2\nif b:\n    k = k + 1\nelse:\n    k += 2\nyield k",
        f"{N}l = [0, 1.5]\nif 0 <= n < 2:\n    yield l[n]",
        f"{N}l = ['a', 'b']\nif 0 <= n < 2:\n    yield l[n]",
        f"{N}l = [None] * 2\nif -2 <= n < 2:\n    yield l[n]",
        f"{N}l = [0.0] * 3\nif 0 <= n < 3:\n    l[n] = 3\nfor v in l:\n    yield v",
        f"{N}l = [0.0] * 3\nl.append(1)\nif -3 <= n < 4:\n    yield l[n]",
        f"{N}k = (n + 7) * 100000000\nyield k * k if n < -6 else 0",
        f"{N}k = (n + 7) * 100000000\nyield n < -6 and k * k > 5",
        f"{Y}yield int(y * 1e300) if y == 0 else 1",
        f"{N}k = n * 1e308 * 10.0\nyield int(k)",
        f"{N}k = n * 1e308 * 10.0\ns = k - k\ny = sample(Laplace(s))\nyield y",
        f"{B}yield abs(b)\nyield int(b)\nyield round(b)",
        f"{Y}l = [0.0] * 3\nl[y] = 1.0\nyield 1",
        f"{B}l = [b, True]\nfor k in top_k(l, 1):\n    yield k\nyield argmax(l)",
        "l = ['a', 'b']\nyield argmax(l)\nfor k in top_k(l, 1):\n    yield k",
        "l = [None, 1]\nyield argmax(l)",
        f"{Y}l = [1.0] * 3\nyield l[y]",
        f"{Y}l = [1.0] * y\nyield len(l)",
    ],
)
def test_as_python(text: str) -> None:
    agree(made(body(text, "x: Count")), {"x": 1, "eps": 1.0}, runs=60, seed=1)


@pytest.mark.parametrize("noise", [N, Y])
@pytest.mark.parametrize(
    "threshold",
    [Fraction(1, 3), 1 + Fraction(1, 10**30), 1 - Fraction(1, 10**30), Fraction(1, 2), Fraction(2)],
)
def test_fractions_are_compared_exactly(noise: str, threshold: Fraction) -> None:
    text = noise + COMPARED.format(noise[0])
    mechanism = made(body(text, "x: Count, T: Public[float]"))
    agree(mechanism, {"x": 1, "T": threshold, "eps": 1.0}, runs=60, seed=1)


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        (f"{N}k = 9223372036854775808\nif n > 0:\n    k = n\nyield k > 5", {}),
        (f"{Y}yield y + 9007199254740992.0 == 9007199254740993", {}),
        (f"{B}k = c if b else 1\nyield k == 9007199254740992.0", {"c": LARGE + 1}),
        (f"{N}if 0 <= n < len(f):\n    yield f[n]", {"f": (LARGE, 1, 2)}),
        (f"{N}yield n >= T", {"T": Fraction(10**400, 7)}),
        ("yield 'a' + 'b'", {}),
    ],
)
def test_what_does_not_fit_is_refused(text: str, inputs: dict[str, Any]) -> None:
    mechanism = made(body(text, "f: Counts, c: Public[int], T: Public[float]"))
    every = {"f": (1,), "c": 1, "T": 1.0, "eps": 1.0, **inputs}
    with pytest.raises(LimitReached):
        simulated(mechanism, every, numbers(60, 1))


def test_the_sign_of_zero() -> None:
    mechanism = made(body(f"{N}yield T if n > 0 else 0.0", "x: Count, T: Public[float]"))
    agree(mechanism, {"x": 1, "T": -0.0, "eps": 1.0}, runs=40, seed=1)


def test_outcomes_of_other_types_are_other_outcomes() -> None:
    for other in ("1.0", "True"):
        mechanism = made(body(f"{N}yield 1 if n > 0 else {other}", "x: Count"))
        counts = Simulation(mechanism, x=1, eps=1.0).outcomes(1_000, seed=1).counts()
        assert sum(n for _, n in counts) == 1_000
        assert {type(outcome[0]) for outcome, _ in counts} == {int, type(eval(other))}


def test_a_long_run_does_not_end_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "MOST_ROUNDS", 500)
    text = (
        f"{N}k = 0\nwhile k < 495 and n > 0:\n    k += 1\nj = 0\nwhile j < 15:\n    j += 1\nyield n"
    )
    outcomes = Simulation(made(body(text, "x: Count")), x=1, eps=1.0).outcomes(500, seed=2)
    ended = outcomes.endings == Ending.END
    assert 0 < np.count_nonzero(ended) < 500
    assert all((outcome[0] <= 0) for outcome, end in zip(outcomes, ended, strict=True) if end)
    assert not any(outcome for outcome, end in zip(outcomes, ended, strict=True) if not end)
