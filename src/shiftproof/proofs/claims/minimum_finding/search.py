"""Section 4, Lemma 1 and Theorem 6: the binary search, its mistakes, its privacy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil

import z3

from ....checkers.refuting.likelihood import likelihood
from ....mechanisms.minimum_finding import private_binary_search
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, restored
from ..ways.algebra import together, valid
from ..ways.mechanisms import Mechanism, private
from ..ways.searches import all_runs, grid, halved, high, low, middle, next_high, next_low, run

SEARCH: Mechanism = private_binary_search
sought, slack, estimate = z3.Reals("sought δ x̂")
width = high - low


def _apart(one: z3.ArithRef, other: z3.ArithRef) -> z3.ArithRef:
    return z3.If(one < other, other - one, one - other)


# Algorithm 1.


def _finds(part: Fraction) -> Finding:
    """Going left exactly if what is sought is below the query keeps it in the interval."""
    kept = z3.And(low <= sought, sought <= high)
    still = z3.And(next_low <= sought, sought <= next_high)
    step = z3.And(halved(sought < low + z3.RealVal(str(part)) * width, part), kept)
    return together(
        valid(z3.Implies(step, z3.And(still, 2 * (next_high - next_low) <= width))),
        valid(z3.Implies(kept, _apart(middle, sought) <= width / 2)),
    )


@restored("|x̂ - x_min| <= 2^(-L) for all data and all L", by="Z3, induction")
def first_algorithm_finds(part: Fraction = Fraction(1, 2)) -> Finding:
    """φ > 0 means x_min < M, so x_min stays in [l, r], which halves each time from length 2."""
    return _finds(part)


@moreover("attained: x_min = 1 is missed by exactly 2^(-L), for L <= 8", by="exact runs")
def first_algorithm_misses(least: Fraction = Fraction(1)) -> Finding:
    """Every round goes right, as none is below M < 1."""
    errors = [abs(run(lambda _, m: least < m, rounds).estimate - least) for rounds in range(1, 9)]
    exact = all(error == Fraction(1, 2**rounds) for rounds, error in enumerate(errors, 1))
    return Finding(exact, "errors " + ", ".join(map(str, errors)))


ALGORITHM_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 4, Algorithm 1",
    states="L halvings of [-1, 1], left if #{x_i < M} > 0: the last interval has length 2^(1-L), "
    "and the error is at most 2^(-L)",
    verdict=Verdict.RESTORED,
    reading="the numbers are restored; [-1, 1] falls into 2^L equal intervals",
    checks=(first_algorithm_finds, first_algorithm_misses),
)


# Algorithm 2.


@restored(
    "without noise it ends within 2^(-L) of F*(τ), for all data and all L", by="Z3, induction"
)
def second_algorithm_finds(part: Fraction = Fraction(1, 2)) -> Finding:
    """φ >= τ means that ⌈τN⌉ or more values are below M, so F*(τ) = x_(⌈τN⌉) < M.

    Hence the search is Algorithm 1 with F*(τ) for the minimum.
    """
    return _finds(part)


def _unmasked(data: Sequence[Fraction], tau: Fraction, rounds: int) -> Fraction:
    """The estimate of Algorithm 2 if nobody's answer is masked."""
    enough = tau * len(data)
    return run(lambda _, m: sum(x < m for x in data) >= enough, rounds).estimate


@moreover("the same for N <= 3, values k/4, L <= 3 and all τ", by="all data sets, exactly")
def second_algorithm_runs(above: int = 0) -> Finding:
    """Every run is compared with the quantile; τ matters only through ⌈τN⌉."""
    seen = 0
    for users, rounds in product((1, 2, 3), (1, 2, 3)):
        for data in combinations_with_replacement(grid(8), users):
            for twice in range(1, 2 * users + 1):
                tau = Fraction(twice, 2 * users)
                quantile = data[min(users, ceil(tau * users) + above) - 1]
                found = _unmasked(data, tau, rounds)
                if abs(found - quantile) > Fraction(1, 2**rounds):
                    return Finding(False, f"x = {data}, τ = {tau}: {found}, not {quantile}")
                seen += 1
    return Finding(True, f"{seen} searches")


ALGORITHM_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 4, Algorithm 2",
    states="each user's bit 1{x_i < M} through randomised response with ε/L; left if φ̂ >= τ. It "
    "can be seen as estimating the τ-quantile (Appendix B.1)",
    verdict=Verdict.RESTORED,
    reading="the lines are restored: only ε/L makes it ε-LDP, and only φ̂ >= τ to the left finds "
    "F*(τ)",
    checks=(second_algorithm_finds, second_algorithm_runs),
)


# Lemma 1.  A mistake is the wrong half by more than δ.


def _mistake(left: z3.BoolRef, query: z3.ArithRef) -> z3.BoolRef:
    return z3.If(left, sought > query + slack, sought < query - slack)


@restored("in every run: |x̂ - F*(τ)| <= δ + 2^(2-t), t the first mistake", by="Z3, induction")
def mistakes_cost_little(allowed: int = 1) -> Finding:
    """So for the expectation, whatever the decisions and δ depend on.

    Without a mistake F*(τ) stays in [l - δ, r + δ].  At the first one, in round t, the interval is
    2^(2-t) long and x̂ will be in it; if there is none, x̂ is the middle of the last.
    """
    left = z3.Bool("left")
    near = z3.And(low - slack <= sought, sought <= high + slack, slack >= 0)
    still = z3.And(next_low - slack <= sought, sought <= next_high + slack)
    good = z3.And(near, halved(left), z3.Not(_mistake(left, middle)))
    bound = slack + z3.RealVal(allowed) * width
    inside = z3.And(low <= estimate, estimate <= high)
    return together(
        valid(z3.Implies(good, still), "it stays near"),
        valid(z3.Implies(z3.And(near, inside), _apart(estimate, sought) <= bound), "a mistake"),
        valid(z3.Implies(near, _apart(middle, sought) <= slack + width / 2), "no mistake"),
    )


@moreover("for L = 5 the error after a first mistake at t is up to 2^(2-t) - 2^(-L)", by="all runs")
def mistakes_cost_much(rounds: int = 5, share: Fraction = Fraction(1)) -> Finding:
    """δ = 0 and every quantile k/64: the largest error of all runs, for each t."""
    largest = dict.fromkeys(range(1, rounds + 1), Fraction(0))
    for each in all_runs(rounds):
        for quantile in grid(2 ** (rounds + 2)):
            first = next(
                (t for t, s in enumerate(each.steps, 1)
                 if (quantile > s.query if s.left else quantile < s.query)), None,
            )  # fmt: skip
            if first is not None:
                largest[first] = max(largest[first], abs(each.estimate - quantile))
    last = Fraction(1, 2**rounds)
    sharp = all(error == share * Fraction(4, 2**t) - last for t, error in largest.items())
    return Finding(sharp, ", ".join(f"t = {t}: {error}" for t, error in largest.items()))


LEMMA_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Lemma 1",
    states="E|x̂ - F*(τ)| <= E δ + 2^(-L) + Σ_t 2^(2-t) Pr[first mistake in round t]",
    verdict=Verdict.RESTORED,
    reading="restored; the constant before the probabilities is lost, a mistake is the choice of "
    "a half that F*(τ) is away from by more than δ",
    checks=(mistakes_cost_little, mistakes_cost_much),
)


# Theorem 6, which is the first sentence of Theorem 2.


@printed("the transcript is ε-LDP for all N, L, τ and ε", by="a proof of the gallery")
def search_is_private(name: str = "minimum_finding.private_binary_search") -> Finding:
    """All answers of all rounds are released, and any one user's value may change."""
    return private(name)


@moreover("with nothing to spare: a ratio is e^ε, for L <= 3", by="exact probabilities")
def search_spends_all(other: int = 1) -> Finding:
    """Answers "yes" in every round send the search to -1: x = -1 and x = 1 are never alike.

    At ε = L ln 2 each answer's ratio is 2; for other L and ε it is e^(ε/L), L times.
    """
    ratios = []
    for rounds in (1, 2, 3):
        outcome = (*(True,) * rounds, Fraction(1, 2**rounds) - 1)
        chances = [
            likelihood(SEARCH, outcome, x=(x,), tau=0, L=rounds, eps=f"{rounds} ln 2").value
            for x in (-1, other)
        ]
        assert all(chance.low == chance.high for chance in chances)
        ratios.append(chances[0].low / chances[1].low)
    tight = ratios == [2, 4, 8]
    return Finding(tight, "ratios of x = -1 to x = 1 at ε = L ln 2: " + ", ".join(map(str, ratios)))


THEOREM_6 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Theorem 6",
    states="Algorithm 2 is ε-LDP for any choice of τ and L (also Theorem 2)",
    verdict=Verdict.TRUE,
    reading="LDP of each user's whole transcript, see Definition 2",
    checks=(search_is_private, search_spends_all),
)

CLAIMS = (ALGORITHM_1, ALGORITHM_2, LEMMA_1, THEOREM_6)
