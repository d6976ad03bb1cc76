"""Lemma 5 in the kernel: what it says of ``top_k``, and each thing that a text owes for it."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from shiftproof.checkers.kernel.language.steps import Draw, Pick, Store
from shiftproof.checkers.kernel.language.syntax import is_call
from shiftproof.checkers.kernel.paired import walk
from shiftproof.checkers.kernel.paired.runs import Gaps, Run
from tests.checkers.kernel.finding import objection

HEAD = """\
@mechanism(DP())
def gap(f: Counts, p: Public[float], eps: Epsilon):
    assert len(f) >= 3
"""
FIRST = ("x = sample(Laplace(2 / eps))", "a[0] = f[0] + x")
SECOND = ("y = sample(Laplace(2 / eps))", "a[1] = f[1] + y")
PICKED = ("order = top_k(a, 2)", "yield order[0]", "yield a[order[0]] - a[order[1]]")
MADE = ("a = [0.0] * 2",)


def found(*lines: str, shifts: tuple[str, ...] = ("gaps(-1, 1)",) * 2) -> str:
    """What the kernel has against a text with these shifts, within eps."""
    text = HEAD + textwrap.indent("\n".join(lines), "    ")
    return objection(text, {"shifts": list(shifts), "costs": {"eps": "1"}})


def test_the_gap_is_free() -> None:
    assert found(*MADE, *FIRST, *SECOND, *PICKED) == ""


def test_so_it_is_of_a_list_that_grows() -> None:
    lines = ("a = []", FIRST[0], "a.append(f[0] + x)", SECOND[0], "a.append(y + f[1])", *PICKED)
    assert found(*lines) == ""


def test_other_noise_may_come_between() -> None:
    between = ("e = sample(Laplace(1 / eps))", "yield e")
    shifts = ("gaps(-1, 1)", "0", "gaps(-1, 1)")
    assert found(*MADE, *FIRST, *between, *SECOND, *PICKED, shifts=shifts) == ""


@pytest.mark.parametrize(
    ("after", "condition"),
    [
        (("yield order[1]",), "same output"),
        (("yield order[0]", "yield a[order[0]]"), "same output"),
        (("yield a[order[1]]",), "same output"),
        (("yield a[order[0]] + a[order[1]]",), "same output"),
        (("yield a[order[0]] - a[0]",), "same output"),
        (("yield a[order[0]] - 2 * a[order[1]]",), "same output"),
        (("if a[order[0]] > 3:", "    yield 1"), "same samples"),
        (("yield f[order[1]]",), "same output"),
    ],
)
def test_nothing_but_the_first_ones_and_gaps_is_the_same(
    after: tuple[str, ...], condition: str
) -> None:
    said = found(*MADE, *FIRST, *SECOND, PICKED[0], *after)
    assert f": {condition}: " in said and "there is no proof of it" in said


@pytest.mark.parametrize(
    ("lines", "shift"),
    [
        ((*MADE, *FIRST, *SECOND), "gaps(0, 1)"),  # answers rise as well
        ((*MADE, *FIRST, *SECOND), "gaps(-1, 0)"),
        ((*MADE, *FIRST, *SECOND), "gaps(-1, 2)"),  # dearer than eps
        (("a = [0.0] * 3", *FIRST, *SECOND), "gaps(-1, 1)"),  # no noise in the last one
        ((*MADE, FIRST[0], "a[0] = 2 * f[0] + x", *SECOND), "gaps(-1, 1)"),
        ((*MADE, FIRST[0], "a[1] = f[0] + x", *SECOND), "gaps(-1, 1)"),
    ],
)
def test_what_the_shift_says_is_owed_of_each_element(lines: tuple[str, ...], shift: str) -> None:
    said = found(*lines, *PICKED, shifts=(shift, shift))
    assert ": cost: " in said


def drawn(law: str) -> tuple[str, ...]:
    """Two elements with noise of this law."""
    return f"x = sample({law})", "a[0] = f[0] + x", f"y = sample({law})", "a[1] = f[1] + y"


HALF = ("y = sample(Laplace(1 / eps))", "a[1] = f[1] + y")
DIFFERENCE = "(1 if x - y > 0 else 0)"
LATER = ("z = sample(Laplace(2 / eps))", "a[0] = 0.0 + z")
EXTRA = ("z = sample(Laplace(2 / eps))", f"a[{DIFFERENCE}] = f[0] + z")
#: Texts that the lemma says nothing of, each with what is said against it; and the shifts.
REFUSED: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "a difference of draws comes out": (
        (*MADE, *FIRST, *SECOND, *PICKED, "yield x - y"),
        ("gaps(-1, 1)",) * 2,
        "is read elsewhere",
    ),
    "a difference of draws decides": (
        (*MADE, *FIRST, *SECOND, "if x > y:", "    yield 1", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "is read elsewhere",
    ),
    "the list is read before": (
        (*MADE, *FIRST, *SECOND, "yield a[0] - f[0] - (a[1] - f[1])", *PICKED[:2]),
        ("gaps(-1, 1)",) * 2,
        "is read before",
    ),
    "it may never end in between": (
        (*MADE, *FIRST, "yield a[0]", "while p > 0:", "    e = 1", *SECOND, *PICKED),
        ("gaps(-1, 1)",) * 2,
        "is read before",
    ),
    "two lists": (
        (*MADE, "b = [0.0] * 2", *FIRST, SECOND[0], "b[1] = f[1] + y", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "of one list",
    ),
    "one draw for two elements": (
        (*MADE, *FIRST, "a[1] = f[1] + x", *PICKED),
        ("gaps(-1, 1)",),
        "is read elsewhere",
    ),
    "a draw is kept at times": (
        (
            *MADE,
            *FIRST,
            "if p > 0:",
            "    x = sample(Laplace(2 / eps))",
            "a[1] = f[1] + x",
            *PICKED,
        ),
        ("gaps(-1, 1)",) * 2,
        "a value plus a draw of its own",
    ),
    "the place says something of draws": (
        (*MADE, *FIRST, *SECOND, *EXTRA, *PICKED),
        ("gaps(-1, 1)",) * 3,
        "a draw of its own",
    ),
    "the value says something of draws": (
        (*MADE, *FIRST, SECOND[0], f"a[1] = f[0] + {DIFFERENCE} - {DIFFERENCE} + y", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "a draw of its own",
    ),
    "an earlier draw": (
        (*MADE, *FIRST, SECOND[0], "a[1] = f[1] + x", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "a draw of its own",
    ),
    "two scales": (
        (*MADE, *FIRST, *HALF, *PICKED),
        ("gaps(-1, 1)",) * 2,
        "noise of one law",
    ),
    "two spreads": (
        (*MADE, *FIRST, *SECOND, *PICKED),
        ("gaps(-1, 1)", "gaps(-2, 2)"),
        "noise of one law",
    ),
    "another draw follows them": (
        (*MADE, *FIRST, *SECOND, "e = sample(Laplace(1 / eps))", "yield e", *PICKED),
        ("gaps(-1, 1)", "gaps(-1, 1)", "0 if x > y else 0"),
        "a shift reads",
    ),
    "an element is stored without noise": (
        (*MADE, *FIRST, *SECOND, "a[0] = f[0]", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "has elements without noise",
    ),
    "there is noise afterwards": (
        (*MADE, *FIRST, *SECOND, "order = top_k(a, 2)", *LATER, "yield a[order[0]] - a[0]"),
        ("gaps(-1, 1)",) * 3,
        "changes after its gaps were read",
    ),
    "it is made anew afterwards": (
        (*MADE, *FIRST, *SECOND, "order = top_k(a, 2)", "a = [0.0] * 2", "yield order[0]"),
        ("gaps(-1, 1)",) * 2,
        "changes after its gaps were read",
    ),
    "the scale is a variable": (
        (*MADE, "s = 2 / eps", *drawn("Laplace(s)"), *PICKED),
        ("gaps(-1, 1)",) * 2,
        "not of parameters",
    ),
    "the spread is the shift": (
        ("a = [0.0] * 3", *FIRST, *SECOND, *PICKED),
        ("gaps(moved_by() - 1, moved_by() + 1)",) * 2,
        "not of parameters",
    ),
    "noise of another law": (
        (*MADE, *drawn("NegativeExponential(2 / eps)"), *PICKED),
        ("gaps(-1, 1)",) * 2,
        "no gaps of NegativeExponential noise",
    ),
    "argmax": (
        (*MADE, *FIRST, *SECOND, "return argmax(a)"),
        ("gaps(-1, 1)",) * 2,
        "those of one top_k",
    ),
    "a second list of picks": (
        (*MADE, *FIRST, *SECOND, "order = 5", *PICKED),
        ("gaps(-1, 1)",) * 2,
        "has a second meaning",
    ),
    "a draw that goes nowhere": (
        (*MADE, *FIRST, "y = sample(Laplace(2 / eps))", "yield y"),
        ("gaps(-1, 1)",) * 2,
        "those of one top_k",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_each_thing_that_the_lemma_needs_is_owed(name: str) -> None:
    lines, shifts, message = REFUSED[name]
    said = found(*lines, shifts=shifts)
    assert "measure: " in said and message in said


def careless(run: Run) -> Gaps | None:
    """The list, as if nothing were owed."""
    nodes = run.mechanism.nodes
    draws = [n for n in nodes if isinstance(n, Draw) and is_call(run.shifts[n.site], "gaps")]
    if not draws:
        return None
    draws.sort(key=lambda n: n.site)
    store, shift = nodes[draws[0].after], run.shifts[draws[0].site]
    assert isinstance(store, Store)
    (pick,) = (n for n in nodes if isinstance(n, Pick) and n.array == store.array)
    arguments: Any = getattr(shift, "args", ())
    return Gaps(store.array, pick.target, *arguments, draws[0].arguments[0])


@pytest.mark.parametrize(
    "name",
    [
        "a difference of draws comes out",
        "a difference of draws decides",
        "the list is read before",
        "one draw for two elements",
        "a draw is kept at times",
        "the place says something of draws",
        "the value says something of draws",
        "an earlier draw",
        "two scales",
        "there is noise afterwards",
        "another draw follows them",
        "noise of another law",
    ],
)
def test_without_being_owed_it_would_be_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else in the kernel stands between these texts and a proof."""
    monkeypatch.setattr(walk, "gaps_of", careless)
    lines, shifts, _ = REFUSED[name]
    assert found(*lines, shifts=shifts) == ""
