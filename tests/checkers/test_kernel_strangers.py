"""Elements of lists that the kernel does not track: what is owed of them is owed somewhere."""

from __future__ import annotations

import textwrap

import pytest

from shiftproof.checkers.certify import tools
from shiftproof.checkers.claims import assumptions, claim_text, precondition_texts
from shiftproof.checkers.kernel.certificate import (
    VERSION,
    Certificate,
    Head,
    Part,
    Variable,
    lines_of_text,
)
from shiftproof.checkers.kernel.check import Checked, check_certificate
from shiftproof.checkers.kernel.relation import relation_texts
from shiftproof.dsl.normalise import fingerprint, read_normalised


def checked(body: str, heads: tuple[Head, ...] = (), shifts: tuple[str, ...] = ()) -> Checked:
    """What the kernel says of a mechanism with this body, by a proof that says no more."""
    text = (
        "from collections.abc import Sequence\n"
        "from typing import Annotated\n"
        "from shiftproof import Bernoulli, Count, Counts, DP, DataSet, Epsilon, Laplace, "
        "TwoSidedGeometric, argmax, mechanism, sample\n\n"
        "@mechanism(DP())\n"
        "def leak(f: Count, g: Counts, d: Annotated[Sequence[Sequence[int]], DataSet(1)], "
        f"eps: Epsilon):\n{body}"
    )
    program = read_normalised(text).program
    (case,) = program.cases
    part = Part(case.name, relation_texts(program, case), shifts, heads, {"eps": "1"})
    certificate = Certificate(
        version=VERSION,
        mechanism="leak",
        source="",
        program=lines_of_text(text),
        fingerprint=fingerprint(text),
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        assumptions=assumptions(program),
        one_sided=(),
        parts=(part,),
        leans_on={},
        made_by=tools(),
    )
    return check_certificate(program, certificate, ("z3",))


def body(*lines: str) -> str:
    return textwrap.indent("".join(f"{line}\n" for line in lines), "    ")


@pytest.mark.parametrize(
    ("lines", "condition"),
    [
        (("b[1] = f - 5", "a[1] = -100", "a[0] = b[1]", "return argmax(a)"), "prophecy"),
        (("b[2] = f", "a[1] = b[2]", "b[0] = a[1]", "return b[0]"), "same output"),
        (("a[2] = f", "a[1] = a[2]", "a[0] = a[1]", "return a[0]"), "same output"),
        (("b[2] = f", "a[0] = b[2]", "return a[0] + a[1]"), "same output"),
        (("b[2] = f", "a[0] = b[2]", "a[1] = b[0]", "return a[0] + a[1]"), "same output"),
    ],
)
def test_what_comes_through_several_elements_is_not_lost(
    lines: tuple[str, ...], condition: str
) -> None:
    found = checked(body("a = [0] * 3", "b = [0] * 3", *lines))
    assert found.problems and all(f"'{condition}'" in problem for problem in found.problems)


@pytest.mark.parametrize(
    "lines",
    [
        ("b[2] = f - f", "a[1] = b[2]", "return a[1]"),
        ("b[0] = 3", "b[1] = 4", "return b[0] + b[1]"),
    ],
)
def test_two_elements_are_followed(lines: tuple[str, ...]) -> None:
    assert checked(body("a = [0] * 3", "b = [0] * 3", *lines)).problems == []


@pytest.mark.parametrize(
    ("lines", "shift"),
    [
        (
            ("noise = sample(TwoSidedGeometric(1 / eps))", "return 0"),
            "(1 if a[noise] > 0 else 0) if noise >= 0 and noise < 3 else 0",
        ),
        (
            ("noise = sample(Laplace(1 / eps))", "return 0"),
            "1 if a[0 if noise > 0 else 1] > 0 else 0",
        ),
        (
            ("noise = sample(Bernoulli(1 / 3))", "return 0"),
            "a[0 if noise else 1] > 0",
        ),
        (
            ("noise = sample(Laplace(1 / eps))", "return 0"),
            "1 if count(record[0] > (1 if noise > 0 else 0), d) > 0 else 0",
        ),
    ],
)
def test_what_a_shift_reads_by_its_own_sample_is_refused(
    lines: tuple[str, ...], shift: str
) -> None:
    found = checked(body("a = [0] * 3", *lines), shifts=(shift,))
    assert any(
        "'measure': the shift reads no count and no element" in problem
        for problem in found.problems
    )


def test_a_cost_cannot_be_counted_only_where_the_witnesses_stand() -> None:
    """Each answer costs half of eps; an invariant counts those at the two witnesses only."""
    lines = (
        "a = [0] * len(g)",
        "for i in range(len(g)):",
        "    a[i] = g[i]",
        "for j in range(len(g)):",
        "    noise = sample(Laplace(2 / eps))",
        "    yield (a[j] + noise)",
    )
    elements = {f"a[witness({k})]": Variable("int", other="?") for k in (1, 2)}
    near = tuple(
        f"{x} - {y} <= 1"
        for element in elements
        for x, y in ((element, f"other({element})"), (f"other({element})", element))
    )
    heads = []
    for loop, line, counter, stop in ((0, 8, "i@1", "stop@2"), (1, 10, "j@3", "stop@4")):
        known = {
            counter: Variable("int"),
            stop: Variable("int", value="len(g)"),
            "len(a)": Variable("int", value="len(g)"),
        }
        heads.append(Head(loop, line, known | elements, {}, (f"{counter} >= 0", *near)))
    first, second = heads
    told = " + ".join(f"(1/2 if witness({k}) < j@3 else 0)" for k in (1, 2))
    invariants = (*second.invariants, f"cost(eps) <= {told}")
    counting = Head(1, 10, second.variables, {"eps": "?"}, invariants)
    found = checked(body(*lines), (first, counting), ("a[j] - other(a[j])",))
    assert len(found.problems) == 1 and "'loop invariant': cost(eps)" in found.problems[0]
