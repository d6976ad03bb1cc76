"""Noise distributions, one file a family."""

from .base import Charge, Distribution
from .bernoulli import Bernoulli
from .exponential import Exponential, NegativeExponential
from .geometric import NegativeOneSidedGeometric, OneSidedGeometric, TwoSidedGeometric
from .laplace import Laplace
from .sources import Draw, Lattice, Uniforms
from .uniform import Uniform

__all__ = [
    "Bernoulli",
    "Charge",
    "Distribution",
    "Draw",
    "Exponential",
    "Laplace",
    "Lattice",
    "NegativeExponential",
    "NegativeOneSidedGeometric",
    "OneSidedGeometric",
    "TwoSidedGeometric",
    "Uniform",
    "Uniforms",
]
