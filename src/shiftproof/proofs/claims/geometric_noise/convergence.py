"""Section 4, Theorem 4.2: the iterative procedure converges to a maximum of the likelihood.

For a distribution p let D(i) = Σ_j q_j α^|i-j| / (pK)_j, K_ij = α^|i-j|: the slope in p_i of the
log-likelihood per report, ℓ(p) = Σ_j q_j ln (pK)_j up to a constant.  A step is p_i ← p_i D(i).
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from shiftproof.estimators.channels import ExactMatrix
from shiftproof.estimators.geometric_channel import TruncatedGeometric

from ..claim import Claim, Finding, Paper, Verdict, meant, printed, read_as, repaired, restored
from ..ways.algebra import argument, identical, log_below_line, positive_between, together, valid

HALF = Fraction(1, 2)
ONE = sympy.Integer(1)
alpha = sympy.Symbol("alpha", positive=True)


# Definition 4.1.


@printed("each p^(k+1) is a distribution", by="exactly, n = 1, α = 1/2")
def step_as_typeset(h_is_summed: bool = False) -> Finding:
    """The denominator Σ_k p_h^(k) α^|k-j| leaves h free: neither h = 0 nor h = 1 will do."""
    q = (Fraction(2, 3), Fraction(1, 3))
    sums = []
    for h in (0, 1):
        below = [
            sum((q[m if h_is_summed else h] * HALF ** abs(m - j) for m in (0, 1)), Fraction())
            for j in (0, 1)
        ]
        sums.append(
            sum(q[j] * q[i] * HALF ** abs(i - j) / below[j] for i in (0, 1) for j in (0, 1))
        )
    shown = f"from q = (2/3, 1/3), p^(1) sums to {sums[0]} with h = 0, to {sums[1]} with h = 1"
    return Finding(sums == [1, 1], shown)


@meant("with Σ_h p_h^(k) α^|h-j| each is, for all n", by="Z3, induction over i")
def step_keeps_mass(spread: Fraction = Fraction(1)) -> Finding:
    """Each report j gives out q_j in the shares p_i α^|i-j| / (pK)_j.

    The shares of the first i values are their terms of (pK)_j over all of it; so at the end 1.
    """
    part, done, term, whole, share = z3.Reals("part done term (pK)_j share")
    known = z3.And(whole > 0, term >= 0, part * whole == done,
                   share * whole == term * z3.RealVal(str(spread)))  # fmt: skip
    return valid(z3.Implies(known, (part + share) * whole == done + term))


@meant("it is the EM step for G: the column scales of G cancel", by="SymPy")
def step_is_em(row_scale: sympy.Expr = ONE) -> Finding:
    """EM shares report j by Bayes' rule, p_i G_ij / (pG)_j, and G_ij = α^|i-j| c_j."""
    p, power, scale, whole = sympy.symbols("p_i k_ij c_j s_j", positive=True)
    posterior = p * power * scale * row_scale / (whole * scale)
    return identical(posterior, p * power / whole, "p_i G_ij/(pG)_j = p_i α^|i-j|/(pK)_j")


DEFINITION_4_1 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Definition 4.1",
    states="p^(0) = q, p_i^(k+1) = Σ_j q_j p_i^(k) α^|i-j| / Σ_k p_h^(k) α^|k-j|, a sequence of "
    "distributions",
    verdict=Verdict.MISPRINT,
    reading="as typeset in the text that we have, a transcription, h is free; h is meant where k "
    "is the index of the sum",
    checks=(step_as_typeset, step_keeps_mass, step_is_em),
)


# Theorem 4.2.


@restored("p is a maximum of ℓ iff D(i) <= 1 for all i", by="SymPy; ln x <= x - 1")
def slopes_decide(slope: Fraction = Fraction(1)) -> Finding:
    """If: ℓ(p') - ℓ(p) = Σ_j q_j ln x_j <= Σ_j q_j (x_j - 1) = Σ_i p'_i D(i) - 1 <= 0.

    Here x_j = (p'K)_j/(pK)_j.  Only if: the slope of ℓ from p towards value i is D(i) - 1, here
    for one report with k = K_ij and s = (pK)_j.  As Σ_i p_i D(i) = 1, D is 1 where p is not 0.
    """
    part, k, s = sympy.symbols("t k s", positive=True)
    towards = sympy.diff(sympy.log((1 - part) * s + part * k), part).subs(part, 0)
    return together(log_below_line(slope), identical(towards, k / s - 1))


@restored("a maximum has mass only where q has", by="SymPy, for all n")
def mass_only_where_reports_are(center: sympy.Expr = 2 * alpha) -> Finding:
    """If q_i = 0, all reports are at distances d >= 1; α^(d-1) + α^(d+1) is (α + 1/α) α^d.

    So D(i-1) + D(i+1) = (α + 1/α) D(i), and D <= 1 gives D(i) <= 2α/(1 + α²) < 1.  At the ends
    D(0) = α D(1) < 1.  Where D < 1 a maximum has no mass.
    """
    d = sympy.Symbol("d", positive=True, integer=True)
    return argument(
        "2α < 1 + α² for 0 < α < 1",
        identical(alpha ** (d - 1) + alpha ** (d + 1), (alpha + 1 / alpha) * alpha**d),
        positive_between(1 + alpha**2 - center, alpha, 0, 1),
    )


@restored("a step takes KL(p*, p^(k)) down by at least ℓ(p*) - ℓ(p^(k))", by="Jensen's inequality")
def distance_falls(weights: Fraction = Fraction(1)) -> Finding:
    """KL(p*, p) falls by Σ_i p*_i ln D(i), where D(i) = Σ_j w_ij x_j with x_j = (p*K)_j/(pK)_j.

    w_ij = q_j K_ij/(p*K)_j sums to 1 over j where p*_i > 0, and Σ_i p*_i w_ij = q_j.  By Jensen
    ln Σ_j w_j x_j >= Σ_j w_j ln x_j: with mean m = Σ_j w_j x_j it is Σ_j w_j ln(x_j/m) <= 0,
    which ln x <= x - 1 reduces to Σ_j w_j (x_j/m - 1) = 0.  That sum is X/m - A, X and A
    being those of w_j x_j and w_j: term by term, and with X = m and A = 1 at the end.
    """
    total, mass, w, x, m = sympy.symbols("X A w x m", positive=True)
    term = w * (x / m - 1)
    return argument(
        "Σ_i p*_i ln D(i) >= Σ_j q_j ln x_j = ℓ(p*) - ℓ(p)",
        log_below_line(),
        identical((total + w * x) / m - (mass + w), total / m - mass + term),
        identical((total / m - mass).subs({total: m, mass: weights}), sympy.Integer(0)),
    )


THEOREM_4_2_1 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Theorem 4.2(1)",
    states="lim p^(k) exists",
    verdict=Verdict.RESTORED,
    reading="the sequence of Definition 4.1 as repaired, for all q, n and 0 < α < 1",
    checks=(slopes_decide, mass_only_where_reports_are, distance_falls),
    argument="A maximum p* of ℓ exists on the simplex, and has mass only where q has, so that "
    "KL(p*, p^(0)) is finite.  This distance falls at each step by at least ℓ(p*) - ℓ(p^(k)) >= 0; "
    "so these sum to a finite number, ℓ(p^(k)) → ℓ(p*), and each limit of a subsequence is a "
    "maximum.  The distance to that one falls, too, and tends to 0 on the subsequence: hence it "
    "tends to 0, and the whole sequence converges to it.",
)


@read_as("it maximises the likelihood of q over the laws that N values can have", by="exactly")
def limit_is_an_empirical_law(zeros: int = 2) -> Finding:
    """p are the frequencies of X_1, .., X_N.  n = 1, α = 1/4, N = 3 and q = (2/3, 1/3).

    qG^-1 is a distribution, so it is the limit (Proposition 4.5); were it none, the limit would be
    the end next to it, as ℓ is concave in the share of the value 0.  It must be some k/3.
    """
    total, channel = 3, TruncatedGeometric(1, Fraction(1, 4))
    inverse = channel.exact_inverse((Fraction(zeros, total), Fraction(total - zeros, total)))[0]
    limit = min(max(inverse, Fraction(0)), Fraction(1))
    hit, miss = channel.exact_matrix()[0]
    chance = {}
    for k in range(total + 1):  # k values are 0, the others 1
        law = {0: Fraction(1)}
        for user in range(total):
            says = hit if user < k else miss
            law = {
                count: law.get(count, Fraction()) * (1 - says)
                + law.get(count - 1, Fraction()) * says
                for count in range(user + 2)
            }
        chance[Fraction(k, total)] = law[zeros]
    best = max(chance, key=lambda share: chance[share])
    attains = limit in chance and chance[limit] == chance[best]
    return Finding(attains, f"the limit gives value 0 the share {limit}; the likeliest is {best}")


@read_as("it maximises the likelihood of q over all priors π", by="the checks of (1) together")
def limit_is_the_likeliest_prior(slope: Fraction = Fraction(1)) -> Finding:
    """By the argument at (1) the limit is a maximum of ℓ; these steps also hold where q_j = 0."""
    return together(slopes_decide(slope=slope), mass_only_where_reports_are(), distance_falls())


THEOREM_4_2_2 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Theorem 4.2(2)",
    states="lim p^(k) is the maximum likelihood estimator of p given q",
    verdict=Verdict.AMBIGUOUS,
    reading="p is the law of the values drawn; the text after the proof speaks of the prior",
    checks=(limit_is_an_empirical_law, limit_is_the_likeliest_prior),
    argument=THEOREM_4_2_1.argument,
)


TWO_SIGNS = ((HALF, HALF, Fraction(0)), (HALF, Fraction(0), HALF), (Fraction(0), HALF, HALF))


@printed("started from q, EM finds the maximum for all additive noises", by="exactly, n = 2")
def em_from_reports(channel: ExactMatrix = TWO_SIGNS) -> Finding:
    """Noise ±1, clamped to [0, 2]; half of the reports are 0 and half are 2.

    p^(0) = q has p_1 = 0 and is a fixed point; it is a maximum iff D(1) <= 1.
    """
    q = (HALF, Fraction(0), HALF)
    law = [sum((q[h] * channel[h][j] for h in range(3)), Fraction()) for j in range(3)]
    slopes = [q[0] * row[0] / law[0] + q[2] * row[2] / law[2] for row in channel]
    stays = [q[i] * slopes[i] for i in range(3)] == list(q)
    shown = f"q = (1/2, 0, 1/2) stays: {stays}; D = {', '.join(map(str, slopes))}"
    return Finding(stays and max(slopes) <= 1, shown)


@repaired("started anywhere inside, it does for every channel", by="Jensen's inequality")
def em_from_inside(weights: Fraction = Fraction(1)) -> Finding:
    """With p^(0) > 0 the distance KL(p*, p^(0)) is finite; it falls whatever the channel is.

    The rest of the argument is that at Theorem 4.2(1).
    """
    return distance_falls(weights=weights)


@repaired("started from q, it does for the truncated geometric mechanism", by="SymPy")
def geometric_from_reports(center: sympy.Expr = 2 * alpha) -> Finding:
    """A maximum has mass only where q has, so the distance is finite, too."""
    same_reports = em_from_reports(channel=TruncatedGeometric(2, HALF).exact_matrix())
    return together(mass_only_where_reports_are(center=center), distance_falls(), same_reports)


THEOREM_4_2_PROOF = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Theorem 4.2, proof",
    states="the algorithm is an instance of an EM algorithm that is proved to converge to the "
    "maximum likelihood estimator for all additive noise functions",
    verdict=Verdict.FALSE,
    reading="as this algorithm is, starting with p^(0) = q",
    checks=(em_from_reports, em_from_inside, geometric_from_reports),
)

CLAIMS = (DEFINITION_4_1, THEOREM_4_2_1, THEOREM_4_2_2, THEOREM_4_2_PROOF)
