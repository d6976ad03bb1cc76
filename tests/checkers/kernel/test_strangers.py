"""Elements of lists that the kernel does not track: what is owed of them is owed somewhere."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import pytest

from tests.checkers.kernel.finding import lines_of, objection

HEAD = """\
@mechanism(DP())
def leak(f: Count, g: Counts,
         d: Annotated[Sequence[Sequence[int]], DataSet(attributes=1)], eps: Epsilon):
"""


def body(*lines: str) -> str:
    return HEAD + textwrap.indent("\n".join(lines), "    ")


def part(*shifts: str, heads: tuple[Any, ...] = (), costs: dict[str, str] | None = None) -> Any:
    return {"shifts": list(shifts), "heads": list(heads), "costs": costs or {"eps": "1"}}


@pytest.mark.parametrize(
    ("lines", "condition"),
    [
        (("b[1] = f - 5", "a[1] = -100", "a[0] = b[1]", "k = argmax(a)", "return k"), "prophecy"),
        (("b[2] = f", "a[1] = b[2]", "b[0] = a[1]", "return b[0]"), "same output"),
        (("a[2] = f", "a[1] = a[2]", "a[0] = a[1]", "return a[0]"), "same output"),
        (("b[2] = f", "a[0] = b[2]", "return a[0] + a[1]"), "same output"),
        (("b[2] = f", "a[0] = b[2]", "a[1] = b[0]", "return a[0] + a[1]"), "same output"),
    ],
)
def test_what_comes_through_several_elements_is_not_lost(
    lines: tuple[str, ...], condition: str
) -> None:
    found = objection(body("a = [0] * 3", "b = [0] * 3", *lines), part())
    assert f": {condition}: " in found and "there is no proof of it" in found


@pytest.mark.parametrize(
    "lines",
    [
        ("b[2] = f - f", "a[1] = b[2]", "return a[1]"),
        ("b[0] = 3", "b[1] = 4", "return b[0] + b[1]"),
    ],
)
def test_two_elements_are_followed(lines: tuple[str, ...]) -> None:
    assert objection(body("a = [0] * 3", "b = [0] * 3", *lines), part()) == ""


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
        (("noise = sample(Bernoulli(1 / (1 + exp(eps))))", "return 0"), "a[0 if noise else 1] > 0"),
        (
            ("noise = sample(Laplace(1 / eps))", "return 0"),
            "1 if count(record[0] > (1 if noise > 0 else 0), d) > 0 else 0",
        ),
    ],
)
def test_what_a_shift_reads_by_its_own_sample_proves_nothing(
    lines: tuple[str, ...], shift: str
) -> None:
    """It may be two for two samples: then these may come to one."""
    found = objection(body("a = [0] * 3", *lines), part(shift))
    assert re.search(": measure: different draws|: measure: the flip", found), found


def test_what_a_shift_reads_elsewhere_is_one_for_two_samples() -> None:
    """What the tests above refuse is not refused for being an element."""
    lines = ("a = [0] * 3", "noise = sample(Laplace(1 / eps))", "return 0")
    shift = "a[0] - other(a[0]) if noise > 0 else a[0] - other(a[0])"
    assert ": cost: " in objection(body(*lines), part(shift))


def test_a_cost_cannot_be_counted_only_where_the_witnesses_stand() -> None:
    """Each answer costs half of eps; an invariant counts those at the two witnesses only."""
    lines = (
        "a = [0] * len(g)",
        "stop·2 = len(g)",
        "for i·1 in range(0, stop·2, 1):",
        "    a[i·1] = g[i·1]",
        "stop·4 = len(g)",
        "for j·3 in range(0, stop·4, 1):",
        "    noise = sample(Laplace(2 / eps))",
        "    yield a[j·3] + noise",
    )
    elements: dict[str, Any] = {
        f"a[{place}]": {"kind": "int", "other": "?"}
        for place in ("witness(1)", "witness(2)", "place1(g)", "place2(g)")
    }
    near = [
        f"{x} - {y} <= 1"
        for element in elements
        for x, y in ((element, f"other({element})"), (f"other({element})", element))
    ]
    heads = []
    for loop, counter, stop in ((0, "i·1", "stop·2"), (1, "j·3", "stop·4")):
        known = {
            counter: {"kind": "int"},
            stop: {"kind": "int", "value": "len(g)"},
            "len(a)": {"kind": "int", "value": "len(g)"},
        }
        heads.append(
            {"loop": loop, "variables": known | elements, "invariants": [f"{counter} >= 0", *near]}
        )
    places = set(re.findall(r"place\d\(g\)", str(_cases(body(*lines)))))
    for head in heads:
        for place in {"place1(g)", "place2(g)"} - places:
            head["variables"].pop(f"a[{place}]")
            head["invariants"] = [s for s in head["invariants"] if place not in s]
    told = " + ".join(f"(1 / 2 if witness({k}) < j·3 else 0)" for k in (1, 2))
    counting = heads[1] | {
        "costs": {"eps": "?"},
        "invariants": [*heads[1]["invariants"], f"cost(eps) <= {told}"],
    }
    found = objection(body(*lines), part("a[j·3] - other(a[j·3])", heads=(heads[0], counting)))
    assert ": loop invariant: cost(eps)" in found, found


def _cases(text: str) -> list[Any]:
    from shiftproof.checkers.kernel.check import relation_of
    from shiftproof.checkers.kernel.language.text import read

    return list(relation_of(read("\n".join(lines_of(text))))[1])


def test_costs_are_not_excused_by_where_the_witnesses_stand() -> None:
    """At a witness a shift is the parameter s, elsewhere it may be anything."""
    text = """
        def moved(x, s):
            return other(x) == x - s
        @mechanism(Related(moved), budget=lambda eps, s: 2 * s * eps)
        def leak(x: Private[float], s: Public[float], n: Public[Nat], eps: Epsilon):
            assert s > 0
            a = [s] * n
            stop·2 = n
            for j·1 in range(0, stop·2, 1):
                noise = sample(Laplace(1 / eps))
                yield a[j·1]
                yield x + noise
        """
    known = {
        "j·1": {"kind": "int"},
        "stop·2": {"kind": "int", "value": "n"},
        "len(a)": {"kind": "int", "value": "n"},
        **{f"a[witness({k})]": {"kind": "float", "value": "s"} for k in (1, 2)},
    }
    counted = " + ".join(f"(1 if witness({k}) < j·1 else 0)" for k in (1, 2))
    invariants = ["j·1 >= 0", f"cost(eps * s) <= {counted}"]
    head = {"loop": 0, "variables": known, "costs": {"eps * s": "?"}, "invariants": invariants}
    found = objection(text, part("a[j·1]", heads=(head,), costs={"eps * s": "2"}))
    assert "a cost of which the certificate has no rate" in found, found


def test_what_shifts_ask_for_is_owed_wherever_the_witnesses_stand() -> None:
    text = """
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
            for j·1 in range(0, 1, 1):
                pass
            if flag >= 1:
                c[1] = f
                yield c[1] + c[2]
        """
    known = {
        "j·1": {"kind": "int"},
        "len(c)": {"kind": "int", "value": "3"},
        "flag": {"kind": "int", "value": "1 if witness(1) == 0 or witness(2) == 0 else 0"},
        "asked_and_picked()": {"kind": "int"},
        "next_to_ask()": {"kind": "int"},
        **{f"c[witness({k})]": {"kind": "int", "value": "0"} for k in (1, 2)},
    }
    shifts = ("0 if 3 in outcome() else 0", "0 if b[0] in outcome() else 0")
    head = {"loop": 0, "variables": known, "invariants": ["j·1 >= 0"]}
    assert ": prophecy: " in objection(text, part(*shifts, heads=(head,)))


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
    found = objection(body(*lines), part(*shifts))
    assert "a release that is an int or a float" in found, found


@pytest.mark.parametrize(
    "shift", ["witness(1)", "0 if witness(1) == 1 else 1", "place1(g)", "first_outcome(0)"]
)
def test_no_alignment_depends_on_the_witnesses(shift: str) -> None:
    lines = ("noise = sample(Laplace(1 / eps))", "yield noise")
    assert "means nothing here" in objection(body(*lines), part(shift))


@pytest.mark.parametrize("mark", ["None", "'x'", "'no element yet'"])
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
    found = objection(body(*lines), part())
    assert "elements of more than one kind" in found, found
    made = body("c = [0] * 3", f"a = [{mark}] * {count}", *lines[2 + count :])
    assert "a list of what is no number" in objection(made, part())
