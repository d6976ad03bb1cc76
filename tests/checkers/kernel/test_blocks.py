"""Blocks: what a certificate that sums draws owes, and what a forger tries."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from tests.checkers.kernel.finding import objection

BIT = """\
@mechanism(LDP())
def response(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):
"""
VALUE = """\
@mechanism(LDP())
def encoding(x: Annotated[int, IntegerValue(low=0, high='k')], k: Public[Nat], eps: Epsilon):
"""
TRUTH = "keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))"
UP, DOWN = "log(exp(eps) + 1) - log(2)", "eps + log(2) - log(exp(eps) + 1)"


def against(*lines: str, head: str = BIT, **part: Any) -> str:
    """What the kernel has against a program under a part of a certificate."""
    text = head + textwrap.indent("\n".join(lines), "    ")
    return objection(text, {"costs": {"eps": "1"}, "prices": ["eps", "-eps"], **part})


def test_a_response_is_summed() -> None:
    assert against(TRUTH, "yield x if keep else 1 - x", shifts=["summed()"]) == ""
    assert (
        against(TRUTH, "y = x if keep else 1 - x", "yield y", "yield y", shifts=["summed(y)"]) == ""
    )


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"prices": []}, "no price covers"),
        ({"prices": ["eps / 2", "-eps / 2"]}, "no price covers"),
        ({"prices": ["-eps"]}, "no price covers"),
        ({"prices": ["2 * eps"]}, "at most their bound"),
        ({"prices": ["eps", "-eps"], "costs": {"eps": "1/2"}}, "at most their bound"),
        ({"prices": ["eps", "-eps"], "costs": {}}, "no rate"),
        ({"prices": ["x"]}, "no price covers"),
        ({"prices": ["y"]}, "no public scalar"),
        ({"prices": ["log(0)"]}, "a log"),
        ({"prices": ["log(eps - 1)"]}, "a log"),
        ({"prices": ["1 / (eps - 1)"]}, "a divisor is not zero"),
        ({"shifts": ["summed(x)"]}, "assigned in no sum"),
        ({"shifts": ["summed(nobody)"]}, "assigned in no sum"),
        ({"shifts": ["summed(len)"]}, "assigned in no sum"),
        ({"shifts": ["summed(keep)"]}, "no price covers"),
        ({"shifts": ["False"]}, "the released values are equal"),
    ],
)
def test_what_is_said_is_owed(part: dict[str, Any], why: str) -> None:
    said = {"shifts": ["summed()"], **part}
    assert why in against(TRUTH, "yield x if keep else 1 - x", **said)


@pytest.mark.parametrize(
    "lines",
    [
        # What was summed is forgotten, wherever it went.
        (TRUTH, "yield x if keep else 1 - x", "yield keep"),
        (TRUTH, "y = x if keep else 1 - x", "yield y", "yield 1 if keep else 0"),
        (TRUTH, "t = keep", "yield x if keep else 1 - x", "yield t"),
        (TRUTH, "a = [0]", "a[0] = 1 if keep else 0", "yield x if keep else 1 - x", "yield a[0]"),
        # What is released is not the same, or of another kind, or not everywhere.
        (TRUTH, "yield x"),
        (TRUTH, "yield 1.0 * x if keep else 1 - x"),
        (TRUTH, "if keep:", "    yield x"),
        (TRUTH, "if keep or x == 1:", "    yield 1"),
        (TRUTH, "yield 2 if keep and x == 1 else 1 if keep else 0"),
        # A coin that is none.
        ("keep = sample(Bernoulli(1 + eps))", "yield x if keep else 1 - x"),
        ("keep = sample(Bernoulli(x))", "yield 0 if keep else 0"),
    ],
)
def test_nothing_gets_past_a_block(lines: tuple[str, ...]) -> None:
    assert against(*lines, shifts=["summed()"])


@pytest.mark.parametrize(
    ("law", "why"),
    [("Laplace(1 / eps)", "no finite noise"), ("TwoSidedGeometric(1 / eps)", "no finite noise")],
)
def test_only_finite_noise_is_summed(law: str, why: str) -> None:
    assert why in against(f"n = sample({law})", "yield 0.0 + n", shifts=["summed()"])


def test_it_costs_each_time() -> None:
    lines = ("for i in range(0, 2, 1):", f"    {TRUTH}", "    yield x if keep else 1 - x")
    head = {
        "loop": 0,
        "line": 3,
        "variables": {"i": {"kind": "int"}},
        "costs": {"eps": "?"},
        "invariants": ["cost(eps) <= i", "i >= 0"],
    }
    assert "at most their bound" in against(*lines, shifts=["summed()"], heads=[head])
    twice = BIT.replace("LDP()", "LDP(), budget=lambda eps: 2 * eps")
    bounds = {
        "costs": {"eps": "2"},
        "heads": [head | {"invariants": [*head["invariants"], "i <= 2"]}],
    }
    assert against(*lines, head=twice, shifts=["summed()"], **bounds) == ""


#: A forger's coin for the bit of the value, and one for all others.
OWN, OTHERS = "sample(Bernoulli(1 / 2))", "sample(Bernoulli(1 / (1 + exp(eps))))"
ENCODING = (
    "for i in range(0, k, 1):",
    "    if x == i:",
    f"        own = {OWN}",
    "    else:",
    f"        own = {OTHERS}",
    "    yield own",
)
HEAD = {
    "loop": 0,
    "line": 3,
    "variables": {"i": {"kind": "int"}},
    "costs": {UP: "?", DOWN: "?"},
    "invariants": [
        "i >= 0",
        f"cost({UP}) <= (1 if x < i else 0)",
        f"cost({DOWN}) <= (1 if other(x) < i else 0)",
    ],
}
PART: dict[str, Any] = {
    "shifts": ["summed()", "summed()"],
    "heads": [HEAD],
    "costs": {UP: "1", DOWN: "1"},
    "prices": [UP, f"-({UP})", DOWN, f"-({DOWN})"],
}


def encoding(*changes: tuple[str, str], **part: Any) -> str:
    lines = "\n".join(ENCODING)
    for old, new in changes:
        assert old in lines
        lines = lines.replace(old, new)
    return against(*lines.split("\n"), head=VALUE, **{**PART, **part})


def test_an_encoding_is_summed_with_logarithms() -> None:
    assert encoding() == ""


@pytest.mark.parametrize(
    "changes",
    [
        [("exp(eps)", "exp(2 * eps)")],
        [("1 / 2", "2 / 3")],
        [("x == i", "x <= i")],
        [("    yield own", "    yield own\n    yield x == i")],
        [("    yield own", "    yield own\n    yield own == (x == i)")],
    ],
)
def test_another_encoding_is_not(changes: list[tuple[str, str]]) -> None:
    assert encoding(*changes)


@pytest.mark.parametrize(
    "part",
    [
        {"prices": [UP, DOWN]},
        {"prices": [DOWN, f"-({DOWN})"]},
        {"prices": ["log(2) - log(2)"]},
        {"costs": {UP: "1", DOWN: "0"}},
        {"costs": {UP: "1", DOWN: "1", "eps": "1"}},
        {"costs": {f"-({UP})": "1", DOWN: "1"}},
        {"shifts": ["summed()", "False"]},
        {"shifts": ["summed()", "summed"]},
        {"heads": [HEAD | {"costs": {UP: "0", DOWN: "0"}}]},
    ],
)
def test_another_certificate_of_an_encoding_is_none(part: dict[str, Any]) -> None:
    assert encoding(**part)


REDRAWN = (
    "while True:",
    "    said = sample(DiscreteUniform(0, 1))",
    "    if said != x:",
    "        break",
)


def test_rounds_that_are_alike_are_a_series() -> None:
    first = "keep = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))"
    lines = (first, "said = x", "if not keep:", *(f"    {line}" for line in REDRAWN), "yield said")
    assert against(*lines, shifts=["summed()", "summed()"]) == ""


@pytest.mark.parametrize(
    "lines",
    [
        # A round that reads what the one before it left.
        ("t = 0", "while sample_ == 0:", "    t = t + 1", "    sample_ = 1", "yield t"),
        (
            "t = x",
            "c = sample(Bernoulli(1 / 2))",
            "while c:",
            "    t = t + 1",
            "    c = sample(Bernoulli(1 / 2))",
            "yield t",
        ),
        # A loop that never ends, or need not.
        ("while True:", "    c = sample(Bernoulli(1 / 2))", "yield x"),
        ("while x == 1:", "    c = sample(Bernoulli(1 / 2))", "yield 0"),
        # What only some rounds assign.
        (
            "said = x",
            "c = sample(Bernoulli(1 / 2))",
            "while c:",
            "    c = sample(Bernoulli(1 / 2))",
            "    if c:",
            "        said = 0",
            "yield said",
        ),
    ],
)
def test_rounds_that_are_not_alike_are_none(lines: tuple[str, ...]) -> None:
    draws = sum("sample(" in line for line in lines)
    assert against(*lines, shifts=["summed()"] * draws)


# What is made of a draw that is counted depends on it, though it has another name.

HIDING = """\
@mechanism(LDP(), budget=1)
def hidden(x: Annotated[int, IntegerValue(low=0, high=1)]):
    u = sample(DiscreteUniform(0, 3))
"""
TELLING = (
    "c = sample(Bernoulli(0.5))",
    "if x == 1:",
    "    out = u == k or c",
    "else:",
    "    out = c",
    "return out",
)


@pytest.mark.parametrize(
    "lines",
    [
        ("k = round(sqrt(u * u))",),
        ("k = int(sqrt(u * u))",),
        ("k = round(log(exp(1) ** 2) * 0 + u)",),
        ("k = (2 * u) // 2",),
        ("k = sqrt(u * u)",),
        ("t = sqrt(u * u)", "k = 0 if t < 1 else 1 if t < 2 else 2 if t < 3 else 3"),
        (
            "done = False",
            "while not done:",
            "    k = (2 * u) // 2",
            "    done = sample(Bernoulli(0.5))",
        ),
    ],
)
def test_what_is_made_of_a_draw_is_told_apart_from_numbers(lines: tuple[str, ...]) -> None:
    part = {"costs": {"1": "1"}, "prices": ["1"]}
    draws = 2 + sum("sample(" in line for line in lines)
    found = against(*lines, *TELLING, head=HIDING, shifts=["summed(out)"] * draws, **part)
    assert found and "steps of work" not in found


def test_a_count_that_a_draw_selects_is_none_of_a_number() -> None:
    text = """\
@mechanism(DP(), budget=1)
def d(data: Annotated[Sequence[Sequence[int]], DataSet(attributes=1)]):
    u = sample(DiscreteUniform(0, 3))
    k = count(record[0] == u, data)
    c = sample(Bernoulli(0.5))
    if u == k or c:
        return 1
    else:
        return 0
"""
    part = {"costs": {"1": "1"}, "prices": ["1"], "shifts": ["summed()", "summed()"]}
    assert "made of a draw" in objection(text, part)


def test_a_release_is_the_last_thing_in_a_block() -> None:
    lines = (
        TRUTH,
        "yield x if keep else 1 - x",
        "y = 1",
        "c = sample(Bernoulli(1 / 2))",
        "yield c",
    )
    assert against(*lines, shifts=["summed()", "summed()"]) == ""
    later = (TRUTH, "yield x if keep else 1 - x", "c = keep", "yield c")
    assert against(*later, shifts=["summed()"])
