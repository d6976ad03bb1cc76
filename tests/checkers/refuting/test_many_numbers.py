"""Events of many noisy numbers at once: against sums and integrals, and in loops of many rounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from shiftproof import Verdict, describe, refute, verify
from shiftproof.checkers.exact.laws import Law, Normal
from shiftproof.checkers.refuting.divergences.pieces import Piece
from shiftproof.checkers.refuting.divergences.shifts import Unknown
from shiftproof.checkers.refuting.divergences.sticks import side_of
from tests.dsl.making import made

INF = math.inf
NORMAL = Normal((-INF, INF), variance=Fraction(9))
LAPLACE = Law((-INF, INF), rate=Fraction(1, 2))
INTEGERS = Law((-INF, INF), lattice=True, rate=Fraction(1, 2))
ONE = fmpq(1)


def needed(piece: Piece, eps: Fraction) -> float:
    side = side_of(piece, fmpq(eps.numerator, eps.denominator), lambda _: None)
    return 0.0 if side is None else float((arb(side.left) - math.exp(eps) * arb(side.right)).mid())


def excess(p: np.ndarray, q: np.ndarray, eps: Fraction) -> float:
    return float(np.maximum(p - math.exp(eps) * q, 0).sum())


def masses(law: Law, shift: float) -> tuple[np.ndarray, np.ndarray]:
    """What is in narrow cells, on D and on D'; of integers, in those of each."""
    if law.lattice:
        at = np.arange(-120, 121)
        p, q = (np.exp(-abs(at - d) / 2) for d in (shift, 0))
    else:
        at = (np.arange(-40_000, 40_000) + 0.5) / 1_000
        density = (lambda x: -x * x / 18) if law == NORMAL else (lambda x: -abs(x) / 2)
        p, q = (np.exp(density(at - d)) for d in (shift, 0))
    return p / p.sum(), q / q.sum()


@pytest.mark.parametrize(
    ("weights", "eps"), [((1, 1), "1/3"), ((0.6, 0.3), "1/2"), ((0.3, 0.6), "0")]
)
def test_normal_noise_is_exact(weights: tuple[float, float], eps: str) -> None:
    left, right = (fmpq(*Fraction(str(w)).as_integer_ratio()) for w in weights)
    p, q = masses(NORMAL, 1.5)
    piece = Piece(left, right, ((NORMAL, Fraction(3, 2)),))
    at = Fraction(eps)
    assert needed(piece, at) == pytest.approx(excess(weights[0] * p, weights[1] * q, at), abs=1e-6)


def test_two_normal_draws_are_one_that_moves_further() -> None:
    two = Piece(ONE, ONE, ((NORMAL, Fraction(3)), (NORMAL, Fraction(-4))))
    one = Piece(ONE, ONE, ((NORMAL, Fraction(5)),))
    assert needed(two, Fraction(1)) == pytest.approx(needed(one, Fraction(1)), rel=1e-12)


@pytest.mark.parametrize("eps", ["0", "1/3", "1"])
def test_integers_are_exact(eps: str) -> None:
    p, q = masses(INTEGERS, 2)
    two = Piece(ONE, ONE, ((INTEGERS, Fraction(2)), (INTEGERS, Fraction(-2))))
    at = Fraction(eps)
    expected = excess(np.outer(p, p), np.outer(q, q), at)
    assert needed(two, at) <= expected + 1e-9
    one = Piece(ONE, ONE, ((INTEGERS, Fraction(1)),))
    assert needed(one, at) == pytest.approx(excess(*masses(INTEGERS, 1), at), abs=1e-9)


def test_balances_are_those_of_all_combinations() -> None:
    near, far = 0.5, 0.5 * math.exp(-0.5)
    here, there = (far, 1 - near - far, near), (near, 1 - near - far, far)
    p, q = (
        np.array(
            [math.prod(side[i] for i in cells) for cells in itertools.product(range(3), repeat=5)]
        )
        for side in (here, there)
    )
    piece = Piece(ONE, ONE, ((LAPLACE, Fraction(1)),) * 5)
    assert needed(piece, Fraction(1, 2)) == pytest.approx(excess(p, q, Fraction(1, 2)), rel=1e-9)


def test_both_kinds_of_noise_together() -> None:
    near, far = 0.5, 0.5 * math.exp(-0.5)
    p, q = masses(NORMAL, 2)
    here, there = np.array([far, 1 - near - far, near]), np.array([near, 1 - near - far, far])
    piece = Piece(ONE, ONE, ((LAPLACE, Fraction(-1)), (NORMAL, Fraction(2))))
    expected = excess(np.outer(here, p), np.outer(there, q), Fraction(1, 3))
    assert needed(piece, Fraction(1, 3)) == pytest.approx(expected, abs=1e-6)


def test_what_cannot_be_moved_is_impossible() -> None:
    assert needed(Piece(ONE, ONE, ((INTEGERS, Fraction(1, 2)),)), Fraction(5)) == 1
    assert needed(Piece(ONE, ONE, gaussian=None), Fraction(5)) == 1
    assert needed(Piece(fmpq(1, 4), fmpq(0), ((LAPLACE, Fraction(1)),)), Fraction(5)) == 0.25
    with pytest.raises(Unknown):
        needed(Piece(ONE, ONE, ((Law((0, INF), rate=Fraction(1)), Fraction(1)),)), Fraction(1))


ROUNDS = """
@mechanism({}, budget={})
def m(x: Count) -> Iterator[float]:
    for i in range({}):
        for j in range({}):
            noise = sample({})
            yield x + noise
"""
DELTA, RHO = "DP(delta=1e-6)", "ZCDP()"


@pytest.mark.parametrize(
    ("claim", "rounds", "inner", "right", "wrong"),
    [
        (DELTA, 365, 1, "Gaussian(103.0)", "Gaussian(60.0)"),
        (DELTA, 12, "i", "Gaussian(50.0)", "Gaussian(30.0)"),
        (DELTA, 30, 1, "Laplace(36.0)", "Laplace(15.0)"),
        (DELTA, 30, 1, "TwoSidedGeometric(36.0)", "TwoSidedGeometric(15.0)"),
        (RHO, 365, 1, "Gaussian(14.0)", "Gaussian(13.0)"),
        (RHO, 12, "i", "Gaussian(6.0)", "Gaussian(5.0)"),
    ],
)
def test_many_rounds(claim: str, rounds: int, inner: object, right: str, wrong: str) -> None:
    kept, broken = (made(ROUNDS.format(claim, 1, rounds, inner, n)) for n in (right, wrong))
    assert refute(kept, effort=300) is None
    found = refute(broken, effort=300)
    assert found is not None and found.breaks
    if rounds == 365:  # no alignment has to be looked for first
        report = verify(broken)
        assert report.verdict is Verdict.REFUTED and report.seconds < 60


def test_the_event_of_a_vector_is_one_of_all_its_numbers() -> None:
    """Of the ℓ1 and the ℓ2 sensitivity of a vector, noise for the wrong one."""
    text = """
@mechanism(DP(delta=1e-5), budget=1)
def m(f: Counts) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(len(f)):
        noise = sample(Gaussian(5.0{}))
        yield f[i] + noise
"""
    found = refute(made(text.format("")), effort=1_000)
    assert found is not None and len(found.left["f"]) > 1
    assert "noisy numbers" in describe(found)
    assert refute(made(text.format(" * math.sqrt(len(f))")), effort=300) is None


# What is claimed by floats.


@pytest.mark.parametrize(
    ("budget", "noise", "hinted"),
    [
        ("1 / 72", "Gaussian(6.0)", "Fraction(1, 72)"),
        ("1 / 73", "Gaussian(6.0)", ""),
        ("1 / 10", "Laplace(2.0)", ""),
    ],
)
def test_a_float_below_a_fraction_is_told(budget: str, noise: str, hinted: str) -> None:
    text = f"@mechanism(ZCDP(), budget={budget})\ndef m(x: Count) -> float:\n"
    found = refute(made(f"{text}    noise = sample({noise})\n    return x + noise\n"))
    assert found is not None
    hints = [line for line in describe(found).splitlines() if line.startswith("hint")]
    assert (hinted in hints[0]) if hinted else not hints


def test_a_budget_and_a_delta_of_thirds() -> None:
    for claim, noise in (
        ("DP(), budget=1 / 3", "Laplace(3)"),
        ("DP(delta=1 / 3), budget=0", "Uniform(-1.5, 1.5)"),
    ):
        text = f"@mechanism({claim})\ndef m(x: Count) -> float:\n    noise = sample({noise})\n"
        found = refute(made(f"{text}    return x + noise\n"))
        assert found is not None and "Fraction(1, 3) is not broken here" in describe(found)


@pytest.mark.parametrize("delta", ["1e-100", "1e-300"])
def test_a_delta_that_is_tiny(delta: str) -> None:
    text = f"@mechanism(DP(delta={delta}), budget=1)\ndef m(x: Count) -> float:\n"
    body = "    noise = sample(Gaussian({}))\n    return x + noise\n"
    right, wrong = (made(text + body.format(sigma)) for sigma in (60.0, 15.0))
    assert verify(right, effort=0).verdict is Verdict.PROVED
    assert refute(right, effort=100) is None
    found = refute(wrong, effort=100)
    assert found is not None and found.breaks


def test_normal_noise_behind_a_threshold_that_few_reach() -> None:
    text = """
@mechanism(DP("add-remove", delta="delta"), budget=1.0)
def m(q: Count, delta: Delta) -> float | None:
    threshold = 1 + {} * math.sqrt(2 * math.log(1 / delta))
    noise = sample(Gaussian({}))
    if q > 0 and q + noise > threshold:
        return q + noise
    return None
"""
    assert refute(made(text.format("1", "1.0"))) is not None
