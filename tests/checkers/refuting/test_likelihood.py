"""``likelihood``: what a caller may ask, and what comes of a wrong question."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, LimitReached, Mechanism, Unsupported, likelihood
from shiftproof.workspace.targets import gallery
from tests.loading import source

GALLERY = {m.function.__name__: m for m in gallery()}
HEADER = """
from collections.abc import Iterator, Sequence
from typing import Annotated
from shiftproof import (
    DP, Bernoulli, Count, Counts, DataSet, Epsilon, Exponential, IntVector, Laplace, Nat, Public,
    TwoSidedGeometric, Uniform, Vector, count, mechanism, sample,
)

def visited(r):
    return r[0] == 1

@mechanism(DP())
def m({inputs}, eps: Epsilon) -> Iterator[object]:
"""
LN2 = math.log(2)


def made(folder: Path, body: str, inputs: str = "f: Count") -> Mechanism[..., Any]:
    text = HEADER.format(inputs=inputs) + "".join(f"    {line}\n" for line in body.split("\n"))
    return source(folder, text)["m"]


def near(mechanism: Mechanism[..., Any], outcome: Any, value: float, **inputs: Any) -> bool:
    found = likelihood(mechanism, outcome, **inputs).value
    assert 0 <= found.low <= found.high <= found.low * (1 + Fraction(1, 10**9))
    return math.isclose(found.low, value, rel_tol=1e-12)


def exact(mechanism: Mechanism[..., Any], outcome: Any, **inputs: Any) -> Fraction:
    found = likelihood(mechanism, outcome, **inputs)
    assert found.value.exact and found.reals == 0
    return found.value.low


# Values.


@pytest.mark.parametrize("eps", [1, 0.5, Fraction(1, 3), "1/3", "ln 2", "2 ln 2", "ln(2)/2"])
def test_laplace(eps: Any) -> None:
    rate = {"1/3": 1 / 3, "ln 2": LN2, "2 ln 2": 2 * LN2, "ln(2)/2": LN2 / 2}.get(eps) or float(eps)
    assert near(GALLERY["laplace"], (5.5,), rate / 2 * math.exp(-rate * 2.5), f=3, eps=eps)
    assert likelihood(GALLERY["laplace"], [5.5], f=3, eps=eps).reals == 1


def test_geometric_is_exact_in_multiples_of_ln_2() -> None:
    for k in range(-4, 5):
        found = exact(GALLERY["geometric"], (3 + k,), f=3, eps="ln 2")
        assert found == Fraction(1, 3) / 2 ** abs(k)
        assert near(GALLERY["geometric"], (3 + k,), math.tanh(0.5) * math.exp(-abs(k)), f=3, eps=1)


def test_truncated_geometric_adds_up() -> None:
    outcomes = [(k,) for k in range(-1, 6)]
    given = {"f": 3, "n": 4, "eps": "2 ln 2"}
    found = [exact(GALLERY["truncated_geometric"], o, **given) for o in outcomes]
    assert sum(found) == 1 and found[0] == found[-1] == 0 and min(found[1:-1]) > 0


def test_several_releases(tmp_path: Path) -> None:
    two = made(
        tmp_path, "a = sample(Laplace(1 / eps))\nyield f + a\nb = sample(Exponential(2 / eps))\n"
        "yield None\nyield 'x'\nyield 2 * b",
    )  # fmt: skip
    outcome = (1.5, None, "x", 3.0)
    assert near(two, outcome, 0.5 * math.exp(-0.5) * 0.25 * math.exp(-0.75), f=1, eps=1)
    assert likelihood(two, outcome, f=1, eps=1).reals == 2
    none: list[tuple[Any, ...]] = [
        (), outcome[:3], (*outcome, 1.0), (1.5, False, "x", 3.0), (1.5, None, "y", 3.0),
        (1, None, "x", 3.0), (1.5, None, "x", -3.0), (True, None, "x", 3.0),
    ]  # fmt: skip
    for other in none:
        assert likelihood(two, other, f=1, eps=1).value.high == 0, other


def test_a_float_is_the_decimal_that_is_printed() -> None:
    tenth = likelihood(GALLERY["laplace"], (0.1,), f=0, eps=1)
    assert tenth == likelihood(GALLERY["laplace"], (Fraction(1, 10),), f=0, eps=1)
    assert tenth == likelihood(GALLERY["laplace"], [Fraction(1, 10)], f=0, eps=1.0)


def test_every_kind_of_input(tmp_path: Path) -> None:
    everything = made(
        tmp_path,
        "a = sample(TwoSidedGeometric(1 / eps))\n"
        "yield count(visited, data) + a + f[0] + P[1] + n\nyield T[0] > x",
        "data: Annotated[Sequence[Sequence[int]], DataSet(1)], f: Counts, T: Public[Vector], "
        "P: Public[IntVector], n: Public[Nat], x: Public[float]",
    )
    given = {"data": ((1,), (0,), (1,)), "f": (3, 4), "T": (0.5,), "P": (7, -5), "n": 2, "x": 0.25}
    assert exact(everything, (2, True), **given, eps="ln 2") == Fraction(1, 3)
    assert exact(everything, (3, True), **given, eps="ln 2") == Fraction(1, 6)
    assert exact(everything, (2, False), **given, eps="ln 2") == 0


# Atoms and densities.


def test_an_atom_where_a_number_has_mass(tmp_path: Path) -> None:
    atom = made(tmp_path, "b = sample(Bernoulli(0.25))\nyield 0.5 if b else 2.5")
    assert exact(atom, (0.5,), f=0, eps=1) == Fraction(1, 4)
    assert exact(atom, (Fraction(5, 2),), f=0, eps=1) == Fraction(3, 4)
    assert exact(atom, (1.5,), f=0, eps=1) == 0


def test_an_atom_beside_a_density(tmp_path: Path) -> None:
    """At the atom there is mass, everywhere else there is none."""
    mixed = made(
        tmp_path,
        "b = sample(Bernoulli(0.25))\na = sample(Laplace(1 / eps))\n"
        "if b:\n    yield 0.5\nelse:\n    yield f + a",
    )
    assert exact(mixed, (0.5,), f=0, eps=1) == Fraction(1, 4)
    found = likelihood(mixed, (1.5,), f=0, eps=1)
    assert found.reals == 1
    assert near(mixed, (1.5,), 0.75 / 2 * math.exp(-1.5), f=0, eps=1)


def test_a_number_tied_to_an_earlier_one(tmp_path: Path) -> None:
    twice = made(tmp_path, "a = sample(Laplace(1 / eps))\nyield f + a\nyield 2 * a + 1")
    assert likelihood(twice, (3.0, 5.0), f=1, eps=1).reals == 1
    assert near(twice, (3.0, 5.0), math.exp(-2) / 2, f=1, eps=1)
    assert likelihood(twice, (3.0, 5.5), f=1, eps=1).value.high == 0


def test_ints_and_floats_are_two() -> None:
    assert exact(GALLERY["geometric"], (3.0,), f=3, eps="ln 2") == 0
    assert exact(GALLERY["geometric"], (True,), f=1, eps="ln 2") == 0
    assert likelihood(GALLERY["laplace"], (3,), f=3, eps=1).value.high == 0


def test_a_run_that_raises_comes_to_no_outcome(tmp_path: Path) -> None:
    raising = made(tmp_path, "a = sample(TwoSidedGeometric(1 / eps))\nyield 1\nx = 1 / f\nyield 2")
    assert exact(raising, (1,), f=0, eps="ln 2") == exact(raising, (1, 2), f=0, eps="ln 2") == 0
    assert exact(raising, (1, 2), f=1, eps="ln 2") == 1


# Jumps.


@pytest.mark.parametrize("point", [3.0, Fraction(3)])
def test_where_a_density_jumps(point: Any) -> None:
    mechanism, given = GALLERY["asymmetric_laplace_decreasing"], {"f": 3, "eps": 1}
    with pytest.raises(BadInput, match="the density jumps at this outcome; ask right beside it"):
        likelihood(mechanism, (point,), **given)
    assert near(mechanism, (point + Fraction(1, 10**6),), math.exp(-1e-6), **given)
    assert likelihood(mechanism, (point - Fraction(1, 10**6),), **given).value.high == 0


def test_a_mass_does_not_jump() -> None:
    assert exact(GALLERY["one_sided_geometric"], (3,), f=3, eps="ln 2") == Fraction(1, 2)
    given = {"f": 3, "T": 3.0, "eps": "ln 2"}
    assert exact(GALLERY["threshold_decision"], ("alarm",), **given) == 1


# Wrong questions.

SPARSE: dict[str, Any] = {"f": (1, 0), "T": (0, 0), "c": 1, "eps": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f": ...}, "asymmetric_sparse_vector: values are missing for f"),
        ({"T": ..., "eps": ...}, "asymmetric_sparse_vector: values are missing for T, eps"),
        ({"g": 1}, "asymmetric_sparse_vector: there is no input 'g'"),
        ({"f": 3}, "f: got int 3; a sequence of numbers is needed"),
        ({"f": "12"}, "f: got str '12'; a sequence of numbers is needed"),
        ({"f": (1.5, 0)}, "f[0]: got float 1.5; an int is needed"),
        ({"f": (1, -1)}, "f[1]: got int -1; it must be at least 0"),
        ({"f": (True, 0)}, "f[0]: got bool True; an int is needed"),
        ({"T": 1.0}, "T: got float 1.0; a sequence of numbers is needed"),
        ({"T": (0, math.nan)}, "T[1]: got float nan; a finite number is needed"),
        ({"c": -1}, "c: got int -1; it must be at least 0"),
        ({"c": 0}, "c >= 1"),
        ({"T": (0,)}, "len(T) == len(f)"),
        ({"eps": 0}, "eps: got 0; it must be positive"),
        ({"eps": "ln 3"}, "eps: got 'ln 3'; want a number in nats, as 0.5 or '1/2', or a multiple"),
        ({"eps": "ln 3"}, "of ln 2 only: for another logarithm give the number, as 1.0986"),
        ({"eps": math.inf}, "eps: got inf; a finite number is needed"),
        ({"eps": None}, "eps: got None; want a number in nats"),
        ({"eps": [1]}, "eps: got [1]; want a number in nats"),
    ],
)
def test_wrong_inputs(change: dict[str, Any], message: str) -> None:
    given = {n: v for n, v in (SPARSE | change).items() if v is not ...}
    with pytest.raises(BadInput) as error:
        likelihood(GALLERY["asymmetric_sparse_vector"], (None, None), **given)
    assert message in str(error.value)


def test_two_kinds_of_epsilon_do_not_mix() -> None:
    mechanism = GALLERY["adaptive_sparse_vector_free_gap"]
    given = {"f": (1,), "T": 0, "c": 1, "margin": 1, "eps1": "ln 2"}
    with pytest.raises(BadInput, match="multiples of ln 2 and other numbers cannot be mixed"):
        likelihood(mechanism, (None,), **given, eps2=1)
    assert likelihood(mechanism, (None,), **given, eps2="2 ln 2").value.low > 0


def test_an_epsilon_that_must_be_a_number(tmp_path: Path) -> None:
    mixed = made(tmp_path, "a = sample(Laplace(1))\nb = sample(Laplace(1 / eps))\nyield a\nyield b")
    assert near(mixed, (0.0, 1.0), math.exp(-2) / 2, f=0, eps=2)
    with pytest.raises(BadInput, match="a multiple of ln 2 does not do here; give a number"):
        likelihood(mixed, (0.0, 1.0), f=0, eps="ln 2")


@pytest.mark.parametrize("outcome", [(math.nan,), (math.inf,)])
def test_what_is_no_number_is_bad_input_or_impossible(outcome: Any) -> None:
    try:
        assert likelihood(GALLERY["laplace"], outcome, f=0, eps=1).value.high == 0
    except BadInput as error:
        assert str(error)


def test_limits_have_a_name(tmp_path: Path) -> None:
    loop = "n = 0\nfor x in f:\n    a = sample(Laplace(1 / eps))\n    n += 1 if x + a >= 0 else 0\n"
    many = made(tmp_path, loop + "yield n", "f: Counts")
    assert near(many, (1,), 0.5, f=(0, 0), eps=1)
    with pytest.raises(LimitReached, match=r"paths|steps"):
        likelihood(many, (30,), f=(0,) * 30, eps=1)


def test_outside_the_language(tmp_path: Path) -> None:
    with pytest.raises(Unsupported):
        likelihood(made(tmp_path, "yield eval('f')"), (0,), f=0, eps=1)
