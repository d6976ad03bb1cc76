"""Mechanisms at the edges: jumps of a density, runs that fail or do not end, and too much of it."""

from __future__ import annotations

from fractions import Fraction

from shiftproof.checkers.exact.paths import PATHS
from shiftproof.checkers.exact.state import DRAWS
from tests.programs.exact.closed_forms import G2, G, L, X, noises

BOUNDARIES = [
    ("the edge of a support", noises(X) + "yield a", 0, ()),
    ("a test on what is released", noises(L) + "yield a\nyield a >= 1", 1, (True,)),
    ("the edge of a uniform", noises("Uniform(0, 1)") + "yield 2 * a", 2, ()),
    ("an integer and a jump", noises(G, X) + "yield a + b", 2, ()),
    ("an integer at a real", noises(L, G2) + "yield a\nyield b >= a", 0, (True,)),
    ("integers at a real", noises(L, G2, G2) + "yield a\nyield b + c >= a", 0, (True,)),
    ("clamped", noises(L) + "yield max(a, 0.0)", 0, ()),
]

ENDINGS = [
    (
        "an index",
        noises(G) + "v = [1, 2]\nyield True\nif a >= 2:\n    yield v[k]",
        (True,),
        Fraction(1, 4),
    ),
    ("a division", noises(G) + "if a >= 1:\n    yield 1 / T", (), Fraction(1, 2)),
    ("a scale", "yield None\na = sample(Laplace(k / eps))\nyield a", (None,), Fraction(1)),
    ("an interval", noises(L) + "b = sample(Uniform(T, 0))\nyield b", (), Fraction(1)),
    (
        "too few to pick",
        noises(G) + "v = [a, a]\nif a >= 3:\n    o = top_k(v, k)\n    yield o[0]",
        (),
        Fraction(1, 8),
    ),
]

ENDLESS = [
    ("at one place", noises(G) + "while a >= 2:\n    pass\nyield True", Fraction(1, 4)),
    ("in a circle", noises(G) + "z = 0\nwhile a >= 1:\n    z = 1 - z\nyield True", Fraction(1, 2)),
    (
        "a circle of three",
        noises(G) + "z = 0\nwhile a >= 1:\n    z = z + 1 if z < 2 else 0\nyield True",
        Fraction(1, 2),
    ),
    (
        "after a while",
        noises(G) + "z = 0\nwhile z < 9 or a >= 3:\n    z = min(z + 1, 20)\nyield True",
        Fraction(1, 8),
    ),
    ("never", noises(G) + "z = 0\nwhile z < 9:\n    z += 1\nyield True", Fraction(0)),
]

FORKS = PATHS.bit_length()

LIMITS = [
    (
        "PATHS",
        "for v in f:\n    a = sample(Laplace(1 / eps))\n    yield a >= v",
        PATHS.bit_length(),
    ),
    ("PATHS", "for v in f:\n    a = sample(Bernoulli(1 / 2))\n    yield a", FORKS),
    (
        "PATHS",
        "v = [0.0] * len(f)\nfor i in range(len(f)):\n    a = sample(Laplace(1 / eps))\n"
        "    v[i] = a\no = top_k(v, 8)\nyield o[0]",
        9,
    ),
    ("STEPS", "z = 0\nwhile z >= 0:\n    z += 1\nyield z", 0),
    ("STEPS", "while True:\n    yield True", 0),
    ("DRAWS", "for v in f:\n    a = sample(Laplace(1 / eps))\nyield True", DRAWS + 1),
    ("VALUES", noises(L, G2 + "(1000 / eps)", L) + "yield a + b >= c", 0),
    ("MIXED", noises(L, G2) + "yield a\nyield a + b", 0),
    ("ROUNDED", noises(L, L) + "yield round(a) >= b", 0),
    ("ROUNDED", noises(L, L) + "yield round(a) + b", 0),
    ("ROUNDED", noises(L, L) + "yield b - round(a)", 0),
    ("ROUNDED", noises(G) + "yield round(a / 2)", 0),
    ("ROUNDED", noises(L, L) + "yield a % 2 >= b", 0),
]
