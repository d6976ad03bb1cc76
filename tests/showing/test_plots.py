"""Pictures: what is drawn is what is computed, and they come into files whole or not at all."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from shiftproof import (
    Audit,
    BadInput,
    Judgement,
    Laplace,
    Visible,
    bound,
    noise_utility,
    one_mechanism,
)
from shiftproof import Tested as Event
from shiftproof.checkers.bound import Bracket
from shiftproof.commands.cli import CommandLine
from shiftproof.commands.plot import plot
from shiftproof.showing.formats.audits import as_json, audit_from_json
from shiftproof.showing.plots.alignment import plot_alignment
from shiftproof.showing.plots.audit import plot_audit, plot_bracket
from shiftproof.showing.plots.drawing import panels, save
from shiftproof.showing.plots.utility import plot_utility, simulated_utility

matplotlib = pytest.importorskip("matplotlib")

# Brackets.


@pytest.fixture(scope="module")
def brackets() -> dict[float, Bracket]:
    laplace = one_mechanism("laplace")
    return {eps: bound(laplace, {"eps": eps}, effort=1_000) for eps in (2, 0.5)}


def test_a_bracket_is_drawn_from_below_and_above(brackets: dict[float, Bracket]) -> None:
    upper, lower = plot_bracket(brackets).axes
    proved, found = upper.lines
    assert proved.get_xydata().tolist() == [[0.5, 0.5], [2, 2]]
    assert np.allclose(found.get_xydata(), [[0.5, 0.5], [2, 2]])
    assert np.allclose(lower.lines[1].get_ydata(), 100)
    assert upper.get_title() == "laplace (claims eps)"
    assert (upper.get_ylabel(), lower.get_xlabel()) == ("ε, nats", "eps, nats")
    names = [t.get_text() for t in upper.get_legend().get_texts()]
    assert names == ["proved: ε is at most this", "found: ε is at least this"]


def test_what_is_not_proved_and_has_no_limit(brackets: dict[float, Bracket]) -> None:
    comparison = brackets[2].comparison
    assert comparison is not None
    endless = msgspec.structs.replace(comparison, log_ratio=None)
    bracket = replace(brackets[2], upper=None, comparison=endless, tight=False)
    assert bracket.share == math.inf
    upper, lower = plot_bracket({1: bracket}, "c").axes
    claimed, found, endless_at = upper.lines
    assert claimed.get_label() == "claimed, not proved"
    assert np.isnan(found.get_ydata()).all()
    assert endless_at.get_xydata().tolist() == [[1, 2]]
    assert not upper.collections
    assert lower.get_xlabel() == "c"


def test_whole_numbers_have_whole_ticks(brackets: dict[float, Bracket]) -> None:
    comparison = brackets[2].comparison
    assert comparison is not None
    at = {
        c: replace(brackets[2], comparison=msgspec.structs.replace(comparison, public={"c": c}))
        for c in (1, 2)
    }
    _, lower = plot_bracket(at, "c").axes
    assert all(float(tick).is_integer() for tick in lower.get_xticks())


def test_no_brackets(brackets: dict[float, Bracket]) -> None:
    with pytest.raises(BadInput, match="brackets: of nothing"):
        plot_bracket({})
    with pytest.raises(BadInput, match="of laplace, other"):
        plot_bracket({1: brackets[2], 2: replace(brackets[2], mechanism="other")})
    with pytest.raises(BadInput, match="no pair of inputs was compared"):
        plot_bracket({1: replace(brackets[2], comparison=None)})


# Audits.

JUDGED = Judgement("violation found", 1.0, 1.25, 1e-9)
AUDITED = Audit(
    mechanism="some $mechanism$",
    claim=1.0,
    confidence=0.95,
    ideal=JUDGED,
    code=None,
    tested=(
        Event("0", 0, [1, 2], "one $event$", True, 1000, 500, 100, 1.0),
        Event("0", 0, 1, "never on D'", False, 1000, 300, 0, 1.0),
    ),
    visible=(Visible(0.5, 1.1, 1.2, 1.5), Visible(0.1, None, None, None)),
    pairs=2,
    public={"eps": 1},
    runs=4000,
    asked=4000,
    seed=1,
    seconds=0.5,
    notes=("a note",),
)


def test_events_are_where_they_came() -> None:
    upper, lower = plot_audit(AUDITED).axes
    claim, shown_line = upper.lines[:2]
    q, p = claim.get_data()
    assert np.allclose(p, np.minimum(math.e * q, 1))
    q, p = shown_line.get_data()
    assert np.allclose(p, np.minimum(math.exp(1.25) * q, 1))
    places = [tuple(c.lines[0].get_xydata()[0]) for c in upper.containers]
    least = upper.get_xlim()[0]
    assert places == [(least, 0.3), (0.1, 0.5)]
    assert {ax.get_text() for ax in upper.texts} == {"1", "2"}
    bar, dot, endless, _ = (line.get_xydata() for line in lower.lines[:4])
    assert dot.tolist() == [[math.log(5), 0]]
    assert bar[0, 0] < math.log(5) < bar[1, 0]
    assert endless[1, 0] == lower.get_xlim()[1]
    assert [line.get_xdata()[0] for line in lower.lines[-2:]] == [1.0, 1.25]


def test_pairs_with_an_epsilon_of_their_own() -> None:
    first, second = AUDITED.tested
    own = replace(AUDITED, unit="distance", tested=(first, replace(second, owed=2.0)))
    upper, lower = plot_audit(own).axes
    names = [t.get_text() for t in upper.get_legend().get_texts()]
    assert names == ["owed: ε = 1", "owed: ε = 2"]
    ticks = [line for line in lower.lines if line.get_marker() == "|"]
    assert [tick.get_xydata().tolist() for tick in ticks] == [[[1, 0]], [[2, 1]]]


def test_nothing_was_tested() -> None:
    upper, _ = plot_audit(replace(AUDITED, tested=(), claim=None)).axes
    assert upper.get_legend() is not None


def test_claims_with_a_delta() -> None:
    upper, lower = plot_audit(replace(AUDITED, delta=0.05)).axes
    q, p = upper.lines[0].get_data()
    assert np.allclose(p, np.minimum(math.e * q + 0.05, 1), atol=1e-6)
    assert upper.get_title() == "some $mechanism$: violation found at δ = 0.05, 4,000 runs"
    assert lower.get_xlabel() == "log((P on D − δ) / P on D′), nats"
    bar, dot = (line.get_xydata() for line in lower.lines[:2])
    assert np.allclose(dot, [[math.log(0.45 / 0.1), 0]])
    assert bar[0, 0] < dot[0, 0] < bar[1, 0]


def test_claims_of_rho() -> None:
    claimed = replace(AUDITED, claim=0.1, measure="rho", ideal=replace(JUDGED, lower_bound=0.2))
    upper, lower = plot_audit(claimed).axes
    names = [t.get_text() for t in upper.get_legend().get_texts()]
    assert names == ["claim: ρ = 0.1", "shown: ρ ≥ 0.2"]
    assert lower.get_xlabel() == "ρ of the event alone"
    for line, rho in zip(upper.lines[:2], (0.1, 0.2), strict=True):
        q, p = line.get_data()
        some = (p < 0.999) & (q > 0.01)
        assert np.allclose(claimed.notion.worst(p[some], q[some]), rho, rtol=1e-4)
    assert lower.lines[1].get_xydata()[0, 0] == pytest.approx(claimed.notion.worst(0.5, 0.1))


def test_an_audit_comes_back_from_its_json() -> None:
    text = msgspec.json.encode(as_json(AUDITED))
    assert audit_from_json(text) == AUDITED
    judged = replace(AUDITED, code=JUDGED, unit="budget", claim=None)
    assert audit_from_json(msgspec.json.encode(as_json(judged))) == judged
    for other in (replace(AUDITED, delta=0.1), replace(AUDITED, measure="rho", claim=0.25)):
        printed = as_json(other)
        assert audit_from_json(msgspec.json.encode(printed)) == other
        measured = [printed, *printed["events"], *printed["visible"]]
        absent = "epsilon" if other.measure == "rho" else "rho"
        assert all(one[absent] is None for one in measured)
    before = {k: v for k, v in as_json(AUDITED).items() if k not in ("delta", "rho")}
    assert audit_from_json(msgspec.json.encode(before)) == AUDITED


# Utility.


def test_errors_are_exact() -> None:
    debiased = noise_utility("Exponential(1/eps)", "mean")
    values = (0.1, 1.0, 10.0)
    figure = plot_utility(["Laplace(c/eps)", Laplace(2), debiased], values=values, given={"c": 3})
    rmse, absolute, bias = figure.axes
    eps = np.array(values)
    wanted = [3 * math.sqrt(2) / eps, 2 * math.sqrt(2) + 0 * eps, 1 / eps]
    assert np.allclose([line.get_ydata() for line in rmse.lines], wanted)
    assert np.allclose([line.get_ydata() for line in absolute.lines[:2]], [3 / eps, 2 + 0 * eps])
    assert np.allclose([line.get_ydata() for line in bias.lines[:3]], 0)
    labels = [line.get_label() for line in rmse.lines]
    assert labels == ["Laplace(c/eps)", "Laplace(2)", "Exponential(1/eps), less its mean"]


def test_one_sided_noise_is_drawn_raw_and_less_its_mean() -> None:
    eps = np.array([0.5, 2.0])
    figure = plot_utility(["Laplace(1/eps)", "Exponential(1/eps)"], values=list(eps))
    rmse, absolute, bias = figure.axes
    for ax, raw, debiased in (
        (rmse, math.sqrt(2) / eps, 1 / eps),
        (absolute, 1 / eps, 2 / (math.e * eps)),
        (bias, 1 / eps, 0 * eps),
    ):
        plain, one, two = (line for line in ax.lines if line.get_label()[0] != "_")
        assert np.allclose([one.get_ydata(), two.get_ydata()], [raw, debiased])
        assert one.get_color() == two.get_color() != plain.get_color()
        assert one.get_linestyle() != two.get_linestyle()
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "Laplace(1/eps)", "Exponential(1/eps)", "Exponential(1/eps), less its mean",
    ]  # fmt: skip


def test_epsilons_are_marked_at_1_2_and_5() -> None:
    figure = plot_utility("Laplace(1/eps)", measures=["rmse"])
    figure.draw_without_rendering()
    (ax,) = figure.axes
    low, high = ax.get_xlim()
    marks = zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    shown = [label.get_text() for x, label in marks if low <= x <= high]
    assert shown == ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"]


def test_every_picture_names_its_axes_and_what_it_is_of(brackets: dict[float, Bracket]) -> None:
    simulated = simulated_utility(one_mechanism("laplace"), 3, {"f": 3}, values=[1], samples=10)
    figures = {
        "laplace": [
            plot_bracket(brackets), plot_alignment(one_mechanism("laplace")),
            plot_utility([simulated]),
        ],
        "some $mechanism$": [plot_audit(AUDITED)],
        "answers with noise": [plot_utility("Laplace(1/eps)")],
    }  # fmt: skip
    for name, drawn in figures.items():
        for figure in drawn:
            above = figure.get_suptitle() + "".join(ax.get_title() for ax in figure.axes)
            assert name in above
            assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)


def test_ticks_are_1_2_or_5_times_a_power_of_ten(brackets: dict[float, Bracket]) -> None:
    for figure in (plot_bracket(brackets), plot_alignment(one_mechanism("laplace"))):
        for ax in figure.axes:
            for ticks in (ax.get_xticks(), ax.get_yticks()):
                step = f"{ticks[1] - ticks[0]:.6e}"
                assert step[0] in "125" and step[1:8] == ".000000"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"noises": []}, "noises: there are none"),
        ({"noises": ["Laplace(1/eps)"], "values": ()}, "values: there are none"),
        ({"noises": ["Laplace(1/eps)"], "measures": ["mse"]}, "measures: got 'mse'"),
        ({"noises": ["Laplace(1/eps)"], "over": "c"}, "c: no noise here has this parameter"),
        ({"noises": ["Laplace(c/eps)"]}, "c is missing"),
        ({"noises": "Laplace(1/eps)", "values": [-1]}, "want a positive number"),
        ({"noises": ["Laplace(2)"]}, "there is no parameter at all"),
    ],
)
def test_no_such_errors(given: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        plot_utility(**given)


def test_whole_mechanisms_are_simulated() -> None:
    found = simulated_utility(one_mechanism("laplace"), 3, {"f": 3}, values=(0.5, 2), samples=4000)
    for eps in (0.5, 2):
        for measure, wanted in (("rmse", math.sqrt(2)), ("mean_absolute_error", 1), ("bias", 0)):
            band = getattr(found, measure)[eps]
            assert abs(band.mean - wanted / eps) < 2 * (band.high - band.low)
            assert band.low < band.mean < band.high < band.mean + 0.3 / eps
    rmse = plot_utility(["Laplace(1/eps)", found], values=(0.5, 2), measures=["rmse"]).axes[0]
    dots, _, _ = rmse.containers[0]
    assert dots.get_xydata().tolist() == [[eps, band.mean] for eps, band in found.rmse.items()]
    with pytest.raises(BadInput, match="simulated over eps, not over c"):
        plot_utility([found], over="c")


def test_errors_of_what_is_no_number() -> None:
    inputs = {"f": [0], "T": [50], "c": 1}
    with pytest.raises(BadInput, match="10 of 10 runs release no number first at eps = 9"):
        simulated_utility(
            one_mechanism("asymmetric_sparse_vector"), 0, inputs, values=[9], samples=10
        )


# Files, and the command.


def run(*arguments: str) -> Result:
    return CliRunner().invoke(CommandLine("shiftproof", {"plot": plot}), ["plot", *arguments])


@pytest.mark.parametrize(
    ("suffix", "begin"), [(".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")]
)
def test_the_same_picture_is_the_same_file(tmp_path: Path, suffix: str, begin: bytes) -> None:
    before = matplotlib.rcParams["svg.hashsalt"]
    files = [tmp_path / f"{k}{suffix}" for k in range(2)]
    for file in files:
        figure, axes = panels(None, (1, 1), (1, 1))
        axes[0, 0].plot([1, 2], [3, 4])
        axes[0, 0].set_xticks([1])
        axes[0, 0].set_yticks([3])
        save(figure, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(begin)
    assert matplotlib.rcParams["svg.hashsalt"] == before


def test_only_pictures_are_saved(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="what kind of picture"):
        save(None, tmp_path / "x.txt")


def test_a_picture_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)  # which has global state
    given = "--set f=3 --set eps=1/2 --other f=4 --noise -.5 --draws 1"
    result = run("alignment", "laplace", *given.split(), "--output", str(tmp_path / "a.svg"))
    assert (result.exit_code, result.output) == (0, "")
    assert "laplace: cost 0.5 of 0.5 nats" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[Any] = []
    monkeypatch.setattr(
        "shiftproof.showing.plots.drawing.save", lambda figure, file: saved.append(figure)
    )
    monkeypatch.chdir(tmp_path)
    Path("audit.json").write_bytes(msgspec.json.encode(as_json(AUDITED)))
    for call in (
        "audit audit.json",
        "utility Laplace(c/eps) Exponential(c/eps) --set c=2 --values 1,2 --debias mean",
        "bracket laplace --values 1,2 --effort 100",
    ):
        result = run(*call.split(), "--output", "x.svg")
        assert result.exit_code == 0, result.output
    audited, useful, bracketed = (figure.axes[0] for figure in saved)
    assert audited.get_title() == "some $mechanism$: violation found, 4,000 runs"
    ends = [line.get_xydata().tolist() for line in useful.lines]
    wide = 2 * math.sqrt(2)
    assert np.allclose(ends, [[[1, wide], [2, wide / 2]], [[1, 2], [2, 1]]])
    assert np.allclose(bracketed.lines[0].get_xydata(), [[1, 1], [2, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("utility --output x.gif", "what kind of picture"),
        ("utility", "Missing option '--output'"),
        ("utility --output no/x.svg", "there is no folder no"),
        ("utility Laplace(c/eps) --output x.svg", "c is missing"),
        ("audit none.json --output x.svg", "none.json: cannot be read"),
        ("audit bad.json --output x.svg", "bad.json: this is no audit"),
        ("audit often.json --output x.svg", "more often than there were runs"),
        ("alignment laplace --noise x --output x.svg", "want numbers between commas"),
        ("alignment laplace --other eps=1 --output x.svg", "unknown name 'eps'"),
        ("alignment nothing --output x.svg", "is called 'nothing'"),
        ("bracket laplace --over f --output x.svg", "with --over NAME which one varies, of eps"),
    ],
)
def test_bad_calls_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text("[]", encoding="utf-8")
    often = as_json(AUDITED)
    often["events"][0]["on_left"] = 2000
    Path("often.json").write_bytes(msgspec.json.encode(often))
    result = run(*call.split())
    assert result.exit_code == 3
    assert message in result.output
    assert "Traceback" not in result.output
    assert {path.name for path in tmp_path.iterdir()} == {"bad.json", "often.json"}


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("utility", "--output", str(tmp_path / "x.svg"))
    assert result.exit_code == 3
    assert "matplotlib is not installed; pip install 'shiftproof[plot]'" in result.output
    with pytest.raises(BadInput, match="matplotlib is not installed"):
        plot_alignment(one_mechanism("laplace"))
