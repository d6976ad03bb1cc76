"""Section 1: the geometric noise and the accuracy of a single answer to a counting query."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from shiftproof.estimators.geometric_channel import TruncatedGeometric

from ..claim import Claim, Finding, Paper, Verdict, printed, under
from ..ways.algebra import argument, valid
from ..ways.small import dot, kernel, ray, steps


@printed("no ε-DP mechanism has a smaller expected |report - answer|, for any prior", by="exactly")
def report_as_it_is(
    prior: tuple[Fraction, ...] = (Fraction(1), Fraction(0), Fraction(0)),
    level: Fraction = Fraction(1, 2),
) -> Finding:
    """n = 2, α = 1/2 and an answer known to be 0: to report a constant is private for every ε."""
    matrix = TruncatedGeometric(2, level).exact_matrix()
    loss = [[Fraction(abs(i - j)) for j in range(3)] for i in range(3)]
    geometric = dot(prior, [dot(row, costs) for row, costs in zip(matrix, loss, strict=True)])
    constants = [dot(prior, [row[r] for row in loss]) for r in range(3)]
    best = min(range(3), key=lambda r: constants[r])
    shown = f"expected distance: G {geometric}, the constant {best} has {constants[best]}"
    return Finding(geometric <= constants[best], shown)


def _losses(n: int, monotone: bool) -> tuple[Any, list[Any]]:
    """Variables π_i l(i, r), and what is known of them: l >= 0 grows with |i-r|."""
    names = [[z3.Real(f"π_{i} l({i}, {r})") for r in range(n + 1)] for i in range(n + 1)]
    known = [loss >= 0 for row in names for loss in row]
    if monotone:
        known += [
            names[i][r] <= names[i][s]
            for i in range(n + 1) for r in range(n + 1) for s in range(n + 1)
            if abs(i - r) <= abs(i - s)
        ]  # fmt: skip
    return names, known


def _cost(losses: Any, guess: int, column: Any) -> Any:
    return z3.Sum([row[guess] * entry for row, entry in zip(losses, column, strict=True)])


@under("the user replaces a report by the best guess under the prior: n = 2, for all ε", by="Z3")
def best_guess_of_three(monotone: bool = True) -> Finding:
    """Let U(v) = min_r Σ_i π_i l(i, r) v_i: a mechanism costs ΣU(v) over its columns.

    G is best if some z has z·g_j = U(g_j) for its columns and z·v <= U(v) for the other rays, as
    U is concave and homogeneous.  For n = 2 there is one, v = g_0 + g_2 - α g_1: whatever is
    guessed at v and g_1, some guesses at g_0 and g_2 must cost no more.  All priors and losses that
    grow with |i-r| are covered: only that enters.
    """
    alpha, guesses = z3.Real("α"), range(3)
    losses, known = _losses(2, monotone)
    powers = (z3.RealVal(1), alpha, alpha * alpha)
    columns = [[powers[abs(i - j)] for i in range(3)] for j in range(3)]
    valley = [powers[0], powers[1], powers[0]]
    enough = [
        z3.Or([
            _cost(losses, a, columns[0]) + _cost(losses, b, columns[2])
            <= alpha * _cost(losses, c, columns[1]) + _cost(losses, r, valley)
            for a in guesses for b in guesses
        ])
        for c in guesses for r in guesses
    ]  # fmt: skip
    known += [alpha > 0, alpha < 1]
    return valid(z3.Implies(z3.And(known), z3.And(enough)), "for all priors and losses, 0 < α < 1")


def _best_guesses(n: int, level: Fraction, monotone: bool) -> Finding:
    losses, known = _losses(n, monotone)
    guesses = range(n + 1)
    prices = [z3.Real(f"z_{i}") for i in range(n + 1)]
    for column in kernel(n, level):
        value = z3.Sum([z3.RealVal(str(x)) * z for x, z in zip(column, prices, strict=True)])
        costs = [_cost(losses, r, [z3.RealVal(str(x)) for x in column]) for r in guesses]
        known += [z3.And([value <= cost for cost in costs]), z3.Or([value == c for c in costs])]
    below = []
    for shape in steps(n):
        v = [z3.RealVal(str(x)) for x in ray(shape, level)]
        value = z3.Sum([x * z for x, z in zip(v, prices, strict=True)])
        below += [value <= _cost(losses, r, v) for r in guesses]
    return valid(z3.Implies(z3.And(known), z3.And(below)))


@under("the same for n = 3 at α = 1/4, 1/2, 3/4 and for n = 4 at α = 1/2", by="Z3")
def best_guess_in_small_cases(monotone: bool = True) -> Finding:
    """z is determined by z·g_j = U(g_j); it must lie below every guess on all 2^n rays."""
    cases = ((3, Fraction(1, 4)), (3, Fraction(1, 2)), (3, Fraction(3, 4)), (4, Fraction(1, 2)))
    found = [_best_guesses(n, level, monotone) for n, level in cases]
    return argument("for all priors and losses that grow with |i-r|", *found)


UNIVERSALLY_OPTIMAL = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Section 1, universally optimal",
    states="for counting queries the geometric noise gives the best utility for a given ε, for all "
    "prior knowledge; utility is the expected distance of the reported answer from the true one",
    verdict=Verdict.TRUE_UNDER,
    reading="one report, of all mechanisms that are ε-DP: neighbouring counts differ by 1",
    checks=(report_as_it_is, best_guess_of_three, best_guess_in_small_cases),
    argument="For all n it is the theorem of Ghosh, Roughgarden and Sundararajan (STOC 2009), who "
    "let each user remap the answer; it is not proved here beyond the cases named.",
)

CLAIMS = (UNIVERSALLY_OPTIMAL,)
