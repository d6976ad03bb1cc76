"""Sections 2.2.1 to 2.3: many queries, the largest of them, and decision problems."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from itertools import product

import z3
from flint import acb, arb

from .....mechanisms.incorrect_sparse_vector import sparse_vector_half_noise
from ...claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, sound, under
from ...ways.algebra import below, shown, valid
from ...ways.mechanisms import keeps, private
from ...ways.small import Law, worst_ratio

# Section 2.2.1: answering one by one.


def _answers(bit: int, queries: int) -> Law:
    """Randomised responses to the same bit at ε = ln 2: each is right with probability 2/3."""
    law: dict[Hashable, Fraction] = {}
    for output in product((0, 1), repeat=queries):
        right = sum(answer == bit for answer in output)
        law[output] = Fraction(2**right, 3**queries)
    return law


def _spent(queries: int) -> int:
    """Over ε, the cost of so many answers: the ratio is a power of e^ε = 2."""
    ratio = worst_ratio(_answers(1, queries), _answers(0, queries))
    assert ratio is not None and ratio.denominator == 1 and ratio.numerator.bit_count() == 1
    return ratio.numerator.bit_length() - 1


@printed("answering f_0, .., f_t with ε each is tε-DP", by="exact enumeration, t <= 4")
def section_2_2_1_cost_as_printed(first: int = 0) -> Finding:
    """Randomised response to one bit, asked in each query with fresh coins, at ε = ln 2."""
    costs = {t: _spent(t + 1 - first) for t in range(1, 5)}
    return Finding(all(cost <= t for t, cost in costs.items()), f"cost in ε by t: {costs}")


@meant("it is (t + 1)ε-DP", by="Z3, induction")
def section_2_2_1_cost_repaired(free: bool = False) -> Finding:
    """One answer more, with ratio at most e^ε, takes a ratio of e^(jε) to one of e^((j+1)ε)."""
    p, q, r, s, power, growth = z3.Reals("p q r s e^(jε) e^ε")
    known = z3.And(p >= 0, q >= 0, r >= 0, s >= 0, growth >= 1, power >= 1)
    bounds = z3.And(p <= power * q, r <= growth * s)
    bound = power if free else power * growth
    step = z3.Implies(z3.And(known, bounds), p * r <= bound * (q * s))
    return valid(step, "one answer more costs ε more")


@moreover("no less will do: randomised response costs (t + 1)ε (t <= 4)", by="exact enumeration")
def section_2_2_1_cost_is_tight(first: int = 0) -> Finding:
    """The ratio of "right each time" is exactly e^((t+1)ε)."""
    costs = {t: _spent(t + 1 - first) for t in range(1, 5)}
    return Finding(all(cost == t + 1 for t, cost in costs.items()), f"cost in ε by t: {costs}")


SECTION_2_2_1_COST = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.2.1, sequential cost",
    states="answering (f_0, f_1, .., f_t) one by one with an (ε-)DP mechanism is tε-DP",
    verdict=Verdict.MISPRINT,
    reading="f_0 to f_t are t + 1 queries, answered with independent noise",
    checks=(
        section_2_2_1_cost_as_printed,
        section_2_2_1_cost_repaired,
        section_2_2_1_cost_is_tight,
    ),
)


# Section 2.2.1: the sparse vector technique.

HALF_NOISE = "incorrect_sparse_vector.sparse_vector_half_noise"


@printed("with Lap(2/ε) on T and Lap(2c/ε) on the answers it is ε-DP", by="a counterexample")
def section_2_2_1_vector_as_printed(name: str = HALF_NOISE) -> Finding:
    """Replacing a record can raise some answers and lower others; probabilities are enclosed."""
    return private(name)


def _sum_of(*parts: tuple[Callable[[acb], acb], int | arb, int | arb]) -> arb:
    """The sum of integrals, each of a function between two ends."""
    total = arb(0)
    for function, low, high in parts:
        total += acb.integral(partial(_at, function), acb(low), acb(high)).real
    return total


def _at(function: Callable[[acb], acb], place: acb, _analytic: bool) -> acb:
    """What the integrator asks for; a pole would show as an infinite enclosure."""
    return function(place)


def _refusals_then_yes(refusals: int) -> arb:
    """The ratio of Pr[⊥^t ⊤] at ε = 1, c = 1, T = 0: (0,..,0,1) against (1,..,1,0).

    The noise of T is s, of density e^(-|s|/2)/4.  With v = e^(-s/2) for s > 0 and w = e^(s/2)
    below, the probabilities of the answers are rational in v and w: no kink is integrated over.
    """
    a, t = (-arb(1) / 2).exp(), refusals
    on = _sum_of(
        (lambda v: (1 - v / 2) ** t * (v / (2 * a)), 0, a),  # s > 1
        (lambda v: (1 - v / 2) ** t * (1 - a / (2 * v)), a, 1),  # 0 < s < 1
        (lambda w: (w / 2) ** t * (1 - w * a / 2), 0, 1),  # s < 0
    )
    off = _sum_of(
        (lambda v: (1 - v / (2 * a)) ** t * (v / 2), 0, a),
        (lambda v: (a / (2 * v)) ** t * (v / 2), a, 1),
        (lambda w: (w * a / 2) ** t * (1 - w / 2), 0, 1),
    )
    return on / off


@moreover("it keeps (3/2)ε, for every c", by="verify, which infers it")
def section_2_2_1_vector_price(epsilon: str = "3*eps/2") -> Finding:
    """The noise of T moves by 1 and costs ε/2, that of a ⊤ by 2: c of them cost ε."""
    return keeps(sparse_vector_half_noise, epsilon)


@moreover("and for no less: e^(3/2) is reached within 1e-6 by 100 refusals, ε = c = 1", by="Arb")
def section_2_2_1_vector_reaches_the_price(refusals: int = 100) -> Finding:
    """The integrals over the noise of T are enclosed."""
    ratio, price = _refusals_then_yes(refusals), (arb(3) / 2).exp()
    reached = not below(ratio, price - arb(10) ** -6)
    return Finding(reached, f"the ratio is {shown(ratio)}, e^(3/2) = {shown(price)}; e is claimed")


@moreover(
    "if one is replaced, Lap(4c/ε) on the answers will do",
    by="the kernel: a certificate for all sizes",
)
def section_2_2_1_vector_repaired(name: str = "sparse_vector.sparse_vector") -> Finding:
    """A ⊤ costs 2 / (4c/ε) = ε/2c, c of them ε/2, and T the other half."""
    return private(name)


@under(
    "a record is added or removed, so that all answers move one way",
    by="the kernel: a certificate for all sizes",
)
def section_2_2_1_vector_one_way(name: str = "sparse_vector.sparse_vector_monotone") -> Finding:
    """Then T need not move for one of the directions, and a ⊤ moves by 1 at most."""
    return private(name)


SECTION_2_2_1_VECTOR = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.2.1, sparse vector",
    states="with the Laplace mechanism of ε/2 on the threshold and of ε/(2c) on the answers, the "
    "sparse vector technique is ε-DP",
    verdict=Verdict.TRUE_UNDER,
    reading="neighbours as in Definition 1, where one record is replaced; the source that the text "
    "cites has this noise for monotone answers",
    checks=(
        section_2_2_1_vector_as_printed,
        section_2_2_1_vector_one_way,
        section_2_2_1_vector_price,
        section_2_2_1_vector_reaches_the_price,
        section_2_2_1_vector_repaired,
    ),
)


# Section 2.2.2.


@printed("the argument of the largest of f_i + Lap(2/ε) is ε-DP", by="the kernel, for all sizes")
def section_2_2_2_holds(name: str = "noisy_max.noisy_argmax") -> Finding:
    """The noise of the winner moves by at most 2, the other noise stays."""
    return private(name)


@moreover("Lap(1/ε) is enough where all answers move the same way", by="Z3, an alignment")
def section_2_2_2_one_way(opposite: bool = False) -> Finding:
    """λ'_i = λ_i + 1 for the winner i alone costs ε; it must win on D' as well.

    A rival j moves by at most 1, and i not the other way; this holds for each j by itself, so for
    any number of answers (Theorem 2).
    """
    f_i, f_j, noise_i, noise_j, move_i, move_j = z3.Reals("f_i f_j λ_i λ_j d_i d_j")
    up = z3.And(move_i >= 0, move_i <= 1, move_j >= 0, move_j <= 1)
    down = z3.And(move_i >= -1, move_i <= 0, move_j >= -1, move_j <= 0)
    either = z3.And(move_i >= -1, move_i <= 1, move_j >= -1, move_j <= 1)
    wins = f_i + noise_i > f_j + noise_j
    wins_there = f_i + move_i + noise_i + 1 > f_j + move_j + noise_j
    moves = either if opposite else z3.Or(up, down)
    return valid(z3.Implies(z3.And(moves, wins), wins_there), "the winner stays, at the cost ε")


@moreover("it is not enough where they may move in opposite ways", by="a counterexample")
def section_2_2_2_half_noise(name: str = "incorrect_noisy_max.noisy_max_half_noise") -> Finding:
    """Replacing a record takes one from a count and gives one to another; the laws are exact."""
    found = private(name)
    return Finding(not found.holds, found.detail)


SECTION_2_2_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.2.2",
    states="report noisy arg-max, with the Laplace mechanism of ε/2 on all counts, is ε-DP",
    verdict=Verdict.TRUE,
    reading="each count has sensitivity 1; one record is replaced",
    checks=(section_2_2_2_holds, section_2_2_2_one_way, section_2_2_2_half_noise),
)


# Section 2.3.

prior, right, wrong = z3.Reals("Pr[q=1] Pr[1|q=1] Pr[1|q=0]")


@sound("an answer True proves q = 1 to everybody iff m is true-biased", by="Z3")
def section_2_3_true_is_proof(never: bool = True) -> Finding:
    """The posterior Pr[q=1 | True] is 1 for a prior between 0 and 1 iff Pr[True | q=0] = 0."""
    known = z3.And(prior > 0, prior < 1, right > 0, right <= 1, wrong >= 0, wrong <= 1)
    certain = prior * right == prior * right + (1 - prior) * wrong
    biased = wrong == 0 if never else wrong <= right
    return valid(z3.Implies(known, certain == biased), "the posterior is 1 iff Pr[1|q=0] = 0")


@moreover('"one True in k runs" is true-biased, with a false negative of β^k', by="Z3, induction")
def section_2_3_runs_combine(always: bool = True) -> Finding:
    """One run more: no False where q = 0 turns to True, and the misses multiply."""
    misses, one, so_far, power = z3.Reals("Pr[miss] β Pr[1..k|q=0] β^k")
    once = wrong == 0 if always else wrong >= 0
    known = z3.And(once, so_far == 0, misses == power, one >= 0, one <= 1)
    next_wrong, next_miss = so_far + (1 - so_far) * wrong, misses * one
    step = z3.Implies(known, z3.And(next_wrong == 0, next_miss == power * one))
    return valid(step, "no False turns to True; misses β^(k+1)")


SECTION_2_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.3",
    states="an algorithm that is always correct when it returns True (False) is true-biased "
    "(false-biased); if it is either, it is one-sided",
    verdict=Verdict.DEFINITION,
    reading="a definition; True is returned with positive probability where q = 1",
    checks=(section_2_3_true_is_proof, section_2_3_runs_combine),
)

CLAIMS = (SECTION_2_2_1_COST, SECTION_2_2_1_VECTOR, SECTION_2_2_2, SECTION_2_3)
