"""The experiment on reconstruction: errors beside exact theory, distances by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from shiftproof import (
    BadInput,
    RandomisedResponse,
    TruncatedGeometric,
    inversion_error,
    reconstruction_experiment,
)
from shiftproof.commands.cli import main
from shiftproof.experiments.reconstruction import TRUTH, _inverse_error, _row, slope


def test_the_theory_is_the_exact_one() -> None:
    truth = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    for channel in (TruncatedGeometric(2, Fraction(1, 2)), RandomisedResponse(3, Fraction(1, 2))):
        exact = inversion_error(channel.exact_matrix(), truth)
        found = _inverse_error(channel, np.array(truth, dtype=float))
        assert found == pytest.approx(float(exact), rel=1e-12)


def test_distances_by_hand() -> None:
    row = _row("c", "e", 4, 1.0, np.array([[0.5, 0.0, -0.5], [0.0, 0.25, -0.25]]), 9.0)
    assert row.error == pytest.approx(((0.5 + 0.125) / 2) ** 0.5)
    assert row.theory == 1.5
    assert row.total_variation == pytest.approx((0.5 + 0.25) / 2)
    assert row.transport == pytest.approx((1.0 + 0.25) / 2)  # 1/2 moves by 2, 1/4 by 1


def test_errors_fall_as_theory_says() -> None:
    found = reconstruction_experiment(users=[10**4, 10**5, 10**6], epsilons=[1, 2], runs=60)
    assert len(found.rows) == 3 * 2 * 2 * 2
    for channel in ("truncated geometric", "randomised response"):
        for eps in (1, 2):
            for estimate in ("maximum likelihood", "inverse"):
                own = [
                    r for r in found.rows
                    if (r.channel, r.estimate, r.eps) == (channel, estimate, eps)
                ]  # fmt: skip
                assert slope(own) == pytest.approx(-0.5, abs=0.06)
                assert own[-1].error == pytest.approx(own[-1].theory, rel=0.2)


def test_the_better_channel_depends_on_epsilon() -> None:
    """Conjecture 4.6, if the best one has the least squared error: not below ε = .72."""

    def errors(eps: float) -> list[float]:
        found = reconstruction_experiment([0, 1, 2], users=[10**6], epsilons=[eps], runs=400)
        return [row.error for row in found.rows if row.estimate == "inverse"]

    geometric, response = errors(0.3)
    assert response < geometric
    geometric, response = errors(2.0)
    assert geometric < response


def test_greater_values_are_counted_as_the_largest() -> None:
    found = reconstruction_experiment([0, 1, 5, 9], largest=2, users=[10], runs=1, epsilons=[1])
    assert found.truth == (0.25, 0.25, 0.5)
    assert sum(TRUTH) == pytest.approx(1)


@pytest.mark.parametrize(
    ("values", "largest", "said"),
    [
        ([0, 1.5], None, r"values\[1\]: got 1.5"),
        ([-1], None, r"values\[0\]: got -1"),
        ([], None, "at least one"),
        ([0, 0], None, "range is"),
        ([20_000], None, "give largest="),
    ],
)
def test_what_is_refused(values: list[float], largest: int | None, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        reconstruction_experiment(values, largest=largest)


def test_command(tmp_path: Path) -> None:
    file, plot = tmp_path / "counts.txt", tmp_path / "a.svg"
    file.write_text("0\n1\n1\n2\n7\n")
    small = ["--users", "100,400", "--runs", "3", "--eps", "1,2", "--largest", "3"]
    found = CliRunner().invoke(
        main, ["experiment", "reconstruct", str(file), *small, "--json", "--plot", str(plot)]
    )
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["truth"] == [0.2, 0.4, 0.2, 0.2] and len(told["rows"]) == 16
    for text in ("reconstruction of 4 shares of counts.txt", "users N", "L2 distance"):
        assert text in plot.read_text()
    told_text = CliRunner().invoke(main, ["experiment", "reconstruct", *small[:-2]]).stdout
    assert "slope of ln error over ln N, truncated geometric, inverse" in told_text
