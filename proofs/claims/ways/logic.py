"""Statements of first-order logic over numbers, decided by Z3."""

from __future__ import annotations

from collections.abc import Iterator

import z3

from ..claim import Finding, Undecided

#: What Z3 may spend on one statement: a resource count, so findings do not depend on the load.
LIMIT = 50_000_000


def valid(statement: z3.BoolRef, shown: str = "") -> Finding:
    """Whether a statement holds for all values of its variables.

    Args:
        statement: a formula; its free variables are meant universally.
        shown: what to say if it holds.

    Returns:
        A finding whose detail, if the statement is false, is the counterexample.

    Raises:
        Undecided: Z3 gave up; or the premises of an implication contradict each other, so that it
            holds but says nothing.
    """
    solver = _solver(z3.Not(statement))
    answer = solver.check()
    if answer == z3.unsat:
        for premises in _premises(statement):
            if _solver(premises).check() == z3.unsat:
                raise Undecided(f"no values have these premises: {premises}")
        return Finding(True, shown or "no counterexample exists")
    if answer == z3.unknown:
        raise Undecided(f"Z3 gave up: {solver.reason_unknown()}")
    return Finding(False, f"counterexample: {_shown(solver.model())}")


def _solver(formula: z3.BoolRef) -> z3.Solver:
    solver = z3.Solver()
    solver.set("rlimit", LIMIT)
    solver.add(formula)
    return solver


def _premises(statement: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The premises of a statement, and of each of its parts if it has several."""
    if z3.is_implies(statement):
        yield statement.arg(0)
    elif z3.is_and(statement):
        for part in statement.children():
            yield from _premises(part)


def _shown(model: z3.ModelRef) -> str:
    values = sorted((str(name), model[name]) for name in model.decls() if name.arity() == 0)
    return ", ".join(f"{name} = {value}" for name, value in values)
