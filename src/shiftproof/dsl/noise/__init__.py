"""Noise distributions, one file a family."""

from .base import Charge, Distribution, Draw, Lattice, Uniforms
from .bernoulli import Bernoulli
from .categorical import Categorical
from .discrete_laplace import DiscreteLaplace
from .discrete_uniform import DiscreteUniform
from .exponential import Exponential, NegativeExponential
from .gaussian import DiscreteGaussian, Gaussian
from .geometric import NegativeOneSidedGeometric, OneSidedGeometric, TwoSidedGeometric
from .laplace import Laplace
from .logistic import Logistic
from .staircase import Staircase
from .uniform import Uniform

__all__ = [
    "Bernoulli",
    "Categorical",
    "Charge",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "DiscreteUniform",
    "Distribution",
    "Draw",
    "Exponential",
    "Gaussian",
    "Laplace",
    "Lattice",
    "Logistic",
    "NegativeExponential",
    "NegativeOneSidedGeometric",
    "OneSidedGeometric",
    "Staircase",
    "TwoSidedGeometric",
    "Uniform",
    "Uniforms",
]
