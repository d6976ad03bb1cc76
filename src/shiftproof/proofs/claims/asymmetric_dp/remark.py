"""Section 5.1, the Remark: the lower bound of the error under ADP, and whether aLap is optimal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import sympy
import z3
from flint import arb

from ..claim import Claim, Finding, Paper, Undecided, Verdict, moreover, read_as, repaired
from ..ways.algebra import (
    ball,
    below,
    epsilon,
    expected,
    identical,
    least_absolute_error,
    noise,
    shown,
    squared_error,
    together,
    valid,
    width,
)
from ..ways.mechanisms import private

# How small the error of a count under (P, ε)-ADP can be: what is true instead of the Remark.

step, alpha = sympy.symbols("h alpha", positive=True)
#: The median of the noise of aLap, at Δ = 1.
MEDIAN = sympy.log(2) / epsilon
LEAST_ABSOLUTE = least_absolute_error().subs(width, 1)
VARIANCE_OF_NOISE = squared_error(expected(noise)).subs(width, 1)


def _moment(order: int) -> sympy.Expr:
    """E[G^order]: Σ_g g^order α^g is (α d/dα)^order of 1/(1 − α)."""
    series = 1 / (1 - alpha)
    for _ in range(order):
        series = alpha * sympy.diff(series, alpha)
    return sympy.factor((1 - alpha) * series)


VARIANCE = sympy.factor(_moment(2) - _moment(1) ** 2)
#: The standard deviation of G.
DEVIATION = sympy.sqrt(alpha) / (1 - alpha)
#: The least root of E(x − z)²: the same by ε, and for real answers.
LEAST_FOR_COUNTS = 1 / (2 * sympy.sinh(epsilon / 2))
LEAST_FOR_REALS = 1 / epsilon


@repaired("every (P, ε)-ADP release about a decreasing count is one about the count + G", by="Z3")
def geometric_noise_is_enough(budget: Fraction = Fraction(1)) -> Finding:
    """Let M_x(S) = Pr[output in S | count x] and K_k = (M_k − α M_{k+1}) / (1 − α).

    K_k is a law: ADP from k+1 to k makes it nonnegative, and its total is 1.  The sum of
    (1 − α) α^j K_{x+j} over j < m is M_x − α^m M_{x+m}, by induction over m; so M_x = E K_{x+G}:
    add G, then draw from K.  ``a`` is α and ``p`` is α^m.
    """
    a, p, here, above, first, partial = z3.Reals("α α^m M_k M_(k+1) M_x sum")
    kernel = (here - a * above) / (1 - a)
    known = z3.And(a > 0, a < 1, here >= 0, here <= 1, above >= 0, above <= 1)
    private_step = a * above <= z3.RealVal(str(budget)) * here
    law = z3.And(kernel >= 0, z3.Implies(z3.And(here == 1, above == 1), kernel == 1))
    induction = z3.Implies(
        partial == first - p * here,
        partial + (1 - a) * p * kernel == first - p * a * above,
    )
    return together(
        valid(z3.Implies(z3.And(known, private_step), law), "K_k >= 0, of total 1"),
        valid(z3.Implies(known, induction), "Σ_j (1 − α) α^j K_(x+j) = M_x"),
    )


def _loses_little() -> Finding:
    """That E[ℓ(G − s); G <= k] >= E ℓ(G − s) − E[ℓ(G); G > k] at the best s, for both losses.

    The best s is in [0, k], for moving it there brings it nearer to all g <= k; and then
    |g − s| <= g for g > k.
    """
    g, s, k = z3.Reals("g s k")
    nearest = z3.If(s < 0, z3.RealVal(0), z3.If(s > k, k, s))
    inside = z3.Implies(z3.And(g >= 0, g <= k), (g - nearest) * (g - nearest) <= (g - s) * (g - s))
    beyond = z3.Implies(z3.And(s >= 0, s <= k, k < g), z3.And(g - s >= 0, g - s <= g))
    return together(
        valid(inside, "the best estimate is within reach"), valid(beyond, "tails cost little")
    )


@repaired("counts: sup of the root of E(x − z)² >= √α/(1 − α) = 1/(2 sinh(ε/2))", by="Z3, SymPy")
def least_for_counts(claimed: sympy.Expr = LEAST_FOR_COUNTS) -> Finding:
    """Bayes risk of x + G under a flat prior on 0..n, which no estimator beats.

    What is seen is some k; where k <= n, G = k − x is any of 0..k with its own probability.  So
    (n+1) · risk >= Σ_{k<=n} min_s E[(G − s)²; G <= k] >= Σ_{k<=n} (Var G − E[G²; G > k]), and the
    last sums are below E[G³].  So the risk is at least Var G − E[G³]/(n+1), for every n.
    """
    third = _moment(3)
    finite = sympy.Poly(sympy.denom(third), alpha).real_roots()[0] >= 1
    return together(
        _loses_little(),
        Finding(finite, f"E[G³] = {third}"),
        identical(VARIANCE, DEVIATION**2, f"Var G = {VARIANCE}"),
        identical(
            DEVIATION.subs(alpha, sympy.exp(-epsilon)).rewrite(sympy.exp) ** 2,
            claimed.rewrite(sympy.exp) ** 2,
            f"√α/(1 − α) = {claimed}",
        ),
    )


@moreover("f(D) + G − α/(1 − α) attains it", by="a certificate of the gallery, SymPy")
def attained_for_counts(
    name: str = "geometric.one_sided_geometric", mean: sympy.Expr = alpha / (1 - alpha)
) -> Finding:
    """It is private, and its error has mean 0, so its squared error is Var G for every count."""
    return together(private(name), identical(_moment(1), mean, f"E[G] = {mean}"))


@moreover("an exact linear programme finds the same least risk (n <= 4, ε = ln 2)", by="Z3")
def linear_programme_agrees(budget: Fraction = Fraction(1)) -> Finding:
    """Over *all* mechanisms for counts 0..n, the least mean of E(x − z)² over x.

    Against it the risk of the best estimates from the count + G, cut off at n.  Outputs are these
    estimates and all multiples of 1/2, since a programme needs finitely many.
    """
    found = []
    for n in range(2, 5):
        risk, estimates = _risk_of_geometric(n)
        outputs = sorted({*estimates, *(Fraction(i, 2) for i in range(2 * n + 1))})
        least = _least_risk(n, outputs, budget)
        shown = f"n = {n}: {least}" if least == risk else f"n = {n}: {least}, not {risk}"
        found.append(Finding(least == risk, shown))
    return together(*found)


def _risk_of_geometric(n: int) -> tuple[Fraction, list[Fraction]]:
    """The risk under a flat prior, and the best estimate of x for each x + G, cut off at n."""
    risk, estimates = Fraction(0), []
    for k in range(n + 1):
        total = Fraction(1, 2) if k < n else Fraction(1)
        weights = [total * Fraction(1, 2) ** (k - x) for x in range(k + 1)]
        mean = sum((x * w for x, w in enumerate(weights)), Fraction(0)) / sum(weights)
        estimates.append(mean)
        risk += sum(((x - mean) ** 2 * w for x, w in enumerate(weights)), Fraction(0))
    return risk / (n + 1), estimates


def _least_risk(n: int, outputs: Sequence[Fraction], budget: Fraction) -> Fraction:
    """The least risk over all laws M_x on the outputs with M_{x+1} <= budget · 2 · M_x."""
    laws = [[z3.Real(f"M_{x}({z})") for z in outputs] for x in range(n + 1)]
    programme = z3.Optimize()
    programme.add([chance >= 0 for law in laws for chance in law])
    programme.add([z3.Sum(law) == 1 for law in laws])
    growth = 2 * z3.RealVal(str(budget))
    for law, above in pairwise(laws):
        programme.add([b <= growth * a for a, b in zip(law, above, strict=True)])
    risk = z3.Sum([
        chance * z3.RealVal(str((x - z) ** 2))
        for x, law in enumerate(laws)
        for z, chance in zip(outputs, law, strict=True)
    ])  # fmt: skip
    least = programme.minimize(risk)
    if programme.check() != z3.sat:
        raise Undecided("Z3 did not solve the linear programme")
    return Fraction(str(programme.lower(least))) / (n + 1)


@repaired("real answers: sup of the root of E(x − z)² >= 1/ε; aLap − 1/ε attains it", by="SymPy")
def least_for_reals(claimed: sympy.Expr = LEAST_FOR_REALS) -> Finding:
    """The bound for counts on the grid of step h, which is h √α/(1 − α) with α = e^(−εh).

    It tends to 1/ε as h → 0, and that is the standard deviation of the exponential law.
    """
    on_grid = step * DEVIATION.subs(alpha, sympy.exp(-epsilon * step))
    limit = sympy.limit(on_grid, step, 0)
    return together(
        identical(limit, claimed, f"h √α/(1 − α) → {limit}"),
        identical(VARIANCE_OF_NOISE, claimed**2, "Var(λ) = 1/ε²"),
    )


@repaired("real answers: sup of E|x − z| >= ln 2/ε; aLap − ln 2/ε attains it", by="Z3, SymPy")
def least_absolute_for_reals(claimed: sympy.Expr = MEDIAN) -> Finding:
    """G = ⌊λ/h⌋ for exponential λ, so |hG − s| >= |λ − s| − h: the grid loses at most h.

    With a flat prior on the counts the risk tends to h min_s E|G − s| as for squares, here with
    E[G; G > k] and E[G²]; so it is at least min_s E|λ − s| − h for every h > 0.
    """
    return together(
        _loses_little(),
        floor_is_geometric(step, sympy.exp(-epsilon * step)),
        identical(LEAST_ABSOLUTE, claimed, f"min_s E|λ − s| = {LEAST_ABSOLUTE}"),
    )


def floor_is_geometric(width: sympy.Expr, ratio: sympy.Expr) -> Finding:
    """Pr[⌊λ/width⌋ = g], from the tail e^(−ελ), against (1 − ratio) ratio^g."""
    g = sympy.Symbol("g", integer=True, nonnegative=True)
    law = sympy.exp(-epsilon * width * g) - sympy.exp(-epsilon * width * (g + 1))
    return identical(law, (1 - ratio) * ratio**g, f"⌊λ/{width}⌋ has the law of G")


#: Half the error of the Laplace mechanism, times ε: what the Remark says is the least.
HALF = sympy.sqrt(2) / 2


def _is(least: sympy.Expr, said: sympy.Expr) -> Finding:
    """Whether the least error is what is said, for all ε; both are shown at ε = 1 too."""
    least_at_1, said_at_1 = (str(sympy.N(error.subs(epsilon, 1), 4)) for error in (least, said))
    shown = f"the least is {least} ({least_at_1} at ε = 1), said is {said} ({said_at_1})"
    return Finding(identical(least, said).holds, shown)


@read_as("the least E|x − z|, real answers", by="SymPy")
def figure_for_absolute(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below; aLap − ln 2/ε is private as a post-processing of aLap."""
    return _is(LEAST_ABSOLUTE, said)


@read_as("the least root of E(x − z)², real answers", by="SymPy")
def figure_for_squares(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below."""
    return _is(LEAST_FOR_REALS, said)


@read_as("the least root of E(x − z)², counts", by="SymPy")
def figure_for_counts(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below."""
    return _is(LEAST_FOR_COUNTS, said)


@moreover("√2/(2ε) is not even a bound for E|x − z|, nor for counts if ε >= 3", by="balls, SymPy")
def figure_is_no_bound(start: Fraction = Fraction(3)) -> Finding:
    """ln 2 < √2/2, and aLap − ln 2/ε has the error ln 2/ε for counts too.

    2 sinh(ε/2) > √2 ε at the start and from there on: the difference has the slope cosh(ε/2) − √2,
    which is positive at the start and grows.
    """
    root, half = arb(2).sqrt(), ball(start) / 2
    absolute = below(arb.const_log2(), root / 2)
    ahead = below(root * 2 * half, 2 * half.sinh()) and below(root, half.cosh())
    shown_at = (
        f"ε = {start}: 2 sinh(ε/2) = {shown(2 * half.sinh())}, √2 ε = {shown(2 * half * root)}"
    )
    return Finding(absolute and ahead, shown_at)


@read_as("a bound, reached or not, on the root of E(x − z)², real answers", by="balls")
def figure_bounds_squares(share: Fraction = Fraction(1, 2)) -> Finding:
    """√2/2 < 1, and the least error is 1/ε."""
    said = arb(2).sqrt() * ball(share)
    return Finding(below(said, 1), f"{shown(said)}/ε against 1/ε")


REMARK_BOUND = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Remark, lower bound",
    states="the lower bound of the error of a count under ADP is half of that under DP, √2/(2ε)",
    verdict=Verdict.AMBIGUOUS,
    reading="the figure is an RMSE, and Section 1 defines the error as E|x − z|; whether the bound "
    "is reached is not said. The least error is over all mechanisms, for the worst x of an "
    "unbounded range; one-step neighbours lower a count by 1, or a real answer by x − x' at a "
    "cost of ε(x − x')",
    checks=(
        figure_for_absolute,
        figure_for_squares,
        figure_for_counts,
        figure_bounds_squares,
        geometric_noise_is_enough,
        least_for_counts,
        linear_programme_agrees,
        attained_for_counts,
        least_for_reals,
        least_absolute_for_reals,
        figure_is_no_bound,
    ),
    argument="That the volume of the sensitivity hull is halved halves a bound up to a constant "
    "only, and that constant is not 1 here.",
)


# Whether aLap is optimal.


def _misses(own: sympy.Expr, least: sympy.Expr) -> Finding:
    same = identical(own, least).holds
    return Finding(not same, f"its error is {own}, the least {least}")


@read_as("real answers, the root of E(x − z)², less the mean", by="SymPy")
def misses_for_squares(least: sympy.Expr = LEAST_FOR_REALS) -> Finding:
    """Its standard deviation against the least error, which is proved at the lower bound."""
    return _misses(sympy.sqrt(VARIANCE_OF_NOISE), least)


@read_as("real answers, E|x − z|, less the median", by="SymPy")
def misses_for_absolute(least: sympy.Expr = MEDIAN) -> Finding:
    """min_s E|λ − s| against the least error, which is proved at the lower bound."""
    return _misses(LEAST_ABSOLUTE, least)


@read_as("counts, the root of E(x − z)², less the mean", by="SymPy")
def misses_for_counts(least: sympy.Expr = LEAST_FOR_COUNTS) -> Finding:
    """1/ε > 1/(2 sinh(ε/2)): with u = ε/2, sinh u − u is 0 at 0, its slope 2 sinh²(u/2) above."""
    u = sympy.Symbol("u", positive=True)
    slope = sympy.diff(1 / least.subs(epsilon, 2 * u) / 2 - u, u)
    above = identical(slope, 2 * sympy.sinh(u / 2) ** 2)
    return Finding(above.holds, f"its error is 1/ε, the least {least}")


@read_as("counts, the best estimator of what aLap releases", by="SymPy")
def misses_when_rounded(unit: int = 1) -> Finding:
    """For a count f, ⌊f + λ⌋ = f + ⌊λ⌋ and ⌊λ⌋ has the law of G: it attains the least error."""
    same = floor_is_geometric(sympy.S(unit), sympy.exp(-epsilon))
    return Finding(not same.holds, f"⌊aLap⌋ − α/(1 − α) has the error of G: {same.detail}")


@moreover("every (P, ε)-ADP release about a count is a post-processing of aLap's", by="Z3, SymPy")
def every_release_is_post_processing(budget: Fraction = Fraction(1)) -> Finding:
    """It is one of the count + G, and that is ⌊aLap⌋."""
    return together(
        geometric_noise_is_enough(budget=budget),
        floor_is_geometric(sympy.S(1), sympy.exp(-epsilon)),
    )


REMARK_OPTIMALITY = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Remark, optimality",
    states="the asymmetric Laplace mechanism does not reach the optimum",
    verdict=Verdict.AMBIGUOUS,
    reading="its error, less a constant, against the least error over all mechanisms; Δ = 1",
    checks=(
        misses_for_squares,
        misses_for_absolute,
        misses_for_counts,
        misses_when_rounded,
        every_release_is_post_processing,
    ),
    argument="What is not optimal for counts is the estimator: rounding down first mends it.",
)

CLAIMS = (REMARK_BOUND, REMARK_OPTIMALITY)
