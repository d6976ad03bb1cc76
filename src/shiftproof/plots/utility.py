"""The picture of utility: what noise costs in error, over a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ..drawing import COLOURS, frame, panels
from ..dsl.errors import BadInput
from ..dsl.noise import Distribution
from ..estimators.noise_utility import NoiseUtility, noise_utility
from .simulated import SimulatedUtility

Measure: TypeAlias = Literal["rmse", "mean_absolute_error", "bias", "variance"]
#: What is drawn of each noise, and how it is called.
MEASURES: Mapping[Measure, str] = {
    "rmse": "RMSE", "mean_absolute_error": "E|error|", "bias": "bias", "variance": "variance",
}  # fmt: skip
_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1)))
_MARKS = ("o", "s", "D", "^", "v", "P")
#: The ε that are drawn by default, in nats.
EPSILONS = tuple(0.05 * 1.2**k for k in range(27))


def plot_utility(
    noises: Sequence[NoiseUtility | SimulatedUtility | Distribution | str],
    over: str = "eps",
    values: Sequence[float] = EPSILONS,
    *,
    measures: Sequence[Measure] = ("rmse", "mean_absolute_error", "bias"),
    given: Mapping[str, int | float | Fraction] | None = None,
    axes: Any = None,
) -> Any:
    """Draw the errors of answers with noise, over ε or another parameter.

    Lines are exact; dots with bars of 95 % are simulated.

    Args:
        noises: what :func:`noise_utility` found, or what it takes; a noise that does not have
            the parameter is a level line; or what :func:`simulated_utility` found of a whole
            mechanism, at values of its own.
        over: the parameter along the axis.
        values: of it, positive.
        measures: a panel for each: ``rmse``, ``mean_absolute_error``, ``bias``, ``variance``.
        given: values of the other parameters.
        axes: an axes of matplotlib for each measure; a new figure by default.

    Returns:
        The figure of matplotlib.  Errors are in the unit of the answer, ε in nats.

    Raises:
        BadInput: there is no noise, value or such measure, a parameter has no value or no noise
            has it, there is no such noise at a value, or matplotlib is not installed.
    """
    if isinstance(noises, str | Distribution | NoiseUtility | SimulatedUtility):
        noises = (noises,)
    given_lists = {"noises": noises, "values": values, "measures": measures}
    for name, members in given_lists.items():
        if not len(members):
            raise BadInput(f"{name}: there are none, so there is nothing to draw")
    for measure in measures:
        if measure not in MEASURES:
            raise BadInput(f"measures: got {measure!r}; want some of {', '.join(MEASURES)}")
    exact = [
        n if isinstance(n, NoiseUtility) else noise_utility(n)
        for n in noises
        if not isinstance(n, SimulatedUtility)
    ]
    simulated = [n for n in noises if isinstance(n, SimulatedUtility)]
    for found in simulated:
        if found.over != over:
            raise BadInput(
                f"{found.mechanism}: it was simulated over {found.over}, not over {over}"
            )
    lines = _lines(exact, over, values, given or {}) if exact else []
    figure, grid = panels(axes, (1, len(measures)), (0.4 + 3.1 * len(measures), 3.3))
    for ax, measure in zip(grid[0], measures, strict=True):
        for k, (utility, errors) in enumerate(zip(exact, lines, strict=True)):
            ax.plot(
                list(values), [getattr(error, measure) for error in errors],
                ls=_STYLES[k % len(_STYLES)], color=COLOURS[k % len(COLOURS)], lw=1.6,
                label=_label(utility),
            )  # fmt: skip
        for k, some in enumerate(simulated, start=len(exact)):
            bands = getattr(some, measure)
            ax.errorbar(
                list(bands), [b.mean for b in bands.values()],
                yerr=[[b.mean - b.low for b in bands.values()],
                      [b.high - b.mean for b in bands.values()]],
                fmt=_MARKS[k % len(_MARKS)], ms=4, capsize=2, lw=1, color=COLOURS[k % len(COLOURS)],
                label=f"{some.mechanism}, simulated",
            )  # fmt: skip
        ax.set_xscale("log")
        if measure == "bias":
            ax.axhline(0, color="#bbbbbb", lw=0.8, zorder=0)
        else:
            ax.set_yscale("log")
        frame(ax, "", f"{over}, nats" if over == "eps" else over, MEASURES[measure])
    grid[0, 0].legend(fontsize=7, frameon=False)
    return figure


def _lines(
    found: Sequence[NoiseUtility], over: str, values: Sequence[float],
    given: Mapping[str, int | float | Fraction],
) -> list[list[Any]]:  # fmt: skip
    known = {name for utility in found for name in utility.parameters}
    for name in (over, *given):
        if name not in known:
            wanted = ", ".join(sorted(known)) or "no parameter at all"
            raise BadInput(f"{name}: no noise here has this parameter; there is {wanted}")
    return [
        [
            utility.at(
                **{n: v for n, v in {**given, over: value}.items() if n in utility.parameters}
            )
            for value in values
        ]
        for utility in found
    ]


def _label(utility: NoiseUtility) -> str:
    less = f", less its {utility.debias}" if utility.debias else ""
    return f"{utility.noise}{less}"
