"""Statements for Z3: a proof must say something."""

import pytest
import z3

from shiftproof.proofs.claims.claim import Undecided
from shiftproof.proofs.claims.ways.algebra import valid

x = z3.Real("x")
NONE = z3.And(x > 1, x < 1)


def test_a_true_statement_holds_and_a_false_one_has_a_counterexample() -> None:
    assert valid(z3.Implies(x > 1, x > 0)).holds
    assert valid(z3.Implies(x >= 1, x > 1)).detail == "counterexample: x = 1"


@pytest.mark.parametrize(
    "empty", [z3.Implies(NONE, x > 0), z3.And(x == x, z3.Implies(NONE, x > 0))]
)
def test_an_implication_from_nothing_is_no_finding(empty: z3.BoolRef) -> None:
    with pytest.raises(Undecided, match="no values have these premises"):
        valid(empty)
