"""Elements of lists that the kernel does not track: what is owed of them is owed somewhere."""

from __future__ import annotations

import textwrap

import pytest

from shiftproof.checkers.certify import tools
from shiftproof.checkers.walking.certificate import (
    VERSION,
    Certificate,
    Head,
    Part,
    Variable,
    lines_of_text,
)
from shiftproof.checkers.walking.claims import (
    assumptions,
    claim_text,
    precondition_texts,
    relation_texts,
)
from shiftproof.checkers.walking.common import Checked, check_certificate
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
    return checked_text(text, heads, shifts, {"eps": "1"})


def checked_text(
    text: str, heads: tuple[Head, ...], shifts: tuple[str, ...], costs: dict[str, str]
) -> Checked:
    """What the kernel says of a mechanism ``leak`` by this proof."""
    program = read_normalised(text).program
    parts = tuple(
        Part(case.name, relation_texts(program, case), shifts, heads, costs)
        for case in program.cases
    )
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
        parts=parts,
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
    assert found.problems
    assert all("'loop invariant': cost(eps)" in problem for problem in found.problems)


def test_costs_are_not_excused_by_where_the_witnesses_stand() -> None:
    """At a witness a shift is the parameter s, elsewhere it may be anything."""
    text = textwrap.dedent("""\
        from shiftproof import (
            Epsilon, Exponential, Nat, Private, Public, Related, mechanism, other, sample
        )

        def moved(x, s):
            return other(x) == x - s

        @mechanism(Related(moved), budget=lambda eps, s: 2 * s * eps)
        def leak(x: Private[float], s: Public[float], n: Public[Nat], eps: Epsilon):
            assert s > 0
            a = [s] * n
            for j in range(n):
                noise = sample(Exponential(1 / eps))
                yield a[j]
                yield x + noise
        """)
    known = {
        "j@1": Variable("int"),
        "stop@2": Variable("int", value="n"),
        "len(a)": Variable("int", value="n"),
        **{f"a[witness({k})]": Variable("float", value="s") for k in (1, 2)},
    }
    counted = " + ".join(f"(1 if witness({k}) < j@1 else 0)" for k in (1, 2))
    head = Head(0, 12, known, {"s*eps": "?"}, ("j@1 >= 0", f"cost(s*eps) <= {counted}"))
    found = checked_text(text, (head,), ("a[j]",), {"s*eps": "2"})
    assert any("cost(eps) is what" in problem for problem in found.problems)


def test_what_shifts_ask_for_is_owed_wherever_the_witnesses_stand() -> None:
    text = textwrap.dedent("""\
        from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

        @mechanism(DP())
        def leak(f: Count, eps: Epsilon):
            b = [3] * 3
            c = [0] * 3
            x = sample(Laplace(1 / eps))
            y = sample(Laplace(1 / eps))
            if b[0] <= 3:
                flag = 1
            else:
                flag = 0
            for j in range(1):
                pass
            if flag >= 1:
                c[1] = f
                yield c[1] + c[2]
        """)
    known = {
        "j@1": Variable("int"),
        "stop@2": Variable("int", value="1"),
        "len(c)": Variable("int", value="3"),
        "flag": Variable("int", value="1 if witness(1) == 0 or witness(2) == 0 else 0"),
        "asked_and_picked()": Variable("int"),
        "next_to_ask()": Variable("int"),
        **{f"c[witness({k})]": Variable("int", value="0") for k in (1, 2)},
    }
    shifts = ("0 if 3 in outcome() else 0", "0 if b[0] in outcome() else 0")
    head = Head(0, 13, known, {}, ("j@1 >= 0",))
    found = checked_text(text, (head,), shifts, {"eps": "1"})
    assert any("'prophecy'" in problem for problem in found.problems)


def test_what_is_a_whole_number_does_not_depend_on_the_witnesses() -> None:
    """A released whole number is the next one foretold; two alignments would be one too many."""
    lines = (
        "a = []",
        "a.append(5)",
        "z = sample(Laplace(1 / eps))",
        "y = sample(Laplace(1 / eps))",
        "yield a[0]",
        "b = [0.0] * 3",
        "b[0] = f + z",
        "b[2] = f + y",
        "m = argmax(b)",
        "yield m",
    )
    shifts = ("0 if outcome(0) == 5 else 1", "0 if outcome(0) == 5 else 1")
    found = checked(body(*lines), (), shifts)
    assert any("a release that is an int or a float" in problem for problem in found.problems)


@pytest.mark.parametrize("shift", ["witness(1)", "0 if witness(1) == 1 else 1", "differs(1)"])
def test_no_alignment_depends_on_the_witnesses(shift: str) -> None:
    lines = ("noise = sample(Laplace(1 / eps))", "yield noise")
    assert "is no part of a shift" in checked(body(*lines), (), (shift,)).problems[0]


@pytest.mark.parametrize("mark", ["None", "'x'"])
@pytest.mark.parametrize("count", [1, 4])
def test_lists_hold_no_marks(mark: str, count: int) -> None:
    """Whether an element is None would be known at a witness, and be false of a stranger."""
    lines = (
        "c = [0] * 3",
        "a = []",
        *[f"a.append({mark})"] * count,
        f"if a[0] == {mark}:",
        "    flag = 1",
        "else:",
        "    flag = 0",
        "if flag >= 1:",
        "    c[1] = f",
        "    yield c[1] + c[2]",
    )
    found = checked(body(*lines))
    assert any("in a list" in problem for problem in found.problems), found.problems
