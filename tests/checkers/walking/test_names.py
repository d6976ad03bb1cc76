"""A name means one thing in a certificate: an input of the call, or a variable, in both runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.walking.certificate import Head, Part, Variable
from shiftproof.checkers.walking.claims import relation_texts
from shiftproof.checkers.walking.common import check_parts
from shiftproof.checkers.walking.runs.heads import loop_lines
from shiftproof.checkers.walking.runs.vocabulary import text_of
from shiftproof.dsl.language.flow import Flow
from tests.dsl.making import body, made

LOOP = "for i in range(len(f)):\n    "
#: Each releases answers as they are, after a parameter was assigned; T > 0 before.
PROGRAMS = {
    "dead from the start": "u = t\nt = -1.0\n" + LOOP + "yield u + f[i]",
    "read in the loop": "u = t\nt = -1.0\n" + LOOP + "yield t + f[i]",
    "in a branch": "if c > 1:\n    t = -1.0\n" + LOOP + "yield 1.0 * f[i]",
    "in the loop": LOOP + "t = -1.0\n    yield t + f[i]",
    "of a variable": "u = 1.0\nu = -1.0\n" + LOOP + "yield 1.0 * f[i]",
}
#: What contradicts what is known elsewhere; a kernel that mixes up names takes it for true.
INVARIANTS = ("t < 0", "u < 0", "t != t", "(t@1) < 0", "u == -1", "other(t) < 0", "given(t) < 0")


def mechanism(text: str) -> Mechanism:
    return made(body("assert t > 0\n" + text, "f: Counts, t: Public[float], c: Public[Nat]"))


def part_with(m: Mechanism, *invariants: str, extra: tuple[str, ...] = ()) -> Part:
    """The certificate of a proof that moves nothing, with these words about the loop."""
    program = m.program
    (node,) = program.flow.live
    needed = sorted(program.flow.live[node] - program.inputs.keys())
    kinds = {n: "float" if n[0] in "tu" else "int" for n in (*needed, *extra)}
    head = Head(
        loop=0,
        line=loop_lines(program)[0],
        variables={text_of(n): Variable(kinds[n], "", "", "") for n in kinds},
        costs={},
        invariants=invariants,
    )
    (case,) = program.cases
    return Part(case.name, relation_texts(program, case), (), (head,), {})


@pytest.mark.parametrize("invariant", INVARIANTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_invariant_is_read_in_two_ways(name: str, invariant: str) -> None:
    m = mechanism(PROGRAMS[name])
    for extra in ((), ("t",), ("u",)):
        part = part_with(m, invariant, extra=extra)
        assert check_parts(m.program, (part,), ("z3",)).problems


def test_the_head_is_otherwise_right() -> None:
    """Without the private answer the same certificate is accepted."""
    m = mechanism(PROGRAMS["dead from the start"].replace("f[i]", "1"))
    assert not check_parts(m.program, (part_with(m, "u > 0"),), ("z3",)).problems


def test_no_program_assigns_a_parameter() -> None:
    """What makes a name mean one thing: such a program does not exist."""
    m = mechanism(PROGRAMS["dead from the start"])
    flow: Flow = m.program.flow
    for name in ("t", "f", "eps"):
        nodes = tuple(
            replace(n, step=replace(n.step, targets=(name,))) if hasattr(n, "step") else n
            for n in flow.nodes
        )
        with pytest.raises(ValueError, match="parameters are assigned"):
            replace(m.program, flow=replace(flow, nodes=nodes))


#: Two names for costs whose sum reads like one of them: the budget is c z, the truth c + z a query.
SUMS_IN_NAMES = """\
@mechanism(DP(), budget=lambda c, z: c * z)
def m(f: Counts, c: Public[float], z: Public[float]):
    assert c > 0 and z > 0
    for i in range(len(f)):
        noise = sample(Laplace(1 / (c + z)))
        yield f[i] + noise
"""


def test_the_cost_of_a_sum_is_no_sum() -> None:
    program = made(SUMS_IN_NAMES).program
    (case,) = program.cases
    head = Head(
        loop=0,
        line=loop_lines(program)[0],
        variables={"i@1": Variable("int"), "stop@2": Variable("int", value="len(f)")},
        costs={"c+z": "?", "c": "?"},
        invariants=("i@1 >= 0", "z >= cost(c)"),
    )
    shifts, costs = ("f[i@1] - other(f[i@1])",), {"c": "z", "c+z": "0"}
    part = Part(case.name, relation_texts(program, case), shifts, (head,), costs)
    problems = check_parts(program, (part,), ("z3",)).problems
    assert any("'cost'" in problem for problem in problems), problems
