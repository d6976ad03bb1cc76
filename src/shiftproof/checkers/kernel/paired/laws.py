"""The laws of noise that the kernel knows: on which lattice, and how they fall."""

from __future__ import annotations

from typing import NamedTuple


class Law(NamedTuple):
    """A distribution: its parameters, whether it is on the integers, and on which side of zero."""

    arity: int
    whole: bool = False
    sign: int = 0


#: Those whose density falls by exp(-|x| / scale), on both sides or on one of them.
FALLING = {
    "Laplace": Law(1),
    "Exponential": Law(1, sign=1),
    "NegativeExponential": Law(1, sign=-1),
    "TwoSidedGeometric": Law(1, whole=True),
    "OneSidedGeometric": Law(1, whole=True, sign=1),
    "NegativeOneSidedGeometric": Law(1, whole=True, sign=-1),
}
#: Those whose density is the same between two bounds.
FLAT = {"Uniform": Law(2), "DiscreteUniform": Law(2, whole=True)}
#: Those of which ρ is known, and no ε.
NORMAL = {"Gaussian": Law(1), "DiscreteGaussian": Law(1, whole=True)}
LAWS = {**FALLING, **FLAT, **NORMAL, "Staircase": Law(3), "Bernoulli": Law(1)}
