"""The truth is told of programs whose privacy is known."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import Mechanism
from shiftproof.dsl.normalise import normalised, read_normalised
from tests.programs.checkers.enumerated_mechanisms import BAD, GOOD
from tests.random_programs.false_programs import FALSE
from tests.random_programs.laws import Law
from tests.random_programs.running import Cuts, Source
from tests.random_programs.settings import PREAMBLE
from tests.random_programs.truth import Found, truth


def told(mechanism: Mechanism[..., Any]) -> Found:
    name = mechanism.program.name
    text = re.sub(rf"\b{name}\b", "m", normalised(mechanism))
    return truth(text, mechanism.program)


@pytest.mark.parametrize("mechanism", BAD, ids=lambda m: m.program.name)
def test_what_is_wrong_is_found(mechanism: Mechanism[..., Any]) -> None:
    assert told(mechanism).wrong


@pytest.mark.parametrize("mechanism", GOOD, ids=lambda m: m.program.name)
def test_what_is_right_is_not_blamed(mechanism: Mechanism[..., Any]) -> None:
    found = told(mechanism)
    assert found.pairs >= 5 and not found.problem, found.problem


@pytest.mark.parametrize("name", FALSE)
def test_kinds_of_wrong_proofs_would_be_noticed(name: str) -> None:
    # Of the program claim and inputs are asked: one that is refused does without what it is for.
    readable = FALSE[name].replace("        a = [0, 0]\n", "")
    found = truth(FALSE[name], read_normalised(readable).program)
    assert found.wrong, name


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("Laplace", (Fraction(3, 2),)),
        ("Exponential", (2,)),
        ("NegativeExponential", (2,)),
        ("TwoSidedGeometric", (Fraction(1, 2),)),
        ("OneSidedGeometric", (3,)),
        ("NegativeOneSidedGeometric", (3,)),
        ("Uniform", (-1, 2)),
        ("DiscreteUniform", (-1, 2)),
    ],
)
def test_masses_add_up(kind: str, values: tuple[Any, ...]) -> None:
    law = Law(kind, values)
    low, high = law.support
    step = 0 if law.continuous else 1
    cuts = [c for c in range(-4, 5) if low < c < high]
    pieces = zip([low, *cuts], [*(c - step for c in cuts), high], strict=True)
    masses = [law.mass(piece) for piece in pieces]
    assert min(masses) > 0 and math.isclose(sum(masses), 1)
    middle = law.middle((low, high))
    assert 0.05 < law.mass((low, middle - step)) < 0.95


def test_probabilities_of_runs() -> None:
    """P[k >= 1] of Laplace noise is exp(-eps) / 2; a run says so without a sample."""
    text = f"{PREAMBLE}\n\n@mechanism(DP())\ndef m(eps):\n    k = sample(Laplace(1 / eps))\n"
    spread = Source(text + "    return k >= 1\n").spread({"eps": Fraction(2)}, Cuts(), 100)
    assert math.isclose(spread.masses[(("bool", True),)], math.exp(-2) / 2)
    assert spread.runs == 3 and not spread.unseen
