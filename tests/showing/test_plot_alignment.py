"""Pictures of alignments: densities, shifts and costs are those of the proof."""

from __future__ import annotations

import math
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
import pytest

from shiftproof import (
    BadInput,
    Bernoulli,
    DiscreteLaplace,
    DiscreteUniform,
    Distribution,
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Report,
    Staircase,
    TwoSidedGeometric,
    Uniform,
    Verdict,
    one_mechanism,
)
from shiftproof.checkers.walking.certificate import Certificate, read_certificate
from shiftproof.dsl import noise as every_noise
from shiftproof.dsl.terms.formulas import TRUE
from shiftproof.dsl.terms.linear import number
from shiftproof.showing.plots.alignment import pieces_of, plot_alignment, shown
from shiftproof.showing.plots.choosing import alignment_of, chosen_run
from shiftproof.showing.plots.densities import log_density, possible, window

matplotlib = pytest.importorskip("matplotlib")

REALS = [
    Laplace(2), Exponential(0.5), NegativeExponential(3), Uniform(-1, 3), Staircase(2, 1, 0.3),
    Logistic(2), Gaussian(2),
]  # fmt: skip
WHOLE = [
    TwoSidedGeometric(2), DiscreteLaplace(2), OneSidedGeometric(Fraction(1, 2)),
    NegativeOneSidedGeometric(3), DiscreteUniform(-2, 5), Bernoulli(0.3),
]  # fmt: skip


# Densities.


def test_every_noise_that_is_shifted_has_a_density() -> None:
    kinds = [k for k in vars(every_noise).values() if isinstance(k, type)]
    shifted = {k for k in kinds if issubclass(k, Distribution) and k.shiftable} - {Distribution}
    # Of a discrete normal law the constant is a sum without end.
    assert {type(law) for law in (*REALS, *WHOLE)} == {k for k in shifted if k.log_density}
    assert {k.__name__ for k in shifted if not k.log_density} == {"DiscreteGaussian"}


@pytest.mark.parametrize("law", [*REALS, *WHOLE], ids=str)
def test_a_density_is_one_in_all(law: Distribution) -> None:
    if law.lattice == "reals":
        at = np.linspace(-60, 60, 400_001)
        whole = np.exp(log_density(law, at)).sum() * (at[1] - at[0])
    else:
        whole = np.exp(log_density(law, np.arange(-100, 101))).sum()
    assert whole == pytest.approx(1, abs=1e-3 if law.lattice == "reals" else 1e-9)


@pytest.mark.parametrize("law", [law for law in (*REALS, *WHOLE) if law.cost[0]], ids=str)
def test_log_ratios_are_within_the_costs_of_the_proofs(law: Distribution) -> None:
    for value, shift in [(2, 1), (1, -1), (0, 2), (-1, -1), (-2, 1), (-3, 0)]:
        if not possible(law, value) or not possible(law, value + shift):
            continue
        here, there = log_density(law, [value, value + shift])
        charges = [c for c in law.charges(number(shift)) if c.when == TRUE]
        cost = sum(float(c.amount.constant) * float(c.rate.constant) for c in charges)
        assert here - there <= cost + 1e-12
        if not isinstance(law, Laplace | Staircase | Logistic):  # of these it is the worst case
            assert here - there == pytest.approx(cost)


def test_windows_show_the_support() -> None:
    assert window(Uniform(-1, 3)) == (-1, 3)
    assert window(Exponential(2)) == (0, 7)
    assert window(NegativeOneSidedGeometric(2)) == (-7, 0)
    assert window(Bernoulli(0.5)) == (0, 1)


# Alignments.


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """What ``verify`` says of some mechanisms, with the certificates that lie in the package."""
    files = (
        "laplace.laplace", "geometric.geometric", "randomized_response.rappor",
        "asymmetric_sparse_vector.asymmetric_sparse_vector", "noisy_max.noisy_max_exponential",
    )  # fmt: skip
    return {file.partition(".")[2]: report_of(file) for file in files}


def report_of(file: str) -> Report:
    text = (resources.files("shiftproof.proofs") / f"{file}.json").read_bytes()
    proof = read_certificate(text, Certificate)
    return Report(
        proof.mechanism, "", 0, proof.claim, proof.preconditions, Verdict.PROVED, "proved",
        method="alignment", certificate=proof,
    )  # fmt: skip


def lines(ax: Any, label: str) -> list[Any]:
    """The line with a label, and those of its colour and style that follow it."""
    first = next(line for line in ax.lines if line.get_label() == label)
    style = (first.get_color(), first.get_linestyle())
    return [line for line in ax.lines if (line.get_color(), line.get_linestyle()) == style]


def dots(ax: Any) -> list[tuple[float, float]]:
    single = (line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 1)
    return [tuple(map(float, data[0])) for data in single]


def test_laplace_noise_moves_as_a_whole(reports: dict[str, Report]) -> None:
    figure = plot_alignment(
        reports["laplace"], {"f": 3, "eps": 0.5}, {"f": 4}, noise=[Fraction(-1, 2)]
    )
    upper, lower = figure.axes
    (drawn,), (moved,) = lines(upper, "drawn on D"), lines(upper, "moved, for D′")
    x, y = drawn.get_data()
    assert np.allclose(y, np.exp(-np.abs(x) / 2) / 4)
    assert np.allclose(moved.get_xdata(), x - 1)
    assert np.array_equal(moved.get_ydata(), y)
    here, there = math.exp(-0.25) / 4, math.exp(-0.75) / 4
    assert np.allclose(dots(upper), [(-0.5, here), (-1.5, there)], rtol=1e-4)
    x, y = lower.lines[0].get_data()
    assert np.allclose(y, (np.abs(x - 1) - np.abs(x)) / 2)
    assert np.allclose(dots(lower), [(-0.5, 0.5)])
    assert upper.get_title() == "noise = Laplace(2), draw 1 of 1\n−0.5 → −1.5, cost 0.5"
    assert figure.get_suptitle().splitlines() == [
        "laplace: cost 0.5 of 0.5 nats",
        "D: f = 3 · D′: f = 4 · eps = 0.5",
        "both release 2.5",
    ]


def test_a_shift_that_asks_for_a_threshold_has_two_pieces(reports: dict[str, Report]) -> None:
    inputs = {"f": [3], "T": [5], "c": 1, "eps": 1}
    aligned = alignment_of(reports["asymmetric_sparse_vector"])
    run = chosen_run(aligned, inputs, {"f": [2]}, [Fraction(5, 2)], 0)
    assert (run.cost, run.budget, run.released) == (pytest.approx(1), 1, (Fraction(11, 2),))
    below, above = pieces_of(run.draws[0])
    assert (below.shift, above.shift) == (0, 1)
    assert below.at[0] == 0
    assert below.at[-1] == above.at[0] == pytest.approx(2, abs=1e-6)
    assert np.allclose(below.log_ratio, 0)
    assert np.allclose(above.log_ratio, 1)
    figure = plot_alignment(reports["asymmetric_sparse_vector"], inputs, {"f": [2]}, noise=[2.5])
    left, right = lines(figure.axes[0], "moved, for D′")
    assert (right.get_xdata()[0], right.get_ydata()[0]) == (pytest.approx(3, abs=1e-6), 0)
    assert right.get_ydata()[1] == pytest.approx(math.exp(-2), rel=1e-5)
    assert left.get_xdata()[-1] == pytest.approx(2, abs=1e-6)


def test_integers_are_points(reports: dict[str, Report]) -> None:
    figure = plot_alignment(reports["geometric"], {"f": 0, "eps": 1}, {"f": 1}, noise=[0])
    (moved,) = [line for line in figure.axes[0].lines if line.get_label() == "moved, for D′"]
    x, y = moved.get_data()
    assert np.allclose(y, math.tanh(0.5) * np.exp(-np.abs(x + 1)))
    assert np.array_equal(x, np.round(x))


def test_a_bit_is_flipped(reports: dict[str, Report]) -> None:
    figure = plot_alignment(
        reports["rappor"], {"x": 1, "k": 2, "eps": 2}, {"x": 2}, noise=[True, False]
    )
    first, second = figure.axes[:2]
    p = math.e / (1 + math.e)
    assert np.allclose(dots(first)[-2:], [(1, p), (0, 1 - p)])
    assert np.allclose(dots(second)[-2:], [(0, 1 - p), (1, p)])
    assert "True → False, cost 1" in first.get_title()
    assert "False → True, cost −1" in second.get_title()


def test_a_prophecy_moves_what_comes_out(reports: dict[str, Report]) -> None:
    aligned = alignment_of(reports["noisy_max_exponential"])
    inputs: dict[str, Any] = {"q": [1, 2, 1], "eps": 1}
    run = chosen_run(aligned, inputs, {"q": [2, 1, 2]}, [1, 2, 0], 0)
    assert run.released == (1,)
    assert [draw.moved - draw.value for draw in run.draws] == [0, 2, 0]
    figure = plot_alignment(
        reports["noisy_max_exponential"], inputs, {"q": [2, 1, 2]}, noise=[1, 2, 0], draws=[2]
    )
    assert len(figure.axes) == 2
    assert "draw 2 of 3" in figure.axes[0].get_title()


def test_neighbours_are_chosen_on_which_it_costs_all(reports: dict[str, Report]) -> None:
    run = chosen_run(alignment_of(reports["laplace"]), {"eps": Fraction(1, 4)}, {}, (), 0)
    assert run.cost == pytest.approx(0.25) == run.budget
    assert run.example.left["eps"] == Fraction(1, 4)
    assert abs(run.example.left["f"] - run.example.right["f"]) == 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("inputs", "other", "more", "message"),
    [
        ({"f": 1, "eps": 1}, {"f": 3}, {}, "D′ is no neighbour of D"),
        ({"f": 1, "eps": 1}, {}, {}, "D′ is missing"),
        ({"f": 1}, {"f": 2}, {}, "eps missing on D"),
        ({"g": 1}, {}, {}, "no input is called 'g'; want one of f, eps"),
        ({"f": 1, "eps": 1}, {"eps": 2}, {}, "eps is public"),
        ({"f": "x", "eps": 1}, {"f": 2}, {}, "a finite number is needed"),
        ({"f": 1, "eps": 1}, {"f": 2}, {"noise": [0, 1]}, "got 2 draws; this run has 1"),
        ({"f": 1, "eps": 1}, {"f": 2}, {"draws": [2]}, "got 2; this run has 1"),
        ({"f": 1, "eps": 1}, {"f": 2}, {"axes": []}, "axes: got 0; this picture needs 2 × 1"),
        ({"eps": -1}, {}, {}, "eps"),
    ],
)
def test_what_cannot_be_drawn(
    reports: dict[str, Report], inputs: Any, other: Any, more: Any, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        plot_alignment(reports["laplace"], inputs, other, **more)


def test_noise_outside_of_its_support(reports: dict[str, Report]) -> None:
    for name, noise in (("geometric", Fraction(1, 2)), ("noisy_max_exponential", -1)):
        inputs: Any = {"f": 1, "eps": 1} if name == "geometric" else {"q": [1], "eps": 1}
        other: Any = {"f": 2} if name == "geometric" else {"q": [2]}
        with pytest.raises(BadInput, match=r"noise: draw 1 is .* never is"):
            plot_alignment(reports[name], inputs, other, noise=[noise])


def test_without_an_alignment() -> None:
    with pytest.raises(BadInput, match="mangat: proved by sums; there is no alignment to draw"):
        plot_alignment(one_mechanism("mangat"))
    with pytest.raises(BadInput, match="got int; want a mechanism or the report of verify"):
        plot_alignment(3)  # type: ignore[arg-type]


def test_axes_of_the_caller(reports: dict[str, Report]) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots(2, 3)
    found = plot_alignment(
        reports["laplace"], {"f": 3, "eps": 1}, {"f": 4}, noise=[0], axes=axes[:, 1]
    )
    assert found is figure
    assert [bool(ax.lines) for ax in axes.flat] == [False, True, False] * 2
    assert not figure.get_suptitle()


def test_values_are_short() -> None:
    assert shown((Fraction(-3, 2), 2, None, (Fraction(1),))) == "(−1.5, 2, None, (1,))"
    assert shown("-") == "-"
