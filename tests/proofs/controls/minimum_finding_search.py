"""Section 4, Lemma 1 and Theorem 6."""

from fractions import Fraction

from shiftproof.proofs.claims.minimum_finding import search as part

SEARCH = "minimum_finding.private_binary_search"

CONTROLS = (
    (part.first_algorithm_finds, {"part": Fraction(1, 3)}),
    (part.first_algorithm_misses, {"least": Fraction(1, 3)}),
    (part.second_algorithm_finds, {"part": Fraction(2, 3)}),
    (part.second_algorithm_runs, {"above": 1}),
    (part.mistakes_cost_little, {"allowed": 0}),
    (part.mistakes_cost_much, {"share": Fraction(1, 2)}),
    (
        part.search_is_private,
        {"name": "incorrect_minimum_finding.private_binary_search_whole_budget"},
    ),
    (part.search_spends_all, {"other": -1}),
)
