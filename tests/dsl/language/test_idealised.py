"""What of a run is not exact: found where it is, and nothing else; its page says the same."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import shiftproof.mechanisms
from shiftproof import BadInput, Idealisation, Mechanism, Unsupported, idealisations, seeded
from shiftproof.mechanisms.composition import histogram_in_parallel
from shiftproof.mechanisms.geometric import geometric, truncated_geometric
from shiftproof.mechanisms.laplace import laplace
from shiftproof.mechanisms.threshold_decision import threshold_decision_geometric
from shiftproof.mechanisms.top_k import asymmetric_top_k_geometric
from tests.places import ROOT
from tests.programs.dsl.whole_numbers import (
    above,
    calling,
    coin,
    either,
    gap,
    gaps,
    half,
    in_a_loop,
    of_a_float,
    only_compared,
    rounded_scale,
    strange,
    times_a_float,
    whole,
)

PAGE = ROOT / "docs" / "real_data.md"
HALF = Fraction(1, 2)


def said(found: Sequence[Idealisation]) -> list[str]:
    return [f"{i.location.line - _line(i)}: {i.reason}" for i in found]


def _line(i: Idealisation) -> int:
    """Where the mechanism begins that the place is in."""
    lines = Path(i.location.file).read_text().splitlines()[: i.location.line]
    return max(k for k, line in enumerate(lines, 1) if line.startswith("def "))


EPS = "1: '1 / eps' is computed in floating point unless eps is given as a Fraction"
CASES: dict[Mechanism[..., Any], list[str]] = {
    above: [EPS.replace("1:", "3:")],
    whole: [],
    coin: [],
    half: [EPS, "2: '(x + noise) / 2' is computed in floating point"],
    times_a_float: [EPS, "2: '0.5 * x' is computed in floating point"],
    of_a_float: [EPS, "2: 'x + noise' is computed in floating point"],
    only_compared: ["1: '0.1' is not exactly the float that stands for it"],
    rounded_scale: [
        "1: '(k + 1) / 2' is computed in floating point",
        "2: '2.0 / eps' is computed in floating point",
    ],
    gap: [EPS, "2: 'x + noise - T' is computed in floating point unless T is given as a Fraction"],
    either: [EPS, "6: 'y + z' is computed in floating point"],
    calling: [
        EPS,
        "2: 'x + noise' is computed in floating point",
        "1: 'eps / 2' is computed in floating point unless eps is given as a Fraction",
        "1: an int becomes a float as x of of_a_float",
        "2: 'eps / 2' is computed in floating point unless eps is given as a Fraction",
        EPS.replace("1:", "12:"),
    ],
    in_a_loop: ["3: 'total / 2' is computed in floating point"],
    laplace: ["11: Laplace noise is drawn in floating point"],
}


@pytest.mark.parametrize("m", CASES, ids=lambda m: m.function.__name__)
def test_what_is_found(m: Mechanism[..., Any]) -> None:
    assert sorted(said(idealisations(m))) == sorted(CASES[m])


def test_in_the_order_of_the_files() -> None:
    found = idealisations(calling)
    places = [(i.location.file, i.location.line, i.location.column) for i in found]
    assert places == sorted(places) and len(set(places)) == len(places)
    assert str(found[-1]) == f"{found[-1].location}: {found[-1].reason}"


def test_what_is_given_as_fractions_is_exact() -> None:
    (found,) = idealisations(above)
    assert found.parameters == ("eps",)
    assert idealisations(above, eps=HALF) == idealisations(above, eps=HALF, T=(0.1,)) == ()
    assert idealisations(above, eps=0.5) == idealisations(above, eps=1) == (found,)
    assert [i.parameters for i in idealisations(gap, eps=HALF)] == [("T",)]
    assert idealisations(gap, eps=HALF, T=HALF) == ()
    assert said(idealisations(half, eps=HALF)) == CASES[half][1:]


def test_what_is_given_must_be_an_input() -> None:
    with pytest.raises(BadInput, match="above: no input 'epsilon'; it has f, T, eps"):
        idealisations(above, epsilon=HALF)


def test_vectors_are_given_in_fractions_throughout() -> None:
    assert idealisations(gaps, T=(HALF, HALF)) == idealisations(gaps, T=[]) == ()
    assert idealisations(gaps, T=(HALF, 0.5))[0].parameters == ("T",)


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(Unsupported):
        idealisations(strange)


def gallery() -> Iterator[Mechanism[..., Any]]:
    for found in pkgutil.iter_modules(shiftproof.mechanisms.__path__):
        module = importlib.import_module(f"shiftproof.mechanisms.{found.name}")
        for value in vars(module).values():
            if isinstance(value, Mechanism) and value.function.__module__ == module.__name__:
                yield value


def is_exact(m: Mechanism[..., Any]) -> bool:
    return all(i.parameters for i in idealisations(m))


def test_the_page_names_the_exact_ones_of_the_gallery() -> None:
    exact = {m.function.__name__ for m in gallery() if m.expect == "proved" and is_exact(m)}
    section = PAGE.read_text(encoding="utf-8").partition("## Which mechanisms are safe")[2]
    rows = re.findall(r"^\| (.*) \| (exact|idealised)", section, re.MULTILINE)
    named = {
        name for cell, kind in rows if kind == "exact" for name in re.findall(r"`(\w+)`", cell)
    }
    assert named == exact and len(exact) > 5


#: Calls of them with fractions; what is released then are exact numbers.
CALLS: dict[Mechanism[..., Any], Callable[[Fraction], tuple[Any, ...]]] = {
    geometric: lambda eps: geometric(7, eps),
    truncated_geometric: lambda eps: truncated_geometric(7, 10, eps),
    threshold_decision_geometric: lambda eps: threshold_decision_geometric(7, 5, eps),
    asymmetric_top_k_geometric: lambda eps: asymmetric_top_k_geometric((7, 9, 1), 2, eps),
    histogram_in_parallel: lambda eps: histogram_in_parallel((7, 9, 1), eps),
    above: lambda eps: above((7, 9), (HALF, 8), eps),
    gap: lambda eps: gap(7, Fraction(1, 3), eps),
    coin: lambda eps: coin(1),
}


@pytest.mark.parametrize("m", CALLS, ids=lambda m: m.function.__name__)
def test_a_run_on_fractions_never_meets_a_float(m: Mechanism[..., Any]) -> None:
    with seeded(3):
        for eps in (Fraction(1, 10**30), HALF, Fraction(10**30)):
            released = CALLS[m](eps)
            assert {type(v) for v in released} <= {int, bool, str, type(None), Fraction}
    if m is gap:
        assert released == (Fraction(20, 3),)
    if m is geometric:
        assert released == (7,)
