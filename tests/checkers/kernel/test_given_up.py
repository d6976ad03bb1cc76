"""What is given up is one set of draws: no output chooses it, and no index of the proof."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shiftproof import Verdict, verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import check
from shiftproof.checkers.kernel.paired.runs import Run
from tests.checkers.kernel.finding import certificate, lines_of
from tests.checkers.kernel.mutating import proved_anew
from tests.checkers.kernel.test_forged_relaxed import GIVEN_UP, THRESHOLD, forged
from tests.loading import source

#: A callee that gives up what its argument may be read from, and a caller who foretells which of
#: its two calls will do so: each call has probability 1/10 to tell, 19/100 together.
FORETOLD = """
from collections.abc import Iterator
from shiftproof import DP, Bernoulli, Count, Uniform, align, mechanism, outcome, other, sample

@mechanism(DP(delta=0.1), budget=0)
def leak(c: Count) -> tuple[int]:
    u = sample(Uniform(0, 1))
    if u < 0.1:
        if c >= 1:
            return (2,)
        return (1,)
    return (0,)

@mechanism(DP(delta=0.1), budget=0)
def outer(f: Count) -> Iterator[int | bool]:
    a = sample(Bernoulli(1 / 2))
    align(a, outcome() >= 1 and (f >= 1) != other(f >= 1))
    b = sample(Bernoulli(1 / 2))
    align(b, outcome() <= 0 and (f >= 1) != other(f >= 1))
    (v,) = leak(1 if a else 0)
    yield v
    if v >= 1:
        yield a != (f >= 1)
    else:
        (w,) = leak(1 if b else 0)
        yield w
        yield b != (f >= 1)
"""


def test_a_call_with_a_delta_beside_a_shift_that_is_foretold_is_not_proved(tmp_path: Path) -> None:
    both = source(tmp_path, FORETOLD)
    assert verify(both["leak"]).verdict == Verdict.PROVED
    assert verify(both["outer"]).verdict != Verdict.PROVED


CALLER = """
@mechanism(DP(delta=1 / 10), budget=0)
def inner(c: Count) -> (int,):
    ...
@mechanism(DP(delta=1 / 10), budget=0)
def outer(f: Count):
    s = sample(DiscreteUniform(0, 1))
    (v,) = inner(s)
    yield v
    yield s
"""
#: Three draws of which each is above 0.99 with probability 1/100; one of the three is known to be.
MARKS = """
@mechanism(DP(delta=1 / 50), budget=0)
def m(f: Count):
    a = [0.0] * 3
    x0 = sample(Uniform(0, 1))
    a[0] = x0
    x1 = sample(Uniform(0, 1))
    a[1] = x1
    x2 = sample(Uniform(0, 1))
    a[2] = x2
    for i in range(0, 3, 1):
        yield 1 if f >= 1 and a[i] > 0.99 else 0
"""


def _of(text: str, part: dict[str, Any]) -> None:
    check(certificate(lines_of(text), [part]))


def test_a_forged_one_is_refused_for_this_reason() -> None:
    shift = "(1 if s == 0 else -1) if outcome() < 2 and (f >= 1) != other(f >= 1) else 0"
    with pytest.raises(Wrong, match="a shift that is foretold"):
        _of(CALLER, {"shifts": [shift], "costs": {"given_up(1 / 10)": "1"}})


def test_each_index_of_the_proof_has_no_set_of_its_own() -> None:
    ends = [f"(0.99 if witness(1) == {k} or witness(2) == {k} else 1)" for k in range(3)]
    costs = {f"given_up(1 - {end})": "1" for end in ends}
    variables = {
        "i": {"kind": "int"}, "len(a)": {"kind": "int", "value": "3"},
        "a[witness(1)]": {"kind": "float"}, "a[witness(2)]": {"kind": "float"},
    }  # fmt: skip
    invariants = ["i >= 0", "a[witness(1)] <= 0.99", "a[witness(2)] <= 0.99"]
    head = {"loop": 0, "variables": variables, "costs": costs, "invariants": invariants}
    shifts = [f"unless(x{k} > {end}, 0)" for k, end in enumerate(ends)]
    with pytest.raises(Wrong, match="is not made of public inputs"):
        _of(MARKS, {"shifts": shifts, "costs": costs, "heads": [head]})


@pytest.mark.parametrize(
    "constant",
    [
        "witness(1)", "picks()", "rank(witness(1))", "picked(witness(1))", "first_outcome(0)",
        "outcome()", "last_picked(1)", "last_value()", "moved_by()", "place1(q)", "change1(q)",
        "move(q)", "q", "other(q)", "noise", "cost(eps)", "moved_before(q)[0]",
    ],
)  # fmt: skip
def test_an_end_names_nothing_but_public_inputs(constant: str) -> None:
    end = f"T - 1 + 0 * {constant}"
    costs = {"eps": "1", GIVEN_UP: "1"}
    assert proved_anew(forged("noisy_threshold", costs=costs))
    assert not proved_anew(
        forged("noisy_threshold", shifts=[THRESHOLD.replace("T - 1", end)], costs=costs)
    )


@pytest.mark.parametrize("field", ["rho", "tail", "pure"])
@pytest.mark.parametrize("constant", ["witness(1)", "move(q)", "q", "first_outcome(0)"])
def test_nor_does_a_measure_that_another_one_follows_from(field: str, constant: str) -> None:
    name = "concentrated_noisy_max" if field == "pure" else "gaussian_count"
    said = {"pure": "eps"} if field == "pure" else {"rho": "eps", "tail": "1"}
    with pytest.raises(Wrong, match=r"means nothing here|is no public scalar input"):
        part = forged(name, **{**said, field: f"eps + 0 * {constant}"})
        if not proved_anew(part):
            check(part)


#: A draw that is far too narrow where x is negative, and something else where it is above 1.
TWO_PATHS = """
@mechanism(DP(delta=lambda delta: delta))
def m(q: Count, x: Public[float], eps: Epsilon, delta: Delta):
    assert eps <= 1
    if x < 0:
        noise = sample(Gaussian(1 / 1000))
        yield q + noise
    elif x > 1:
"""
#: On that one a logarithm of x is of what is positive.
LOGARITHMS = {
    "a callee's precondition": """
@mechanism(DP(delta=lambda delta: delta))
def inner(q: Count, x: Public[float], eps: Epsilon, delta: Delta) -> (float,):
    assert x > 1
    assert log(x) > 0
    ...
"""
    + TWO_PATHS
    + """
        (y,) = inner(q, x, eps, delta)
        yield y
""",
    "a callee's claim": """
@mechanism(DP(delta=lambda x: log(x) / 1000))
def inner(q: Count, x: Public[float], eps: Epsilon) -> (float,):
    assert x > 1
    ...
"""
    + TWO_PATHS
    + """
        (y,) = inner(0, x, eps)
        yield y
""",
    "a test": TWO_PATHS
    + """
        if log(x) > 0:
            yield 1
""",
}


@pytest.mark.parametrize("name", LOGARITHMS)
def test_a_logarithm_on_one_path_says_nothing_on_another(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = {
        "shifts": ["unless(noise > 0, capped(q - other(q), 0, 1))"],
        "costs": {"eps": "1", "given_up(delta)": "1"},
    }
    with pytest.raises(Wrong, match="a cost of which the certificate has no rate"):
        _of(LOGARITHMS[name], part)
    # Without the question whether it holds on all paths, it is proved.
    monkeypatch.setattr(Run, "throughout", lambda *_: True)
    _of(LOGARITHMS[name], part)
