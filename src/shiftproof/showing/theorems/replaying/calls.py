"""Calls: what they cost, and that both runs go on with what is returned: by other theorems."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from ....checkers.kernel.claim.policies import mechanism_budget
from ....checkers.kernel.language.steps import Called
from ....checkers.kernel.language.syntax import expression
from ..stating.calls import Callee
from ..stating.relation import Pairs
from ..words.layout import argument
from ..words.terms import NoTheorem, Term, alike, chosen, comparison, number, text
from .part import Part
from .prices import factors

#: The module of what is proved of a callee, before its name.
PROOF = "of_"


def _call(part: Part, k: int) -> tuple[Called, Callee]:
    node = part.statement.machine.mechanism.nodes[k]
    assert isinstance(node, Called)
    return node, part.statement.machine.callees[node.callee]


def _sides(part: Part, node: Called, callee: Callee) -> tuple[dict[str, Term], dict[str, Term]]:
    """The arguments of both runs."""
    machine = part.statement.machine
    return callee.given(machine, node), callee.given(machine, node, "'")


def _tests(part: Part, node: Called, callee: Callee) -> list[Term] | None:
    """What holds if all private arguments are the same; ``None`` where sequences are passed on."""
    left, right = _sides(part, node, callee)
    found = []
    for name, kind in callee.statement.machine.inputs.items():
        if not kind.public:
            if kind.array:
                return None
            shown = callee.statement.machine.names.of(name)
            found.append(comparison("=", *alike(left[shown], right[shown])))
    return found


def _price(node: Called, callee: Callee) -> ast.expr:
    """The callee's budget, in the words of the caller."""
    header = callee.statement.machine.mechanism.header
    if any(case.budget or case.distance for case in callee.statement.cases):
        raise NoTheorem("a call of what has a budget for each pair")
    given = dict(zip(header.inputs, node.arguments, strict=True))

    class Given(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return deepcopy(given.get(node.id, node))

    found = Given().visit(expression(mechanism_budget(header)))
    assert isinstance(found, ast.expr)
    return found


def cost(part: Part, k: int) -> Iterator[str]:
    """What a call costs of each rate: nothing, if the private arguments are the same."""
    node, callee = _call(part, k)
    tests = _tests(part, node, callee)
    size = number(1, "R")
    if tests is not None:
        for test in reversed(tests):
            size = chosen(test, size if test is not tests[-1] else number(0, "R"), number(1, "R"))
        size = size if tests else number(0, "R")
    found = factors(part, _price(node, callee))
    if not any(f is not None for f in found):
        raise NoTheorem(f"the price of the call of line {node.line}")
    costs = [
        text(number(0, "R") if f is None else Term("R", "*", (number(f, "R"), size))) for f in found
    ]
    name = part.statement.machine.state(k)
    yield f"Definition cost_{name}{part.both(k)} : list R := [{'; '.join(costs)}]."


def tactic(part: Part, k: int) -> Iterator[str]:
    """The tactic that replays a call, and then goes on with another one."""
    m = part.statement.machine
    node, callee = _call(part, k)
    name, variables = m.state(k), m.variables[k]
    wild = ["".join(f" ?{m.names.of(n)}{side}" for n in variables) for side in ("", "'")]
    yield f"Ltac call_{name} rec := match goal with"
    yield f"  |- go _ _ _ _ _ _ ({name}{wild[0]}) ({name}{wild[1]}) =>"
    cost_here = argument(f"cost_{name}{part.values(k)}")
    yield f"    apply walk; cbn [next]; apply (both_call {cost_here});"
    yield f"    [ unfold cost_{name}, rates; cbn [dot];"
    tests = _tests(part, node, callee)
    # What is of the same case in both comes first: it mostly is the one.
    order = sorted(enumerate(callee.statement.pairs), key=lambda case: case[0] != part.number)
    yield "      let differ _ := first"
    for at, (j, pairs) in enumerate(order):
        for line in _neighbours(part, node, callee, j, pairs):
            sign = " " if line.startswith(" ") else "|" if at else "["
            yield f"        {sign} {line}"
    yield "        ] in"
    for test in tests or ():
        left, right = (_argument(side) for side in test.parts)
        spec = "Z.eqb_spec" if test.parts[0].sort == "Z" else "Reqb_spec"
        yield f"      destruct ({spec} {left} {right}); ["
    if tests is not None:
        yield "      apply returned_same; [f_equal; arith0 | lra]"
    for _ in tests or ():
        yield "      | differ tt ]"
    if tests is None:
        yield "      differ tt"
    yield "    | reflexivity"
    # Of what is returned nothing is known, but that it is the same.
    results = " ".join(
        f"generalize ({taken} {place} x); intros ?;"
        for place, (_, taken) in enumerate(callee.results)
    )
    yield f"    | let x := fresh in intros x; unfold cost_{name}; cbn [paid]; cbn beta;"
    yield f"      {results} rec ] end."


def _neighbours(part: Part, node: Called, callee: Callee, j: int, pairs: Pairs) -> Iterator[str]:
    """That the arguments are neighbours of one case, and what the callee's theorem says then."""
    s, prefix = callee.statement, f"{PROOF}{callee.module}"
    left, right = _sides(part, node, callee)
    public = [_argument(left[n]) for n, _ in s.public]
    here, there = ([_argument(side[n]) for n, _ in s.private] for side in (left, right))
    both = [one for pair in zip(here, there, strict=True) for one in pair]
    limit = [s.limit.strip()] if s.limit else []
    program = " ".join([f"{callee.module}.next", *limit, *public, *there])
    gamma = " ".join([f"{prefix}.beta{s.suffix(j)}", *public, *both])
    proof = " ".join([f"{prefix}.proved", *limit, *public, *("_" for _ in s.preconditions)])
    for _ in range(j):
        proof = f"proj2 ({proof})"
    if j + 1 < len(s.pairs):
        proof = f"proj1 ({proof})"
    asked = ["asked ltac:(idtac; arith0)" for _ in s.preconditions]
    constants = [_constant(part, node, callee, c) for c in pairs.constants]
    exists = "".join(f"exists {argument(c)}; " for c in constants)
    related = f"unfold {prefix}.related{s.suffix(j)}; {exists}neighbours ltac:(idtac; arith0)"
    yield f"solve [apply (returned_moves ({program}) ({gamma}));"
    yield "  [ try reflexivity; f_equal; arith0"
    yield f"  | refine (({proof}) {' '.join([*both, '_'])});"
    yield f"    [ {' | '.join([*asked, related])} ]"
    yield f"  | unfold {prefix}.beta{s.suffix(j)}; same_price ltac:(idtac; arith0) ]]"


def _argument(term: Term) -> str:
    shown = text(term, "bool")
    return argument(shown) if not shown.startswith("(") else shown


def _constant(part: Part, node: Called, callee: Callee, constant: str) -> str:
    """Where, or by how much, the arguments differ: of a number, or as the caller's inputs do."""
    e = expression(constant)
    assert isinstance(e, ast.Call) and isinstance(e.func, ast.Name)
    name = ast.unparse(e.args[0])
    own = callee.statement.machine
    if own.inputs[name].array:
        passed = dict(zip(own.inputs, node.arguments, strict=True))[name]
        caller = f"{e.func.id}({ast.unparse(passed)})"
        if caller not in part.pairs.constants:
            raise NoTheorem(f"a call that passes on {ast.unparse(passed)}")
        return part.statement.machine.names.of(caller)
    left, right = (side[own.names.of(name)] for side in _sides(part, node, callee))
    if e.func.id == "value1":
        return _argument(left)
    if e.func.id == "change1":
        return text(Term(left.sort, "-", (left, right)), "bool")
    raise NoTheorem(f"a call where '{constant}' is asked for")
