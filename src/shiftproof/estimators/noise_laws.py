"""The moments of additive noise in closed form, one function a family.

With X the noise, each gives E X, Var X, a median, and E|X - t| for t = 0, the mean and the median.
Most of the latter come from

    E|X - t| = E X - t + 2 E max(t - X, 0),   E max(t - X, 0) = ∫_{x<t} P(X <= x) dx.

SymPy is loaded when a law is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..dsl.noise import Distribution
from ..dsl.noise.texts import value_of
from .formula_values import whole_of

#: An expression of SymPy, which has no types.
Expr: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseLaw:
    """What is known of X.

    Attributes:
        mean, variance: E X and Var X.
        median: an integer for noise on the integers.
        absolute: E|X|, E|X - mean| and E|X - median|.
        unit: a positive expression; roots come out of multiples of its square.
        where: what each abbreviation in them means, by those before it.
        positive: what must be positive for X to exist.
    """

    mean: Expr
    variance: Expr
    median: Expr
    absolute: tuple[Expr, Expr, Expr]
    unit: Expr
    where: tuple[tuple[Expr, Expr], ...] = ()
    positive: tuple[Expr, ...]


def laplace(scale: Expr) -> NoiseLaw:
    """|X| is exponential with mean ``scale``."""
    return NoiseLaw(
        mean=_integer(0),
        variance=2 * scale**2,
        median=_integer(0),
        absolute=(scale, scale, scale),
        unit=scale,
        positive=(scale,),
    )


def exponential(scale: Expr) -> NoiseLaw:
    """For t >= 0, E|X - t| = t - scale + 2 scale exp(-t/scale); at the median scale ln 2 too."""
    import sympy

    median = scale * sympy.log(2)
    return NoiseLaw(
        mean=scale,
        variance=scale**2,
        median=median,
        absolute=(scale, 2 * scale * sympy.exp(-1), median),
        unit=scale,
        positive=(scale,),
    )


def two_sided_geometric(scale: Expr) -> NoiseLaw:
    """P(X = k) = (1 - α)/(1 + α) α^|k|, so E|X| = 2α/(1 - α²) and E X² = 2α/(1 - α)²."""
    alpha, decay = _alpha(scale)
    absolute = 2 * alpha / (1 - alpha**2)
    return NoiseLaw(
        mean=_integer(0),
        variance=2 * alpha / (1 - alpha) ** 2,
        median=_integer(0),
        absolute=(absolute, absolute, absolute),
        unit=1 / (1 - alpha),
        where=((alpha, decay),),
        positive=(scale,),
    )


def one_sided_geometric(scale: Expr) -> NoiseLaw:
    """P(X <= k) = 1 - α^(k+1), so with μ = α/(1 - α) and a whole t >= 0

        E|X - t| = t - μ + 2 μ α^t,

    and E|X - t| is linear in t between two of them.  The least k with P(X <= k) >= 1/2 is
    m = ⌈scale ln 2⌉ - 1.  At t = μ, between n - 1 and n where n = ⌊1/(1 - α)⌋ = ⌊μ⌋ + 1, the line
    gives 2 n α^n.
    """
    import sympy

    alpha, decay = _alpha(scale)
    jumps = sympy.ceiling(scale * sympy.log(2), evaluate=False)
    if not scale.free_symbols:
        jumps = sympy.Integer(whole_of(jumps))
    m = sympy.Symbol("m", integer=True, nonnegative=True)
    n = sympy.Symbol("n", integer=True, positive=True)
    mean = alpha / (1 - alpha)
    return NoiseLaw(
        mean=mean,
        variance=alpha / (1 - alpha) ** 2,
        median=m,
        absolute=(mean, 2 * n * alpha**n, m + mean * (2 * alpha**m - 1)),
        unit=1 / (1 - alpha),
        where=(
            (alpha, decay),
            (m, jumps - 1),
            (n, sympy.floor(1 / (1 - alpha))),
        ),
        positive=(scale,),
    )


def staircase(scale: Expr, step: Expr, share: Expr) -> NoiseLaw:
    """|X| = step (K + U): P(K = k) = (1 - α) α^k; U is uniform on [0, share] with probability
    share/s, s = share + (1 - share) α, else on [share, 1]; and U does not depend on K.
    """
    alpha, decay = _alpha(scale)
    total = share + (1 - share) * alpha
    part = (share**2 + (1 - share**2) * alpha) / (2 * total)
    part_squared = (share**3 + (1 - share**3) * alpha) / (3 * total)
    # Both are E of a power of K + U, times (1 - alpha) to this power.
    first = (alpha + (1 - alpha) * part).factor()
    second = alpha * (1 + alpha) + 2 * alpha * (1 - alpha) * part + (1 - alpha) ** 2 * part_squared
    unit = step / (1 - alpha)
    return NoiseLaw(
        mean=_integer(0),
        variance=unit**2 * second.factor(),
        median=_integer(0),
        absolute=(unit * first, unit * first, unit * first),
        unit=unit,
        where=((alpha, decay),),
        positive=(scale, step, share, 1 - share),
    )


def uniform(low: Expr, high: Expr) -> NoiseLaw:
    """E|X - t| integrates |x - t|, whose integral is (x - t)|x - t|/2."""
    width = high - low
    middle = (low + high) / 2
    raw = ((high * abs(high) - low * abs(low)) / (2 * width)).factor()
    return NoiseLaw(
        mean=middle,
        variance=width**2 / 12,
        median=middle,
        absolute=(raw, width / 4, width / 4),
        unit=width,
        positive=(width,),
    )


def discrete_uniform(low: Expr, high: Expr) -> NoiseLaw:
    """E|X| sums |k|: |x|(x + 1)/2 - |x - 1|x/2 = |x| for each whole x.  About the middle of
    N = high - low + 1 values, and about every median, the sum of distances is ⌊N²/4⌋.
    """
    import sympy

    size = high - low + 1
    raw = ((abs(high) * (high + 1) - abs(low - 1) * low) / (2 * size)).factor()
    about = sympy.floor(sympy.expand(size**2 / 4)) / size
    return NoiseLaw(
        mean=(low + high) / 2,
        variance=(size**2 - 1).factor() / 12,
        median=sympy.floor((low + high) / 2),
        absolute=(raw, about, about),
        unit=_integer(1),
        positive=(size,),
    )


def _mirrored(law: Callable[..., NoiseLaw]) -> Callable[..., NoiseLaw]:
    """The law of -X."""

    def mirror(*parameters: Expr) -> NoiseLaw:
        found = law(*parameters)
        return replace(found, mean=-found.mean, median=-found.median)

    return mirror


def law_of(kind: type[Distribution], *parameters: Expr) -> NoiseLaw:
    """The law of a kind of noise: of its shape, or as it states its moments."""
    if kind.shape == "falling":
        on_integers, (low, high) = kind.lattice == "integers", kind.ends
        if not low and not high:
            return (two_sided_geometric if on_integers else laplace)(*parameters)
        one_sided = one_sided_geometric if on_integers else exponential
        return (one_sided if low else _mirrored(one_sided))(*parameters)
    if kind.shape == "flat":
        return (discrete_uniform if kind.is_finite() else uniform)(*parameters)
    if kind.shape == "stairs":
        return staircase(*parameters)
    return _stated(kind, parameters)


def _stated(kind: type[Distribution], parameters: tuple[Expr, ...]) -> NoiseLaw:
    """The moments as the kind states them."""
    import sympy

    given = {"pi": sympy.pi, **dict(zip(kind.parameters, parameters, strict=True))}
    functions = {"log": sympy.log, "exp": sympy.exp, "sqrt": sympy.sqrt}
    found = [value_of(text, given, sympy.Rational, functions) for text in kind.moments]
    mean, variance, median, *absolute = found
    return NoiseLaw(
        mean=mean,
        variance=variance,
        median=median,
        absolute=(absolute[0], absolute[1], absolute[2]),
        unit=parameters[0],
        positive=tuple(_positive(part, given) for part in kind.exists.split(" and ")),
    )


def _positive(condition: str, given: dict[str, Expr]) -> Expr:
    """What is positive where ``a > b``, or ``b < a``."""
    import sympy

    greater, less = condition.split(" > ") if " > " in condition else condition.split(" < ")[::-1]
    return value_of(f"{greater} - ({less})", given, sympy.Rational)


def _integer(value: int) -> Expr:
    import sympy

    return sympy.Integer(value)


def _alpha(scale: Expr) -> tuple[Expr, Expr]:
    """α, and what it stands for."""
    import sympy

    return sympy.Symbol("alpha", positive=True), sympy.exp(-1 / scale)
