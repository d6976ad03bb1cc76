"""Mechanisms whose probabilities and densities have a closed form, worked out by hand.

Where nothing else is said ε is 1 (or ln 2 for base 2) and the scale of noise is 1 / ε.
"""

from __future__ import annotations

from fractions import Fraction
from math import e, exp
from typing import Any, Literal, NamedTuple

from shiftproof.checkers.exact.outcomes import Real, Tied
from tests.checkers.exact.random_programs import PREAMBLE, indented

HALF = Fraction(1, 2)


class Form(NamedTuple):
    """A body, what it releases, and how likely that is: exactly, if it is a fraction."""

    name: str
    body: str
    outcome: tuple[Any, ...]
    value: float | Fraction
    base: Literal["e", "2"] = "e"
    x: int = 0
    T: Fraction = Fraction(0)


def text(body: str) -> str:
    """A file with a mechanism ``m`` of this body; f, x, T and eps are its inputs."""
    given = "f: Counts, x: Count, T: Public[float], k: Public[int], eps: Epsilon"
    head = f"@mechanism(DP())\ndef m({given}) -> Iterator[object]:"
    return f"{PREAMBLE}from shiftproof import Counts\n\n\n{head}\n{indented(body)}\n"


def noises(*laws: str) -> str:
    """One draw from each law: a, b, c, d; a bare family has scale 1 / ε."""
    full = [law if "(" in law else f"{law}(1 / eps)" for law in laws]
    return "".join(f"{name} = sample({law})\n" for name, law in zip("abcd", full))


L, X, N = "Laplace", "Exponential", "NegativeExponential"
G, G2 = "OneSidedGeometric", "TwoSidedGeometric"
SLOW, QUICK = "(2 / eps)", "(1 / (2 * eps))"
PAIR, SUM = noises(L, L), "yield a + b"
COUNTED = noises(G) + "z = 0\nwhile z < 3 and a > z:\n    z += 1\nyield z"


def real(value: int | Fraction) -> Real:
    return Real(value)


CONVOLUTIONS = [
    # (1 + |s|) e^-|s| / 4
    Form("two Laplace", PAIR + SUM, (real(2),), 3 * exp(-2) / 4),
    Form("two Laplace, left", PAIR + SUM, (real(-HALF),), 1.5 * exp(-0.5) / 4),
    Form("two Laplace in between", PAIR + SUM, (real(0),), Fraction(1, 4)),
    # p q (p e^-qs - q e^-ps) / (2 (p² - q²)) with p = 1 and q = 1/2
    Form("Laplace rates", noises(L, L + SLOW) + SUM, (real(2),), (exp(-1) - exp(-2) / 2) / 3),
    Form("two exponentials", noises(X, X) + SUM, (real(2),), 2 * exp(-2)),
    Form("exponential rates", noises(X, X + SLOW) + SUM, (real(2),), exp(-1) - exp(-2)),
    Form(
        "uniform and exponential", noises("Uniform(0, 1)", X) + SUM, (real(2),), exp(-2) * (e - 1)
    ),
    Form("inside", noises("Uniform(0, 1)", X) + SUM, (real(HALF),), 1 - exp(-0.5)),
    Form("triangle", noises("Uniform(0, 1)", "Uniform(0, 1)") + SUM, (real(HALF),), HALF),
    # The integer is 0, 1 or 2, and each way has e^-5/2 (1 - e^-1).
    Form("integer and real", noises(G, X) + SUM, (real(5 * HALF),), 3 * exp(-2.5) * (1 - exp(-1))),
    Form("base 2", noises(X) + "yield a", (real(3),), 0.6931471805599453 / 8, "2"),
    Form("doubled", noises(L) + "yield 2 * a + 1", (real(3),), exp(-1) / 4),
    Form("turned", noises(X) + "yield x - a / 2", (real(-1),), 2 * exp(-4), x=1),
    Form("two at once", PAIR + "yield a + b\nyield a - b", (real(3), real(1)), exp(-3) / 8),
]

COMPARISONS = [
    Form("rates", noises(X, X + SLOW) + "yield a <= b", (True,), Fraction(2, 3)),
    Form("rates, apart", noises(X, X + SLOW) + "yield b >= a + 1", (True,), exp(-0.5) * 2 / 3),
    # Equal rates resonate: (2 + d) e^-d / 4 for Laplace, (1 + s) e^-s for a sum of two.
    Form("Laplace", PAIR + "yield a - b >= 3", (True,), 5 * exp(-3) / 4),
    Form("Laplace, reversed", PAIR + "yield b > a + 3", (False,), 1 - 5 * exp(-3) / 4),
    Form("sum of two", noises(X, X) + "yield a + b >= 2", (True,), 3 * exp(-2)),
    Form("sum below zero", noises(N, N) + "yield a + b <= -2", (True,), 3 * exp(-2)),
    Form("uniform, exponential", noises("Uniform(0, 1)", X) + "yield a >= b", (True,), exp(-1)),
    Form("uniform in base 2", noises("Uniform(-1, 3)") + "yield a < 0", (True,), 0.25, "2"),
    Form("doubled", noises(X, X) + "yield a >= 2 * b", (True,), Fraction(1, 3)),
    Form("base 2", noises(X) + "yield a >= 3", (True,), Fraction(1, 8), "2"),
    # Three at once: of exponentials, s²/2 + s + 1; of Laplace, (s² + 5s + 8) / 16.
    Form("three exponentials", noises(X, X, X) + "yield a + b + c < 3", (False,), 8.5 * exp(-3)),
    Form("three Laplace", noises(L, L, L) + "yield a + b + c >= 3", (True,), 2 * exp(-3)),
    Form("two against one", noises(X, X, X) + "yield a + b >= c", (True,), Fraction(3, 4)),
    Form("two Laplace, one", noises(L, L, L) + "yield a + b >= c", (True,), HALF),
    # P(2 <= s < 3); then a test that the other one implies, 1/8 meet neither.
    Form(
        "between",
        noises(L, L, L) + "v = a + b + c\nyield v >= 3\nyield v >= 2",
        (False, True),
        exp(-2) * 22 / 16 - 2 * exp(-3),
    ),
    Form("two tests", noises(L, X, N) + "yield a + b >= c\nyield a >= b + c", (True, True), HALF),
    Form(
        "one of two",
        noises(L, X, N) + "yield a + b >= c\nyield a >= b + c",
        (True, False),
        Fraction(3, 8),
    ),
    # 1 - e^-1 + e^-2 / 3 = ∫ e^-t (1 - e^-(t+1))² dt
    Form(
        "maximum",
        noises(X, X, X) + "v = [a + 1, b, c]\ni = argmax(v)\nyield i",
        (0,),
        1 - exp(-1) + exp(-2) / 3,
    ),
    Form(
        "even maximum",
        noises(L, L, L) + "v = [a, b, c]\ni = argmax(v)\nyield i",
        (2,),
        Fraction(1, 3),
    ),
    Form(
        "order",
        noises(X, X + SLOW) + "v = [a, b]\no = top_k(v, 2)\nyield o[0]\nyield o[1]",
        (0, 1),
        Fraction(1, 3),
    ),
]

FOUR = noises(*["Uniform(0, 1)"] * 4)

POLYNOMIALS = [
    # ∫ (c + 1/2)² (1 - c) / 2 up to c = 1/2, and ∫ (1 - c) / 2 from there on
    Form("a chain", FOUR + "yield a <= b and b <= c + 0.5 and c <= d", (True,), Fraction(21, 128)),
    # half of the mean of 1 - t², where t = b + c - 1/2 is put between 0 and 1
    Form("a sum", FOUR + "yield d <= a and a >= b + c - 0.5", (True,), Fraction(61, 192)),
    Form("slopes", FOUR + "yield d <= a and a >= 2 * b + c - 0.5", (True,), Fraction(43, 256)),
    # Σ over b, of which 0, 1, 2 and the rest give 1/24, 1/96, 1/384 and 1/1344
    Form(
        "integers in a chain",
        noises(G, G, G, G) + "yield a + b >= 3 and b <= c and c <= d",
        (True,),
        Fraction(149, 2688),
        "2",
    ),
    Form("below two", noises(G, G, G) + "yield a >= c and b > c", (True,), Fraction(2, 7), "2"),
    Form("no longer an int", noises(G) + "yield a + 0.5", (5 * HALF,), Fraction(1, 8), "2"),
    Form("nor an int", noises(G) + "yield a + 0.5 - 0.5", (2,), Fraction(0), "2"),
]

TIES = noises(G, G + QUICK)  # α is 1/2 and 1/4 in base 2

INTEGERS = [
    Form("at least", TIES + "yield a >= b", (True,), Fraction(6, 7), "2"),
    Form("above", TIES + "yield a > b", (True,), Fraction(3, 7), "2"),
    Form("below", TIES + "yield a < b", (True,), Fraction(1, 7), "2"),
    Form("at most", TIES + "yield a <= b", (True,), Fraction(4, 7), "2"),
    Form("equal", TIES + "yield a == b", (True,), Fraction(3, 7), "2"),
    Form("not equal", TIES + "yield a != b", (True,), Fraction(4, 7), "2"),
    Form("first of equals", TIES + "v = [a, b]\ni = argmax(v)\nyield i", (0,), Fraction(6, 7), "2"),
    Form("not before", TIES + "v = [b, a]\ni = argmax(v)\nyield i", (1,), Fraction(3, 7), "2"),
    Form("two-sided, equal", noises(G2, G2) + "yield a == b", (True,), Fraction(5, 27), "2"),
    Form("two-sided, zero", noises(G2) + "yield a", (0,), Fraction(1, 3), "2"),
    Form("two-sided, tail", noises(G2) + "yield a >= 2", (True,), Fraction(1, 6), "2"),
    Form("between integers", noises(G) + "yield a >= T", (True,), Fraction(1, 4), "2", T=3 * HALF),
    Form("up to", noises(G) + "yield a <= 2", (True,), Fraction(7, 8), "2"),
    Form("sum of two", noises(G, G) + "yield a + b", (2,), Fraction(3, 16), "2"),
    Form("difference", noises(G, G) + "yield a - b", (2,), Fraction(1, 12), "2"),
    Form(
        "difference, released late",
        noises(G, G) + "yield a - b\nyield b",
        (2, 1),
        Fraction(1, 64),
        "2",
    ),
    Form("even", noises(G) + "yield 2 * a", (4,), Fraction(1, 8), "2"),
    Form("odd", noises(G) + "yield 2 * a", (3,), Fraction(0), "2"),
    Form("twice", noises(G) + "yield a\nyield a + 1", (3, 4), Fraction(1, 16), "2"),
    Form("never both", noises(G) + "yield a\nyield a + 1", (3, 5), Fraction(0), "2"),
    Form("counted", COUNTED, (1,), Fraction(1, 4), "2"),
    Form("counted out", COUNTED, (3,), Fraction(1, 8), "2"),
    Form(
        "never up",
        noises("NegativeOneSidedGeometric", G2) + "yield b\nyield a + b",
        (0, 1),
        Fraction(0),
    ),
    Form("against a real", noises(X, G) + "yield a >= b", (True,), 1 / (1 + exp(-1))),
    Form("reals are not integers", noises(X, G) + "yield a == b", (True,), Fraction(0)),
    Form(
        "with a uniform",
        noises("Uniform(0, 1)", G) + "yield a + b >= 1.5",
        (True,),
        exp(-2) + (1 - exp(-1)) * exp(-1) / 2,
    ),
]

COIN = "a = sample(Bernoulli(1 / 4))\nb = sample(Laplace(1 / eps))\n"
TWICE = noises(L) + "yield 1 + a\nyield x + a"

MIXTURES = [
    Form("response", "a = sample(Bernoulli(1 / 4))\nyield a == (x >= 1)", (True,), Fraction(3, 4)),
    Form(
        "two coins",
        "a = sample(Bernoulli(1 / 4))\nb = sample(Bernoulli(1 / 2))\nyield a or b",
        (True,),
        Fraction(5, 8),
    ),
    Form("moved", COIN + "yield b + 2 if a else b", (real(3),), exp(-1) / 8 + 3 * exp(-3) / 8),
    Form("clamped", noises(L) + "yield max(a, 0.0)", (Fraction(0),), HALF),
    Form("above the clamp", noises(L) + "yield max(a, 0.0)", (real(1),), exp(-1) / 2),
    Form("folded", noises(L) + "yield abs(a)", (real(1),), exp(-1)),
    Form("smaller", noises(X, X + SLOW) + "yield min(a, b)", (real(2),), 1.5 * exp(-3)),
    Form("released and compared", noises(X) + "yield a\nyield a >= 1", (real(2), True), exp(-2)),
    Form("never", noises(X) + "yield a\nyield a >= 1", (real(2), False), Fraction(0)),
    Form("tied", TWICE, (real(2), Tied(((0, 1),), 2)), exp(-1) / 2, x=3),
    Form("tied elsewhere", TWICE, (real(2), Tied(((0, 1),), 1)), Fraction(0), x=3),
    Form("not free", TWICE, (real(2), real(9)), Fraction(0), x=3),
    Form(
        "a half", noises(L) + "yield 2 * a\nyield a", (real(2), Tied(((0, HALF),), 0)), exp(-1) / 4
    ),
    Form(
        "of two",
        PAIR + "yield a\nyield b\nyield a - 2 * b",
        (real(1), real(2), Tied(((0, 1), (1, -2)), 0)),
        exp(-3) / 4,
    ),
    Form("below the support", noises(X) + "yield a", (real(-1),), Fraction(0)),
    Form("outside", noises("Uniform(0, 1)") + "yield a + 1", (real(HALF),), Fraction(0)),
    Form("at the peak", noises(L) + "yield a", (real(0),), HALF),
    Form("an int is no float", "yield x", (Fraction(1),), Fraction(0), x=1),
]

#: Between whole numbers: P[round(X) = k], k >= 1, is e^-k (e^1/2 - e^-1/2).
STEP = exp(0.5) - exp(-0.5)
ROUNDED = [
    Form("rounded", noises(L) + "yield round(a)", (2,), exp(-2) * STEP / 2),
    Form("rounded to zero", noises(L) + "yield x + int(a)", (5,), 1 - exp(-1), x=5),
    Form("rounded down", noises(L) + "yield floor(a)", (-1,), (1 - exp(-1)) / 2),
    Form("rounded up", noises(L) + "yield ceil(a)", (1,), (1 - exp(-1)) / 2),
    Form(
        "to tens",
        noises(L) + "yield 10 * round((x + a) / 10)",
        (30,),
        exp(-15) * (1 - exp(-10)) / 2,
        x=10,
    ),
    Form("divided", noises(L) + "yield a // 2", (Fraction(1),), (exp(-2) - exp(-4)) / 2),
    Form("integers divided", noises(G) + "yield a // 2", (1,), 3 / 16, "2"),
    Form(
        "rounded twice",
        noises(L) + "yield round(a)\nyield round(a + 1 / 2)",
        (0, 1),
        (1 - exp(-0.5)) / 2,
    ),
    Form("and as it is", noises(L) + "yield a\nyield int(a)", (real(3 * HALF), 1), exp(-1.5) / 2),
    Form("rounded in a test", noises(L) + "yield round(a) >= 1", (True,), exp(-0.5) / 2),
    Form(
        "in two tests",
        noises(L) + "r = round(a)\nyield r >= 1\nyield r < 3",
        (True, True),
        (exp(-0.5) - exp(-2.5)) / 2,
    ),
    Form("of a sum", noises(X, X) + "yield int(a + b)", (0,), 1 - 2 * exp(-1)),
    Form(
        "and a test of the noise",
        noises(L) + "yield int(a)\nyield a >= 1 / 2",
        (0, True),
        (exp(-0.5) - exp(-1)) / 2,
    ),
]

FORMS = [*CONVOLUTIONS, *COMPARISONS, *POLYNOMIALS, *INTEGERS, *ROUNDED, *MIXTURES]
