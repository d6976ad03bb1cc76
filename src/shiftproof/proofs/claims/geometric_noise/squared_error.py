"""How well a channel lets a distribution be estimated: its least error as N → ∞, uniform prior.

With y = πC the information in one report is M = C diag(1/y) Cᵀ, and N times the least mean squared
error is tr M^-1 - |π|²; for a square C, qC^-1 has it for every N.  A column v adds v vᵀ/(π·v), and
no less if it is split into extreme rays.  tr M^-1 is convex in the weights of these rays, and its
slope towards v is -φ(v) with φ(v) = |M^-1 v|²/(π·v).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp
from typing import Any

import sympy
from flint import arb, fmpq
from sympy.polys.matrices import DomainMatrix

from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.inversion import RandomisedResponse, exact_inverse, inversion_error

from ..claim import Finding, Undecided, moreover, read_as
from ..ways.algebra import argument, stays_positive, turns_at
from ..ways.small import (
    column_scales,
    dot,
    is_d_private,
    kernel,
    kernel_inverse,
    mirrored,
    ray,
    response,
    steps,
    times,
    valleys,
)

FUNCTIONS = sympy.QQ.frac_field(sympy.Symbol("alpha"))
any_level = FUNCTIONS.gens[0]  # α as a rational function


def _shortfalls(n: int, level: Any) -> list[Any]:
    """z·v - φ(v) for the rays v with a valley, where z·g = φ(g) for the columns g of G.

    Of two rays that are mirror images there is one; the uniform prior makes them equal.

    Weights w are least in error iff some z has z·v >= φ(v) for all rays v, with equality where
    w > 0 (linear programming, for Σ w v = 1).  G puts weight on the g_j, which determine z; M^-1
    is G^-T diag(y) G^-1 there.
    """
    scales, back = column_scales(n, level), kernel_inverse(n, level)
    uniform = [level**0 / (n + 1)] * (n + 1)
    reports = [dot(uniform, row) * c for row, c in zip(kernel(n, level), scales, strict=True)]
    inverse = [[entry / c for entry in row] for row, c in zip(back, scales, strict=True)]
    transposed = list(zip(*inverse, strict=True))

    def phi(v: list[Any]) -> Any:
        weighted = [y * x for y, x in zip(reports, times(inverse, v), strict=True)]
        moved = times(transposed, weighted)
        return dot(moved, moved) / dot(uniform, v)

    prices = times(back, [phi(column) for column in kernel(n, level)])
    shapes = {min(shape, mirrored(shape)) for shape in steps(n)}
    rays = [ray(shape, level) for shape in sorted(shapes) if valleys(shape)]
    return [dot(prices, v) - phi(v) for v in rays]


@read_as("no ε-d-private mechanism has a smaller mean squared error, N → ∞", by="exactly, n = 2")
def least_squared_error(level: Fraction = Fraction(4, 5)) -> Finding:
    """α = 4/5, π uniform: randomised response is ε-d-private, too, and qC^-1 has a smaller error.

    At another level the optimality conditions on all extreme rays decide.
    """
    geometric, other = TruncatedGeometric(2, level), RandomisedResponse(3, level)
    if not is_d_private(other.exact_matrix(), level):
        raise Undecided("randomised response is not d-private")
    errors = [inversion_error(channel.exact_matrix()) for channel in (geometric, other)]
    holds = errors[0] <= errors[1] and min(_shortfalls(2, level)) >= 0
    return Finding(holds, f"N·MSE: G {errors[0]}, randomised response {errors[1]}")


def _ball(number: Fraction) -> Any:
    return arb(fmpq(number.numerator, number.denominator))


def _deviations(channel: TruncatedGeometric | RandomisedResponse, sums: bool) -> Any:
    """Σ of the standard deviations of √N qC^-1, entry by entry or of its partial sums (a ball)."""
    matrix = channel.exact_matrix()
    inverse, size = exact_inverse(matrix), len(matrix)
    reports = [sum((row[j] for row in matrix), Fraction()) / size for j in range(size)]
    directions = [[int(i <= k if sums else i == k) for i in range(size)] for k in range(size)]
    total = arb(0)
    for direction in directions:
        seen = times(inverse, direction)
        variance = dot(reports, [x * x for x in seen]) - dot(reports, seen) ** 2
        total += _ball(variance).sqrt()
    return total


def _not_beaten(level: Fraction, sums: bool) -> Finding:
    ours = _deviations(TruncatedGeometric(2, level), sums)
    theirs = _deviations(RandomisedResponse(3, level), sums)
    if not (ours < theirs or ours > theirs):
        raise Undecided("the enclosures overlap")
    return Finding(bool(ours < theirs), f"Σ deviations: G {ours.str(6)}, response {theirs.str(6)}")


@read_as("none has a smaller expected total variation distance, N → ∞", by="balls, n = 2")
def least_total_variation(level: Fraction = Fraction(4, 5)) -> Finding:
    """√N (qC^-1 - π) tends to a normal law, whose mean |.| is √(2/π) times the deviation.

    So the sums of deviations compare the distances.  α = 4/5, π uniform, randomised response.
    """
    return _not_beaten(level, sums=False)


@read_as("none has a smaller expected Wasserstein distance, N → ∞", by="balls, n = 2")
def least_wasserstein(level: Fraction = Fraction(4, 5)) -> Finding:
    """On the line the distance is Σ_k |difference of the sums up to k|; else as for variation."""
    return _not_beaten(level, sums=True)


def _error(matrix: list[list[Any]]) -> Any:
    """N·MSE of qC^-1 under the uniform prior, by elimination with rational functions of α."""
    size = len(matrix)
    inverse = DomainMatrix(matrix, (size, size), FUNCTIONS).inv().to_list()
    reports = [sum(row[j] for row in matrix) / size for j in range(size)]
    return dot(reports, [dot(row, row) for row in inverse]) - any_level**0 / size


@moreover("n = 2, π uniform: N·MSE = 2(1+α+α²)²/(3(1-α)³(1+α)) for G, "
          "2(1+2α)²/(3(1-α)²) for response",
          by="rational functions, for all α")  # fmt: skip
def closed_forms(power: int = 3) -> Finding:
    """The 3 x 3 matrices are inverted for all α at once."""
    a, scales = any_level, column_scales(2, any_level)
    geometric = [[k * c for k, c in zip(row, scales, strict=True)] for row in kernel(2, a)]
    found = _error(geometric), _error(response(2, a))
    claimed = (
        2 * (1 + a + a**2) ** 2 / (3 * (1 - a) ** power * (1 + a)),
        2 * (1 + 2 * a) ** 2 / (3 * (1 - a) ** 2),
    )
    if found == claimed:
        return Finding(True, "the same rational functions of α")
    return Finding(False, f"found {found[0]} and {found[1]}")


@moreover("n = 2, π uniform: response has the smaller one iff 5α³ + 6α² > 2 "
          "(α > 0.487, ε < 0.720)",
          by="SymPy, roots counted, for all α")  # fmt: skip
def response_wins_beyond(constant: int = 2) -> Finding:
    """Response less geometric is positive up to the root of 5α³ + 6α² - 2, negative beyond."""
    a = any_level
    own = (1 + a + a**2) ** 2 / ((1 - a) ** 3 * (1 + a))
    other = (1 + 2 * a) ** 2 / (1 - a) ** 2
    return turns_at(other - own, 5 * a**3 + 6 * a**2 - constant)


@moreover("n = 2, π uniform: G has the least N·MSE of all iff 3α² + 4α <= 1, α <= (√7-2)/3 "
          "(ε >= 1.536)",
          by="optimality conditions, for all α")  # fmt: skip
def least_for_three_values(constant: int = 1) -> Finding:
    """The only ray with a valley is (1, α, 1) = g_0 + g_2 - α g_1.

    Where z·v < φ(v), weight on it, with less on g_0 and g_2 and more on g_1, lowers the error.
    """
    (shortfall,) = _shortfalls(2, any_level)
    return turns_at(shortfall, 3 * any_level**2 + 4 * any_level - constant)


@moreover("n <= 4, π uniform: it has for all ε >= 1.54", by="optimality conditions, α <= e^-1.54")
def least_at_high_eps(least_eps: Fraction = Fraction(154, 100)) -> Finding:
    """All rays with a valley for n = 2, 3, 4, for all α up to the next thousandth above e^-ε."""
    highest = Fraction(ceil(exp(-least_eps) * 1000), 1000)
    if not _ball(-least_eps).exp() < _ball(highest):
        raise Undecided(f"e^-{least_eps} is not seen to be below {highest}")
    found = [
        stays_positive(shortfall, 0, highest)
        for n in (2, 3, 4) for shortfall in _shortfalls(n, any_level)
    ]  # fmt: skip
    shown = f"z·v > φ(v) for {len(found)} rays and their mirror images, 0 < α < {highest}"
    return argument(shown, *found)


@moreover("n = 1: every ε-d-private mechanism is G with its report processed", by="extreme rays")
def two_values(n: int = 1) -> Finding:
    """Columns are sums of extreme rays; those without a valley are multiples of the columns of G.

    So C = GR with R >= 0 if no ray has one, and then no measure of what is learned prefers C.
    """
    with_valley = [shape for shape in steps(n) if valleys(shape)]
    return Finding(not with_valley, f"{len(with_valley)} of {2**n} rays have a valley")
