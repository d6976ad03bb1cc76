"""Z3, asked which facts contradict each other.  What it says is looked at again, and proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ...dsl.terms.smt import context, numeral, solver
from ..kernel.arithmetic import Condition, Monomial, Unknowns

#: Resources for one question, in the solver's own units.
RESOURCES = 300_000

#: Few of some conditions, that cannot hold together; or that they can, or that it is not known.
Core = set[Condition] | Literal["sat", "unknown"]


class Context:
    """A context of the solver, taken when it is needed."""

    def __init__(self) -> None:
        self._made: Any = None

    def solver(self, polynomials: bool) -> Any:
        """A new solver in this context; ``polynomials``: with its part for those of reals."""
        self._made = self._made or context()
        made = solver(self._made, RESOURCES)
        # Its part for polynomials does not look at the limit; and it finds what has no tree.
        if not polynomials:
            made.set("arith.nl.nra", False)
        return made


class Cores:
    """One solver for all questions of a walk; each condition has a switch, and is told once.

    ``products``: what monomials are is told, and all are real numbers: of products of integers,
    the solver may go on for ever.  Else each monomial is one more unknown.
    """

    def __init__(
        self, unknowns: Unknowns, context: Context, *, products: bool, polynomials: bool = False
    ) -> None:
        self._unknowns, self._context, self._products = unknowns, context, products
        self._polynomials = polynomials
        self._solver: Any = None
        self._switches: dict[Condition, Any] = {}
        self._conditions: dict[int, Condition] = {}  # by the solver's number of their switch
        self._names: dict[Monomial | str, str] = {}
        self._text: list[str] = []
        self.asked = 0

    def core(self, conditions: Sequence[Condition]) -> Core:
        """Few of the conditions that cannot hold together."""
        import z3

        self._solver = self._solver or self._context.solver(self._polynomials)
        switches = [self._switch(c) for c in conditions]
        if self._text:
            self._solver.from_string("".join(self._text))
            self._text.clear()
        self.asked += 1
        # As the solver's check() does, which looks at the sort of each switch first and is slower.
        numbers = (z3.Ast * len(switches))(*(switch.as_ast() for switch in switches))
        context = self._solver.ctx.ref()
        answer = z3.Z3_solver_check_assumptions(
            context, self._solver.solver, len(switches), numbers
        )
        if answer != z3.Z3_L_FALSE:
            return "sat" if answer == z3.Z3_L_TRUE else "unknown"
        return {self._conditions[switch.get_id()] for switch in self._solver.unsat_core()}

    def _switch(self, condition: Condition) -> Any:
        if condition not in self._switches:
            import z3

            name = f"k{len(self._conditions)}"
            text = self._condition(condition)
            self._text.append(f"(declare-const {name} Bool)(assert (=> {name} {text}))")
            self._switches[condition] = switch = z3.Bool(name, self._solver.ctx)
            self._conditions[switch.get_id()] = condition
        return self._switches[condition]

    def _condition(self, condition: Condition) -> str:
        kind = condition[0]
        if kind in ("and", "or"):
            if not condition[1]:
                return "true" if kind == "and" else "false"
            return f"({kind} {' '.join(map(self._condition, condition[1]))})"
        if kind == "?":
            name = self._declared(condition[1], "b", "Bool")
            return name if condition[2] else f"(not {name})"
        p = condition[1]
        whole = not self._products and self._unknowns.is_whole(p)
        terms = [self._term(m, k, whole) for m, k in p]
        total = terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"
        return f"({kind} {total} {numeral(0, whole)})"

    def _term(self, monomial: Monomial, k: Any, whole: bool) -> str:
        if not monomial:
            return numeral(k, whole)
        factors = [(x,) for x in monomial] if self._products else [monomial]
        names = " ".join(self._number(m, whole) for m in factors)
        return names if k == 1 and len(factors) == 1 else f"(* {numeral(k, whole)} {names})"

    def _number(self, monomial: Monomial, whole: bool) -> str:
        integer = not self._products and all(self._unknowns.whole[x] for x in monomial)
        name = self._declared(monomial, "x", "Int" if integer else "Real")
        return f"(to_real {name})" if integer and not whole else name

    def _declared(self, what: Monomial | str, letter: str, sort: str) -> str:
        if what not in self._names:
            self._names[what] = name = f"{letter}{len(self._names)}"
            self._text.append(f"(declare-const {name} {sort})")
            if self._products and isinstance(what, tuple) and what[0][0] == "/":
                inverse = self._number((what[0][1:],), False)
                self._text.append(f"(assert (= (* {name} {inverse}) 1.0))")
        return self._names[what]
